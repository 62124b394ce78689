//! One transaction of several members, each under a savepoint.

use std::sync::Arc;

use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection};
use tokio::sync::oneshot;

/// Takes the write lock at once. A transaction that begins as a reader can't wait for the lock later.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// Whether a group's commit succeeded. Its members share the error.
pub(super) type Outcome = Result<(), Arc<sqlx::Error>>;

/// A transaction of several members.
#[derive(Debug)]
pub(super) struct Group {
    connection: PoolConnection<Any>,
    savepoint: Savepoint,
    /// Members that have finished and wait for the commit.
    waiting: Vec<oneshot::Sender<Outcome>>,
}

/// The state of the transaction's one savepoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Savepoint {
    /// It was never set.
    Absent,
    /// It is set, and the member under it has not finished.
    Open,
    /// It is set, and the member under it has finished.
    Finished,
}

impl Savepoint {
    /// Returns the statements that begin the next member: an unfinished member is rolled back, a finished one is kept.
    const fn begin_member(self) -> &'static str {
        match self {
            Self::Absent => "SAVEPOINT member",
            // Keeps the savepoint, so it need not be set again.
            Self::Open => "ROLLBACK TO member",
            Self::Finished => "RELEASE member; SAVEPOINT member",
        }
    }

    /// Returns the statements that commit the transaction without an unfinished member's changes.
    const fn commit(self) -> &'static str {
        match self {
            Self::Open => "ROLLBACK TO member; COMMIT",
            Self::Absent | Self::Finished => "COMMIT",
        }
    }
}

impl Group {
    /// Opens a transaction and begins its first member.
    ///
    /// # Errors
    ///
    /// The database's error; the connection is closed where it may be inside a transaction.
    pub(super) async fn begin(mut connection: PoolConnection<Any>) -> Result<Self, sqlx::Error> {
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

    /// Rolls back what an unfinished member has written, and sets the savepoint of the next member.
    ///
    /// # Errors
    ///
    /// The database's error: the transaction is lost.
    pub(super) async fn begin_member(&mut self) -> Result<(), sqlx::Error> {
        sqlx::raw_sql(self.savepoint.begin_member()).execute(&mut *self.connection).await?;
        self.savepoint = Savepoint::Open;
        Ok(())
    }

    /// Keeps what the member has written.
    pub(super) fn finish_member(&mut self) {
        self.savepoint = Savepoint::Finished;
    }

    /// Keeps what the member has written, and returns where the outcome of the commit will be told.
    pub(super) fn finish_member_and_wait(&mut self) -> oneshot::Receiver<Outcome> {
        let (sender, outcome) = oneshot::channel();
        self.waiting.push(sender);
        self.finish_member();
        outcome
    }

    /// Commits what the finished members have written.
    ///
    /// # Errors
    ///
    /// The database's error: nothing is committed, and [`Self::fail`] must follow.
    pub(super) async fn commit(&mut self) -> Result<(), sqlx::Error> {
        sqlx::raw_sql(self.savepoint.commit()).execute(&mut *self.connection).await?;
        Ok(())
    }

    /// Gives the connection back to the pool, and returns the members that wait.
    pub(super) fn into_waiting(self) -> Vec<oneshot::Sender<Outcome>> {
        self.waiting
    }

    /// Tells all members that wait of the error. Closes the connection, since the state of its transaction is unknown.
    pub(super) async fn fail(self, error: sqlx::Error) {
        tracing::error!(%error, members = self.waiting.len(), "a group commit failed");
        close(self.connection).await;
        let error = Arc::new(error);
        for member in self.waiting {
            // The caller may have gone away.
            let _ = member.send(Err(error.clone()));
        }
    }

    /// Returns the connection, inside the transaction.
    pub(super) fn connection(&self) -> &AnyConnection {
        &self.connection
    }

    /// Returns the connection, inside the transaction.
    pub(super) fn connection_mut(&mut self) -> &mut AnyConnection {
        &mut self.connection
    }
}

async fn close(connection: PoolConnection<Any>) {
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "could not close a connection that lost its transaction");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group_commit::fixture::{World, write};

    async fn insert(group: &mut Group, id: i64) {
        write(group.connection_mut(), id, None).await.unwrap();
    }

    #[tokio::test]
    async fn finished_members_are_committed() {
        let world = World::new().await;
        let mut group = Group::begin(world.pool.acquire().await.unwrap()).await.unwrap();
        for id in [1, 2] {
            insert(&mut group, id).await;
            group.finish_member();
            group.begin_member().await.unwrap();
        }
        group.commit().await.unwrap();
        assert_eq!(world.committed().await, [1, 2]);
    }

    #[tokio::test]
    async fn next_member_rolls_back_an_unfinished_one() {
        let world = World::new().await;
        let mut group = Group::begin(world.pool.acquire().await.unwrap()).await.unwrap();
        insert(&mut group, 1).await;
        group.begin_member().await.unwrap();
        insert(&mut group, 2).await;
        group.finish_member();
        group.commit().await.unwrap();
        assert_eq!(world.committed().await, [2]);
    }

    #[tokio::test]
    async fn commit_rolls_back_an_unfinished_member() {
        let world = World::new().await;
        let mut group = Group::begin(world.pool.acquire().await.unwrap()).await.unwrap();
        insert(&mut group, 1).await;
        group.finish_member();
        group.begin_member().await.unwrap();
        insert(&mut group, 2).await;
        group.commit().await.unwrap();
        assert_eq!(world.committed().await, [1]);
    }

    #[tokio::test]
    async fn failed_group_tells_every_waiting_member_and_keeps_nothing() {
        let world = World::new().await;
        let mut group = Group::begin(world.pool.acquire().await.unwrap()).await.unwrap();
        insert(&mut group, 1).await;
        let first = group.finish_member_and_wait();
        group.begin_member().await.unwrap();
        let second = group.finish_member_and_wait();
        group.fail(sqlx::Error::WorkerCrashed).await;
        assert!(first.await.unwrap().is_err() && second.await.unwrap().is_err());
        assert_eq!(world.committed().await, Vec::<i64>::new());
    }

    #[tokio::test]
    async fn connection_of_a_failed_group_is_replaced() {
        let world = World::new().await;
        let group = Group::begin(world.pool.acquire().await.unwrap()).await.unwrap();
        group.fail(sqlx::Error::WorkerCrashed).await;
        // Inside the old transaction, `BEGIN` would be an error.
        let mut next = Group::begin(world.pool.acquire().await.unwrap()).await.unwrap();
        insert(&mut next, 1).await;
        next.finish_member();
        next.commit().await.unwrap();
        assert_eq!(world.committed().await, [1]);
    }
}
