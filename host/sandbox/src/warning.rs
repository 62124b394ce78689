//! What a task's guests asked the host for in vain: why a result may be weaker than it could be.
//!
//! A warning is noted where a guest asks for something, never because it might have asked: a document that is read without
//! OCR has a whole result on a host without OCR. What the guest got wrong itself is no warning.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use fanlight_inference::RunError;
use fanlight_language::Error as LanguageError;
use fanlight_ocr::OcrError;

/// Something that was missing when a result was made. The text is for clients.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Warning {
    /// Text was to be read from pixels, and there is no OCR engine, or none of the languages.
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
    /// The tokens for the language model are used up.
    LanguageModelBudgetExhausted,
    /// The language model did not answer, or not as it was asked to.
    LanguageModelFailed,
}

impl Warning {
    /// Every code.
    pub const CODES: [&'static str; 7] = [
        "OCR_UNAVAILABLE",
        "OCR_FAILED",
        "NETWORK_UNAVAILABLE",
        "NETWORK_FAILED",
        "LANGUAGE_MODEL_UNAVAILABLE",
        "LANGUAGE_MODEL_BUDGET_EXHAUSTED",
        "LANGUAGE_MODEL_FAILED",
    ];

    /// The name that programs know it by, one of [`Warning::CODES`].
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

    /// What is missing where OCR gave no words. None where the picture was at fault.
    pub(crate) fn from_ocr_error(error: &OcrError) -> Option<Self> {
        match error {
            OcrError::Unavailable(_) => Some(Self::OcrUnavailable),
            OcrError::Failed(_) => Some(Self::OcrFailed),
            OcrError::BadPicture(_) => None,
        }
    }

    /// What is missing where a network gave no result. None where its inputs were at fault.
    pub(crate) fn from_run_error(network: &str, error: &RunError) -> Option<Self> {
        match error {
            RunError::InvalidInput(_) => None,
            _ => Some(Self::NetworkFailed { network: network.to_owned() }),
        }
    }

    /// What is missing where the language model gave no answer. None where the prompt was at fault.
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

/// The warnings of one task, each once. Clones share them, so that all shards' are together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warnings(Arc<Mutex<BTreeSet<Warning>>>);

impl Warnings {
    pub(crate) fn note(&self, warning: Warning) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(warning);
    }

    /// All that were noted so far, in the order of [`Warning::CODES`].
    pub(crate) fn noted(&self) -> Vec<Warning> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use fanlight_inference::InvalidInput;

    use super::*;

    #[test]
    fn each_warning_has_one_of_the_codes_and_a_sentence() {
        let network = || "symbols-judge".to_owned();
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
        assert_eq!(warnings.noted(), all, "each once, however often it is noted");
        assert_eq!(all.each_ref().map(Warning::code), Warning::CODES);
        assert!(all.iter().all(|warning| warning.to_string().ends_with('.')));
    }

    #[test]
    fn what_the_guest_got_wrong_is_no_warning() {
        assert_eq!(Warning::from_ocr_error(&OcrError::BadPicture("0x0".to_owned())), None);
        let misfit = InvalidInput::Missing("pixels".to_owned());
        assert_eq!(Warning::from_run_error("rooms", &RunError::InvalidInput(misfit)), None);
        assert_eq!(Warning::from_language_error(&LanguageError::BadRequest("a schema".to_owned())), None);
    }
}
