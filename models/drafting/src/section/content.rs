//! The text of a section: invented articles with known requirements. All makers are invented.

use super::style::{Scheme, Style};
use super::truth::Kind;
use crate::chance::Chance;

/// A section's text in order.
#[derive(Debug)]
pub(crate) struct Material {
    pub(crate) pieces: Vec<Piece>,
}

/// One element of a section.
#[derive(Debug)]
pub(crate) enum Piece {
    Part {
        number: usize,
        title: &'static str,
    },
    Article {
        number: usize,
        title: &'static str,
    },
    /// A paragraph with its requirements in its own words. `level` 0 is the outermost.
    Text {
        level: usize,
        ordinal: usize,
        text: String,
        asks: Vec<(Kind, String)>,
    },
    /// A paragraph without a label whose whole text is one requirement.
    Bare {
        text: String,
        asks: Kind,
    },
    /// Rows of a table.
    Table {
        rows: Vec<Vec<String>>,
    },
}

const STANDARDS: &[&str] = &[
    "ASTM A653/A653M",
    "ASTM C920",
    "ASTM E84",
    "ASTM D4586",
    "ASTM A 36",
    "ASTM C 1107",
    "ASTM E119-20",
    "ASTM B209",
    "NFPA 80",
    "NFPA 13",
    "NFPA 252",
    "UL 10C",
    "UL 263",
    "ANSI A156.115",
    "ANSI Z97.1",
    "ANSI/BHMA A156.1",
    "ACI 318",
    "ACI 301-16",
    "AISC 360",
    "AWS D1.1/D1.1M",
    "AAMA 501.2",
    "AAMA 611",
    "ASHRAE 90.1",
    "ASME B16.9",
    "AWWA C600",
    "NEMA MG 1",
    "IEEE 802.3",
    "ICC A117.1",
    "SMACNA 1966",
    "SSPC-SP 6",
    "NAAMM HMMA 861",
    "MSS SP-58",
    "TCNA F113",
    "CSA B651",
    "ISO 9001",
    "GA 216",
    "AWI 0400",
    "NSF 61",
    "FM 4470",
    "AMCA 500-D",
    "ASSE 1013",
    "ASCE 7-16",
    "16 CFR 1201",
    "SDI A250.8",
    "AHRI 210/240",
    "API 650",
    "BHMA A156.18",
    "DHI A115",
];
const MAKERS: &[&str] = &[
    "Aldermarch Industries",
    "Brightwater Door Company",
    "Corvane Metals, Inc.",
    "Dunholt Corporation",
    "Estermill Products LLC",
    "Fennwick & Sons",
    "Garrowby Systems, Inc.",
    "Halden Group",
    "Ironcrest Manufacturing Co.",
    "Jorvane",
    "Kestrel Ridge Ltd.",
    "Lomond Architectural Products",
    "Marrowstone",
    "Nethergate Glass Co.",
    "Ostrava Building Systems",
    "Pellmont, Inc.",
    "Quillford Hardware",
    "Ravensby Coatings",
    "Sarnwick Company",
    "Thornvale Corp.",
];
const TERMS: &[&str] = &["one", "two", "five", "ten", "twenty"];
const FIGURES: &[&str] = &["1", "2", "5", "10", "20"];

/// Sentences without a listed requirement.
const PLAIN: &[&str] = &[
    "Coordinate {} with adjoining work so that neither delays the other.",
    "Provide {} complete with anchors, trim and accessories as indicated on the Drawings.",
    "Install {} plumb, level and true to line, without distortion or rack.",
    "Set {} in the locations shown, and secure them to the structure with concealed fasteners.",
    "Verify dimensions by field measurement before fabrication of {} begins.",
    "Remove and replace {} that cannot be repaired to the Architect's satisfaction.",
    "Conceal joints where practicable and keep exposed edges smooth, free of burrs and discoloration.",
    "Adjust moving parts so that they operate freely, and lubricate them as recommended by their maker.",
    "Protect finished surfaces from damage by other trades until the Date of Substantial Completion.",
    "Where dissimilar metals come into contact, separate them by a non-absorptive gasket or a coat of bituminous paint.",
];

