//! How far scanned manuals are read: OCR takes seconds a page.

mod typed;

use typed::TypedManual;

const FIRST_CONTENTS: &str = "
TABLE OF CONTENTS
03 30 00  CAST-IN-PLACE CONCRETE
04 20 00  UNIT MASONRY
05 12 00  STRUCTURAL STEEL FRAMING
";

const LATER_CONTENTS: &str = "
TABLE OF CONTENTS
08 11 13  HOLLOW METAL DOORS AND FRAMES
08 71 00  DOOR HARDWARE
09 21 16  GYPSUM BOARD ASSEMBLIES
";

const NOTICE: &str = "
NOTICE TO BIDDERS
Bids are opened in public at the owner's office.
";

/// Returns how many pages of a manual are read, and how many sections they have.
fn read(pages: Vec<&'static str>, is_scanned: bool) -> (u32, usize) {
    let numbers: Vec<u32> = (1..=pages.len() as u32).collect();
    let manual = TypedManual { pages, bookmarks: Vec::new(), is_scanned };
    let contents = match toc_parser::read(&manual, &numbers, |_| {}) {
        Ok(contents) => contents,
        Err(never) => match never {},
    };
    (contents.pages_analyzed, contents.divisions.iter().map(|division| division.sections.len()).sum())
}

/// Returns pages of notices, with contents on the first one and, if any, on those after `gap` notices.
fn manual(gap: Option<usize>, length: usize) -> Vec<&'static str> {
    let mut pages = vec![NOTICE; length];
    pages[0] = FIRST_CONTENTS;
    if let Some(gap) = gap {
        pages[gap + 1] = LATER_CONTENTS;
    }
    pages
}

#[test]
fn scanned_pages_far_beyond_the_contents_are_not_read() {
    let cases = [
        ("scan", manual(None, 30), true, (11, 3)),
        ("printed", manual(None, 30), false, (30, 3)),
        ("short scan", manual(None, 8), true, (8, 3)),
        ("scan with contents after a gap", manual(Some(6), 30), true, (18, 6)),
        ("scan without contents", vec![NOTICE; 30], true, (30, 0)),
    ];
    for (what, pages, is_scanned, expected) in cases {
        assert_eq!(read(pages, is_scanned), expected, "{what}");
    }
}
