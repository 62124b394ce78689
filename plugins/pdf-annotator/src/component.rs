//! The library as the component of the world `pdf-annotator`.

#![expect(unsafe_code, reason = "what wit-bindgen generates and exports crosses the component's border")]

use crate::bindings::exports::fanlight::plugin::annotate;
use crate::bindings::fanlight::plugin::source;
use crate::{AnnotateError, Mark, TextLine, add_text, update};

/// The most bytes that the host returns for one `source.read`.
const CHUNK: u64 = 4 << 20;

struct Component;

crate::bindings::export!(Component with_types_in crate::bindings);

impl annotate::Guest for Component {
    fn annotate(marks: Vec<Mark>) -> Result<Vec<u8>, AnnotateError> {
        update(read().map_err(AnnotateError::Corrupt)?, &marks)
    }

    fn add_text(lines: Vec<TextLine>) -> Result<Vec<u8>, AnnotateError> {
        add_text(read().map_err(AnnotateError::Corrupt)?, &lines)
    }
}

/// Reads the whole document.
fn read() -> Result<Vec<u8>, String> {
    let size = source::size();
    let mut bytes = vec![];
    bytes.try_reserve_exact(size as usize).map_err(|_| format!("there is no memory for {size} bytes"))?;
    while (bytes.len() as u64) < size {
        let offset = bytes.len() as u64;
        let chunk = source::read(offset, (size - offset).min(CHUNK) as u32)?;
        if chunk.is_empty() {
            return Err(format!("the document ended at {offset} of {size} bytes"));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
