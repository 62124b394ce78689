//! Asks a language model behind any endpoint that speaks the OpenAI protocol (`POST {base_url}/chat/completions`).
//!
//! A [`Client`] is a process's way to the provider: its address and key, how many requests at a time, the tokens of an
//! hour. A [`Session`] is one job's share of it, with a budget of its own. What comes back is JSON that fits the schema
//! it was asked for, or an [`Error`] of a closed set; what may pass is tried again.
//!
//! - `delimiting`: a document's text is data. It goes into the user's message between marks that it can't contain.
//! - `schema`: which schemas are taken, so that checking an answer is cheap whoever wrote the schema.
//! - `budget`: tokens are reserved before a request and settled after it.
//! - `retry`: what may pass, and how long to wait for it.
//! - `wire`: the protocol's bodies.
//!
//! No prompt, no answer and no key is ever logged, or part of an error. No wasm and no SQL here.

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
