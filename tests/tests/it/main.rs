//! End-to-end tests: one program, a module a subject.

mod hostile_guests;
mod plugin_rights;
