//! What the host asks of the PDF engine about a document, before any model sees it.

use std::sync::Arc;

use thiserror::Error;
use tokio_util::sync::CancellationToken;

use crate::bindings::engine::fanlight::plugin::types::OpenError as ContractError;
use crate::document::Document;
use crate::engine::{Core, EngineComponent};
use crate::guest::{self, Deadline, Failure, Setup, reason};
use crate::limits::Limits;

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// At least 1.
    pub page_count: u32,
    /// Whether the file is encrypted, and opens with an empty user password.
    pub encrypted: bool,
}

/// Why a document can't be opened. Texts are for the operator's log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpenError {
    /// Not a PDF by its content.
    #[error("the file is not a PDF")]
    NotAPdf,
    /// A PDF that can't be followed to a page, or not within the limits.
    #[error("the PDF is damaged: {0}")]
    Corrupt(String),
    /// It takes a password, or is encrypted in a way nobody here knows.
    #[error("the PDF is encrypted: {0}")]
    Encrypted(String),
    /// The engine itself failed.
    #[error("the PDF engine failed: {0}")]
    Engine(String),
}

/// Seconds that opening a document may take; 200 MB take some two.
const SECONDS: u32 = 60;

pub(crate) async fn inspect(
    core: &Arc<Core>,
    engine: &EngineComponent,
    document: &Document,
    ceiling: Limits,
) -> Result<Inspection, OpenError> {
    let _turn = core.inspection_turn().await;
    let limits = Limits { seconds: SECONDS.min(ceiling.seconds), ..ceiling };
    let deadline = Deadline::after(&limits, CancellationToken::new());
    let setup = Setup {
        plugin: engine.name.clone(),
        task: "upload".into(),
        limits,
        deadline: deadline.clone(),
        document: Some(document.clone()),
        progress: None,
    };
    let mut store = guest::store(core.engine(), setup);
    let outcome = guest::within(&deadline, async {
        let instance = engine.component.instantiate_async(&mut store).await?;
        instance.fanlight_plugin_inspect().call_summarize(&mut store).await
    })
    .await;
    match store.data().judge(outcome) {
        Ok(Ok(summary)) => Ok(Inspection { page_count: summary.page_count, encrypted: summary.encrypted }),
        Ok(Err(error)) => Err(error.into()),
        // A bomb or a file that sends the engine astray is a bad file, not a bad server.
        Err(failure @ (Failure::Crashed(_) | Failure::Memory(_) | Failure::Deadline(_))) => {
            Err(OpenError::Corrupt(failure.to_string()))
        }
        Err(failure) => Err(OpenError::Engine(failure.to_string())),
    }
}

impl From<ContractError> for OpenError {
    fn from(error: ContractError) -> Self {
        match error {
            ContractError::NotAPdf => Self::NotAPdf,
            ContractError::Corrupt(detail) => Self::Corrupt(reason(&detail)),
            ContractError::PasswordRequired => Self::Encrypted("it takes a password".to_owned()),
            ContractError::UnsupportedEncryption(detail) => Self::Encrypted(reason(&detail)),
        }
    }
}