impl Material {
    /// Invents the text of a section. `others` are the numbers and titles of the manual's other
    /// sections.
    pub(crate) fn invent(title: &str, others: &[(String, String)], style: &Style, chance: &mut Chance) -> Self {
        let product = title.split([',', '(', '-']).next().unwrap_or_default().trim().to_lowercase();
        let mut writer = Writer { style, chance, product, pieces: Vec::new(), ordinals: [0; 3], article: 0 };
        writer.general(others);
        writer.products();
        writer.execution(others);
        Self { pieces: writer.pieces }
    }
}

struct Writer<'a> {
    style: &'a Style,
    chance: &'a mut Chance,
    product: String,
    pieces: Vec<Piece>,
    ordinals: [usize; 3],
    article: usize,
}

impl Writer<'_> {
    fn part(&mut self, number: usize, title: &'static str) {
        self.article = 0;
        self.pieces.push(Piece::Part { number, title });
    }

    fn article(&mut self, title: &'static str) {
        self.article += 1;
        self.ordinals = [0; 3];
        self.pieces.push(Piece::Article { number: self.article, title });
    }

    /// Adds a paragraph. Its text must contain its requirements.
    fn text(&mut self, level: usize, text: String, asks: Vec<(Kind, String)>) {
        let ordinal = self.ordinals[level];
        self.ordinals[level] += 1;
        for deeper in &mut self.ordinals[level + 1..] {
            *deeper = 0;
        }
        debug_assert!(asks.iter().all(|(_, words)| text.contains(words.as_str())), "{text}");
        self.pieces.push(Piece::Text { level, ordinal, text, asks });
    }

    fn plain(&mut self, level: usize) {
        let text = self.chance.pick(PLAIN).replace("{}", &self.product);
        self.text(level, text, Vec::new());
    }

    fn some_plain(&mut self, level: usize) {
        for _ in 0..self.chance.between(0, u32::from(self.style.length)) {
            self.plain(level);
        }
    }

    fn pick(&mut self, from: &[&str]) -> String {
        (*self.chance.pick(from)).to_owned()
    }

    /// Adds a paragraph whose whole text is one requirement.
    fn whole(&mut self, level: usize, kind: Kind, text: String) {
        self.text(level, text.clone(), vec![(kind, text)]);
    }

    fn general(&mut self, others: &[(String, String)]) {
        self.part(1, "GENERAL");
        self.article("SUMMARY");
        let text = format!("This Section includes {} and the work that belongs to them.", self.product);
        self.text(0, text, Vec::new());
        self.some_plain(0);
        self.related(others);
        self.references();
        self.submittals();
        self.article("QUALITY ASSURANCE");
        let years = self.chance.between(3, 9);
        let product = self.product.clone();
        self.whole(
            0,
            Kind::Quality,
            format!(
                "Installer Qualifications: A firm with at least {years} years of experience in installing {product}."
            ),
        );
        self.some_plain(0);
        self.article("DELIVERY, STORAGE, AND HANDLING");
        self.whole(
            0,
            Kind::Delivery,
            format!("Deliver {product} in unopened packages with labels that name maker and color."),
        );
        self.whole(0, Kind::Delivery, format!("Store {product} off the ground and under cover."));
        if self.chance.percent(60) {
            self.article("FIELD CONDITIONS");
            let degrees = self.chance.between(35, 55);
            self.whole(
                0,
                Kind::Conditions,
                format!("Do not install {product} when the ambient temperature is below {degrees} deg F."),
            );
        }
        self.warranty();
    }

    fn related(&mut self, others: &[(String, String)]) {
        if others.is_empty() {
            return;
        }
        let title = if self.chance.percent(50) { "RELATED SECTIONS" } else { "RELATED REQUIREMENTS" };
        self.article(title);
        for (number, title) in self.chance.sample(others, 3) {
            let text = match self.chance.between(0, 2) {
                0 => format!("Section {number} - {title}"),
                1 => format!("Section {number} \"{title}\" for work that adjoins {}.", self.product),
                _ => format!("Section {number}: {title}."),
            };
            if self.style.bare_related > 0 {
                self.pieces.push(Piece::Bare { text, asks: Kind::Related });
            } else {
                self.whole(0, Kind::Related, text);
            }
        }
    }

    fn references(&mut self) {
        if self.chance.percent(30) {
            return;
        }
        self.article("REFERENCES");
        let count = self.chance.between(2, 5) as usize;
        for standard in self.chance.sample(STANDARDS, count) {
            let text = format!("{standard} - Specification for Materials and Methods of the Trade.");
            self.text(0, text, vec![(Kind::Reference, standard.to_owned())]);
        }
    }

    fn submittals(&mut self) {
        let product = self.product.clone();
        let title = if self.chance.percent(60) { "SUBMITTALS" } else { "ACTION SUBMITTALS" };
        self.article(title);
        if self.style.scheme == Scheme::Military {
            self.text(0, "Submit the following in accordance with the general requirements:".to_owned(), Vec::new());
            for class in ["SD-02 Shop Drawings", "SD-03 Product Data", "SD-07 Certificates"] {
                self.text(0, class.to_owned(), Vec::new());
                self.whole(0, Kind::Submittal, format!("{}; G", capitalized(&product)));
            }
            return;
        }
        self.whole(
            0,
            Kind::Submittal,
            format!(
                "Product Data: For each type of {product}, with load tables and finish options marked for this Project."
            ),
        );
        self.whole(0, Kind::Submittal, format!("Shop Drawings: Show fabrication and installation of {product}."));
        if self.chance.percent(70) {
            self.text(0, "Samples: In the following sizes:".to_owned(), Vec::new());
            self.whole(1, Kind::Submittal, "Each exposed finish, 6 inches square.".to_owned());
            self.whole(1, Kind::Submittal, "Each color of sealant and trim.".to_owned());
        }
        if self.chance.percent(60) {
            self.whole(0, Kind::Submittal, "Test reports from a qualified agency.".to_owned());
        }
        self.article("CLOSEOUT SUBMITTALS");
        self.whole(0, Kind::Closeout, format!("Operation and maintenance data for {product}."));
    }

    fn warranty(&mut self) {
        self.article("WARRANTY");
        let at = self.chance.between(0, TERMS.len() as u32 - 1) as usize;
        let (term, figure) = (TERMS[at], FIGURES[at]);
        let first = format!(
            "Warrant {} against defects of material and workmanship for {term} ({figure}) years.",
            self.product
        );
        let second = "The warranty begins at the Date of Substantial Completion.".to_owned();
        if self.chance.percent(50) {
            self.text(0, format!("{first} {second}"), vec![(Kind::Warranty, first), (Kind::Warranty, second)]);
        } else {
            self.whole(0, Kind::Warranty, first);
            self.whole(0, Kind::Warranty, second);
        }
    }

    fn products(&mut self) {
        self.part(2, "PRODUCTS");
        self.makers();
        self.article("PERFORMANCE REQUIREMENTS");
        let standard = self.pick(STANDARDS);
        let value = self.chance.between(2, 60) * 50;
        let text = format!(
            "Structural performance: withstand not less than {value} psi when tested in accordance with {standard}."
        );
        self.text(0, text.clone(), vec![(Kind::Performance, text), (Kind::Reference, standard)]);
        self.some_plain(0);
        self.article("MATERIALS");
        for _ in 0..=self.chance.between(1, u32::from(self.style.length) + 1) {
            let standard = self.pick(STANDARDS);
            let material = self.pick(&["Steel sheet", "Aluminum sheet", "Fasteners", "Sealant", "Anchors", "Gaskets"]);
            let text = format!(
                "{material}: Comply with {standard}, of the thickness that the schedule on the Drawings gives."
            );
            self.text(0, text, vec![(Kind::Reference, standard)]);
            self.some_plain(1);
        }
        if self.style.tables > 0 {
            self.table();
        }
        self.article("FABRICATION");
        self.plain(0);
        self.some_plain(0);
        self.some_plain(1);
        self.some_plain(2);
    }

    fn makers(&mut self) {
        let heading = self.pick(&[
            "Manufacturers: Subject to compliance with requirements, provide products by one of the following:",
            "Acceptable manufacturers:",
            "Manufacturers:",
        ]);
        let count = self.chance.between(1, 4) as usize;
        let makers: Vec<String> = self.chance.sample(MAKERS, count).into_iter().map(str::to_owned).collect();
        self.article("MANUFACTURERS");
        match self.chance.between(0, 3) {
            0 if makers.len() > 1 => {
                let listed = makers.join("; ");
                let asks = makers.into_iter().map(|maker| (Kind::Manufacturer, maker)).collect();
                self.text(0, format!("Acceptable Manufacturers: {listed}."), asks);
            }
            1 => {
                let maker = makers[0].clone();
                let text = format!("Basis of Design: {maker}; Series {}00.", self.chance.between(1, 9));
                self.text(0, text, vec![(Kind::Manufacturer, maker)]);
            }
            _ => {
                self.text(0, heading, Vec::new());
                for maker in makers {
                    let text = if self.chance.percent(25) {
                        format!("{maker}; Model {}", self.chance.between(10, 99))
                    } else {
                        maker.clone()
                    };
                    self.text(1, text, vec![(Kind::Manufacturer, maker)]);
                }
                if self.chance.percent(40) {
                    self.text(1, "Or approved equal.".to_owned(), Vec::new());
                }
            }
        }
        self.text(0, "Substitutions: As the general requirements allow.".to_owned(), Vec::new());
    }

    fn table(&mut self) {
        self.article("SCHEDULE OF FINISHES");
        self.text(0, "Furnish the finishes that this table gives.".to_owned(), Vec::new());
        let mut rows =
            vec![vec!["Mark".to_owned(), "Location".to_owned(), "Finish".to_owned(), "Thickness".to_owned()]];
        for mark in 1..=self.chance.between(3, 6) {
            let place = self.pick(&["Lobby", "Corridor", "Stair", "Kitchen", "Plant room"]);
            let finish = self.pick(&["Satin", "Mill", "Baked enamel", "Clear anodized"]);
            rows.push(vec![format!("F-{mark}"), place, finish, format!("0.0{} inch", self.chance.between(2, 9))]);
        }
        self.pieces.push(Piece::Table { rows });
    }

    fn execution(&mut self, others: &[(String, String)]) {
        let product = self.product.clone();
        self.part(3, "EXECUTION");
        self.article("EXAMINATION");
        self.plain(0);
        self.trap(others);
        self.article("INSTALLATION");
        self.plain(0);
        self.some_plain(0);
        self.some_plain(1);
        self.trap(others);
        self.some_plain(0);
        self.article("FIELD QUALITY CONTROL");
        let standard = self.pick(STANDARDS);
        let text = format!("Test {product} in the presence of the Owner in accordance with {standard}.");
        self.text(0, text.clone(), vec![(Kind::Testing, text), (Kind::Reference, standard)]);
        self.whole(0, Kind::Testing, format!("Inspect {product} after installation and record what is found."));
        self.article("CLEANING");
        self.plain(0);
        self.some_plain(0);
    }

    /// Adds a sentence that mentions another section, long enough that some lines begin with the
    /// number.
    fn trap(&mut self, others: &[(String, String)]) {
        if others.is_empty() || self.chance.percent(40) {
            return;
        }
        let (number, title) = self.chance.pick(others).clone();
        let filler =
            self.pick(&["tolerances", "substrates and tolerances", "sequencing, substrates, blocking and tolerances"]);
        let text = match self.chance.between(0, 2) {
            0 => {
                format!("Comply with the requirements for {filler} in Section {number} {title} before the work starts.")
            }
            1 => {
                format!("Comply with the requirements for {filler} in Section {number}, {title}, as far as they apply.")
            }
            _ => format!(
                "COMPLY WITH THE REQUIREMENTS FOR {} IN SECTION {number} OF THE SPECIFICATIONS:",
                filler.to_uppercase()
            ),
        };
        self.text(0, text, Vec::new());
    }
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + characters.as_str())
}
