//! The vocabularies of all readers, one data file each, read when first used.
//!
//! To add a word, edit the file under `reading/text/words/`; no code changes.

use std::sync::LazyLock;

use crate::vocabulary::{Phrasebook, Vocabulary, entries};

/// The text of a file under `reading/text/words/`.
macro_rules! file {
    ($path:literal) => {
        include_str!(concat!("../words/", $path))
    };
}

/// Declares one static for each file, and the list of the files for the tests.
macro_rules! vocabularies {
    ($files:ident: $($(#[$doc:meta])* $name:ident: $kind:ident = $path:literal;)*) => {
        $($(#[$doc])* pub static $name: LazyLock<$kind> = LazyLock::new(|| $kind::parse(file!($path)));)*

        #[cfg(test)]
        const $files: &[(&str, &str)] = &[$(($path, file!($path))),*];
    };
}

/// Declares one static for each file whose order decides, and the list of the files for the tests.
macro_rules! ordered_lists {
    ($files:ident: $($(#[$doc:meta])* $name:ident = $path:literal;)*) => {
        $($(#[$doc])* pub static $name: LazyLock<Vec<&str>> = LazyLock::new(|| entries(file!($path)).collect());)*

        #[cfg(test)]
        const $files: &[(&str, &str)] = &[$(($path, file!($path))),*];
    };
}

/// Returns the value of a key in a list whose entries are a key, a space and a value.
pub fn value_of(list: &[&'static str], key: &str) -> Option<&'static str> {
    list.iter().find_map(|entry| entry.strip_prefix(key)?.strip_prefix(' '))
}

ordered_lists! { ORDERED_FILES:
    /// What is printed in place of a scale where there is none: the first that a text holds decides.
    NO_SCALE = "scale/none.txt";
    /// Words that announce the number of a section of a project manual, a longer one before one that begins it.
    SECTION_ANNOUNCEMENTS = "masterformat/announcements.txt";
    /// Words that announce a revision: the first that begins a text decides.
    REVISIONS = "contents/revisions.txt";
    /// Numbers in one word, each before its value.
    NUMERALS = "masterformat/numerals.txt";
    /// Organisations that issue standards, as a pattern tries them.
    ORGANISATIONS = "sections/organisations.txt";
}

ordered_lists! { PRINTED_FILES:
    /// Division titles of `MasterFormat` 1995 after their numbers, as printed.
    DIVISION_TITLES_1995 = "masterformat/titles-1995.txt";
    /// Division titles of `MasterFormat` since 2004 after their numbers, as printed.
    DIVISION_TITLES_SINCE_2004 = "masterformat/titles-since-2004.txt";
    /// States and provinces whose codes and laws are cited, as printed.
    STATES = "sections/states.txt";
}

ordered_lists! { EXPRESSION_FILES:
    /// Regular expressions of storeys, for folded text.
    STOREYS = "drawings/storeys.txt";
    /// Regular expressions of parts of the works, for folded text.
    SCOPES = "drawings/scopes.txt";
}

vocabularies! { LOWER_CASE_FILES:
    /// Units: a number that counts them is not a standard.
    COUNTED_UNITS: Vocabulary = "sections/units.txt";
    /// First halves of compounds that are usually written with a hyphen.
    COMPOUND_BEGINNINGS: Vocabulary = "sections/compounds.txt";
    /// Words with a full stop that does not end a sentence.
    ABBREVIATIONS: Vocabulary = "sections/abbreviations.txt";
}

vocabularies! { FOLDED_FILES:
    /// Words of the names of rooms whose walls may be drawn from inside.
    FURNISHED_ROOMS: Vocabulary = "rooms/furnished.txt";
    /// Words of the names of rooms whose walls are rarely drawn from inside.
    SERVICE_ROOMS: Vocabulary = "rooms/service.txt";
    /// Words of texts in a plan that are not the names of rooms.
    NOT_ROOM_NAMES: Vocabulary = "rooms/not-names.txt";
    /// Words of the titles of views, beside those of the titles of sheets: elevations.
    VIEW_ELEVATION: Vocabulary = "views/elevation.txt";
    /// Words of the titles of views, likewise: pictures and diagrams.
    VIEW_PICTURE: Vocabulary = "views/picture.txt";
    /// Words of the titles of views, likewise: details.
    VIEW_DETAIL: Vocabulary = "views/detail.txt";
    /// Words of the titles of views, likewise: schedules, notes and legends.
    VIEW_LIST: Vocabulary = "views/list.txt";
    /// Words of the titles of views: drawings of types.
    VIEW_TYPES: Vocabulary = "views/types.txt";
    /// Words of the titles of views: doors and windows.
    VIEW_OPENINGS: Vocabulary = "views/openings.txt";
    /// Words of the titles of views: inside a building.
    VIEW_INSIDE: Vocabulary = "views/inside.txt";
    /// Words of the titles of views: outside a building.
    VIEW_OUTSIDE: Vocabulary = "views/outside.txt";
    /// Words of the titles of views: what is built into rooms.
    VIEW_BUILT_IN: Vocabulary = "views/built-in.txt";
    /// Words of the titles of views: directions and walls.
    VIEW_DIRECTIONS: Vocabulary = "views/directions.txt";
    /// The word before a scale.
    SCALE_WORDS: Vocabulary = "scale/scale.txt";
    /// Words of texts whose ratio is a slope.
    SLOPE_WORDS: Vocabulary = "scale/slopes.txt";
    /// Words that stand in the headers of a schedule.
    TABLE_HEADINGS: Vocabulary = "tables/headings.txt";
    /// Words one letter off a schedule's header that are no misreading of it.
    NOT_TABLE_HEADINGS: Vocabulary = "tables/not-headings.txt";
    /// Words of the titles of tables.
    TABLE_TITLES: Vocabulary = "tables/titles.txt";
    /// Endings of words of the titles of tables.
    TABLE_TITLE_ENDINGS: Vocabulary = "tables/title-endings.txt";
    /// Nouns of the titles of sheets: ceiling.
    DRAWING_CEILING: Vocabulary = "drawings/ceiling.txt";
    /// Nouns of the titles of sheets: cover.
    DRAWING_COVER: Vocabulary = "drawings/cover.txt";
    /// Nouns of the titles of sheets: index.
    DRAWING_INDEX: Vocabulary = "drawings/index.txt";
    /// Nouns of the titles of sheets: detail.
    DRAWING_DETAIL: Vocabulary = "drawings/detail.txt";
    /// Nouns of the titles of sheets: schedule.
    DRAWING_SCHEDULE: Vocabulary = "drawings/schedule.txt";
    /// Nouns of the titles of sheets: diagram.
    DRAWING_DIAGRAM: Vocabulary = "drawings/diagram.txt";
    /// Nouns of the titles of sheets: section.
    DRAWING_SECTION: Vocabulary = "drawings/section.txt";
    /// Nouns of the titles of sheets: elevation.
    DRAWING_ELEVATION: Vocabulary = "drawings/elevation.txt";
    /// Nouns of the titles of sheets: notes.
    DRAWING_NOTES: Vocabulary = "drawings/notes.txt";
    /// Nouns of the titles of sheets: a picture of the building.
    DRAWING_PICTURE: Vocabulary = "drawings/picture.txt";
    /// Words for a stage of the work that end like a word for a plan.
    STAGES: Vocabulary = "drawings/stages.txt";
    /// Phrases of the titles of sheets: life safety.
    LIFE_SAFETY_PHRASES: Phrasebook = "drawings/phrases-life-safety.txt";
    /// Phrases of the titles of sheets: cover.
    COVER_PHRASES: Phrasebook = "drawings/phrases-cover.txt";
    /// Phrases of the titles of sheets: index.
    INDEX_PHRASES: Phrasebook = "drawings/phrases-index.txt";
    /// Phrases of the titles of sheets: general notes.
    NOTES_PHRASES: Phrasebook = "drawings/phrases-notes.txt";
    /// Phrases of the titles of sheets: a picture of the building.
    PICTURE_PHRASES: Phrasebook = "drawings/phrases-picture.txt";
    /// Phrases of the titles of sheets: diagrams.
    DIAGRAM_PHRASES: Phrasebook = "drawings/phrases-diagrams.txt";
    /// Nouns of the titles of sheets: plan.
    DRAWING_PLAN: Vocabulary = "drawings/plan.txt";
    /// What a drawing is of, in the titles of sheets: demolition.
    OF_DEMOLITION: Vocabulary = "drawings/of-demolition.txt";
    /// What a drawing is of, in the titles of sheets: ceiling.
    OF_CEILING: Vocabulary = "drawings/of-ceiling.txt";
    /// What a drawing is of, in the titles of sheets: framing.
    OF_FRAMING: Vocabulary = "drawings/of-framing.txt";
    /// What a drawing is of, in the titles of sheets: foundation.
    OF_FOUNDATION: Vocabulary = "drawings/of-foundation.txt";
    /// What a drawing is of, in the titles of sheets: roof.
    OF_ROOF: Vocabulary = "drawings/of-roof.txt";
    /// What a drawing is of, in the titles of sheets: site.
    OF_SITE: Vocabulary = "drawings/of-site.txt";
    /// What a drawing is of, in the titles of sheets: safety.
    OF_SAFETY: Vocabulary = "drawings/of-safety.txt";
    /// What a drawing is of, in the titles of sheets: finish.
    OF_FINISH: Vocabulary = "drawings/of-finish.txt";
    /// What a drawing is of, in the titles of sheets: enlarged.
    OF_ENLARGED: Vocabulary = "drawings/of-enlarged.txt";
    /// What a drawing is of, in the titles of sheets: structural.
    OF_STRUCTURAL: Vocabulary = "drawings/of-structural.txt";
    /// What a drawing is of, in the titles of sheets: interior.
    OF_INTERIOR: Vocabulary = "drawings/of-interior.txt";
    /// What a drawing is of, in the titles of sheets: wall.
    OF_WALL: Vocabulary = "drawings/of-wall.txt";
    /// What a drawing is of, in the titles of sheets: storey.
    OF_STOREY: Vocabulary = "drawings/of-storey.txt";
    /// Words that make a level or a floor a height rather than a storey.
    DATUMS: Vocabulary = "drawings/datums.txt";
    /// Words that separate what the title of a sheet lists.
    CONJUNCTIONS: Vocabulary = "drawings/conjunctions.txt";
    /// Words of languages in which the noun comes first.
    PREPOSITIONS: Vocabulary = "drawings/prepositions.txt";
    /// Labels in title blocks: number.
    LABEL_NUMBER: Vocabulary = "title-block/number.txt";
    /// Words of the names of firms, schools and authorities.
    FIRMS: Vocabulary = "title-block/firms.txt";
    /// Labels in title blocks: title.
    LABEL_TITLE: Vocabulary = "title-block/title.txt";
    /// Labels in title blocks: project.
    LABEL_PROJECT: Vocabulary = "title-block/project.txt";
    /// Labels in title blocks: date.
    LABEL_DATE: Vocabulary = "title-block/date.txt";
    /// Labels in title blocks: scale.
    LABEL_SCALE: Vocabulary = "title-block/scale.txt";
    /// Labels in title blocks: other.
    LABEL_OTHER: Vocabulary = "title-block/other.txt";
    /// What stands in title blocks in place of a scale.
    NO_SCALE_LABELS: Vocabulary = "title-block/no-scale.txt";
    /// Names of a discipline: landscape.
    LANDSCAPE: Vocabulary = "disciplines/landscape.txt";
    /// Names of a discipline: plumbing.
    PLUMBING: Vocabulary = "disciplines/plumbing.txt";
    /// Names of a discipline: electrical.
    ELECTRICAL: Vocabulary = "disciplines/electrical.txt";
    /// Names of a discipline: mechanical.
    MECHANICAL: Vocabulary = "disciplines/mechanical.txt";
    /// Names of a discipline: structural.
    STRUCTURAL: Vocabulary = "disciplines/structural.txt";
    /// Names of a discipline: civil.
    CIVIL: Vocabulary = "disciplines/civil.txt";
    /// Words that hint at a discipline: electrical.
    ELECTRICAL_HINTS: Vocabulary = "disciplines/electrical-hints.txt";
    /// Words that hint at a discipline: plumbing.
    PLUMBING_HINTS: Vocabulary = "disciplines/plumbing-hints.txt";
    /// Words that hint at a discipline: mechanical.
    MECHANICAL_HINTS: Vocabulary = "disciplines/mechanical-hints.txt";
    /// Words that hint at a discipline: interiors.
    INTERIORS_HINTS: Vocabulary = "disciplines/interiors-hints.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 03.
    DIVISION_03: Vocabulary = "divisions/03.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 04.
    DIVISION_04: Vocabulary = "divisions/04.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 05.
    DIVISION_05: Vocabulary = "divisions/05.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 06.
    DIVISION_06: Vocabulary = "divisions/06.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 07.
    DIVISION_07: Vocabulary = "divisions/07.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 08.
    DIVISION_08: Vocabulary = "divisions/08.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 09.
    DIVISION_09: Vocabulary = "divisions/09.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 10.
    DIVISION_10: Vocabulary = "divisions/10.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 12.
    DIVISION_12: Vocabulary = "divisions/12.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 14.
    DIVISION_14: Vocabulary = "divisions/14.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 28.
    DIVISION_28: Vocabulary = "divisions/28.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 31.
    DIVISION_31: Vocabulary = "divisions/31.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 32.
    DIVISION_32: Vocabulary = "divisions/32.txt";
    /// Words of the titles of sheets that belong to `MasterFormat` division 33.
    DIVISION_33: Vocabulary = "divisions/33.txt";
    /// Words of notes beside interior elevations.
    FURNISHING_NOTES: Vocabulary = "notes/furnishing.txt";
    /// Words of notes beside the fronts and sections of buildings.
    BUILDING_NOTES: Vocabulary = "notes/building.txt";
    /// Names of a discipline: fire protection.
    FIRE: Phrasebook = "disciplines/fire.txt";
    /// Openings and closings of letters, as beginnings of lines.
    LETTER_LINES: Vocabulary = "drawings/letters.txt";
    /// Words before a number that is not a sheet's.
    NOT_NUMBER_PREFIXES: Vocabulary = "drawings/not-prefixes.txt";
    /// Words for a division of `MasterFormat`.
    DIVISIONS: Vocabulary = "masterformat/divisions.txt";
    /// Phrases that say that a section is not used.
    UNUSED: Vocabulary = "contents/unused.txt";
    /// Phrases that say that a section is not used if they are the whole title.
    UNUSED_ALONE: Vocabulary = "contents/unused-alone.txt";
    /// What may follow "deleted" and the like.
    UNUSED_CONTINUATIONS: Vocabulary = "contents/unused-continuations.txt";
    /// Remarks in brackets behind a title that are no part of it.
    CONTENTS_REMARKS: Vocabulary = "contents/remarks.txt";
    /// Remarks that a heading has on pages after its first.
    CONTINUED: Vocabulary = "contents/continued.txt";
    /// Months.
    MONTHS: Vocabulary = "contents/months.txt";
    /// Words for a page or a sheet.
    PAGES: Vocabulary = "contents/pages.txt";
    /// Headings of a table of contents, letters only.
    CONTENTS_HEADINGS: Vocabulary = "contents/headings.txt";
    /// Names of a table of contents within longer headings, letters only.
    CONTENTS_WITHIN_HEADINGS: Vocabulary = "contents/headings-within.txt";
    /// Beginnings and ends of headings that name a list, letters only.
    CONTENTS_LISTS: Vocabulary = "contents/lists.txt";
    /// What the list of a table of contents lists, letters only.
    CONTENTS_LISTED: Vocabulary = "contents/listed.txt";
    /// Beginnings of headings of lists without sections.
    FOREIGN_LISTS: Vocabulary = "contents/foreign.txt";
    /// Phrases that end a table of contents, letters only.
    CONTENTS_ENDS: Vocabulary = "contents/ends.txt";
    /// Words for a part of a section.
    PARTS: Vocabulary = "contents/parts.txt";
    /// Phrases by which a page of a manual says that nothing is on it.
    BLANK_PAGES: Phrasebook = "sections/blank-pages.txt";
    /// Names of forms and data sheets that are bound in between sections.
    FORMS: Phrasebook = "sections/forms.txt";
    /// Beginnings of the cover of a division or a volume.
    COVERS: Phrasebook = "sections/covers.txt";
    /// Words for a volume, as beginnings of lines.
    VOLUMES: Vocabulary = "contents/volumes.txt";
    /// Words that no title ends with.
    CONNECTORS: Vocabulary = "contents/connectors.txt";
    /// Beginnings of words of the titles of articles: submittals.
    TOPIC_SUBMITTALS: Vocabulary = "sections/topic-submittals.txt";
    /// Beginnings of words of the titles of articles: references.
    TOPIC_REFERENCES: Vocabulary = "sections/topic-references.txt";
    /// Beginnings of words of the titles of articles: quality.
    TOPIC_QUALITY: Vocabulary = "sections/topic-quality.txt";
    /// Beginnings of words of the titles of articles: delivery.
    TOPIC_DELIVERY: Vocabulary = "sections/topic-delivery.txt";
    /// Beginnings of words of the titles of articles: conditions.
    TOPIC_CONDITIONS: Vocabulary = "sections/topic-conditions.txt";
    /// Beginnings of words of the titles of articles: warranties.
    TOPIC_WARRANTIES: Vocabulary = "sections/topic-warranties.txt";
    /// Beginnings of words of the titles of articles: manufacturers.
    TOPIC_MANUFACTURERS: Vocabulary = "sections/topic-manufacturers.txt";
    /// Beginnings of words of the titles of articles: performance.
    TOPIC_PERFORMANCE: Vocabulary = "sections/topic-performance.txt";
    /// Beginnings of words of the titles of articles: testing.
    TOPIC_TESTING: Vocabulary = "sections/topic-testing.txt";
    /// Beginnings of words of the titles of articles: closeout.
    TOPIC_CLOSEOUT: Vocabulary = "sections/topic-closeout.txt";
    /// Beginnings of words of the titles of articles: related.
    TOPIC_RELATED: Vocabulary = "sections/topic-related.txt";
    /// Words between the word for a revision and its number.
    REVISION_WORDS: Vocabulary = "contents/revision-words.txt";
    /// Titles of the parts of a section.
    PART_TITLES: Vocabulary = "sections/part-titles.txt";
    /// Phrases that end a section, letters only.
    SECTION_ENDS: Vocabulary = "sections/ends.txt";
    /// Names of contents in the running lines of pages, letters only.
    SECTION_CONTENTS: Vocabulary = "sections/contents.txt";
    /// Words for a schedule.
    SCHEDULE_WORDS: Vocabulary = "schedules/schedule.txt";
    /// Endings of words for a schedule.
    SCHEDULE_ENDINGS: Vocabulary = "schedules/schedule-endings.txt";
    /// Words by which a title says that its table is not a schedule.
    OTHER_TITLES: Vocabulary = "schedules/other-titles.txt";
    /// Words of the titles of lists of sheets, revisions, issues or notes.
    SHEET_LIST_TITLES: Vocabulary = "schedules/sheet-list-titles.txt";
    /// Words of the headers of lists of sheets, revisions and issues.
    SHEET_LIST_HEADERS: Vocabulary = "schedules/sheet-list-headers.txt";
    /// Words of the titles of schedules of hardware.
    HARDWARE_TITLES: Vocabulary = "schedules/hardware-titles.txt";
    /// Words of headers that are typical of schedules of hardware.
    HARDWARE_HEADERS: Vocabulary = "schedules/hardware-headers.txt";
    /// Words of the titles of schedules of luminaires.
    LIGHTING_TITLES: Vocabulary = "schedules/lighting-titles.txt";
    /// Words of headers that are typical of schedules of luminaires.
    LIGHTING_HEADERS: Vocabulary = "schedules/lighting-headers.txt";
    /// Words of the titles of schedules of plumbing fixtures.
    PLUMBING_TITLES: Vocabulary = "schedules/plumbing-titles.txt";
    /// Words of headers that are typical of schedules of plumbing fixtures.
    PLUMBING_HEADERS: Vocabulary = "schedules/plumbing-headers.txt";
    /// Words of the titles of schedules of finishes.
    FINISH_TITLES: Vocabulary = "schedules/finish-titles.txt";
    /// Words of headers that are typical of schedules of finishes.
    FINISH_HEADERS: Vocabulary = "schedules/finish-headers.txt";
    /// Words of the titles of schedules of doors.
    DOOR_TITLES: Vocabulary = "schedules/door-titles.txt";
    /// Words of headers that are typical of schedules of doors.
    DOOR_HEADERS: Vocabulary = "schedules/door-headers.txt";
    /// Words of the titles of schedules of windows.
    WINDOW_TITLES: Vocabulary = "schedules/window-titles.txt";
    /// Words of headers that are typical of schedules of windows.
    WINDOW_HEADERS: Vocabulary = "schedules/window-headers.txt";
    /// Words of the titles of schedules of equipment.
    EQUIPMENT_TITLES: Vocabulary = "schedules/equipment-titles.txt";
    /// Words of headers that are typical of schedules of equipment.
    EQUIPMENT_HEADERS: Vocabulary = "schedules/equipment-headers.txt";
    /// Words of the titles of schedules of materials.
    MATERIAL_TITLES: Vocabulary = "schedules/material-titles.txt";
    /// Words of headers that are typical of schedules of materials.
    MATERIAL_HEADERS: Vocabulary = "schedules/material-headers.txt";
    /// Words of the titles of schedules of rooms.
    ROOM_TITLES: Vocabulary = "schedules/room-titles.txt";
    /// Words of headers that are typical of schedules of rooms.
    ROOM_HEADERS: Vocabulary = "schedules/room-headers.txt";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_sorted_and_has_each_entry_once() {
        for (path, file) in FOLDED_FILES.iter().chain(LOWER_CASE_FILES) {
            let own: Vec<&str> = entries(file).collect();
            assert!(!own.is_empty(), "{path}");
            for pair in own.windows(2) {
                assert!(pair[0] < pair[1], "{path}: {} before {}", pair[0], pair[1]);
            }
        }
    }

    #[test]
    fn every_entry_is_folded_and_without_stray_space() {
        for (path, file) in FOLDED_FILES.iter().chain(ORDERED_FILES) {
            for entry in entries(file) {
                assert_eq!(entry, crate::folding::fold(entry), "{path}");
            }
        }
    }

    #[test]
    fn every_entry_of_a_lower_case_file_is_in_lower_case() {
        for (path, file) in LOWER_CASE_FILES {
            for entry in entries(file) {
                assert_eq!(entry, crate::folding::tidy(entry).to_lowercase(), "{path}");
            }
        }
    }

    #[test]
    fn every_file_is_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/words");
        let subjects = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files = subjects.flat_map(|subject| std::fs::read_dir(subject).unwrap()).count();
        let lists = [FOLDED_FILES, LOWER_CASE_FILES, ORDERED_FILES, PRINTED_FILES, EXPRESSION_FILES];
        assert_eq!(files, lists.iter().map(|list| list.len()).sum::<usize>());
    }

    #[test]
    fn a_value_is_found_by_its_whole_key() {
        for (key, value) in [("SIX", Some("6")), ("SIXTEEN", Some("16")), ("SIXTE", None), ("", None)] {
            assert_eq!(value_of(&NUMERALS, key), value, "{key}");
        }
    }

    #[test]
    fn sample_words_are_found() {
        for (vocabulary, word) in [
            (&*FURNISHED_ROOMS, "SCHLAFZIMMER"),
            (&*SERVICE_ROOMS, "STAIRWELL"),
            (&*DRAWING_ELEVATION, "GORUNUSU"),
            (&*TABLE_HEADINGS, "MAT'L"),
            (&*TABLE_HEADINGS, "#"),
            (&*DRAWING_PLAN, "LAGEPLAN"),
            (&*LABEL_NUMBER, "BLATTNR"),
            (&*SCALE_WORDS, "ECHELLE"),
            (&*DIVISION_08, "FENSTERLISTE"),
            (&*DOOR_TITLES, "DOORS"),
            (&*UNUSED, "N.I.C"),
            (&*COUNTED_UNITS, "in."),
            (&*SECTION_CONTENTS, "PROJECTTABLEOFCONTENTS"),
        ] {
            assert!(vocabulary.matches(word), "{word}");
            assert!(!vocabulary.matches("XYZZY"), "{word}");
        }
        assert!(BLANK_PAGES.matches(&["INTENTIONALLY", "BLANK"]));
        assert_eq!((NO_SCALE.first(), SECTION_ANNOUNCEMENTS.len()), (Some(&"NOT TO SCALE"), 27));
    }
}
