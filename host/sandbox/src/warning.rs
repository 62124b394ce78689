//! Warnings: requests of a task's guests that the host could not serve, which may make a result weaker.
//!
//! A warning is recorded when a guest requests something, never because it might have: a document that needs no OCR
//! has a complete result on a host without OCR. A guest's own mistake is not a warning.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use fanlight_inference::RunError;
use fanlight_language::Error as LanguageError;
use fanlight_ocr::OcrError;

/// A resource that was missing when a result was made. Its text is for clients.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Warning {
    /// The guest requested OCR, and there is no OCR engine, or none of the languages.
    OcrUnavailable,
    /// The OCR engine failed on a picture.
    OcrFailed,
    /// A network that the plugin's package names is not granted, not installed or not usable.
    NetworkUnavailable {
        /// The network's name.
        network: String,
    },
    /// A network failed.
    NetworkFailed {
        /// The network's name.
        network: String,
    },
    /// The language model is not granted, or no provider is configured.
    LanguageModelUnavailable,
    /// The budget of tokens for the language model is exhausted.
    LanguageModelBudgetExhausted,
    /// The language model gave no answer, or an invalid one.
    LanguageModelFailed,
}

impl Warning {
    /// All codes, in the order of the variants.
    pub const CODES: [&'static str; 7] = [
        "OCR_UNAVAILABLE",
        "OCR_FAILED",
        "NETWORK_UNAVAILABLE",
        "NETWORK_FAILED",
        "LANGUAGE_MODEL_UNAVAILABLE",
        "LANGUAGE_MODEL_BUDGET_EXHAUSTED",
        "LANGUAGE_MODEL_FAILED",
    ];

    /// Returns the stable code for programs, one of [`Warning::CODES`].
    pub const fn code(&self) -> &'static str {
        match self {
            Self::OcrUnavailable => "OCR_UNAVAILABLE",
            Self::OcrFailed => "OCR_FAILED",
            Self::NetworkUnavailable { .. } => "NETWORK_UNAVAILABLE",
            Self::NetworkFailed { .. } => "NETWORK_FAILED",
            Self::LanguageModelUnavailable => "LANGUAGE_MODEL_UNAVAILABLE",
            Self::LanguageModelBudgetExhausted => "LANGUAGE_MODEL_BUDGET_EXHAUSTED",
            Self::LanguageModelFailed => "LANGUAGE_MODEL_FAILED",
        }
    }

    /// Returns the warning of an OCR error, or `None` if the picture was at fault.
    pub(crate) fn from_ocr_error(error: &OcrError) -> Option<Self> {
        match error {
            OcrError::Unavailable(_) => Some(Self::OcrUnavailable),
            OcrError::Failed(_) => Some(Self::OcrFailed),
            OcrError::BadPicture(_) => None,
        }
    }

    /// Returns the warning of a failed network, or `None` if its inputs were at fault.
    pub(crate) fn from_run_error(network: &str, error: &RunError) -> Option<Self> {
        match error {
            RunError::InvalidInput(_) => None,
            _ => Some(Self::NetworkFailed { network: network.to_owned() }),
        }
    }

    /// Returns the warning of a language model's error, or `None` if the prompt was at fault.
    pub(crate) fn from_language_error(error: &LanguageError) -> Option<Self> {
        match error {
            LanguageError::BadRequest(_) => None,
            LanguageError::BudgetUsedUp(_) => Some(Self::LanguageModelBudgetExhausted),
            _ => Some(Self::LanguageModelFailed),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OcrUnavailable => formatter.write_str("Pictures of text were not read: OCR is not available."),
            Self::OcrFailed => formatter.write_str("Some pictures of text were not read: OCR failed."),
            Self::NetworkUnavailable { network } => {
                write!(formatter, "The network `{network}` was not asked: it is not available.")
            }
            Self::NetworkFailed { network } => write!(formatter, "The network `{network}` gave no result."),
            Self::LanguageModelUnavailable => {
                formatter.write_str("The language model was not asked: it is not available.")
            }
            Self::LanguageModelBudgetExhausted => {
                formatter.write_str("The language model was not asked everything: its tokens are used up.")
            }
            Self::LanguageModelFailed => formatter.write_str("The language model did not answer everything."),
        }
    }
}

/// The warnings of one task, each once. Clones share them, so that all shards' warnings are collected.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warnings(Arc<Mutex<BTreeSet<Warning>>>);

impl Warnings {
    /// Records a warning.
    pub(crate) fn note(&self, warning: Warning) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(warning);
    }

    /// Returns all recorded warnings in the order of [`Warning::CODES`].
    pub(crate) fn noted(&self) -> Vec<Warning> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use fanlight_inference::InvalidInput;

    use super::*;

    #[test]
    fn each_warning_has_a_code_and_a_sentence() {
        let network = || "symbol-classifier".to_owned();
        let all = [
            Warning::OcrUnavailable,
            Warning::OcrFailed,
            Warning::NetworkUnavailable { network: network() },
            Warning::NetworkFailed { network: network() },
            Warning::LanguageModelUnavailable,
            Warning::LanguageModelBudgetExhausted,
            Warning::LanguageModelFailed,
        ];
        let warnings = Warnings::default();
        for warning in all.iter().rev().chain(&all) {
            warnings.clone().note(warning.clone());
        }
        assert_eq!(warnings.noted(), all, "each is recorded once");
        assert_eq!(all.each_ref().map(Warning::code), Warning::CODES);
        assert!(all.iter().all(|warning| warning.to_string().ends_with('.')));
    }

    #[test]
    fn a_guest_s_mistake_is_no_warning() {
        assert_eq!(Warning::from_ocr_error(&OcrError::BadPicture("0x0".to_owned())), None);
        let invalid = InvalidInput::Missing("pixels".to_owned());
        assert_eq!(Warning::from_run_error("rooms", &RunError::InvalidInput(invalid)), None);
        assert_eq!(Warning::from_language_error(&LanguageError::BadRequest("a schema".to_owned())), None);
    }
}
