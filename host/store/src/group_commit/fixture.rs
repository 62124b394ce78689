//! What the tests of group commit start from.

use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, AnyPool};
use tempfile::TempDir;

use super::GroupCommit;

/// A table `written`. A row whose `parent` does not exist is refused by the commit, not by its own statement.
pub(super) struct World {
    /// The one connection that writes.
    pub(super) pool: AnyPool,
    pub(super) writers: GroupCommit,
    reader: AnyPool,
    _folder: TempDir,
}

impl World {
    pub(super) async fn new() -> Self {
        sqlx::any::install_default_drivers();
        let folder = TempDir::new().unwrap();
        let url = format!("sqlite://{}?mode=rwc", folder.path().join("test.sqlite").display());
        let pool = AnyPoolOptions::new().max_connections(1).connect(&url).await.unwrap();
        let schema = "PRAGMA journal_mode = WAL;
             CREATE TABLE written (id BIGINT PRIMARY KEY,
                 parent BIGINT REFERENCES written (id) DEFERRABLE INITIALLY DEFERRED);";
        sqlx::raw_sql(schema).execute(&pool).await.unwrap();
        let reader = AnyPoolOptions::new().max_connections(1).connect(&url).await.unwrap();
        Self { writers: GroupCommit::new(pool.clone()), pool, reader, _folder: folder }
    }

    /// The ids of the committed rows, in order.
    pub(super) async fn committed(&self) -> Vec<i64> {
        sqlx::query_scalar("SELECT id FROM written ORDER BY id").fetch_all(&self.reader).await.unwrap()
    }
}

pub(super) async fn write(connection: &mut AnyConnection, id: i64, parent: Option<i64>) -> Result<(), sqlx::Error> {
    let statement = "INSERT INTO written (id, parent) VALUES ($1, $2)";
    sqlx::query(statement).bind(id).bind(parent).execute(connection).await.map(|_| ())
}
