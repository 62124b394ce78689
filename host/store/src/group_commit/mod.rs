//! Group commit for SQLite: writers that come together share one synced commit.
//!
//! SQLite has one writer at a time and syncs each commit, so a commit for each writer would limit a host to a few
//! hundred writers a second. Writers queue for the one connection that writes, and are served in order:
//!
//! 1. The first writer opens a transaction, and puts a committer at the end of the queue.
//! 2. Every writer between the two is a member of the same group. In its turn it runs its statements under a savepoint.
//! 3. The committer commits in its turn, and then tells all members.
//!
//! Writers that come after the committer are the next group. A member that fails, or whose caller goes away, is rolled
//! back alone, by whoever has the next turn. If the commit fails or the connection loses the transaction, every member
//! of the group fails. A member sees what the members before it have written.
//!
//! See `docs/decisions/0007-group-commit.md`.

#[cfg(test)]
mod fixture;
mod group;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use sqlx::{AnyConnection, AnyPool};
use tokio::sync::{Mutex, OwnedMappedMutexGuard, OwnedMutexGuard};

use group::Group;

/// The queue of one process's writers. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct GroupCommit {
    /// Holds one connection.
    pool: AnyPool,
    turns: Turns,
}

/// The lock that a writer holds during its turn, and the group whose transaction is open. Tokio's mutex is fair: turns
/// are given in the order in which they are asked for.
type Turns = Arc<Mutex<Option<Group>>>;

impl GroupCommit {
    /// Creates the queue for a pool that has one connection.
    pub(crate) fn new(pool: AnyPool) -> Self {
        Self { pool, turns: Arc::new(Mutex::new(None)) }
    }

    /// Waits for a turn to write, and begins it.
    ///
    /// # Errors
    ///
    /// The database's error where the transaction or the savepoint can't be begun.
    pub(crate) async fn join(&self) -> Result<Member, sqlx::Error> {
        let this = self.clone();
        // In a task of its own: a caller that goes away must not leave a turn half begun.
        let joining = tokio::spawn(async move { this.begin_turn().await });
        joining.await.map_err(|_| sqlx::Error::WorkerCrashed)?
    }

    async fn begin_turn(&self) -> Result<Member, sqlx::Error> {
        let mut turn = self.turns.clone().lock_owned().await;
        begin_in_open_group(&mut turn).await;
        if turn.is_none() {
            *turn = Some(Group::begin(self.pool.acquire().await?).await?);
            tokio::spawn(commit_in_turn(self.turns.clone()));
        }
        let group = OwnedMutexGuard::try_map(turn, Option::as_mut).map_err(|_| sqlx::Error::WorkerCrashed)?;
        Ok(Member { group })
    }
}

/// Begins the next member of the open group, if there is one. Where that fails, the whole group fails and is removed.
async fn begin_in_open_group(turn: &mut Option<Group>) {
    if let Some(group) = turn
        && let Err(error) = group.begin_member().await
        && let Some(lost) = turn.take()
    {
        lost.fail(error).await;
    }
}

/// Waits for the committer's turn, and commits the group that is open then. There is none if the group has failed and
/// another committer came first.
async fn commit_in_turn(turns: Turns) {
    let mut turn = turns.lock_owned().await;
    let Some(mut group) = turn.take() else {
        return;
    };
    if let Err(error) = group.commit().await {
        group.fail(error).await;
        return;
    }
    let members = group.into_waiting();
    // The next group begins while the members of this one are told.
    drop(turn);
    for member in members {
        // The caller may have gone away.
        let _ = member.send(Ok(()));
    }
}

/// A writer that has its turn, and ends it when it commits or is dropped. Dropped without a commit, its changes are
/// rolled back.
#[derive(Debug)]
pub(crate) struct Member {
    group: OwnedMappedMutexGuard<Option<Group>, Group>,
}

impl Member {
    /// Ends the turn, and waits until its changes are on the disk.
    ///
    /// # Errors
    ///
    /// The database's error where the group's commit failed; then nothing of the whole group is kept.
    pub(crate) async fn commit(self) -> Result<(), sqlx::Error> {
        let mut group = self.group;
        let outcome = group.finish_member_and_wait();
        drop(group);
        match outcome.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(sqlx::Error::AnyDriverError(Box::new(error))),
            Err(_) => Err(sqlx::Error::WorkerCrashed),
        }
    }

    /// Ends the turn without waiting for the commit, for changes that may be lost if the process or the machine dies.
    pub(crate) fn commit_later(mut self) {
        self.group.finish_member();
    }
}

impl Deref for Member {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        self.group.connection()
    }
}

impl DerefMut for Member {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        self.group.connection_mut()
    }
}

#[cfg(test)]
mod tests {
    use std::task::Poll;

