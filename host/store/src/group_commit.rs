//! Group commit: writers that come together share one synced commit.
//!
//! SQLite has one writer at a time and syncs each commit, so one commit a writer would bound a host to some hundreds of
//! writers a second. Here they queue for the one connection that writes. The first opens a transaction and sends a
//! committer to the end of the queue; whoever stands between the two is a member of the group: it runs its statements
//! in its turn, under a savepoint, and hears that they are committed once the committer has had its turn. Those who
//! come meanwhile are the next group.
//!
//! A member that fails or goes away is undone alone, by whoever has the next turn. When the commit fails, or the
//! connection loses the transaction, all members fail. Each member sees what those before it have written.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool};
use tokio::sync::{Mutex, OwnedMappedMutexGuard, OwnedMutexGuard, oneshot};

/// The write lock from the start: a transaction that began as a reader could not wait for it later.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// The writers of one process. Clones share the queue.
#[derive(Debug, Clone)]
pub(crate) struct GroupCommit {
    /// One connection.
    pool: AnyPool,
    /// Turns are given in the order in which they were asked for.
    turns: Arc<Mutex<Option<Group>>>,
}

/// A transaction of several members.
#[derive(Debug)]
struct Group {
    connection: PoolConnection<Any>,
    savepoint: Savepoint,
    waiting: Vec<oneshot::Sender<Result<(), Arc<sqlx::Error>>>>,
}

/// Where the transaction's one savepoint stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Savepoint {
    /// There is none yet.
    Absent,
    /// Before the statements of a member that has not committed.
    Open,
    /// Before the statements of a member that has committed.
    Done,
}

/// A writer that has its turn. Dropped without a commit, what it wrote is undone.
#[derive(Debug)]
pub(crate) struct Member {
    group: OwnedMappedMutexGuard<Option<Group>, Group>,
}

impl GroupCommit {
    /// Over a pool of one connection.
    pub(crate) fn new(pool: AnyPool) -> Self {
        Self { pool, turns: Arc::new(Mutex::new(None)) }
    }

    /// Waits for a turn to write.
    pub(crate) async fn join(&self) -> Result<Member, sqlx::Error> {
        let this = self.clone();
        // A caller that goes away must not leave a turn half begun, so the beginning is not the caller's.
        let joining = tokio::spawn(async move { this.begin_turn().await });
        joining.await.map_err(|_| sqlx::Error::WorkerCrashed)?
    }

    async fn begin_turn(&self) -> Result<Member, sqlx::Error> {
        let mut turn = self.turns.clone().lock_owned().await;
        if let Some(group) = turn.as_mut()
            && let Err(error) = group.begin_member().await
        {
            fail(turn.take(), error).await;
        }
        if turn.is_none() {
            *turn = Some(Group::begin(self.pool.acquire().await?).await?);
            tokio::spawn(commit_in_turn(self.turns.clone()));
        }
        let group = OwnedMutexGuard::try_map(turn, Option::as_mut).map_err(|_| sqlx::Error::WorkerCrashed)?;
        Ok(Member { group })
    }
}

impl Group {
    async fn begin(mut connection: PoolConnection<Any>) -> Result<Self, sqlx::Error> {
        sqlx::query(BEGIN).execute(&mut *connection).await?;
        let mut group = Self { connection, savepoint: Savepoint::Absent, waiting: Vec::new() };
        match group.begin_member().await {
            Ok(()) => Ok(group),
            Err(error) => {
                close(group.connection).await;
                Err(error)
            }
        }
    }

    /// Undoes what the last member left uncommitted, and sets the savepoint for the next.
    async fn begin_member(&mut self) -> Result<(), sqlx::Error> {
        let statement = match self.savepoint {
            Savepoint::Absent => "SAVEPOINT member",
            Savepoint::Open => "ROLLBACK TO member",
            Savepoint::Done => "RELEASE member; SAVEPOINT member",
        };
        sqlx::raw_sql(statement).execute(&mut *self.connection).await?;
        self.savepoint = Savepoint::Open;
        Ok(())
    }

