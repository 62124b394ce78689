//! Finds the gaps between columns: the places along a line that hardly any text covers (sweep line over the texts' edges).

/// White space between two columns, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gap {
    pub(crate) from: f32,
    pub(crate) to: f32,
}

impl Gap {
    pub(crate) fn width(self) -> f32 {
        self.to - self.from
    }

    pub(crate) fn middle(self) -> f32 {
        f32::midpoint(self.from, self.to)
    }
}

/// Counts the texts that cover each place from left to right.
#[derive(Default)]
pub(crate) struct Coverage {
    steps: Vec<Step>,
}

/// A change of the count.
struct Step {
    x: f32,
    change: i32,
}

impl Coverage {
    /// Adds a text that counts `weight` times.
    pub(crate) fn add(&mut self, from: f32, to: f32, weight: i32) {
        self.steps.extend([Step { x: from, change: weight }, Step { x: to, change: -weight }]);
    }

    /// Returns the places between the first and the last text that at most `max_count` texts cover, from the left.
    pub(crate) fn gaps(mut self, max_count: i32) -> Vec<Gap> {
        // At one place, texts end before others begin.
        self.steps.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.change.cmp(&b.change)));
        let mut gaps = Vec::new();
        let mut count = 0;
        let mut gap_start = None;
        for Step { x, change } in self.steps {
            let before = count;
            count += change;
            if before > max_count && count <= max_count {
                gap_start = Some(x);
            } else if before <= max_count && count > max_count {
                gaps.extend(gap_start.take().map(|from| Gap { from, to: x }));
            }
        }
        gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coverage(texts: &[(f32, f32)]) -> Coverage {
        let mut coverage = Coverage::default();
        for &(from, to) in texts {
            coverage.add(from, to, 1);
        }
        coverage
    }

    #[test]
    fn white_space_between_texts_is_a_gap() {
        let gaps = coverage(&[(0.0, 10.0), (20.0, 30.0), (2.0, 12.0)]).gaps(0);
        assert_eq!(gaps, [Gap { from: 12.0, to: 20.0 }]);
    }

    #[test]
    fn as_many_texts_as_allowed_may_cross_a_gap() {
        let texts = [(0.0, 10.0), (20.0, 30.0), (0.0, 10.0), (20.0, 30.0), (5.0, 25.0)];
        assert_eq!(coverage(&texts).gaps(0), []);
        assert_eq!(coverage(&texts).gaps(1), [Gap { from: 10.0, to: 20.0 }]);
    }

    #[test]
    fn texts_that_touch_leave_no_wide_gap() {
        let gaps = coverage(&[(0.0, 10.0), (10.0, 20.0)]).gaps(0);
        assert!(gaps.iter().all(|gap| gap.width() == 0.0), "{gaps:?}");
    }
}
