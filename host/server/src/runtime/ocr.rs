//! The OCR engine of this host, as configured.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fanlight_ocr::{Launcher, OcrError, Reader, Settings};

use crate::configuration::{Configuration, OcrEngine};

/// The hidden command with which this program confines itself and then becomes the OCR engine.
pub(crate) const CONFINED: &str = "confined";

/// The environment variable that names the folder of Tesseract's language data.
const TESSDATA_PREFIX: &str = "TESSDATA_PREFIX";

/// Finds Tesseract if it is configured. If there is no OCR engine, this is logged, and plugins work without OCR.
pub(crate) async fn reader(configuration: &Configuration) -> Option<Arc<Reader>> {
    if configuration.ocr.engine == OcrEngine::Builtin {
        if configuration.ocr_engine().ok()?.is_none() {
            tracing::warn!("found no OCR engine: the plugin `ocr-engine` is not installed");
        }
        return None;
    }
    match find(configuration).await {
        Ok(reader) => {
            let languages: Vec<&str> = reader.languages().collect();
            tracing::info!(?languages, "found Tesseract");
            Some(Arc::new(reader))
        }
        Err(error) => {
            tracing::warn!(%error, "found no Tesseract: install tesseract-ocr, or configure its path, or choose the builtin engine");
            None
        }
    }
}

/// Starts the configured program once, to learn its languages.
async fn find(configuration: &Configuration) -> Result<Reader, OcrError> {
    let ocr = &configuration.ocr;
    let launcher = Launcher::this_program(CONFINED).map_err(|error| OcrError::Unavailable(error.to_string()))?;
    let settings = Settings {
        launcher,
        program: ocr.program.clone(),
        language_data: ocr.tessdata.clone().or_else(|| env::var_os(TESSDATA_PREFIX).map(PathBuf::from)),
        parallel: configuration.workers(),
        time_limit: Duration::from_secs(u64::from(ocr.seconds)),
        memory_mb: u64::from(ocr.memory_mb),
    };
    Reader::find(settings).await
}