    use futures_util::poll;
    use tokio::task::JoinHandle;

    use super::fixture::{World, write};
    use super::*;

    impl World {
        /// Waits for a turn and writes one row.
        async fn member(&self, id: i64) -> Member {
            let mut member = self.writers.join().await.unwrap();
            write(&mut member, id, None).await.unwrap();
            member
        }

        /// Starts writers of one row each, all in one group: they queue while another writer has the turn.
        async fn group(&self, rows: &[Row]) -> Vec<JoinHandle<Result<(), sqlx::Error>>> {
            let another_turn = self.writers.turns.clone().lock_owned().await;
            let mut group = Vec::new();
            for row in rows.iter().copied() {
                let writers = self.writers.clone();
                let mut writer = Box::pin(async move {
                    let mut member = writers.begin_turn().await?;
                    write(&mut member, row.id, row.parent).await?;
                    member.commit().await
                });
                assert!(poll!(&mut writer).is_pending());
                group.push(tokio::spawn(writer));
            }
            drop(another_turn);
            group
        }
    }

    /// A row to write. Where `parent` is no row, the commit fails.
    #[derive(Clone, Copy)]
    struct Row {
        id: i64,
        parent: Option<i64>,
    }

    fn row(id: i64) -> Row {
        Row { id, parent: None }
    }

    /// Waits for the writers, and counts those that failed.
    async fn failures(writers: Vec<JoinHandle<Result<(), sqlx::Error>>>) -> usize {
        let mut failed = 0;
        for writer in writers {
            failed += usize::from(writer.await.unwrap().is_err());
        }
        failed
    }

    #[tokio::test]
    async fn all_members_of_a_group_are_committed() {
        let world = World::new().await;
        let rows: Vec<Row> = (0..20).map(row).collect();

        assert_eq!(failures(world.group(&rows).await).await, 0);

        assert_eq!(world.committed().await, (0..20).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn failing_member_is_rolled_back_alone() {
        let world = World::new().await;
        let rows = [1, 1, 2, 1, 3].map(row);

        assert_eq!(failures(world.group(&rows).await).await, 2);

        assert_eq!(world.committed().await, [1, 2, 3]);
    }

    #[tokio::test]
    async fn dropped_member_is_rolled_back_alone() {
        let world = World::new().await;
        world.member(1).await.commit_later();
        drop(world.member(2).await);
        world.member(3).await.commit().await.unwrap();
        drop(world.member(4).await);
        world.member(5).await.commit().await.unwrap();
        assert_eq!(world.committed().await, [1, 3, 5]);
    }

    #[tokio::test]
    async fn caller_that_leaves_the_queue_holds_up_nobody() {
        let world = World::new().await;
        let first = world.member(0).await;
        let mut leaving = Box::pin(world.writers.join());
        assert!(poll!(&mut leaving).is_pending());
        drop(leaving);

        first.commit().await.unwrap();

        world.member(1).await.commit().await.unwrap();
        assert_eq!(world.committed().await, [0, 1]);
    }

    #[tokio::test]
    async fn caller_that_leaves_during_the_commit_is_committed() {
        let world = World::new().await;
        let mut committing = Box::pin(world.member(0).await.commit());
        assert!(matches!(poll!(&mut committing), Poll::Pending));
        drop(committing);

        world.member(1).await.commit().await.unwrap();
        assert_eq!(world.committed().await, [0, 1]);
    }

    #[tokio::test]
    async fn failing_commit_fails_its_whole_group() {
        let world = World::new().await;
        let rows = [row(1), Row { id: 2, parent: Some(7) }, row(3)];

        assert_eq!(failures(world.group(&rows).await).await, 3);

        assert_eq!(world.committed().await, Vec::<i64>::new());
    }

    #[tokio::test]
    async fn group_after_a_failing_commit_is_committed() {
        let world = World::new().await;
        let rows = [row(1), Row { id: 2, parent: Some(7) }];
        assert_eq!(failures(world.group(&rows).await).await, 2);

        world.member(4).await.commit().await.unwrap();

        assert_eq!(world.committed().await, [4]);
    }

    #[tokio::test]
    async fn lost_transaction_fails_its_group_and_not_the_next() {
        let world = World::new().await;
        let mut first = world.member(0).await;
        sqlx::query("ROLLBACK").execute(&mut *first).await.unwrap();

        assert!(first.commit().await.is_err());

        world.member(1).await.commit().await.unwrap();
        assert_eq!(world.committed().await, [1]);
    }

    #[tokio::test]
    async fn member_sees_the_writes_of_members_before_it() {
        let world = World::new().await;
        world.member(0).await.commit_later();
        let mut next = world.writers.join().await.unwrap();
        assert!(write(&mut next, 0, None).await.is_err(), "the row is there already");
    }
}
