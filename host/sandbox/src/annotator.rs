//! The annotator: a component of its own that draws boxes into a document.

use std::sync::Arc;

use anyhow::{Context, bail};
use thiserror::Error;

use crate::bindings::annotator::AnnotatorPre;
use crate::bindings::annotator::exports::fanlight::plugin::annotate::{self, AnnotateError as ContractError};
use crate::bindings::annotator::fanlight::plugin::types::Rect;
use crate::document::Document;
use crate::engine::{Core, Sandbox};
use crate::guest::{Failure, Guest, reason};
use crate::inspection::{PageBox, Purpose, in_turn};
use crate::limits::Limits;
use crate::package::Package;

/// A box to draw into a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// The page, 1-based. One that the document doesn't have is passed over.
    pub page: u32,
    /// In user space of the unrotated page; its corners in any order.
    pub bbox: PageBox,
    /// What a viewer shows as the annotation's title.
    pub title: String,
    /// What a viewer shows as its text.
    pub contents: String,
    /// 0xRRGGBB
    pub color: u32,
}

/// Why a document can't be annotated. Texts are for the operator's log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnnotateError {
    /// Its structure can't be followed as it stands, or not within the limits.
    #[error("the PDF can't be updated: {0}")]
    Corrupt(String),
    /// It is encrypted, if only with an empty password.
    #[error("the PDF is encrypted")]
    Encrypted,
    /// The annotator itself failed.
    #[error("the annotator failed: {0}")]
    Annotator(String),
}

/// The annotator, ready to be asked. Clones share its machine code.
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
    /// Loads a package of that kind. Blocks: with a cold cache it compiles for seconds.
    pub fn load(sandbox: &Sandbox, package: &Package) -> anyhow::Result<Self> {
        if !package.is_annotator() {
            bail!("the package `{}` is no annotator", package.name());
        }
        let component = sandbox.component(package).context("can't compile the annotator")?;
        let component = AnnotatorPre::new(component).map_err(anyhow::Error::from)?;
        Ok(Self { core: sandbox.core(), name: package.name().into(), component, ceiling: sandbox.ceiling() })
    }

    /// The bytes that, appended to the document's own, draw the marks. None without marks.
    pub async fn annotate(&self, document: &Document, marks: &[Annotation]) -> Result<Vec<u8>, AnnotateError> {
        let marks: Vec<annotate::Mark> = marks.iter().map(annotate::Mark::from).collect();
        let answer =
            in_turn(&self.core, Purpose::Read, self.name.clone(), "annotate", document, self.ceiling, async |store| {
                let instance = self.component.instantiate_async(&mut *store).await?;
                instance.fanlight_plugin_annotate().call_annotate(store, &marks).await
            });
        match answer.await {
            Ok(Ok(update)) => Ok(update),
            Ok(Err(ContractError::Corrupt(detail))) => Err(AnnotateError::Corrupt(reason(&detail))),
            Ok(Err(ContractError::Encrypted)) => Err(AnnotateError::Encrypted),
            // A file that sends lopdf astray is a bad file, not a bad server.
            Err(failure @ (Failure::Crashed(_) | Failure::Memory(_) | Failure::Deadline(_))) => {
                Err(AnnotateError::Corrupt(failure.to_string()))
            }
            Err(failure) => Err(AnnotateError::Annotator(failure.to_string())),
        }
    }
}

impl From<&Annotation> for annotate::Mark {
    fn from(mark: &Annotation) -> Self {
        let PageBox { x1, y1, x2, y2 } = mark.bbox;
        let (title, contents) = (mark.title.clone(), mark.contents.clone());
        Self { page: mark.page, bbox: Rect { x1, y1, x2, y2 }, title, contents, color: mark.color }
    }
}
