//! End-to-end tests: one program, a module a subject.

#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

mod admin;
mod annotated;
mod batches;
mod browsers;
mod buckets;
mod capacity;
mod classify;
mod content_extract;
mod contract;
mod crashes;
mod credits;
mod detection;
mod documents;
mod elevations;
mod fairness;
mod first_run;
mod host_memory;
mod hostile_guests;
mod http_input;
mod idempotency;
mod inference;
mod job_list;
mod jobs;
mod keys;
mod language_capability;
mod language_model;
mod limits;
mod links;
mod models;
mod pages;
mod plugin_rights;
mod results;
mod retention;
mod rooms;
mod run_command;
mod scans;
mod schedules;
mod sessions;
mod shards;
mod specifications;
mod submissions;
mod transport;
mod uploads;
mod webhooks;
