//! Webhooks: one signed attempt at delivering a message to an address that a client named.
//!
//! Messages are signed as [Standard Webhooks](https://www.standardwebhooks.com) prescribes. An attempt uses https only
//! and follows no redirect. It never connects to an address that is not on the public internet, unless the operator
//! allowed that host by name. The caller decides when the next attempt is due.
//!
//! | module | holds |
//! |---|---|
//! | [`attempt`] | [`Sender`]: one attempt, and its outcome |
//! | [`signature`] | the secret and its signatures |
//! | [`public`] | which addresses are on the public internet |
//! | `resolver` | a resolver that returns public addresses only |
//! | [`allowed`] | the hosts that the operator allowed |
//! | `retry_after` | the header in which a receiver says when to try again |

pub mod allowed;
pub mod attempt;
pub mod public;
mod resolver;
mod retry_after;
pub mod signature;

pub use allowed::{AllowedHost, InvalidHost};
pub use attempt::{Failure, Message, Outcome, Sender, SenderError, SenderOptions};
pub use public::is_public;
pub use retry_after::MAX_RETRY_AFTER;
pub use signature::{InvalidSecret, SigningSecret};
