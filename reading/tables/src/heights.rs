//! An index of items by their height on the page (bucket sort).

/// Height of a bin, in points.
const BIN: f32 = 32.0;
/// Bins at most; what lies further down is in the last one.
const MOST_BINS: usize = 4096;

/// Things in bins from the top: to put them there takes one pass, where to sort them would take longer than to find them.
#[derive(Clone, Debug)]
pub(crate) struct ByHeight<T> {
    things: Vec<T>,
    /// Where each bin starts, and at last how many there are.
    starts: Vec<usize>,
}

impl<T> Default for ByHeight<T> {
    fn default() -> Self {
        Self { things: Vec::new(), starts: vec![0] }
    }
}

impl<T: Copy> ByHeight<T> {
    /// Sorts things into bins by `height`, their y in points down from the top of the page. Things in
    /// one bin keep their order.
    pub(crate) fn new(things: &[T], height: impl Fn(&T) -> f32) -> Self {
        let bins = things.iter().map(|thing| bin(height(thing)) + 1).max().unwrap_or(0);
        let mut starts = vec![0; bins + 1];
        for thing in things {
            starts[bin(height(thing)) + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut order = vec![0_u32; things.len()];
        for (index, thing) in things.iter().enumerate() {
            let place = &mut next[bin(height(thing))];
            order[*place] = index as u32;
            *place += 1;
        }
        Self { things: order.into_iter().map(|index| things[index as usize]).collect(), starts }
    }

    /// All that lie between two heights, and some that lie close by.
    pub(crate) fn near(&self, top: f32, bottom: f32) -> &[T] {
        let last = self.starts.len() - 1;
        let from = self.starts[bin(top).min(last)];
        let to = self.starts[(bin(bottom) + 1).min(last)];
        self.things.get(from..to).unwrap_or_default()
    }
}

fn bin(height: f32) -> usize {
    ((height / BIN).max(0.0) as usize).min(MOST_BINS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_between_two_heights_is_found() {
        let heights = [700.0, -5.0, 31.0, 33.0, 200.0, 1e30, 64.0];
        let things = ByHeight::new(&heights, |height| *height);
        assert_eq!(things.near(20.0, 40.0), [-5.0, 31.0, 33.0]);
        assert_eq!(things.near(1e9, 2e30), [1e30]);
        assert_eq!(things.near(90_000.0, 90_001.0), []);
        assert_eq!(ByHeight::<f32>::default().near(0.0, 1e9), []);
    }
}
