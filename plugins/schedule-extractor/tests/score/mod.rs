//! Compares the cells of schedules with the truth of a synthetic sheet, as `eval.py` of a labelled
//! corpus does.

use std::fmt;

use drafting::schedule::{TableTruth, Truth};
use schedule_extractor::Schedule;
use scoring::{MATCH_IOU, iou, rect};

/// The numbers of cells, headers included, and of tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    matched: usize,
    found: usize,
    wanted: usize,
    /// Tables at the place of a true table.
    pub(crate) tables: usize,
    /// True tables.
    pub(crate) all_tables: usize,
    /// Results that are not schedules.
    pub(crate) extra: usize,
    /// Tables with the right type.
    pub(crate) typed: usize,
    /// Tables with the right title.
    pub(crate) titled: usize,
}

impl Score {
    pub(crate) fn new(read: &[Schedule], truth: &Truth) -> Self {
        let mut score = Self { all_tables: truth.tables.len(), ..Self::default() };
        let mut left: Vec<&Schedule> = read.iter().collect();
        for table in &truth.tables {
            let grid = cells_of(table);
            score.wanted += grid.iter().flatten().filter(|cell| !cell.is_empty()).count();
            let place =
                |schedule: &Schedule| iou(rect(schedule.bounding_box.map(|corner| corner as f32)), rect(table.bbox));
            let best = (0..left.len()).max_by(|&a, &b| place(left[a]).total_cmp(&place(left[b])));
            let Some(best) = best.filter(|&best| place(left[best]) >= MATCH_IOU) else { continue };
            let schedule = left.remove(best);
            score.tables += 1;
            score.typed += usize::from(
                format!("{:?}", schedule.schedule_type).to_lowercase() == table.schedule_type.replace('_', ""),
            );
            score.titled += usize::from(schedule.title == table.title);
            let as_read = as_read(schedule);
            score.found += as_read.iter().flatten().filter(|cell| !cell.is_empty()).count();
            score.matched += matched(&as_read, &grid);
        }
        score.extra = left.len();
        score.found += left.iter().map(|schedule| as_read(schedule).iter().flatten().count()).sum::<usize>();
        score
    }

    pub(crate) fn f1(&self) -> f64 {
        2.0 * self.matched as f64 / (self.found + self.wanted).max(1) as f64
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { matched, found, wanted, tables, all_tables, extra, typed, titled } = self;
        write!(
            f,
            "F1 {:.3}, {matched} of {wanted} cells, {found} found; {tables} of {all_tables} tables, {extra} extra, \
             {typed} types and {titled} titles right",
            self.f1()
        )
    }
}

fn cells_of(table: &TableTruth) -> Vec<Vec<String>> {
    std::iter::once(&table.headers)
        .chain(&table.rows)
        .map(|row| row.iter().map(|cell| normalized(cell)).collect())
        .collect()
}

fn as_read(schedule: &Schedule) -> Vec<Vec<String>> {
    let heads: Vec<String> = schedule.headers.iter().map(|head| normalized(head)).collect();
    let rows = schedule.rows.iter().map(|row| row.0.iter().map(|(_, cell)| normalized(cell)).collect());
    std::iter::once(heads).chain(rows).collect()
}

fn normalized(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase().replace(['“', '”'], "\"").replace('’', "'")
}

/// Returns the number of equal cells: columns by position if there are as many, otherwise by
/// header; rows in the order that agrees best.
fn matched(read: &[Vec<String>], truth: &[Vec<String>]) -> usize {
    let (Some(heads), Some(wanted)) = (read.first(), truth.first()) else { return 0 };
    let column = |index: usize| {
        if heads.len() == wanted.len() { Some(index) } else { heads.iter().position(|head| *head == wanted[index]) }
    };
    let hits = |row: &[String], truth: &[String]| {
        let agrees = |(index, cell): &(usize, &String)| {
            !cell.is_empty() && column(*index).and_then(|own| row.get(own)).is_some_and(|text| text == *cell)
        };
        truth.iter().enumerate().filter(agrees).count()
    };
    let mut best = vec![vec![0; truth.len() + 1]; read.len() + 1];
    for i in (0..read.len()).rev() {
        for j in (0..truth.len()).rev() {
            best[i][j] = best[i + 1][j].max(best[i][j + 1]).max(best[i + 1][j + 1] + hits(&read[i], &truth[j]));
        }
    }
    best[0][0]
}
