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
            what: "clauses have the number of their section and a figure",
            pages: &["
03 20 00  Reinforcement

03 20 00.1 Scope
  a) Supply of bars and mesh, as the drawings show them.
03 20 00.2 Materials
  a) Bars to ASTM A615, as the bar lists say.
  b) Ties of soft wire.
  c) Chairs of plastic.
  d) Spacers of mortar.

03 30 00  Cast Concrete

03 30 00.1 Scope
  a) Supply and placing of concrete, as the drawings show it.
"],
            asked: &[("032000", "Reinforcement"), ("033000", "Cast Concrete")],
            read: "
032000 1-1
  03 20 00 Reinforcement
  03 20 00.1 Scope
  a) Supply of bars and mesh, as the drawings show them.
  03 20 00.2 Materials
  a) Bars to ASTM A615, as the bar lists say.
  b) Ties of soft wire.
  c) Chairs of plastic.
  d) Spacers of mortar.
033000 1-1
  03 30 00 Cast Concrete
  03 30 00.1 Scope
  a) Supply and placing of concrete, as the drawings show it.
",
        },
        Case {
            what: "an appendix repeats the heading of the section that has just ended",
            pages: &[
                "
SECTION 02 41 19
DEMOLITION

PART 1 - GENERAL
1.1 SUMMARY
A. Remove partitions.
END OF SECTION
",
                "
SECTION 02 41 19
DEMOLITION
APPENDIX A

A. Schedule of activities.
",
                "
SECTION 03 30 00
CONCRETE

PART 1 - GENERAL
1.1 SUMMARY
A. Place concrete.
END OF SECTION
",
            ],
            asked: &[("024119", "Demolition"), ("033000", "Concrete")],
            read: "
024119 1-2
  PART 1 - GENERAL
  1.1 SUMMARY
  A. Remove partitions.
  APPENDIX A
  A. Schedule of activities.
033000 3-3
  SECTION 03 30 00 CONCRETE
  PART 1 - GENERAL
  1.1 SUMMARY
  A. Place concrete.
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
        Case {
            what: "related sections are listed above a later part",
            pages: &["
SECTION 08 11 13
HOLLOW METAL DOORS

PART 1 - GENERAL

1.01 SUMMARY

A.  Doors of steel.

RELATED SECTIONS

SECTION 08 80 00 - GLAZING

PART 2 - PRODUCTS

2.01 DOORS

A.  Sheet of 1.6 mm.
"],
            asked: &[("081113", "Hollow Metal Doors"), ("088000", "Glazing")],
            read: "
081113 1-1
  SECTION 08 11 13 HOLLOW METAL DOORS
  PART 1 - GENERAL
  1.01 SUMMARY
  A. Doors of steel.
  RELATED SECTIONS
  SECTION 08 80 00 - GLAZING
  PART 2 - PRODUCTS
  2.01 DOORS
  A. Sheet of 1.6 mm.
088000 not found
",
        },
        Case {
            what: "titles are above their numbers, one of them unlike the contents",
            pages: &["
RESUMEN DEL TRABAJO
Sección 01 10 00

PARTE 1 - GENERALIDADES

1.1 ÁMBITO

A.  Demolición de muros.


LÁMINAS DE METAL
Sección 07 41 13

1. RESUMEN

   a.  Láminas de acero.
"],
            asked: &[("011000", "Resumen del Trabajo"), ("074113", "Cubiertas metálicas")],
            read: "
011000 1-1
  RESUMEN DEL TRABAJO Sección 01 10 00
  PARTE 1 - GENERALIDADES
  1.1 ÁMBITO
  A. Demolición de muros.
074113 1-1
  LÁMINAS DE METAL Sección 07 41 13
  1. RESUMEN
  a. Láminas de acero.
",
        },
        Case {
            what: "numbers are in brackets behind titles, and sections end with both",
            pages: &["
Demolition (02 41 00)

Part 1 - GENERAL

1.1 SUMMARY

A.  Walls are removed, see Concrete (03 30 00).

End of Demolition (02 41 00)

Salvaged doors are listed on sheet A-901.
"],
            asked: &[("024100", "Demolition")],
            read: "
024100 1-1
  Demolition (02 41 00)
  Part 1 - GENERAL
  1.1 SUMMARY
  A. Walls are removed, see Concrete (03 30 00).
",
        },
        Case {
            what: "articles repeat the number of the section, which a department of transportation calls an item",
            pages: &[
                "
ITEM 31 23 33 TRENCHING

31 23 33-1 DESCRIPTION

1.1 Summary

    Trenches for pipes.
",
                "
31 23 33-2 MATERIALS

2.1 Backfill

    Sand without stones.
",
            ],
            asked: &[("312333", "Trenching")],
            read: "
312333 1-2
  ITEM 31 23 33 TRENCHING
  31 23 33-1 DESCRIPTION
  1.1 Summary
  Trenches for pipes.
  31 23 33-2 MATERIALS
  2.1 Backfill
  Sand without stones.
",
        },
        Case {
            what: "an outline without contents, asked for by number alone, has plain headings",
            pages: &["
                    Hollis House

024119     Selective Demolition

           Debris leaves the site daily, see
           033000 for the new footings.

           The contractor removes the walls that the plans mark.


033000     Cast-in-Place Concrete

           Footings are cast in trenches after they were inspected.
"],
            asked: &[("024119", ""), ("033000", "")],
            read: "
024119 1-1
  024119 Selective Demolition
  Debris leaves the site daily, see 033000 for the new footings.
  The contractor removes the walls that the plans mark.
033000 1-1
  033000 Cast-in-Place Concrete
  Footings are cast in trenches after they were inspected.
",
        },
        Case {
            what: "paragraphs of the Canadian master specification begin with a point and a number",
            pages: &["
Section 08 11 13
METAL DOORS

PART 1 GENERAL

1.1 RELATED REQUIREMENTS

.1  Section 08 80 00 - Glazing.

.2  Submittals:

    .1  Samples of doors.

    .2  Samples of
        frames.
"],
            asked: &[("081113", "Metal Doors"), ("088000", "Glazing")],
            read: "
081113 1-1
  Section 08 11 13 METAL DOORS
  PART 1 GENERAL
  1.1 RELATED REQUIREMENTS
  .1 Section 08 80 00 - Glazing.
  .2 Submittals:
  .1 Samples of doors.
  .2 Samples of frames.
088000 not found
",
        },
        Case {
            what: "a bar is between a title of the contents and its number, and the footer repeats both",
            pages: &["
Glazing | 08 80 00

   Glass of doors is tempered, and joints are sealed with silicone.

   Read also:

   Interior Lighting | 26 51 00

   Frames are of steel.


Glazing | 08 80 00
"],
            asked: &[("088000", "Glazing"), ("265100", "Interior Lighting")],
            read: "
088000 1-1
  Glazing 08 80 00
  Glass of doors is tempered, and joints are sealed with silicone.
  Read also:
  Interior Lighting 26 51 00
  Frames are of steel.
  Glazing 08 80 00
265100 not found
",
        },
        Case {
            what: "header and footer are at both ends of the lines above and below a short page",
            pages: &["
Fort Delaney                                                              W912XX25R0031
SECTION 31 00 00
EARTHWORK

PART 1   GENERAL

1.1   SUMMARY

a.  The section includes protection of trees to
    remain, clearing of the site, and stripping
    and stockpiling of topsoil.
b.  Trenches of pipes are in another section, and
    so are the pavements and the walls of stone.
c.  Soil that is too wet is dried before it is
    laid in lifts and compacted by rollers.

SECTION 31 00 00                                                                 Page 1
"],
            asked: &[("310000", "Earthwork")],
            read: "
310000 1-1
  SECTION 31 00 00 EARTHWORK
  PART 1 GENERAL
  1.1 SUMMARY
  a. The section includes protection of trees to remain, clearing of the site, and stripping and stockpiling of topsoil.
  b. Trenches of pipes are in another section, and so are the pavements and the walls of stone.
  c. Soil that is too wet is dried before it is laid in lifts and compacted by rollers.
  SECTION 31 00 00 Page 1
",
        },
        Case {
            what: "numbers are in brackets before titles, and below items in Roman numerals",
            pages: &["
(08 71 00) Door Hardware

A.  Locks of grade 1, see (08 11 13) Hollow Metal Doors.


IV.  FENCES AND GATES
MF 32 31 13

A.  Scope of Work

1.  Fences of steel along the road.
"],
            asked: &[("087100", "Door Hardware"), ("081113", "Hollow Metal Doors"), ("323113", "Fences and Gates")],
            read: "
087100 1-1
  (08 71 00) Door Hardware
  A. Locks of grade 1, see (08 11 13) Hollow Metal Doors.
081113 not found
323113 1-1
  IV. FENCES AND GATES MF 32 31 13
  A. Scope of Work
  1. Fences of steel along the road.
",
        },
    ]
}

/// Returns the rows of a page whose columns are beside each other, `width` cells apart.
fn beside(columns: &[Vec<String>], width: usize) -> String {
    let count = columns.iter().map(Vec::len).max().unwrap_or_default();
    let mut page = String::new();
    for at in 0..count {
        for column in columns {
            let _ = write!(page, "{:width$}", column.get(at).map_or("", String::as_str));
        }
        page.push('\n');
    }
    page
}

/// Returns a section's heading and its paragraphs, one for each label.
fn section_lines(heading: &str, labels: impl Iterator<Item = char>) -> Vec<String> {
    let first = [heading, "", "PART 1 - GENERAL", "", "1.01 SUMMARY", ""].map(str::to_owned);
    first.into_iter().chain(labelled(labels)).collect()
}

fn labelled(labels: impl Iterator<Item = char>) -> impl Iterator<Item = String> {
    labels.map(|label| format!("{label}.  Doors of kind {label} are made of sheet steel, of 1.6 mm."))
}

#[test]
fn a_drawing_sheet_is_read_column_by_column() {
    let columns = [
        section_lines("SECTION 08 11 13 - DOORS", 'A'..='J'),
        labelled('K'..='X').chain(["END OF SECTION".to_owned()]).collect(),
        section_lines("SECTION 08 12 13 - FRAMES", 'A'..='J'),
    ];
    let page = beside(&columns, 62);
    let leaf = Leaf::new(1, &Page::read(&text_fixture::text(&page), &text_fixture::geometry()));
    let sections = ["081113", "081213"].map(|code| Wanted { section_code: code.to_owned(), ..Wanted::default() });
    let parameters = Parameters { source_job_id: None, sections: sections.to_vec(), provider: Provider::Rules };
    let found = content_extractor::extract(&parameters, vec![leaf]).sections;
    let labels: Vec<String> = found.iter().map(|section| labels(&section.text)).collect();
    assert_eq!(labels, [('A'..='X').collect::<String>(), ('A'..='J').collect()]);
}

/// Returns the labels of the paragraphs in a section's text.
fn labels(text: &str) -> String {
    let paragraphs = text.lines().filter(|line| line.contains("Doors of kind"));
    paragraphs.filter_map(|line| line.chars().next()).collect()
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
