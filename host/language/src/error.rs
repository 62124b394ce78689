//! Why there is no answer.

use thiserror::Error;

/// Whose tokens are used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// The job's.
    Job,
    /// The last hour's, of all jobs of this process.
    Hour,
}

/// Why there is no answer. For logs: nothing of a prompt, an answer or a key stands in these.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// Not asked: the prompt or the schema is not one that is passed on.
    #[error("{0}")]
    BadRequest(String),
    /// Not asked: the tokens left don't cover the prompt and its longest answer.
    #[error("{}", match .0 {
        Spent::Job => "the job has used up its tokens",
        Spent::Hour => "the tokens of this hour are used up",
    })]
    BudgetUsedUp(Spent),
    /// The model declined, or the provider's filter cut in.
    #[error("the model declined to answer")]
    Refused,
    /// What the model wrote isn't JSON.
    #[error("the answer is not JSON")]
    InvalidJson,
    /// What the model wrote is JSON of another form; with the rule of the schema that it breaks.
    #[error("the answer does not fit the schema at {0}")]
    SchemaViolation(String),
    /// The model was still writing when it reached the most tokens of an answer.
    #[error("the answer was cut off at its most tokens")]
    CutOff,
    /// The provider turns requests away.
    #[error("the provider answers to no more requests for now")]
    RateLimited,
    /// The account with the provider is used up.
    #[error("the provider says that its account is used up")]
    AccountUsedUp,
    /// The provider did not answer in time, or the job has no time left to wait for it.
    #[error("there was no whole answer in time")]
    TimedOut,
    /// The connection ended before the answer did.
    #[error("the answer ended early")]
    Truncated,
    /// The answer is longer than one can be, or than there is room for beside those to other prompts.
    #[error("the answer has more than {0} bytes")]
    TooLarge(usize),
    /// The answer isn't one of this protocol.
    #[error("the provider's answer is not a chat completion")]
    NotACompletion,
    /// There is no connection to the provider.
    #[error("the provider can't be reached")]
    Unreachable,
    /// The provider's HTTP status says no.
    #[error("the provider answers {0}")]
    Rejected(u16),
}