    async fn commit(&mut self) -> Result<(), sqlx::Error> {
        let statement = match self.savepoint {
            Savepoint::Open => "ROLLBACK TO member; COMMIT",
            Savepoint::Absent | Savepoint::Done => "COMMIT",
        };
        sqlx::raw_sql(statement).execute(&mut *self.connection).await?;
        Ok(())
    }
}

/// Commits whichever group there is when its turn comes. A group that failed before leaves its committer to the next.
async fn commit_in_turn(turns: Arc<Mutex<Option<Group>>>) {
    let mut turn = turns.lock_owned().await;
    let Some(mut group) = turn.take() else {
        return;
    };
    if let Err(error) = group.commit().await {
        fail(Some(group), error).await;
        return;
    }
    let Group { connection, waiting, .. } = group;
    drop(connection);
    drop(turn);
    for member in waiting {
        // Nobody may be waiting any more.
        let _ = member.send(Ok(()));
    }
}

/// Tells all members, and closes the connection: what its transaction has come to is not known.
async fn fail(group: Option<Group>, error: sqlx::Error) {
    let Some(Group { connection, waiting, .. }) = group else {
        return;
    };
    tracing::error!(%error, members = waiting.len(), "a group commit failed");
    close(connection).await;
    let error = Arc::new(error);
    for member in waiting {
        let _ = member.send(Err(error.clone()));
    }
}

async fn close(connection: PoolConnection<Any>) {
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "could not close a connection that lost its transaction");
    }
}

impl Member {
    /// Ends the turn, and waits until what was written is on the disk.
    pub(crate) async fn commit(self) -> Result<(), sqlx::Error> {
        let (tell, told) = oneshot::channel();
        let mut group = self.group;
        group.waiting.push(tell);
        group.savepoint = Savepoint::Done;
        drop(group);
        match told.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(sqlx::Error::AnyDriverError(Box::new(error))),
            Err(_) => Err(sqlx::Error::WorkerCrashed),
        }
    }

    /// Ends the turn. What was written is committed with the group, and nobody waits for that: it may be lost where
    /// the machine or the process dies at once.
    pub(crate) fn commit_later(mut self) {
        self.group.savepoint = Savepoint::Done;
    }
}

impl Deref for Member {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.group.connection
    }
}

impl DerefMut for Member {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.group.connection
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::Poll;

    use futures_util::poll;
    use sqlx::any::AnyPoolOptions;
    use tempfile::TempDir;

    /// A table `written`, whose rows with a `parent` are refused at the commit and not before.
    struct World {
        writers: GroupCommit,
        reader: AnyPool,
        _folder: TempDir,
    }

    impl World {
        async fn new() -> Self {
            sqlx::any::install_default_drivers();
            let folder = TempDir::new().unwrap();
            let url = format!("sqlite://{}?mode=rwc", folder.path().join("test.sqlite").display());
            let pool = AnyPoolOptions::new().max_connections(1).connect(&url).await.unwrap();
            let schema = "PRAGMA journal_mode = WAL;
                 CREATE TABLE written (id BIGINT PRIMARY KEY,
                     parent BIGINT REFERENCES written (id) DEFERRABLE INITIALLY DEFERRED);";
            sqlx::raw_sql(schema).execute(&pool).await.unwrap();
            let reader = AnyPoolOptions::new().max_connections(1).connect(&url).await.unwrap();
            Self { writers: GroupCommit::new(pool), reader, _folder: folder }
        }

        async fn kept(&self) -> Vec<i64> {
            sqlx::query_scalar("SELECT id FROM written ORDER BY id").fetch_all(&self.reader).await.unwrap()
        }

        /// A member that has written one row.
        async fn member(&self, id: i64) -> Member {
            let mut member = self.writers.join().await.unwrap();
            write(&mut member, id, None).await.unwrap();
            member
        }

