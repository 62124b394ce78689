//! The OCR engine of this host, as the configuration names it.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fanlight_ocr::{Launcher, OcrError, Reader, Settings};

use crate::configuration::Configuration;

/// The hidden command by which this program becomes the OCR engine, once it has confined itself.
pub(crate) const CONFINED: &str = "confined";

/// The variable of the server's environment that says where Tesseract's language data is.
const TESSDATA_PREFIX: &str = "TESSDATA_PREFIX";

/// Looks for it. Where it isn't there the log says so, and plugins go on without.
pub(crate) async fn reader(configuration: &Configuration) -> Option<Arc<Reader>> {
    match find(configuration).await {
        Ok(reader) => {
            let languages: Vec<&str> = reader.languages().collect();
            tracing::info!(?languages, "scanned pages are read by OCR");
            Some(Arc::new(reader))
        }
        Err(error) => {
            tracing::warn!(%error, "scanned pages are not read: install tesseract-ocr, or configure where it is");
            None
        }
    }
}

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
