//! The error of a prompt without a valid answer.

use thiserror::Error;

/// The budget whose tokens are used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// The job's budget.
    Job,
    /// The hourly budget of all jobs of this process.
    Hour,
}

/// Why a prompt has no valid answer. Messages contain nothing of prompts, answers or keys, so they can be logged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// The prompt or the schema breaks a rule of this crate. Nothing was sent.
    #[error("{0}")]
    BadRequest(String),
    /// The remaining tokens do not cover the prompt and its longest answer. Nothing was sent.
    #[error("{}", match .0 {
        Spent::Job => "the job has used up its tokens",
        Spent::Hour => "the tokens of this hour are used up",
    })]
    BudgetUsedUp(Spent),
    /// The model declined to answer, or the provider's content filter intervened.
    #[error("the model declined to answer")]
    Refused,
    /// The answer is not JSON.
    #[error("the answer is not JSON")]
    InvalidJson,
    /// The answer breaks this rule of the schema, a JSON Pointer into it.
    #[error("the answer does not fit the schema at {0}")]
    SchemaViolation(String),
    /// The answer reached its maximum number of tokens before it was complete.
    #[error("the answer was cut off at its maximum number of tokens")]
    CutOff,
    /// The provider's rate limit is exceeded.
    #[error("the provider's rate limit is exceeded")]
    RateLimited,
    /// The account with the provider has no credit left.
    #[error("the account with the provider has no credit left")]
    AccountUsedUp,
    /// The answer was not complete in time, or the job has no time left to wait for it.
    #[error("the answer was not complete in time")]
    TimedOut,
    /// The connection closed before the answer was complete.
    #[error("the answer ended early")]
    Truncated,
    /// The answer exceeds the size limit of one answer, or of all answers to the call, in bytes.
    #[error("the answer has more than {0} bytes")]
    TooLarge(usize),
    /// The provider's answer is not a chat completion.
    #[error("the provider's answer is not a chat completion")]
    NotACompletion,
    /// The provider cannot be reached.
    #[error("the provider can't be reached")]
    Unreachable,
    /// The provider answered with this HTTP status.
    #[error("the provider answered with HTTP status {0}")]
    Rejected(u16),
}
