//! Pages as PDF files.

use std::fmt::Write as _;

/// Writes a PDF of one page from its content stream. Helvetica is /F, `media_box` is "left bottom
/// right top" in points, and `rotate` is in degrees.
pub fn file(media_box: &str, rotate: u32, content: &str) -> Vec<u8> {
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[{media_box}]/Rotate {rotate}/Contents 4 0 R\
             /Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>"
        ),
        format!("<</Length {}>>stream\n{content}\nendstream", content.len()),
    ];
    let mut file = "%PDF-1.7\n".to_owned();
    let mut offsets = String::new();
    for (index, object) in objects.iter().enumerate() {
        let _ = writeln!(offsets, "{:010} 00000 n ", file.len());
        let _ = writeln!(file, "{} 0 obj\n{object}\nendobj", index + 1);
    }
    let start = file.len();
    let _ = write!(
        file,
        "xref\n0 5\n0000000000 65535 f \n{offsets}trailer<</Size 5/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    );
    file.into_bytes()
}
