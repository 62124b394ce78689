//! The annotator: a component that draws boxes into a document and lays text over its pages.

use std::sync::Arc;

use anyhow::{Context, bail};
use fanlight_composition::{Limits, Package};
use thiserror::Error;

use crate::bindings::annotator::AnnotatorPre;
use crate::bindings::annotator::exports::fanlight::plugin::annotate::AnnotateError as ContractError;
pub use crate::bindings::annotator::exports::fanlight::plugin::annotate::{Mark, PlacedWord, TextLine};
pub use crate::bindings::annotator::fanlight::plugin::types::Rect;
use crate::document::Document;
use crate::engine::{Core, Sandbox};
use crate::guest::{Failure, Guest, reason};
use crate::inspection::{Purpose, call_with_permit};

/// Why a document cannot be annotated. Messages are for the operator's log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnnotateError {
    /// The PDF's structure cannot be followed, or not within the limits.
    #[error("the PDF can't be updated: {0}")]
    Corrupt(String),
    /// The PDF is encrypted, even if only with an empty password.
    #[error("the PDF is encrypted")]
    Encrypted,
    /// The annotator failed.
    #[error("the annotator failed: {0}")]
    Annotator(String),
}

/// The compiled annotator. Clones share its machine code.
#[derive(Clone)]
pub struct Annotator {
    core: Arc<Core>,
    name: Arc<str>,
    component: AnnotatorPre<Guest>,
    ceiling: Limits,
}

impl std::fmt::Debug for Annotator {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Annotator").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Annotator {
    /// Loads an annotator's package. Blocks; with a cold cache it compiles for seconds.
    ///
    /// # Errors
    ///
    /// The package is not an annotator, or its component cannot be compiled or linked.
    pub fn load(sandbox: &Sandbox, package: &Package) -> anyhow::Result<Self> {
        if !package.is_annotator() {
            bail!("the package `{}` is no annotator", package.name());
        }
        let component = sandbox.component(package).context("can't compile the annotator")?;
        let component = AnnotatorPre::new(component).map_err(anyhow::Error::from)?;
        Ok(Self { core: sandbox.core(), name: package.name().into(), component, ceiling: sandbox.ceiling() })
    }

    /// Returns the bytes that draw the marks when appended to the document. Empty without marks.
    ///
    /// # Errors
    ///
    /// [`AnnotateError`]. A crash, a lack of memory or a missed deadline counts as a damaged document.
    pub async fn annotate(&self, document: &Document, marks: &[Mark]) -> Result<Vec<u8>, AnnotateError> {
        let answer = call_with_permit(
            &self.core,
            Purpose::Read,
            self.name.clone(),
            "annotate",
            document,
            self.ceiling,
            async |store| {
                let instance = self.component.instantiate_async(&mut *store).await?;
                instance.fanlight_plugin_annotate().call_annotate(store, marks).await
            },
        );
        update(answer.await)
    }

    /// Returns the bytes that place the lines as text that is not painted when appended to the document. Empty without
    /// lines.
    ///
    /// # Errors
    ///
    /// As [`Self::annotate`].
    pub async fn add_text(&self, document: &Document, lines: &[TextLine]) -> Result<Vec<u8>, AnnotateError> {
        let answer = call_with_permit(
            &self.core,
            Purpose::Read,
            self.name.clone(),
            "add text",
            document,
            self.ceiling,
            async |store| {
                let instance = self.component.instantiate_async(&mut *store).await?;
                instance.fanlight_plugin_annotate().call_add_text(store, lines).await
            },
        );
        update(answer.await)
    }
}

/// Returns the update in the annotator's answer.
fn update(answer: Result<Result<Vec<u8>, ContractError>, Failure>) -> Result<Vec<u8>, AnnotateError> {
    match answer {
        Ok(Ok(update)) => Ok(update),
        Ok(Err(ContractError::Corrupt(detail))) => Err(AnnotateError::Corrupt(reason(&detail))),
        Ok(Err(ContractError::Encrypted)) => Err(AnnotateError::Encrypted),
        // A file that crashes lopdf is the document's fault, not the server's.
        Err(failure @ (Failure::Crashed(_) | Failure::Memory(_) | Failure::Deadline(_))) => {
            Err(AnnotateError::Corrupt(failure.to_string()))
        }
        Err(failure) => Err(AnnotateError::Annotator(failure.to_string())),
    }
}
