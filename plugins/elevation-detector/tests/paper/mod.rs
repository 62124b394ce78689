//! Sheets that went through a scanner.

use anyhow::Result;
use drafting::elevation::{Drafted, Office, draft};
use drafting::scan::{Scanner, scan};
use fanlight_contract::Orientation;
use native::prints;

/// Drafts a sheet, prints it and scans it at so many pixels an inch: the file is a picture. A page that is turned comes
/// out of the scanner upright, so the truth of such a sheet is another one's.
pub(crate) fn scanned(office: &Office, seed: u64, scanner: &Scanner, dpi: f32) -> Result<Drafted> {
    let Drafted { pdf, truth } = draft(&Office { rotate: 0, ..office.clone() }, seed);
    Ok(Drafted { pdf: picture(pdf, seed, scanner, dpi)?, truth })
}

/// Prints the first page of a file and scans it at so many pixels an inch.
pub(crate) fn picture(pdf: Vec<u8>, seed: u64, scanner: &Scanner, dpi: f32) -> Result<Vec<u8>> {
    Ok(scan(&prints(pdf, [1], dpi, Orientation::Displayed)?, scanner, seed))
}
