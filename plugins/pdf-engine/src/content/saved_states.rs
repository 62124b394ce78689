//! The stack of saved graphics states (operators `q` and `Q`).

/// Maximum number of states that are saved at a time. Saves beyond are counted only. Bounds the memory.
const MAX_SAVED: usize = 10_000;

/// Saved graphics states, the newest last.
pub(super) struct SavedStates<T> {
    saved: Vec<T>,
    /// How many states were saved beyond [`MAX_SAVED`].
    overflow: usize,
}

/// The depth of the stack at the beginning of a content stream, below which the stream must not restore.
#[derive(Clone, Copy)]
pub(super) struct Depth {
    saved: usize,
    overflow: usize,
}

impl<T: Clone> SavedStates<T> {
    pub(super) const fn new() -> Self {
        Self { saved: vec![], overflow: 0 }
    }

    pub(super) fn save(&mut self, state: &T) {
        if self.saved.len() >= MAX_SAVED {
            self.overflow += 1;
        } else {
            self.saved.push(state.clone());
        }
    }

    /// Returns the state to restore; `None` if none was saved above `depth`, or if the save was counted only.
    pub(super) fn restore_above(&mut self, depth: Depth) -> Option<T> {
        if self.overflow > depth.overflow {
            self.overflow -= 1;
            return None;
        }
        if self.saved.len() > depth.saved { self.saved.pop() } else { None }
    }

    pub(super) fn depth(&self) -> Depth {
        Depth { saved: self.saved.len(), overflow: self.overflow }
    }

    /// Drops the states that were saved above `depth`.
    pub(super) fn truncate(&mut self, depth: Depth) {
        self.saved.truncate(depth.saved);
        self.overflow = depth.overflow;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_restored_in_reverse_order() {
        let mut states = SavedStates::new();
        let bottom = states.depth();
        states.save(&1);
        states.save(&2);
        assert_eq!([(); 3].map(|()| states.restore_above(bottom)), [Some(2), Some(1), None]);
    }

    #[test]
    fn content_stream_cannot_restore_states_of_its_caller() {
        let mut states = SavedStates::new();
        states.save(&1);
        assert_eq!(states.restore_above(states.depth()), None);
    }

    #[test]
    fn saves_beyond_the_maximum_are_undone_first() {
        let mut states = SavedStates::new();
        let bottom = states.depth();
        (0..=MAX_SAVED).for_each(|state| states.save(&state));
        assert_eq!(states.restore_above(bottom), None);
        assert_eq!(states.restore_above(bottom), Some(MAX_SAVED - 1));
    }
}
