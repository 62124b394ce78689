//! Tests of the store's behaviour. Each runs on SQLite and on PostgreSQL, or with a folder and with a bucket for blobs.

#[cfg(test)]
mod batches;
#[cfg(test)]
mod blobs;
#[cfg(test)]
mod bucket;
#[cfg(test)]
mod credits;
#[cfg(test)]
mod deliveries;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod history;
#[cfg(test)]
mod idempotency;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod lists;
#[cfg(test)]
mod migrations;
#[cfg(test)]
mod queue;
#[cfg(test)]
mod retention;
#[cfg(test)]
mod reviews;
#[cfg(test)]
mod schedule;
#[cfg(test)]
mod sealing;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod shares;
#[cfg(test)]
mod world;
