//! Fits how much the finder and the judge count for a find of a scan, on sheets of offices with mixed habits of which neither
//! network was trained.

use anyhow::Result;
use drafting::plan::{Catalogue, Style, generate};
use drafting::scan::Scanner;
use fanlight_contract::Rect;
use fanlight_detection::classifier_input::Class;

use eval::{Group, NativeFinder, answers, found, scanned, unclear};
use eval::{NativeJudge, Opinion};
use scoring::matched;

/// The first sheet's number: training's are all others.
const FIRST: u64 = 700_000;
/// Pixels an inch that offices scan at, and pixels of a scan at most.
const DPI: f32 = 200.0;
const MOST_PIXELS: f32 = 20e6;

/// Drafts and scans so many sheets, and prints weights for doors and for fixtures.
pub(crate) fn run(sheets: u64) -> Result<()> {
    let (finder, judge) = (NativeFinder::open()?, NativeJudge::open()?);
    let scanners: Vec<(&str, Scanner)> = Scanner::ALL.into_iter().chain(Scanner::WORN).collect();
    let mut opinions: [(Group, Vec<Opinion>); 2] = [(Group::Doors, Vec::new()), (Group::Fixtures, Vec::new())];
    for seed in FIRST..FIRST + sheets {
        let catalogue = if seed.is_multiple_of(2) { Catalogue::Rarer } else { Catalogue::Common };
        let style = Style { catalogue, ..Style::mixed(seed) };
        let drafted = generate(&style, seed);
        let dpi = DPI.min((MOST_PIXELS / (style.sheet.0 * style.sheet.1 / 5184.0)).sqrt());
        let Some((_, scanner)) = scanners.get(seed as usize % scanners.len()) else { continue };
        let pdf = scanned(&drafted.pdf, scanner, dpi, seed)?;
        let finds = found(pdf.clone(), 1, &finder)?;
        let said = answers(pdf, 1, &finds, &judge)?;
        let turn = scanner.turn(seed);
        let unclear = unclear(&drafted.truth, turn);
        for (group, opinions) in &mut opinions {
            let own: Vec<usize> = (0..finds.len()).filter(|at| group.has(finds[*at].class)).collect();
            let boxes: Vec<Rect> = own.iter().map(|at| finds[*at].bbox).collect();
            let matched = matched(&boxes, &group.wanted(&drafted.truth, turn), &unclear);
            for (at, right) in own.into_iter().zip(matched.finds) {
                let (Some(right), Some(answer)) = (right, &said[at]) else { continue };
                let belongs = |class: Class| group.has(class);
                opinions.push(Opinion {
                    confidence: finds[at].confidence,
                    likelihood: answer.likelihood(belongs),
                    is_true: right,
                });
            }
        }
        println!("sheet {seed}: {} finds", finds.len());
    }
    for (group, opinions) in opinions {
        println!("{group:?}, {} finds: {:.2?}", opinions.len(), eval::fit(opinions.iter().copied()));
    }
    Ok(())
}
