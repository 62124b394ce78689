//! Typed manuals with defects, each with the result that is expected of it.

use std::fmt::Write;

use content_extractor::{Leaf, Parameters, Provider, Wanted};
use fanlight_plugin::BoundingBox;
use fanlight_text::Page;

struct Case {
    /// The defect of the manual.
    what: &'static str,
    pages: &'static [&'static str],
    /// The code and title of each wanted section.
    asked: &'static [(&'static str, &'static str)],
    /// One line for each section, `081113 1-2`, with the indented lines of its text below.
    read: &'static str,
}

fn read(case: &Case) -> String {
    let leaves = case
        .pages
        .iter()
        .zip(1..)
        .map(|(page, number)| Leaf::new(number, &Page::read(&text_fixture::text(page), &text_fixture::geometry())));
    let sections = case.asked.iter().map(|(code, title)| Wanted {
        section_code: (*code).to_owned(),
        section_title: (*title).to_owned(),
        division_code: code[..2].to_owned(),
    });
    let parameters = Parameters { source_job_id: None, sections: sections.collect(), provider: Provider::Rules };
    let mut text = String::new();
    for section in content_extractor::extract(&parameters, leaves.collect()).sections {
        let span = match (section.page_start, section.page_end) {
            (Some(start), Some(end)) => format!("{start}-{end}"),
            _ => "not found".to_owned(),
        };
        let _ = writeln!(text, "{} {span}", section.section_code);
        for line in section.text.lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}

#[test]
fn defects_of_a_manual_affect_no_other_section() {
    let mut wrong = String::new();
    for case in cases() {
        let found = read(&case);
        let wanted: String = case.read.lines().skip(1).flat_map(|line| [line, "\n"]).collect();
        if found != wanted {
            let _ = writeln!(wrong, "== {}\n-- wanted\n{wanted}-- found\n{found}", case.what);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Returns the words of a typed page whose middle lies in a box.
fn words_in(page: &str, bbox: BoundingBox) -> String {
    let runs = text_fixture::text(page).runs;
    let within = runs.iter().filter(|run| {
        let (x, y) = (f64::from(run.bbox.x1 + run.bbox.x2) / 2.0, f64::from(run.bbox.y1 + run.bbox.y2) / 2.0);
        (bbox.x1..=bbox.x2).contains(&x) && (bbox.y1..=bbox.y2).contains(&y)
    });
    within.map(|run| run.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn requirements_name_the_lines_that_they_stand_in() {
    let pages = [
        "SECTION 08 11 13\nHOLLOW METAL DOORS\n\nPART 1 - GENERAL\n\n1.01 SUBMITTALS\n\nA.  Product data of each door and\n    of its frame.\n\nB.  Samples of the paint in all",
        "    colours, on steel.\n\nEND OF SECTION",
    ];
    let beside: Vec<String> = ('A'..='L')
        .zip('M'..='X')
        .map(|(left, right)| {
            let first = format!("{left}.  Sample {left} of the left column, full.");
            format!("{first:50}{right}.  Sample {right} of the right column, full.")
        })
        .collect();
    let newspaper = format!("SECTION 08 11 13 - DOORS\n\nPART 1 - GENERAL\n\n1.01 SUBMITTALS\n\n{}", beside.join("\n"));
    let read = |pages: &[&str]| {
        let leaves = pages
            .iter()
            .zip(1..)
            .map(|(page, number)| Leaf::new(number, &Page::read(&text_fixture::text(page), &text_fixture::geometry())));
        let wanted = Wanted {
            section_code: "081113".to_owned(),
            section_title: "Doors".to_owned(),
            division_code: "08".to_owned(),
        };
        let parameters = Parameters { source_job_id: None, sections: vec![wanted], provider: Provider::Rules };
        let section = content_extractor::extract(&parameters, leaves.collect()).sections.remove(0);
        section
            .requirements
            .submittals
            .into_iter()
            .map(|found| {
                let lines =
                    found.places.iter().map(|place| (place.page, words_in(pages[place.page as usize - 1], place.bbox)));
                (found.page, lines.collect::<Vec<_>>())
            })
            .collect::<Vec<_>>()
    };
    let line = |page: u32, text: &str| (page, text.to_owned());
    let expected = vec![
        (1, vec![line(1, "A. Product data of each door and"), line(1, "of its frame.")]),
        (1, vec![line(1, "B. Samples of the paint in all"), line(2, "colours, on steel.")]),
    ];
    assert_eq!(read(&pages), expected);
    let lines: Vec<(u32, String)> = read(&[&newspaper]).into_iter().flat_map(|(_, lines)| lines).collect();
    for expected in ["C. Sample C of the left column, full.", "O. Sample O of the right column, full."] {
        assert!(lines.iter().any(|(_, words)| words == expected), "{expected}: {lines:?}");
    }
}

const DOORS: &str = "
SECTION 08 11 13
HOLLOW METAL DOORS

PART 1 - GENERAL

1.01 SUMMARY

A.  Doors of steel sheet.

END OF SECTION
";

const GLASS: &str = "
SECTION 08 80 00
GLAZING

PART 1 - GENERAL

1.01 SUMMARY

A.  Glass of doors, see Section 08 11 13.

END OF SECTION
";

fn cases() -> Vec<Case> {
    vec![
        Case {
            what: "no section at all",
            pages: &["MINUTES OF THE MEETING\n\nThose present agree on Section 08 11 13.", ""],
            asked: &[("081113", "Hollow Metal Doors")],
            read: "
081113 not found
",
        },
        Case {
            what: "no page",
            pages: &[],
            asked: &[("081113", "")],
            read: "
081113 not found
",
        },
        Case {
            what: "a body before its contents",
            pages: &[DOORS, GLASS, "TABLE OF CONTENTS\n\n08 11 13   HOLLOW METAL DOORS\n08 80 00   GLAZING"],
            asked: &[("081113", "Hollow Metal Doors"), ("088000", "Glazing")],
            read: "
081113 1-1
  SECTION 08 11 13 HOLLOW METAL DOORS
  PART 1 - GENERAL
  1.01 SUMMARY
  A. Doors of steel sheet.
088000 2-2
  SECTION 08 80 00 GLAZING
  PART 1 - GENERAL
  1.01 SUMMARY
  A. Glass of doors, see Section 08 11 13.
",
        },
        Case {
            what: "headers with the number of the project, which looks like a section's, beside the page",
            pages: &[
                "Riel Street Hub                       Section 08 11 00\nProject No. 21-0844        Doors       Page 1 of 2\n\n\n\nPart 1    General\n\n1.1    SUMMARY\n\nA.  Doors of steel sheet.",
                "Riel Street Hub                       Section 08 11 00\nProject No. 21-0844        Doors       Page 2 of 2\n\n\n\nPart 3    Execution\n\n3.1    EXAMINATION\n\nA.  Look at walls.",
                "Riel Street Hub                       Section 09 91 00\nProject No. 21-0844        Paint       Page 1 of 2\n\n\n\nPart 1    General\n\n1.1    SUMMARY\n\nA.  Paint of walls.",
                "Riel Street Hub                       Section 09 91 00\nProject No. 21-0844        Paint       Page 2 of 2\n\n\n\nPart 3    Execution\n\n3.1    EXAMINATION\n\nA.  Look at steel.",
            ],
            asked: &[("081100", "Doors"), ("099100", "Paint")],
            read: "
081100 1-2
  Part 1 General
  1.1 SUMMARY
  A. Doors of steel sheet.
  Part 3 Execution
  3.1 EXAMINATION
  A. Look at walls.
099100 3-4
  Part 1 General
  1.1 SUMMARY
  A. Paint of walls.
  Part 3 Execution
  3.1 EXAMINATION
  A. Look at steel.
",
        },
        Case {
            what: "a section that is bound twice under one title",
            pages: &[DOORS, GLASS, DOORS],
            asked: &[("081113", "Hollow Metal Doors"), ("081113", "Hollow Metal Doors")],
            read: "
081113 1-1
  SECTION 08 11 13 HOLLOW METAL DOORS
  PART 1 - GENERAL
  1.01 SUMMARY
  A. Doors of steel sheet.
081113 3-3
  SECTION 08 11 13 HOLLOW METAL DOORS
  PART 1 - GENERAL
  1.01 SUMMARY
  A. Doors of steel sheet.
",
        },
        Case {
            what: "two sections under one code",
            pages: &[DOORS, FRAMES],
            asked: &[("081113", "Hollow Metal Frames"), ("081113", "Hollow Metal Doors")],
            read: "
081113 2-2
  SECTION 08 11 13 HOLLOW METAL FRAMES
  PART 1 - GENERAL
  1.01 SUMMARY
  A. Frames of steel sheet.
081113 1-1
  SECTION 08 11 13 HOLLOW METAL DOORS
  PART 1 - GENERAL
  1.01 SUMMARY
  A. Doors of steel sheet.
",
        },
        Case {
            what: "a number that begins with another's",
            pages: &[LEVEL_FOUR, DOORS],
            asked: &[("081113", "Hollow Metal Doors")],
            read: "
081113 2-2
  SECTION 08 11 13 HOLLOW METAL DOORS
  PART 1 - GENERAL
  1.01 SUMMARY
  A. Doors of steel sheet.
",
        },
        Case {
            what: "writing from right to left, typed as it stands on paper, and writing without spaces",
            pages: &["
SECTION 08 11 13
HOLLOW METAL DOORS

PART 1 - GENERAL

1.01 SUMMARY

A.  ןקתה יפל הדלפ תותלד

B.  钢制门及门框，符合标准。

END OF SECTION
"],
            asked: &[("081113", "Hollow Metal Doors")],
            read: "
081113 1-1
  SECTION 08 11 13 HOLLOW METAL DOORS
  PART 1 - GENERAL
  1.01 SUMMARY
  A. דלתות פלדה לפי התקן
  B. 钢制门及门框，符合标准。
",
        },
        Case {
            what: "a section begins with its own contents, as federal guide specifications do",
            pages: &[
                "
                 SECTION TABLE OF CONTENTS

            DIVISION 01 - GENERAL REQUIREMENTS

                     SECTION 01 33 00

                   SUBMITTAL PROCEDURES

PART 1   GENERAL

  1.1   SUMMARY

PART 2   PRODUCTS

-- End of Section Table of Contents --
",
                "
                     SECTION 01 33 00

                   SUBMITTAL PROCEDURES

PART 1   GENERAL

1.1   SUMMARY

Submit as this section says.

        -- End of Section --
",
            ],
            asked: &[("013300", "Submittal Procedures")],
            read: "
013300 1-2
  SECTION 01 33 00 SUBMITTAL PROCEDURES
  PART 1 GENERAL
  1.1 SUMMARY
  PART 2 PRODUCTS
  SECTION 01 33 00
  SUBMITTAL PROCEDURES
  PART 1 GENERAL
  1.1 SUMMARY
  Submit as this section says.
",
        },
        Case {
            what: "sections begin below a project's name, with a code before the number, and a data sheet between them belongs to none",
            pages: &[
                "
                                          HARBOUR ROAD STATION
                                      S31 05 16 - CRUSHED AGGREGATE

PART 1 - GENERAL

1.1   SUMMARY

A. Aggregate below pipes.
",
                "
PUMP DATA SHEET

Model       SG-40
Material    Bronze
Finish      Mill
",
                "
                                          HARBOUR ROAD STATION
                                    S33 05 23 - DIRECTIONAL DRILLING

PART 1 - GENERAL

1.1   SUMMARY

A. Drilling below roads.

                                          HARBOUR ROAD STATION
                                      S33 32 16 - PUMPING STATIONS

PART 1 - GENERAL

1.1   SUMMARY

A. Stations in one piece.
",
            ],
            asked: &[
                ("310516", "Crushed Aggregate"),
                ("330523", "Directional Drilling"),
                ("333216", "Pumping Stations"),
            ],
            read: "
310516 1-1
  S31 05 16 - CRUSHED AGGREGATE
  PART 1 - GENERAL
  1.1 SUMMARY
  A. Aggregate below pipes.
330523 3-3
  S33 05 23 - DIRECTIONAL DRILLING
  PART 1 - GENERAL
  1.1 SUMMARY
  A. Drilling below roads.
333216 3-3
  S33 32 16 - PUMPING STATIONS
  PART 1 - GENERAL
  1.1 SUMMARY
  A. Stations in one piece.
",
        },
        Case {
            what: "short sections without a word for them begin below the contents on one page",
            pages: &["
Contents

   06 11 00  Wood Framing
   06 16 00  Sheathing
   06 20 00  Finish Carpentry

These specifications go with drawings A1 through A9.


06 11 00  WOOD FRAMING

  -  Framing lumber of fir, dry.


06 16 00  SHEATHING

  -  Plywood with a span rating.


06 20 00  FINISH CARPENTRY

  -  Trim of poplar.
"],
            asked: &[("061100", "Wood Framing"), ("061600", "Sheathing"), ("062000", "Finish Carpentry")],
            read: "
061100 1-1
  06 11 00 WOOD FRAMING
  - Framing lumber of fir, dry.
061600 1-1
  06 16 00 SHEATHING
  - Plywood with a span rating.
062000 1-1
  06 20 00 FINISH CARPENTRY
  - Trim of poplar.
",
        },
        Case {
            what: "sections of an outline specification have the titles of the contents, in small letters, and no parts",
            pages: &[
                "
Contents

   03 30 00  Cast-in-Place Concrete
   07 92 00  Joint Sealants
   09 91 23  Interior Painting
",
                "

03 30 00  Cast-in-Place Concrete

  •  Ready-mixed, with reinforcement of deformed bars.

  •  Forms of plywood.

     Read with:

     09 91 23  Interior Painting.

  •  Curing under sheets.

  •  Joints cut within a day.


07 92 00  Joint Sealants

  •  Silicone around all openings.

  •  Backer rods of foam.
",
            ],
            asked: &[
                ("033000", "Cast-in-Place Concrete"),
                ("079200", "Joint Sealants"),
                ("099123", "Interior Painting"),
            ],
            read: "
033000 2-2
  03 30 00 Cast-in-Place Concrete
  • Ready-mixed, with reinforcement of deformed bars.
  • Forms of plywood.
  Read with:
  09 91 23 Interior Painting.
  • Curing under sheets.
  • Joints cut within a day.
079200 2-2
  07 92 00 Joint Sealants
  • Silicone around all openings.
  • Backer rods of foam.
099123 not found
",
        },
        Case {
            what: "a header keeps the number of a section that has ended",
            pages: &[
                "                                                   Section 08 11 13

SECTION 08 11 13
HOLLOW METAL DOORS

PART 1 - GENERAL

1.01 SUMMARY

A.  Doors of steel.

END OF SECTION
",
                "                                                   Section 08 11 13

SECTION 26 05 33
RACEWAYS AND BOXES

PART 1 - GENERAL

1.01 SUMMARY

A.  Conduits of steel.
",
                "                                                   Section 08 11 13

B.  Boxes of steel.

END OF SECTION
",
            ],
            asked: &[("081113", "Hollow Metal Doors"), ("260533", "Raceways and Boxes")],
            read: "
081113 1-1
  SECTION 08 11 13 HOLLOW METAL DOORS
  PART 1 - GENERAL
  1.01 SUMMARY
  A. Doors of steel.
260533 2-3
  SECTION 26 05 33 RACEWAYS AND BOXES
  PART 1 - GENERAL
  1.01 SUMMARY
  A. Conduits of steel.
  B. Boxes of steel.
",
        },
        Case {
            what: "the end of a section, with its number, is the only line of its last page, before a table of results",
            pages: &[
                "
SECTION 03 30 00
CAST-IN-PLACE CONCRETE

PART 1 - GENERAL

1.01 SUMMARY

A.  Concrete of foundations.
",
                "
END OF SECTION 03 30 00
",
                "
RESULTS OF CONCRETE TESTS

Footings    28 days

Columns     28 days
",
            ],
            asked: &[("033000", "Cast-in-Place Concrete")],
            read: "
033000 1-2
  SECTION 03 30 00 CAST-IN-PLACE CONCRETE
  PART 1 - GENERAL
  1.01 SUMMARY
  A. Concrete of foundations.
",
        },
    ]
}

const FRAMES: &str = "
SECTION 08 11 13
HOLLOW METAL FRAMES

PART 1 - GENERAL

1.01 SUMMARY

A.  Frames of steel sheet.

END OF SECTION
";

const LEVEL_FOUR: &str = "
SECTION 08 11 13.13
STANDARD HOLLOW METAL DOORS

PART 1 - GENERAL

1.01 SUMMARY

A.  Standard doors.

END OF SECTION
";
