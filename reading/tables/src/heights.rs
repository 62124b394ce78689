//! An index of items by their height on the page (bucket sort).

/// Height of a bin, in points. Affects only speed.
const BIN: f32 = 32.0;
/// Maximum number of bins; the last one holds everything further down. Bounds the memory.
const MAX_BINS: usize = 4096;

/// Items in bins from the top. Distributing them takes linear time; sorting them would take longer than detecting them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByHeight<T> {
    items: Vec<T>,
    /// The index at which each bin starts.
    starts: Vec<usize>,
}

impl<T: Copy> ByHeight<T> {
    /// Distributes items by `height`, their y in points down from the top of the page. Items in one bin keep their order.
    pub(crate) fn new(items: &[T], height: impl Fn(&T) -> f32) -> Self {
        let mut bins: Vec<Vec<T>> = vec![Vec::new(); MAX_BINS];
        for item in items {
            bins[bin(height(item))].push(*item);
        }
        let mut from_top = Self { items: Vec::with_capacity(items.len()), starts: Vec::with_capacity(MAX_BINS) };
        for bin in bins {
            from_top.starts.push(from_top.items.len());
            from_top.items.extend(bin);
        }
        from_top
    }

    /// Returns all items between two heights, and some that are close to them.
    pub(crate) fn near(&self, top: f32, bottom: f32) -> &[T] {
        let start = |index: usize| self.starts.get(index).copied().unwrap_or(self.items.len());
        self.items.get(start(bin(top))..start(bin(bottom) + 1)).unwrap_or_default()
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
