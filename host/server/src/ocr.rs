//! The OCR engine of this host, as the configuration names it.

use std::sync::Arc;
use std::time::Duration;

use fanlight_ocr::{Reader, Settings};

use crate::configuration::Configuration;

/// Looks for it. Where it isn't there the log says so, and plugins go on without.
pub(crate) async fn reader(configuration: &Configuration) -> Option<Arc<Reader>> {
    let ocr = &configuration.ocr;
    let settings = Settings {
        program: ocr.program.clone(),
        parallel: configuration.workers(),
        longest: Duration::from_secs(u64::from(ocr.seconds)),
        memory_mb: u64::from(ocr.memory_mb),
    };
    match Reader::find(settings).await {
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
