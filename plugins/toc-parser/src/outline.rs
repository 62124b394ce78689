//! Sections from the document's bookmarks.

use std::collections::HashSet;

use fanlight_masterformat::Number;

use crate::Bookmark;
use crate::contents;
use crate::result::{Division, DivisionList};

/// Returns the divisions and sections that bookmarks name, each section once.
pub(crate) fn divisions(bookmarks: &[Bookmark]) -> Vec<Division> {
    let mut divisions = DivisionList::default();
    let mut seen: HashSet<Number> = HashSet::new();
    for bookmark in bookmarks {
        if let Some(heading) =
            contents::division_heading(&bookmark.title).or_else(|| contents::division_in_figures(&bookmark.title))
        {
            divisions.add_division(heading.division, &heading.title);
            continue;
        }
        let Some((number, title)) = contents::section_line(&bookmark.title) else { continue };
        if !contents::is_unused(&title) && seen.insert(Number { worded: false, ..number.clone() }) {
            divisions.add_section(&number, title);
        }
    }
    divisions.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bookmarks_name_divisions_and_sections() {
        let bookmarks = [
            "Cover",
            "DIVISION 08 - OPENINGS",
            "08 11 13 - Hollow Metal Doors",
            "SECTION 081416 FLUSH WOOD DOORS",
            "PART 1 - GENERAL",
            "081416",
        ]
        .map(|title| Bookmark { title: title.to_owned(), level: 0 });
        let divisions = divisions(&bookmarks);
        assert_eq!(divisions.len(), 1);
        assert_eq!(divisions[0].division_title, "OPENINGS");
        let sections: Vec<_> =
            divisions[0].sections.iter().map(|s| (s.section_code.as_str(), s.section_title.as_str())).collect();
        assert_eq!(sections, [("081113", "Hollow Metal Doors"), ("081416", "FLUSH WOOD DOORS")]);
    }
}
