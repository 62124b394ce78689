//! End-to-end tests: one program, a module a subject.

mod documents;
mod hostile_guests;
mod jobs;
mod plugin_rights;
mod run_command;
mod shards;
mod uploads;
