//! An index of items by their height on the page (bucket sort).

/// Height of a bin, in points. Affects only speed.
const BIN: f32 = 32.0;
/// Maximum number of bins; the last one holds everything further down. Bounds the memory.
const MAX_BINS: usize = 4096;

/// Items in bins from the top. Distributing them takes linear time; sorting them would take longer than detecting them.
#[derive(Clone, Debug)]
pub(crate) struct ByHeight<T> {
    items: Vec<T>,
    /// The index at which each bin starts, and the number of items.
    starts: Vec<usize>,
}

impl<T> Default for ByHeight<T> {
    fn default() -> Self {
        Self { items: Vec::new(), starts: vec![0] }
    }
}

impl<T: Copy> ByHeight<T> {
    /// Distributes items by `height`, their y in points down from the top of the page. Items in one bin keep their order.
    pub(crate) fn new(items: &[T], height: impl Fn(&T) -> f32) -> Self {
        let bins = items.iter().map(|item| bin(height(item)) + 1).max().unwrap_or(0);
        let mut starts = vec![0; bins + 1];
        for item in items {
            starts[bin(height(item)) + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut order = vec![0_u32; items.len()];
        for (index, item) in items.iter().enumerate() {
            let place = &mut next[bin(height(item))];
            order[*place] = index as u32;
            *place += 1;
        }
        Self { items: order.into_iter().map(|index| items[index as usize]).collect(), starts }
    }

    /// Returns all items between two heights, and some that are close to them.
    pub(crate) fn near(&self, top: f32, bottom: f32) -> &[T] {
        let last = self.starts.len() - 1;
        let from = self.starts[bin(top).min(last)];
        let to = self.starts[(bin(bottom) + 1).min(last)];
        self.items.get(from..to).unwrap_or_default()
    }
}

fn bin(height: f32) -> usize {
    ((height / BIN).max(0.0) as usize).min(MAX_BINS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_between_two_heights_are_found() {
        let heights = [700.0, -5.0, 31.0, 33.0, 200.0, 1e30, 64.0];
        let items = ByHeight::new(&heights, |height| *height);
        assert_eq!(items.near(20.0, 40.0), [-5.0, 31.0, 33.0]);
        assert_eq!(items.near(1e9, 2e30), [1e30]);
        assert_eq!(items.near(90_000.0, 90_001.0), []);
        assert_eq!(ByHeight::<f32>::default().near(0.0, 1e9), []);
    }
}
