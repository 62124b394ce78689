//! Collects measurements and says which break a promise.

/// A line of the report.
struct Line {
    what: String,
    measured: String,
    promised: Option<(String, bool)>,
}

/// A report: lines in the order of measurement.
#[derive(Default)]
pub(crate) struct Report {
    lines: Vec<Line>,
}

impl Report {
    /// Adds a figure without a promise.
    pub(crate) fn note(&mut self, what: impl Into<String>, measured: impl Into<String>) {
        self.lines.push(Line { what: what.into(), measured: measured.into(), promised: None });
    }

    /// Adds a figure that must be below a bound.
    pub(crate) fn below(&mut self, what: impl Into<String>, measured: f64, bound: f64, unit: &str) {
        self.lines.push(Line {
            what: what.into(),
            measured: format!("{measured:.2} {unit}"),
            promised: Some((format!("under {bound} {unit}"), measured < bound)),
        });
    }

    /// Adds a figure that must reach a bound.
    pub(crate) fn at_least(&mut self, what: impl Into<String>, measured: f64, bound: f64, unit: &str) {
        self.lines.push(Line {
            what: what.into(),
            measured: format!("{measured:.2} {unit}"),
            promised: Some((format!("at least {bound} {unit}"), measured >= bound)),
        });
    }

    /// Prints all lines, marks those that break a promise, and returns how many do.
    pub(crate) fn print(&self) -> usize {
        let width = self.lines.iter().map(|line| line.what.chars().count()).max().unwrap_or(0);
        for line in &self.lines {
            let verdict = match &line.promised {
                None => String::new(),
                Some((promise, true)) => format!("  ok, {promise}"),
                Some((promise, false)) => format!("  MISSED, {promise}"),
            };
            println!("{:width$}  {:>14}{verdict}", line.what, line.measured);
        }
        self.lines.iter().filter(|line| matches!(line.promised, Some((_, false)))).count()
    }
}

/// Returns the median, the upper one of an even number. NaN for none.
pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