        /// Writers of one row each, all of one group: they take their places while somebody else has the turn.
        async fn group(&self, rows: &[(i64, Option<i64>)]) -> Vec<Writer> {
            let elsewhere = self.writers.turns.clone().lock_owned().await;
            let mut group = Vec::new();
            for &(id, parent) in rows {
                let writers = self.writers.clone();
                let mut writer = Box::pin(async move {
                    let mut member = writers.begin_turn().await?;
                    write(&mut member, id, parent).await?;
                    member.commit().await
                });
                assert!(poll!(&mut writer).is_pending());
                group.push(tokio::spawn(writer));
            }
            drop(elsewhere);
            group
        }
    }

    type Writer = tokio::task::JoinHandle<Result<(), sqlx::Error>>;

    /// How many of them failed.
    async fn failures(writers: Vec<Writer>) -> usize {
        let mut failed = 0;
        for writer in writers {
            failed += usize::from(writer.await.unwrap().is_err());
        }
        failed
    }

    async fn write(connection: &mut AnyConnection, id: i64, parent: Option<i64>) -> Result<(), sqlx::Error> {
        let statement = "INSERT INTO written (id, parent) VALUES ($1, $2)";
        sqlx::query(statement).bind(id).bind(parent).execute(connection).await.map(|_| ())
    }

    #[tokio::test]
    async fn members_of_a_group_are_all_committed() {
        let world = World::new().await;
        let rows: Vec<_> = (0..20).map(|id| (id, None)).collect();

        assert_eq!(failures(world.group(&rows).await).await, 0);

        assert_eq!(world.kept().await, (0..20).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_member_that_fails_is_undone_alone() {
        let world = World::new().await;
        let rows = [1, 1, 2, 1, 3].map(|id| (id, None));

        assert_eq!(failures(world.group(&rows).await).await, 2);

        assert_eq!(world.kept().await, [1, 2, 3]);
    }

    #[tokio::test]
    async fn a_member_that_has_written_and_goes_away_is_undone_alone() {
        let world = World::new().await;
        world.member(1).await.commit_later();
        drop(world.member(2).await);
        world.member(3).await.commit().await.unwrap();
        drop(world.member(4).await);
        world.member(5).await.commit().await.unwrap();
        assert_eq!(world.kept().await, [1, 3, 5]);
    }

    #[tokio::test]
    async fn a_caller_that_goes_away_in_the_queue_stops_nobody() {
        let world = World::new().await;
        let first = world.member(0).await;
        let mut gone = Box::pin(world.writers.join());
        assert!(poll!(&mut gone).is_pending());
        drop(gone);

        first.commit().await.unwrap();

        world.member(1).await.commit().await.unwrap();
        assert_eq!(world.kept().await, [0, 1]);
    }

    #[tokio::test]
    async fn a_caller_that_goes_away_while_its_group_commits_is_committed() {
        let world = World::new().await;
        let mut committing = Box::pin(world.member(0).await.commit());
        assert!(matches!(poll!(&mut committing), Poll::Pending));
        drop(committing);

        world.member(1).await.commit().await.unwrap();
        assert_eq!(world.kept().await, [0, 1]);
    }

    #[tokio::test]
    async fn a_commit_that_fails_fails_its_whole_group_and_no_other() {
        let world = World::new().await;

        let failing = world.group(&[(1, None), (2, Some(7)), (3, None)]).await;

        assert_eq!(failures(failing).await, 3);
        assert_eq!(world.kept().await, Vec::<i64>::new());
        world.member(4).await.commit().await.unwrap();
        assert_eq!(world.kept().await, [4]);
    }

    #[tokio::test]
    async fn a_group_that_loses_its_transaction_fails_and_the_next_one_begins() {
        let world = World::new().await;
        let mut first = world.member(0).await;
        sqlx::query("ROLLBACK").execute(&mut *first).await.unwrap();

        assert!(first.commit().await.is_err());

        world.member(1).await.commit().await.unwrap();
        assert_eq!(world.kept().await, [1]);
    }

    #[tokio::test]
    async fn what_is_committed_later_is_there_for_the_next_member() {
        let world = World::new().await;
        world.member(0).await.commit_later();
        let mut next = world.writers.join().await.unwrap();
        assert!(write(&mut next, 0, None).await.is_err());
        drop(next);
        world.member(1).await.commit().await.unwrap();
        assert_eq!(world.kept().await, [0, 1]);
    }
}
