//! Webhooks: one signed attempt at delivering a message to an address that a client named.
//!
//! Messages are signed by [Standard Webhooks](https://www.standardwebhooks.com). An attempt goes to https addresses
//! only, follows no redirect, and never connects to an address that is not on the public internet, unless the operator
//! allowed that host by name. When the next attempt is due is not known here.
//!
//! | module | holds |
//! |---|---|
//! | [`attempt`] | [`Sender`]: one attempt, and how it ended |
//! | [`signature`] | the secret and what it signs |
//! | [`public`] | which addresses are on the public internet |
//! | `resolver` | the look-up of a name that answers public addresses only |
//! | [`allowed`] | the hosts that the operator allowed |
//! | `retry_after` | what a receiver says of when to come again |

pub mod allowed;
pub mod attempt;
pub mod public;
mod resolver;
mod retry_after;
pub mod signature;

pub use allowed::{AllowedHost, InvalidHost};
pub use attempt::{Failure, Message, Outcome, Sender, SenderError, SenderOptions};
pub use public::is_public;
pub use retry_after::LONGEST_WAIT;
pub use signature::{InvalidSecret, SigningSecret};
