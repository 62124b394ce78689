//! Typed tables of contents in many layouts, each with the result that is expected of it.

mod typed;

use std::fmt::Write;

use typed::TypedManual;

/// Returns one line for each division ("08 OPENINGS") and section ("  081113 STEEL DOORS").
fn read(manual: &TypedManual) -> String {
    let pages: Vec<u32> = (1..=manual.pages.len() as u32).collect();
    let contents = match toc_parser::read(manual, &pages, |_| {}) {
        Ok(contents) => contents,
        Err(never) => match never {},
    };
    let mut text = String::new();
    for division in contents.divisions {
        let _ = writeln!(text, "{} {}", division.division_code, division.division_title);
        for section in division.sections {
            let _ = writeln!(text, "  {} {}", section.section_code, section.section_title);
        }
    }
    text
}

#[derive(Default)]
struct Case {
    layout: &'static str,
    pages: &'static [&'static str],
    bookmarks: &'static [&'static str],
    read: &'static str,
}

#[test]
fn contents_in_every_layout_are_read() {
    let mut wrong = String::new();
    for case in cases() {
        let manual = TypedManual { pages: case.pages.to_vec(), bookmarks: case.bookmarks.to_vec(), is_scanned: false };
        let found = read(&manual);
        let wanted: String = case.read.lines().skip(1).flat_map(|line| [line, "\n"]).collect();
        if found != wanted {
            let _ = writeln!(wrong, "== {}\n-- wanted\n{wanted}-- found\n{found}", case.layout);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn cases() -> Vec<Case> {
    vec![
        Case {
            layout: "divisions named beside their sections, with dates that are printed like numbers behind the titles",
            pages: &["
                         TABLE OF CONTENTS

Division             Section      Title                   Consultant   Date        Pages

DIVISION 03          03 10 00     Concrete Forming        VTDC         12 15 23    5
CONCRETE             03 20 00     Concrete Reinforcing    ECP          05 12 23    9
DIVISION 05          05 12 00     Structural Steel        VTDC         07 31 23    11
METALS               05 21 00     Steel Joists            MGL          05 12 23    4
DIVISION 09          09 30 33     Stone Tiling            VTDC         12 15 23    5
FINISHES             09 66 00     Terrazzo Flooring       MGL          05 12 23    9
"],
            read: "
03 Concrete
  031000 Concrete Forming
  032000 Concrete Reinforcing
05 Metals
  051200 Structural Steel
  052100 Steel Joists
09 Finishes
  093033 Stone Tiling
  096600 Terrazzo Flooring
",
            ..Case::default()
        },
        Case {
            layout: "parts in small letters below each section, without a word for them",
            pages: &["
                         Contents

081113     Pressed metal door frames ....................... 31
           1   General ..................................... 31
               1.1   Responsibilities ...................... 31
           2   Products .................................... 32
           3   Execution ................................... 32
081416     Doors and hatches - solid core .................. 33
           1   General ..................................... 33
           2   Products .................................... 34
           3   Execution ................................... 34
088000     Glazing ......................................... 37
           1   General ..................................... 37
           2   Products .................................... 38
"],
            read: "
08 Openings
  081113 Pressed metal door frames
  081416 Doors and hatches - solid core
  088000 Glazing
",
            ..Case::default()
        },
        Case {
            layout: "contents that end above the first section's body",
            pages: &[
                "
                         TABLE OF CONTENTS

DIVISION 01 - GENERAL REQUIREMENTS

  01 11 00  Summary of Work ......................... 1
  01 33 00  Submittal Procedures .................... 3
",
                "
DIVISION 08 - OPENINGS

  08 11 13  Hollow Metal Doors ...................... 9
  08 71 00  Door Hardware (by Owner) ................ 12
  08 80 00  Glazing ................................. 15


                         SECTION 01 11 00

                         SUMMARY OF WORK

PART 1 - GENERAL

1.01 SUMMARY

A. The Work is a school.
",
            ],
            read: "
01 GENERAL REQUIREMENTS
  011100 Summary of Work
  013300 Submittal Procedures
08 OPENINGS
  081113 Hollow Metal Doors
  087100 Door Hardware
  088000 Glazing
",
            ..Case::default()
        },
        Case {
            layout: "numbers at the right, with a remark behind that a section is not used",
            pages: &["
                         ÍNDICE

Hormigón en sitio ..................... 03.30.00      12
Hormigón prefabricado ................. 03.41.00      NO SE USA
Pisos de hormigón ..................... 03.53.00      18
Albañilería armada .................... 04.22.00      22
"],
            read: "
03 Concrete
  033000 Hormigón en sitio
  035300 Pisos de hormigón
04 Masonry
  042200 Albañilería armada
",
            ..Case::default()
        },
        Case {
            layout: "dates between numbers and titles, as SpecsIntact prints them",
            pages: &["
                         PROJECT TABLE OF CONTENTS

DIVISION 01 - GENERAL REQUIREMENTS

  01 11 00    08/15   SUMMARY OF WORK
  01 14 00    11/22   WORK RESTRICTIONS
  01 33 00    08/18   SUBMITTAL PROCEDURES

DIVISION 08 - OPENINGS

  08 11 13    02/20   STEEL DOORS AND FRAMES
  08 71 00    02/24   DOOR HARDWARE

-- End of Project Table of Contents --
"],
            read: "
01 GENERAL REQUIREMENTS
  011100 SUMMARY OF WORK
  011400 WORK RESTRICTIONS
  013300 SUBMITTAL PROCEDURES
08 OPENINGS
  081113 STEEL DOORS AND FRAMES
  087100 DOOR HARDWARE
",
            ..Case::default()
        },
        Case {
            layout: "page counts one space behind titles, titles that end in figures of their own",
            pages: &["
TABLE OF CONTENTS
DIVISION 21 FIRE SUPPRESSION
21 05 00 COMMON WORK RESULTS FOR FIRE SUPPRESSION 8
21 13 13 WET-PIPE SPRINKLER SYSTEMS NFPA 13 12
21 13 16 DRY-PIPE SPRINKLER SYSTEMS 9
DIVISION 22 PLUMBING
22 05 00 COMMON WORK RESULTS FOR PLUMBING 10
22 07 00 PLUMBING INSULATION 6
"],
            read: "
21 FIRE SUPPRESSION
  210500 COMMON WORK RESULTS FOR FIRE SUPPRESSION
  211313 WET-PIPE SPRINKLER SYSTEMS NFPA 13
  211316 DRY-PIPE SPRINKLER SYSTEMS
22 PLUMBING
  220500 COMMON WORK RESULTS FOR PLUMBING
  220700 PLUMBING INSULATION
",
            ..Case::default()
        },
        Case {
            layout: "no pages, titles that end in figures",
            pages: &["
TABLE OF CONTENTS
DIVISION 21 FIRE SUPPRESSION
21 05 00   COMMON WORK RESULTS FOR FIRE SUPPRESSION
21 13 13   WET-PIPE SPRINKLER SYSTEMS NFPA 13
21 13 16   SPRINKLERS - PHASE 2
"],
            read: "
21 FIRE SUPPRESSION
  210500 COMMON WORK RESULTS FOR FIRE SUPPRESSION
  211313 WET-PIPE SPRINKLER SYSTEMS NFPA 13
  211316 SPRINKLERS - PHASE 2
",
            ..Case::default()
        },
        Case {
            layout: "MasterFormat 1995 with pages in the number's own form",
            pages: &["
                     TABLE OF CONTENTS
BIDDING REQUIREMENTS
DOCUMENT 00100 - INSTRUCTIONS TO BIDDERS ...... 00100-1 thru 00100-6
DOCUMENT 00300 - BID FORM ..................... 00300-1 thru 00300-3
DIVISION 1 - GENERAL REQUIREMENTS
SECTION 01010 - SUMMARY OF WORK ............... 01010-1 thru 01010-4
SECTION 01300 - SUBMITTALS .................... 01300-1 thru 01300-5
DIVISION 8 - DOORS AND WINDOWS
SECTION 08110 - STEEL DOORS AND FRAMES ........ 08110-1 thru 08110-3
SECTION 08710 - DOOR HARDWARE ................. 08710-1 thru 08710-9
"],
            read: "
00 Introductory Information, Bidding Requirements, and Contracting Requirements
  001000 INSTRUCTIONS TO BIDDERS
  003000 BID FORM
01 GENERAL REQUIREMENTS
  010100 SUMMARY OF WORK
  013000 SUBMITTALS
08 DOORS AND WINDOWS
  081100 STEEL DOORS AND FRAMES
  087100 DOOR HARDWARE
",
            ..Case::default()
        },
        Case {
            layout: "both editions in one manual",
            pages: &["
                     TABLE OF CONTENTS
DIVISION 02 - EXISTING CONDITIONS
   02 41 19    Selective Demolition
   02230       Site Clearing
DIVISION 16 - ELECTRICAL
   16050       Basic Electrical Materials and Methods
   16123       Building Wire and Cable
DIVISION 26 - ELECTRICAL
   26 05 00    Common Work Results for Electrical
"],
            read: "
02 EXISTING CONDITIONS
  024119 Selective Demolition
  022300 Site Clearing
16 ELECTRICAL
  160500 Basic Electrical Materials and Methods
  161230 Building Wire and Cable
26 ELECTRICAL
  260500 Common Work Results for Electrical
",
            ..Case::default()
        },
        Case {
            layout: "divisions by figures alone, headings with pages",
            pages: &["
                          CONTENTS
08   OPENINGS ........................................ 45
08 11 13   Hollow Metal Doors and Frames ............. 45
08 71 00   Door Hardware ............................. 51
09   FINISHES ........................................ 63
09 29 00   Gypsum Board .............................. 63
09 91 23   Interior Painting ......................... 70
"],
            read: "
08 OPENINGS
  081113 Hollow Metal Doors and Frames
  087100 Door Hardware
09 FINISHES
  092900 Gypsum Board
  099123 Interior Painting
",
            ..Case::default()
        },
        Case {
            layout: "divisions by numbers of six digits",
            pages: &["
                          TABLE OF CONTENTS
030000   CONCRETE
   033000   CAST-IN-PLACE CONCRETE
   034100   PRECAST STRUCTURAL CONCRETE
080000   OPENINGS
   081113   HOLLOW METAL DOORS AND FRAMES
090000   FINISHES
   092900   GYPSUM BOARD
   099123   INTERIOR PAINTING
"],
            read: "
03 CONCRETE
  033000 CAST-IN-PLACE CONCRETE
  034100 PRECAST STRUCTURAL CONCRETE
08 OPENINGS
  081113 HOLLOW METAL DOORS AND FRAMES
09 FINISHES
  092900 GYPSUM BOARD
  099123 INTERIOR PAINTING
",
            ..Case::default()
        },
        Case {
            layout: "no headings at all",
            pages: &["
              SPECIFICATION INDEX
081113    Hollow Metal Doors and Frames
081416    Flush Wood Doors
087100    Door Hardware
092900    Gypsum Board
096513    Resilient Base and Accessories
"],
            read: "
08 Openings
  081113 Hollow Metal Doors and Frames
  081416 Flush Wood Doors
  087100 Door Hardware
09 Finishes
  092900 Gypsum Board
  096513 Resilient Base and Accessories
",
            ..Case::default()
        },
        Case {
            layout: "numbers in brackets after titles",
            pages: &["
              TABLE OF CONTENTS
DIVISION 08 - OPENINGS
Hollow Metal Doors and Frames (08 11 13)
Flush Wood Doors (08 14 16)
Door Hardware (08 71 00)
DIVISION 09 - FINISHES
Gypsum Board (09 29 00)
Interior Painting (09 91 23)
"],
            read: "
08 OPENINGS
  081113 Hollow Metal Doors and Frames
  081416 Flush Wood Doors
  087100 Door Hardware
09 FINISHES
  092900 Gypsum Board
  099123 Interior Painting
",
            ..Case::default()
        },
        Case {
            layout: "titles that end above a number to the right of them",
            pages: &["
              TABLE OF CONTENTS
DIVISION 08 - OPENINGS
Hollow Metal Doors and Frames ................ 08 11 13
Aluminum-Framed Entrances and Storefronts
   with Automatic Operators .................. 08 41 13
Door Hardware ................................ 08 71 00
DIVISION 09 - FINISHES
Gypsum Board ................................. 09 29 00
Interior Painting ............................ 09 91 23
"],
            read: "
08 OPENINGS
  081113 Hollow Metal Doors and Frames
  084113 Aluminum-Framed Entrances and Storefronts with Automatic Operators
  087100 Door Hardware
09 FINISHES
  092900 Gypsum Board
  099123 Interior Painting
",
            ..Case::default()
        },
        Case {
            layout: "the whole contents again in the second volume, and a register of submittals in the body",
            pages: &[
                "
              VOLUME 1
              TABLE OF CONTENTS
DIVISION 08 - OPENINGS
08 11 13    Hollow Metal Doors and Frames
08 71 00    Door Hardware
DIVISION 26 - ELECTRICAL
26 05 00    Common Work Results for Electrical
26 51 00    Interior Lighting
",
                "
SECTION 01 33 00
SUBMITTAL PROCEDURES
PART 1 - GENERAL
1.01 SUMMARY
A. Section includes procedures for submittals.
",
                "
                 SUBMITTAL REGISTER
SECTION       ITEM
08 11 13    Shop drawings of hollow metal doors
08 71 00    Schedule of door hardware
26 05 00    Product data of sleeves
26 51 00    Photometric data
",
                "
              VOLUME 2
              TABLE OF CONTENTS
DIVISION 08 - OPENINGS
08 11 13    HOLLOW METAL DOORS AND FRAMES
08 71 00    DOOR HARDWARE
DIVISION 26 - ELECTRICAL
26 05 00    COMMON WORK RESULTS FOR ELECTRICAL
26 51 00    INTERIOR LIGHTING
",
            ],
            read: "
08 OPENINGS
  081113 Hollow Metal Doors and Frames
  087100 Door Hardware
26 ELECTRICAL
  260500 Common Work Results for Electrical
  265100 Interior Lighting
",
            ..Case::default()
        },
        Case {
            layout: "remarks that a section is not used",
            pages: &["
              TABLE OF CONTENTS
DIVISION 08 - OPENINGS
08 11 13    Hollow Metal Doors and Frames ......... 4
08 14 16    NOT USED
08 33 23    Overhead Coiling Doors (Not Used)
08 41 13    Deleted by Addendum No. 2
08 51 13    Aluminum Windows - RESERVED
08 71 00    Door Hardware ......................... 9
08 80 00    Glazing ........................ NOT USED
"],
            read: "
08 OPENINGS
  081113 Hollow Metal Doors and Frames
  087100 Door Hardware
",
            ..Case::default()
        },
        Case {
            layout: "drawings, appendices and reports that are no sections, with numbers that look like them",
            pages: &["
              TABLE OF CONTENTS
DIVISION 31 - EARTHWORK
31 10 00    Site Clearing
31 23 00    Excavation and Fill
DIVISION 32 - EXTERIOR IMPROVEMENTS
32 12 16    Asphalt Paving
LIST OF DRAWINGS
G-001       Cover Sheet
A-101       First Floor Plan
APPENDICES
Appendix A  Boring Records dated 22 06 28
22 09 14    Supplement to Boring Records
23 02 11    Inventory of Lead Paint
"],
            read: "
31 EARTHWORK
  311000 Site Clearing
  312300 Excavation and Fill
32 EXTERIOR IMPROVEMENTS
  321216 Asphalt Paving
",
            ..Case::default()
        },
        Case {
            layout: "the contents' own number as its heading, introductory documents",
            pages: &["
                    SECTION 00 01 10
                    TABLE OF CONTENTS

PROCUREMENT AND CONTRACTING REQUIREMENTS GROUP
DIVISION 00 - PROCUREMENT AND CONTRACTING REQUIREMENTS
  00 01 10    Table of Contents
  00 11 16    Invitation to Bid
  00 41 13    Bid Form - Stipulated Sum
SPECIFICATIONS GROUP
GENERAL REQUIREMENTS SUBGROUP
DIVISION 01 - GENERAL REQUIREMENTS
  01 10 00    Summary

                    END OF SECTION 00 01 10
"],
            read: "
00 PROCUREMENT AND CONTRACTING REQUIREMENTS
  000110 Table of Contents
  001116 Invitation to Bid
  004113 Bid Form - Stipulated Sum
01 GENERAL REQUIREMENTS
  011000 Summary
",
            ..Case::default()
        },
        Case {
            layout: "the contents' last page ends as a section does",
            pages: &[
                "
                    DOCUMENT 00 01 10
                    TABLE OF CONTENTS

DIVISION 03 - CONCRETE
  03 10 00    Concrete Forming and Accessories
  03 20 00    Concrete Reinforcing
  03 30 00    Cast-in-Place Concrete
",
                "
DIVISION 05 - METALS
  05 12 00    Structural Steel Framing
  05 31 00    Steel Decking
  05 50 00    Metal Fabrications

                    END OF DOCUMENT 00 01 10
",
            ],
            read: "
03 CONCRETE
  031000 Concrete Forming and Accessories
  032000 Concrete Reinforcing
  033000 Cast-in-Place Concrete
05 METALS
  051200 Structural Steel Framing
  053100 Steel Decking
  055000 Metal Fabrications
",
            ..Case::default()
        },
        Case {
            layout: "divisions as articles of a section, as SpecLink sets them",
            pages: &["
                         SECTION 00 0110
                        TABLE OF CONTENTS

1.01  DIVISION 01 -- GENERAL REQUIREMENTS
  A.  01 1000 - Summary
  B.  01 3000 - Administrative Requirements
2.01  DIVISION 03 -- CONCRETE
  A.  03 3000 - Cast-in-Place Concrete
3.01  DIVISION 08 -- OPENINGS
  A.  08 1113 - Hollow Metal Doors and Frames
  B.  08 7100 - Door Hardware

                         END OF SECTION
"],
            read: "
01 GENERAL REQUIREMENTS
  011000 Summary
  013000 Administrative Requirements
03 CONCRETE
  033000 Cast-in-Place Concrete
08 OPENINGS
  081113 Hollow Metal Doors and Frames
  087100 Door Hardware
",
            ..Case::default()
        },
        Case {
            layout: "a plain list, in which some sections are whole divisions",
            pages: &["
     TABLE OF CONTENTS

     08 11 13     Hollow Metal Doors and Frames
     08 71 00     Door Hardware
     09 91 00     Painting
     22 00 00     Plumbing
     23 00 00     Heating, Ventilating, and Air Conditioning
     26 00 00     Electrical
     31 20 00     Earth Moving
"],
            read: "
08 Openings
  081113 Hollow Metal Doors and Frames
  087100 Door Hardware
09 Finishes
  099100 Painting
22 Plumbing
  220000 Plumbing
23 Heating, Ventilating, and Air Conditioning (HVAC)
  230000 Heating, Ventilating, and Air Conditioning
26 Electrical
  260000 Electrical
31 Earthwork
  312000 Earth Moving
",
            ..Case::default()
        },
        Case {
            layout: "the contents' own number again above their second page",
            pages: &[
                "
DOCUMENT 00 01 10 - TABLE OF CONTENTS

DIVISION 22 - PLUMBING
SECTION 22 05 00 - COMMON WORK RESULTS FOR PLUMBING
SECTION 22 11 16 - DOMESTIC WATER PIPING
SECTION 22 40 00 - PLUMBING FIXTURES
",
                "
DOCUMENT 00 01 10 - TABLE OF CONTENTS (continued)

DIVISION 26 - ELECTRICAL
SECTION 26 05 00 - COMMON WORK RESULTS FOR ELECTRICAL
SECTION 26 09 23 - LIGHTING CONTROL DEVICES
",
            ],
            read: "
22 PLUMBING
  220500 COMMON WORK RESULTS FOR PLUMBING
  221116 DOMESTIC WATER PIPING
  224000 PLUMBING FIXTURES
26 ELECTRICAL
  260500 COMMON WORK RESULTS FOR ELECTRICAL
  260923 LIGHTING CONTROL DEVICES
",
            ..Case::default()
        },
        Case {
            layout: "titles that begin with a size, and a list of submittals after the end of the contents",
            pages: &[
                "
                         TABLE OF CONTENTS

DIVISION 05 - METALS
  05 12 00    Structural Steel Framing
  05 31 23    1-1/2 Inch Steel Roof Decking
DIVISION 09 - FINISHES
  09 21 16    5/8 Inch Type X Gypsum Board Assemblies
  09 91 23    Interior Painting

                     END OF TABLE OF CONTENTS
",
                "
                    SUMMARY OF REQUIRED SUBMITTALS

  Section     Submittal
  05 12 00    Erection Drawings
  05 31 23    Product Data
  09 21 16    Fire Test Reports
  09 91 23    Color Samples
",
            ],
            read: "
05 METALS
  051200 Structural Steel Framing
  053123 1-1/2 Inch Steel Roof Decking
09 FINISHES
  092116 5/8 Inch Type X Gypsum Board Assemblies
  099123 Interior Painting
",
            ..Case::default()
        },
        Case {
            layout: "newspaper columns, a division that continues in the second",
            pages: &["
                               TABLE OF CONTENTS

DIVISION 07 - THERMAL AND                    08 51 13   Aluminum Windows
  MOISTURE PROTECTION                        08 71 00   Door Hardware
07 21 00   Thermal Insulation                08 80 00   Glazing
07 62 00   Sheet Metal Flashing and
           Trim                              DIVISION 09 - FINISHES
07 92 00   Joint Sealants                    09 29 00   Gypsum Board
                                             09 65 13   Resilient Base and
DIVISION 08 - OPENINGS                                  Accessories
08 11 13   Hollow Metal Doors                09 91 23   Interior Painting
"],
            read: "
07 THERMAL AND MOISTURE PROTECTION
  072100 Thermal Insulation
  076200 Sheet Metal Flashing and Trim
  079200 Joint Sealants
08 OPENINGS
  081113 Hollow Metal Doors
  085113 Aluminum Windows
  087100 Door Hardware
  088000 Glazing
09 FINISHES
  092900 Gypsum Board
  096513 Resilient Base and Accessories
  099123 Interior Painting
",
            ..Case::default()
        },
        Case {
            layout: "a division column left of the numbers",
            pages: &["
                       SPECIFICATIONS INDEX
DIV.      SECTION      TITLE                              PAGES
08        08 11 13     Hollow Metal Doors and Frames      1-6
08        08 71 00     Door Hardware                      1-14
09        09 29 00     Gypsum Board                       1-8
09        09 91 23     Interior Painting                  1-5
22        22 40 00     Plumbing Fixtures                  1-9
"],
            read: "
08 Openings
  081113 Hollow Metal Doors and Frames
  087100 Door Hardware
09 Finishes
  092900 Gypsum Board
  099123 Interior Painting
22 Plumbing
  224000 Plumbing Fixtures
",
            ..Case::default()
        },
        Case {
            layout: "numbers only within the pages",
            pages: &["
                          TABLE OF CONTENTS
Division 00 Bidding and Contract Requirements          Page
Advertisement for Bids                                 00 11 13 - 1
Instructions to Bidders                                00 21 13 - 1
Division 01 General Requirements
Summary of Work                                        01 11 00 - 1
Submittal Procedures                                   01 33 00 - 1
"],
            read: "
00 Bidding and Contract Requirements
  001113 Advertisement for Bids
  002113 Instructions to Bidders
01 General Requirements
  011100 Summary of Work
  013300 Submittal Procedures
",
            ..Case::default()
        },
        Case {
            layout: "subgroups in capitals below the longest titles",
            pages: &["
TABLE OF CONTENTS
FACILITY CONSTRUCTION SUBGROUP
Division 06 - Wood, Plastics, and Composites
06 20 00   Finish Carpentry
FACILITY SERVICES SUBGROUP
Division 28 - Electronic Safety and Security
28 13 00   Access Control
28 31 11   Digital, Addressable Fire-Alarm System
SITE AND INFRASTRUCTURE SUBGROUP
Division 31 - Earthwork
31 10 00   Site Clearing
"],
            read: "
06 Wood, Plastics, and Composites
  062000 Finish Carpentry
28 Electronic Safety and Security
  281300 Access Control
  283111 Digital, Addressable Fire-Alarm System
31 Earthwork
  311000 Site Clearing
",
            ..Case::default()
        },
        Case {
            layout: "Spanish",
            pages: &["
                       ÍNDICE
DIVISIÓN 08 - PUERTAS Y VENTANAS
Sección 08 11 13    Puertas y marcos de metal ......... 12
Sección 08 71 00    Herrajes para puertas ............. 20
Sección 08 80 00    NO SE UTILIZA
DIVISIÓN 09 - ACABADOS
Sección 09 29 00    Tableros de yeso .................. 31
LISTA DE PLANOS
A-101               Planta baja
"],
            read: "
08 PUERTAS Y VENTANAS
  081113 Puertas y marcos de metal
  087100 Herrajes para puertas
09 ACABADOS
  092900 Tableros de yeso
",
            ..Case::default()
        },
        Case {
            layout: "references in a body are not contents, so that bookmarks are used",
            pages: &["
SECTION 08 11 13
HOLLOW METAL DOORS AND FRAMES
PART 1 - GENERAL
1.02 RELATED REQUIREMENTS
A. Section 08 14 16 - Flush Wood Doors.
B. Section 08 71 00 - Door Hardware.
C. Section 08 80 00 - Glazing.
D. Section 09 91 23 - Interior Painting.
"],
            bookmarks: &[
                "08 - OPENINGS",
                "08 11 13 HOLLOW METAL DOORS AND FRAMES",
                "08 14 16 FLUSH WOOD DOORS",
                "Appendix",
            ],
            read: "
08 OPENINGS
  081113 HOLLOW METAL DOORS AND FRAMES
  081416 FLUSH WOOD DOORS
",
        },
        Case {
            layout: "neither contents nor bookmarks: headings in the body",
            pages: &[
                "
SECTION 08 11 13 - HOLLOW METAL DOORS AND FRAMES
PART 1 - GENERAL
1.01 SUMMARY
",
                "
                    SECTION 08 71 00
                    DOOR HARDWARE
PART 1 - GENERAL
",
            ],
            read: "
08 Openings
  081113 HOLLOW METAL DOORS AND FRAMES
  087100 DOOR HARDWARE
",
            ..Case::default()
        },
        Case {
            layout: "short sections that share a page, each below the end of the one before",
            pages: &["
SECTION 08 11 13 - HOLLOW METAL DOORS AND FRAMES
PART 1 - GENERAL
1.1 RELATED REQUIREMENTS
Section 09 91 23 - Interior Painting
PART 2 - PRODUCTS
PART 3 - EXECUTION
END OF SECTION
SECTION 08 71 00
DOOR HARDWARE
PART 1 - GENERAL
1.1 RELATED REQUIREMENTS
Section 28 13 00 - Access Control
END OF SECTION
08 80 00 GLAZING
PART 1 - GENERAL
"],
            read: "
08 Openings
  081113 HOLLOW METAL DOORS AND FRAMES
  087100 DOOR HARDWARE
  088000 GLAZING
",
            ..Case::default()
        },
        Case {
            layout: "outline specifications without parts and contents",
            pages: &[
                "
SECTION 02200   EARTHWORK

1. Excavate to the elevations shown.
2. Bank run gravel under slabs, see
SECTION 03300 CONCRETE

SECTION 02500   PAVING

1. Gravel base of 8 inches.
",
                "
2. Tack coat between courses.

SECTION 04200   UNIT MASONRY

1. Hollow units, ASTM C 90.
",
            ],
            read: "
02 Site Construction
  022000 EARTHWORK
  025000 PAVING
04 Masonry
  042000 UNIT MASONRY
",
            ..Case::default()
        },
        Case {
            layout: "the project's number looks like a section's and stands above the headings",
            pages: &[
                "
24 13 07 Elm Street Library
SECTION 08 11 13 - HOLLOW METAL DOORS AND FRAMES
PART 1 - GENERAL
",
                "
24 13 07 Elm Street Library
08 71 00 DOOR HARDWARE
PART 1 - GENERAL
",
                "
24 13 07 Elm Street Library
08 80 00 GLAZING
PART 1 - GENERAL
",
            ],
            read: "
08 Openings
  081113 HOLLOW METAL DOORS AND FRAMES
  087100 DOOR HARDWARE
  088000 GLAZING
",
            ..Case::default()
        },
        Case {
            layout: "parts of the whole manual, and items of the aviation administration beside the numbers",
            pages: &["
                            TABLE OF CONTENTS

PART 1 - GENERAL CONTRACT PROVISIONS
   GP Section 10 Definition of Terms
   GP Section 40 Scope of Work

PART 2 - TECHNICAL SPECIFICATIONS
MasterFormat         FAA Item      Title
Division 01 - General Requirements
01 10 00                           Summary
01 20 00             C-105         Mobilization
01 33 00                           Submittal Procedures
01 45 00             C-100         Contractor Quality Control Program
01 57 13             C-102         Temporary Air and Water Pollution
Division 26 - Electrical
26 05 19             L-108         Underground Power Cable
26 05 33             L-110         Electrical Duct Banks
26 55 13             L-125         Airport Lighting Systems
Division 31 - Earthwork
31 11 00             P-151         Clearing and Grubbing
31 20 00             P-152         Excavation and Embankment
31 32 13             P-155         Lime-Treated Subgrade
"],
            read: "
01 General Requirements
  011000 Summary
  012000 Mobilization
  013300 Submittal Procedures
  014500 Contractor Quality Control Program
  015713 Temporary Air and Water Pollution
26 Electrical
  260519 Underground Power Cable
  260533 Electrical Duct Banks
  265513 Airport Lighting Systems
31 Earthwork
  311100 Clearing and Grubbing
  312000 Excavation and Embankment
  313213 Lime-Treated Subgrade
",
            ..Case::default()
        },
        Case {
            layout: "the contents of a single section follow those of the project",
            pages: &[
                "
                         PROJECT TABLE OF CONTENTS

DIVISION 03 - CONCRETE

  03 30 00            CAST-IN-PLACE CONCRETE

DIVISION 04 - MASONRY

  04 20 00            UNIT MASONRY
  04 22 00            CONCRETE UNIT MASONRY

                    -- End of Project Table of Contents --
",
                "
                         SECTION TABLE OF CONTENTS

                          DIVISION 03 - CONCRETE
                             SECTION 03 30 00
                          CAST-IN-PLACE CONCRETE

PART 1   GENERAL
1.1   SUMMARY
1.2   SUBMITTALS
PART 2   PRODUCTS
2.1   MATERIALS

                    -- End of Section Table of Contents --

                      SECTION 03 30 00 TOC   Page 1
",
            ],
            read: "
03 CONCRETE
  033000 CAST-IN-PLACE CONCRETE
04 MASONRY
  042000 UNIT MASONRY
  042200 CONCRETE UNIT MASONRY
",
            ..Case::default()
        },
    ]
}
