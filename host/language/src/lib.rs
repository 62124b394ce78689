//! A client for language models behind any OpenAI-compatible endpoint (`POST {base_url}/chat/completions`).
//!
//! A [`Client`] is a process's connection to the provider: address, key, parallel requests and hourly token budget. A
//! [`Session`] is one job's share of it, with a token budget of its own. An answer is JSON that is valid against the
//! requested schema; anything else is an [`Error`]. Transient failures are retried.
//!
//! - `delimiting`: puts a document's text into the user's message, between delimiters that the text cannot contain.
//! - `schema`: restricts schemas, so that checking an answer is cheap even if the author of the schema is hostile.
//! - `budget`: reserves tokens before a request and settles the difference after it.
//! - `retry`: decides which failures are retried, and after how long.
//! - `wire`: request and response bodies.
//!
//! Prompts, answers and keys are never logged and never part of an error. The crate depends on neither the sandbox nor
//! the database.

mod budget;
mod client;
mod delimiting;
mod error;
mod retry;
mod schema;
mod settings;
mod wire;

pub use client::{Client, MOST_PROMPTS, Prompt, Session};
pub use error::{Error, Spent};
pub use settings::{AnswerLimit, ApiKey, Settings, SettingsError};
