//! Sheets that went through a scanner.

use anyhow::Result;
use drafting::elevation::{Style, SyntheticSheet, generate};
use drafting::scan::{Scanner, scan};
use fanlight_contract::Orientation;
use native::prints;

/// Drafts a sheet, prints it and scans it at so many pixels an inch: the file is a picture. A page that is turned comes
/// out of the scanner upright, so the truth of such a sheet is another one's.
pub(crate) fn scanned(style: &Style, seed: u64, scanner: &Scanner, dpi: f32) -> Result<SyntheticSheet> {
    let SyntheticSheet { pdf, truth } = generate(&Style { rotate: 0, ..style.clone() }, seed);
    Ok(SyntheticSheet { pdf: picture(pdf, seed, scanner, dpi)?, truth })
}

/// Prints the first page of a file and scans it at so many pixels an inch.
pub(crate) fn picture(pdf: Vec<u8>, seed: u64, scanner: &Scanner, dpi: f32) -> Result<Vec<u8>> {
    Ok(scan(&prints(pdf, [1], dpi, Orientation::Displayed)?, scanner, seed))
}
