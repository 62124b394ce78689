//! Marked content: which layer content belongs to, and whether it is visible.

use std::rc::Rc;

use crate::layer::Membership;

/// The marked content that is open, the innermost last.
#[derive(Default)]
pub(super) struct MarkStack {
    marks: Vec<Membership>,
}

impl MarkStack {
    /// Begins marked content, which inherits visibility and layer from the content around it.
    pub(super) fn push(&mut self, mark: Option<Membership>) {
        let mut inner = mark.unwrap_or(Membership { visible: true, layer: None });
        inner.visible &= self.is_visible();
        if inner.layer.is_none() {
            inner.layer = self.layer().cloned();
        }
        self.marks.push(inner);
    }

    /// Ends the innermost marked content, unless it was begun below `depth`.
    pub(super) fn pop_above(&mut self, depth: usize) {
        if self.marks.len() > depth {
            self.marks.pop();
        }
    }

    /// Returns whether content is visible now.
    pub(super) fn is_visible(&self) -> bool {
        self.marks.last().is_none_or(|mark| mark.visible)
    }

    /// Returns the layer of content now.
    pub(super) fn layer(&self) -> Option<&Rc<str>> {
        self.marks.last().and_then(|mark| mark.layer.as_ref())
    }

    pub(super) fn depth(&self) -> usize {
        self.marks.len()
    }

    /// Ends all marked content that was begun above `depth`.
    pub(super) fn truncate(&mut self, depth: usize) {
        self.marks.truncate(depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(visible: bool, layer: Option<&str>) -> Membership {
        Membership { visible, layer: layer.map(Rc::from) }
    }

    #[test]
    fn content_inside_hidden_content_is_hidden() {
        let mut marks = MarkStack::default();
        marks.push(Some(mark(false, None)));
        marks.push(Some(mark(true, None)));
        assert!(!marks.is_visible());
    }

    #[test]
    fn content_without_a_layer_inherits_the_outer_one() {
        let mut marks = MarkStack::default();
        marks.push(Some(mark(true, Some("Doors"))));
        marks.push(None);
        assert_eq!(marks.layer().map(AsRef::as_ref), Some("Doors"));
    }

    #[test]
    fn content_stream_cannot_end_marks_of_its_caller() {
        let mut marks = MarkStack::default();
        marks.push(Some(mark(true, Some("Doors"))));
        marks.pop_above(1);
        assert_eq!(marks.depth(), 1);
        marks.pop_above(0);
        assert_eq!(marks.depth(), 0);
    }
}
