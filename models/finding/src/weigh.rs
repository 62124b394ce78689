//! Fits how much the finder and the judge count for a find of a scan, on sheets of offices with mixed habits of which neither
//! network was trained.

use anyhow::Result;
use drafting::plan::{Office, draft};
use drafting::scan::Scanner;
use fanlight_crops::Class;
use fanlight_judge::log_odds;
use fanlight_vocabulary::Rect;

use finding::{Group, NativeFinder, answers, found, scanned, unclear};
use scoring::matched;
use weighing::NativeJudge;

/// The first sheet's number: training's are all others.
const FIRST: u64 = 700_000;
/// Pixels an inch that offices scan at, and pixels of a scan at most.
const DPI: f32 = 200.0;
const MOST_PIXELS: f32 = 20e6;

/// What both said of a find, as log-odds, and whether it is right.
struct Row {
    finder: f64,
    judge: f64,
    right: f64,
}

/// Drafts and scans so many sheets, and prints weights for doors and for fixtures.
pub(crate) fn run(sheets: u64) -> Result<()> {
    let (finder, judge) = (NativeFinder::open()?, NativeJudge::open()?);
    let scanners: Vec<(&str, Scanner)> = Scanner::ALL.into_iter().chain(Scanner::WORN).collect();
    let mut rows: [(Group, Vec<Row>); 2] = [(Group::Doors, Vec::new()), (Group::Fixtures, Vec::new())];
    for seed in FIRST..FIRST + sheets {
        let office = Office::random(seed);
        let drafted = draft(&office, seed);
        let dpi = DPI.min((MOST_PIXELS / (office.sheet.0 * office.sheet.1 / 5184.0)).sqrt());
        let Some((_, scanner)) = scanners.get(seed as usize % scanners.len()) else { continue };
        let pdf = scanned(&drafted.pdf, scanner, dpi, seed)?;
        let finds = found(pdf.clone(), 1, &finder)?;
        let said = answers(pdf, 1, &finds, &judge)?;
        let turn = scanner.turn(seed);
        let unclear = unclear(&drafted.truth, turn);
        for (group, rows) in &mut rows {
            let own: Vec<usize> = (0..finds.len()).filter(|at| group.has(finds[*at].class)).collect();
            let boxes: Vec<Rect> = own.iter().map(|at| finds[*at].bbox).collect();
            let matched = matched(&boxes, &group.wanted(&drafted.truth, turn), &unclear);
            for (at, right) in own.into_iter().zip(matched.finds) {
                let (Some(right), Some(answer)) = (right, &said[at]) else { continue };
                let belongs = |class: Class| group.has(class);
                rows.push(Row {
                    finder: log_odds(finds[at].confidence).into(),
                    judge: log_odds(answer.likelihood(belongs)).into(),
                    right: f64::from(u8::from(right)),
                });
            }
        }
        println!("sheet {seed}: {} finds", finds.len());
    }
    for (group, rows) in rows {
        let [bias, finder, judge] = fitted(&rows);
        println!("{group:?}, {} finds: bias: {bias:.2}, finder: {finder:.2}, judge: {judge:.2}", rows.len());
    }
    Ok(())
}

/// The weights of a logistic regression, by gradient descent.
fn fitted(rows: &[Row]) -> [f64; 3] {
    let mut weights = [0.0, 1.0, 0.5];
    for _ in 0..20_000 {
        let mut slope = [0.0; 3];
        for row in rows {
            let sum = weights[0] + weights[1] * row.finder + weights[2] * row.judge;
            let off = 1.0 / (1.0 + (-sum).exp()) - row.right;
            for (slope, input) in slope.iter_mut().zip([1.0, row.finder, row.judge]) {
                *slope += off * input / rows.len().max(1) as f64;
            }
        }
        for (weight, slope) in weights.iter_mut().zip(slope) {
            *weight -= 0.1 * slope;
        }
    }
    weights
}
