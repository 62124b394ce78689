//! Connected components of a cell's foreground: which are strokes of letters, and which are dirt or pieces of rules.

/// Limits for classifying components. Lengths in points; chosen by hand on synthetic and real scans.
struct Limits {
    /// Strokes of rules and guide lines drawn by hand are at most this thick.
    max_rule_width: f32,
    /// A component with less than the square of this is a speck.
    speck: f32,
    /// A component of this extent is a stroke however faint it is, unless it is flat.
    stroke: f32,
    /// A faint component this close to a letter belongs to it.
    near: f32,
    /// A small component further than this from all letters is dirt.
    far: f32,
    /// The share of a cell's height, from its edges, in which hand-drawn rules may be.
    rim: f32,
}

const LIMITS: Limits = Limits { max_rule_width: 1.6, speck: 0.6, stroke: 2.4, near: 1.2, far: 8.0, rim: 0.2 };

/// The extent of a component from which it is a stroke, in points.
pub(super) const STROKE: f32 = LIMITS.stroke;

/// A cell with at least this many letters has lettering.
const MIN_LETTERS: usize = 3;

/// A connected component of the foreground and its bounding box in pixels, all edges included.
#[derive(Clone, Debug)]
pub(super) struct Component {
    pub(super) x1: usize,
    pub(super) y1: usize,
    pub(super) x2: usize,
    pub(super) y2: usize,
    /// The number of its pixels.
    pub(super) count: usize,
    /// The sum of their darkness.
    pub(super) darkness: usize,
    /// The number of its pixels that are certainly foreground.
    certain: usize,
}

impl Component {
    fn at(x: usize, y: usize) -> Self {
        Self { x1: x, y1: y, x2: x, y2: y, count: 0, darkness: 0, certain: 0 }
    }

    pub(super) fn width(&self) -> usize {
        self.x2 - self.x1 + 1
    }

    pub(super) fn height(&self) -> usize {
        self.y2 - self.y1 + 1
    }

    /// Returns the Chebyshev distance of two bounding boxes in pixels: the greater of the gaps across and down.
    fn distance(&self, other: &Self) -> usize {
        gap(self.x1, self.x2, other.x1, other.x2).max(gap(self.y1, self.y2, other.y1, other.y2))
    }

    fn add(&mut self, x: usize, y: usize, darkness: u8, is_certain: bool) {
        (self.x1, self.x2) = (self.x1.min(x), self.x2.max(x));
        (self.y1, self.y2) = (self.y1.min(y), self.y2.max(y));
        self.count += 1;
        self.darkness += usize::from(darkness);
        self.certain += usize::from(is_certain);
    }
}

/// Returns the gap between two intervals; 0 if they overlap.
fn gap(low: usize, high: usize, from: usize, to: usize) -> usize {
    from.saturating_sub(high).max(low.saturating_sub(to))
}

/// What a component is.
#[derive(Debug, PartialEq, Eq)]
enum ComponentClass {
    /// A stroke of a letter or sign.
    Stroke,
    /// A stroke if there is a letter that it can belong to.
    Faint,
    /// A speck, or a piece of a rule.
    Dirt,
}

/// Classifies the components of one cell. Lengths in pixels.
pub(super) struct ComponentClassifier {
    width: usize,
    height: usize,
    /// Pieces of rules are within this distance from the edges.
    edge: usize,
    /// Hand-drawn rules and guide lines are within this distance from the upper or lower edge.
    rim: usize,
    max_rule_width: usize,
    /// The number of pixels of the smallest mark.
    min_count: usize,
    /// The least extent of a stroke that may be faint.
    stroke: usize,
    near: usize,
    far: usize,
    /// A pixel with at least this darkness is certainly foreground.
    certain: u8,
}

impl ComponentClassifier {
    /// Creates the classifier of a cell of `width` by `height` pixels. `scale` is in pixels per point; `certain` is the
    /// darkness of certain foreground; `scanned` says whether the cell was drawn on paper.
    pub(super) fn new(width: usize, height: usize, edge: usize, scale: f32, certain: u8, scanned: bool) -> Self {
        let pixels = |points: f32| (points * scale) as usize;
        Self {
            width,
            height,
            edge,
            rim: if scanned { (height as f32 * LIMITS.rim) as usize } else { 0 },
            max_rule_width: pixels(LIMITS.max_rule_width).max(1),
            min_count: (scale * LIMITS.speck).powi(2).max(2.0) as usize,
            stroke: pixels(LIMITS.stroke).max(2),
            near: if scanned { pixels(LIMITS.near) } else { 0 },
            far: if scanned { pixels(LIMITS.far) } else { usize::MAX },
            certain,
        }
    }

    fn classify(&self, component: &Component) -> ComponentClass {
        let is_stroke = component.width().max(component.height()) >= self.stroke && !is_flat(component);
        if component.count < self.min_count || self.is_piece_of_rule(component) {
            ComponentClass::Dirt
        } else if 8 * component.certain >= component.count || is_stroke {
            ComponentClass::Stroke
        } else {
            ComponentClass::Faint
        }
    }

    /// Returns whether a component is what is left of a rule: flat, small or cut off at an edge, or thin in the rim.
    fn is_piece_of_rule(&self, component: &Component) -> bool {
        let (width, height) = (component.width(), component.height());
        let is_small = component.count < 4 * self.min_count;
        let is_in_rim = component.y2 < self.rim || component.y1 + self.rim >= self.height;
        let is_cut_off =
            component.x1 == 0 || component.y1 == 0 || component.x2 + 1 == self.width || component.y2 + 1 == self.height;
        (self.is_at_edge(component) && (is_flat(component) || is_small || (is_cut_off && self.rim > 0)))
            || (is_in_rim && height <= self.max_rule_width && (width >= 3 * height || is_small))
    }

    fn is_at_edge(&self, component: &Component) -> bool {
        component.x2 < self.edge
            || component.x1 + self.edge >= self.width
            || component.y2 < self.edge
            || component.y1 + self.edge >= self.height
    }
}

/// Returns whether a component is at least four times as long as wide.
fn is_flat(component: &Component) -> bool {
    let (width, height) = (component.width(), component.height());
    width.max(height) >= 4 * width.min(height)
}

/// A component with the indices of its pixels.
struct Labelled {
    component: Component,
    pixels: Vec<usize>,
}

/// Labels the 8-connected components of a foreground mask by flood fill, and returns those of letters and signs. All
/// others are removed from the mask. `darkness` returns that of a pixel by its index.
pub(super) fn strokes(
    foreground: &mut [bool],
    darkness: &impl Fn(usize) -> u8,
    classifier: &ComponentClassifier,
) -> Vec<Component> {
    let mut seen = vec![false; foreground.len()];
    let mut strokes: Vec<Labelled> = Vec::new();
    let mut faint: Vec<Labelled> = Vec::new();
    for start in 0..foreground.len() {
        if !foreground[start] || seen[start] {
            continue;
        }
        let labelled = flood_fill(foreground, &mut seen, start, darkness, classifier);
        for &index in &labelled.pixels {
            foreground[index] = false;
        }
        match classifier.classify(&labelled.component) {
            ComponentClass::Stroke => strokes.push(labelled),
            ComponentClass::Faint => faint.push(labelled),
            ComponentClass::Dirt => {}
        }
    }
    remove_frame(&mut strokes, classifier);
    keep_near_letters(&mut strokes, faint, classifier);
    for &index in strokes.iter().flat_map(|stroke| &stroke.pixels) {
        foreground[index] = true;
    }
    strokes.into_iter().map(|stroke| stroke.component).collect()
}

/// Returns the component that holds the pixel `start`, with the indices of its pixels.
fn flood_fill(
    foreground: &[bool],
    seen: &mut [bool],
    start: usize,
    darkness: &impl Fn(usize) -> u8,
    classifier: &ComponentClassifier,
) -> Labelled {
    let (width, height) = (classifier.width, classifier.height);
    let mut component = Component::at(start % width, start / width);
    let mut pixels = Vec::new();
    let mut stack = vec![start];
    seen[start] = true;
    while let Some(index) = stack.pop() {
        pixels.push(index);
        let (x, y) = (index % width, index / width);
        let dark = darkness(index);
        component.add(x, y, dark, dark >= classifier.certain);
        for ny in y.saturating_sub(1)..=(y + 1).min(height - 1) {
            for nx in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                let next = ny * width + nx;
                if foreground[next] && !seen[next] {
                    seen[next] = true;
                    stack.push(next);
                }
            }
        }
    }
    Labelled { component, pixels }
}

/// In a cell with lettering, removes small components far from all letters and adds faint ones close to a letter.
fn keep_near_letters(strokes: &mut Vec<Labelled>, faint: Vec<Labelled>, classifier: &ComponentClassifier) {
    let is_letter = |component: &Component| component.height() >= classifier.stroke;
    let components = strokes.iter().map(|stroke| &stroke.component);
    let letters: Vec<Component> = components.filter(|component| is_letter(component)).cloned().collect();
    if letters.len() < MIN_LETTERS {
        return;
    }
    strokes.retain(|Labelled { component, .. }| {
        is_letter(component) || distance_to(component, &letters) <= classifier.far
    });
    strokes.extend(faint.into_iter().filter(|own| distance_to(&own.component, &letters) <= classifier.near));
}

/// Returns the distance of a component from the nearest of some letters, in pixels.
fn distance_to(component: &Component, letters: &[Component]) -> usize {
    letters.iter().map(|letter| component.distance(letter)).min().unwrap_or(usize::MAX)
}

/// Limits for a frame around a mark, as shares of heights. Chosen by hand.
struct FrameLimits {
    /// The least height of a frame as a share of the cell's.
    min_height: f32,
    /// The heights of what is inside as a share of the frame's: all up to this, and one from `min_inner` on.
    max_inner: f32,
    min_inner: f32,
    /// More components are not a mark in a frame.
    max_components: usize,
    /// The least area of a frame's box for each of its pixels.
    min_box_per_pixel: usize,
}

const FRAME: FrameLimits =
    FrameLimits { min_height: 0.6, max_inner: 0.75, min_inner: 0.25, max_components: 12, min_box_per_pixel: 3 };

/// Removes the circle, box or hexagon around a mark: one component around all others, or one on either side where the
/// edges of the cell cut it.
fn remove_frame(components: &mut Vec<Labelled>, classifier: &ComponentClassifier) {
    if components.len() < 2 || components.len() > FRAME.max_components {
        return;
    }
    components.sort_by_key(|own| own.component.x1);
    let [left, inner @ .., right] = components.as_slice() else { return };
    let (left, right) = (&left.component, &right.component);
    let is_high = |component: &Component| component.height() as f32 >= FRAME.min_height * classifier.height as f32;
    let is_cut_in_two = is_high(left)
        && is_high(right)
        && frames(left, inner, classifier.stroke)
        && frames(right, inner, classifier.stroke);
    let is_around = is_high(left)
        && frames(left, &components[1..], classifier.stroke)
        && components[1..].iter().all(|other| encloses(left, &other.component))
        && FRAME.min_box_per_pixel * left.count < left.width() * left.height();
    if is_cut_in_two {
        components.pop();
    }
    if is_cut_in_two || is_around {
        components.remove(0);
    }
}

/// Returns whether `inner` components are low enough to be inside a frame, and one of them is high enough for a mark.
fn frames(frame: &Component, inner: &[Labelled], min_stroke: usize) -> bool {
    let frame_height = frame.height() as f32;
    let heights = || inner.iter().map(|own| own.component.height());
    let are_lower = heights().all(|height| height as f32 <= FRAME.max_inner * frame_height);
    let has_mark = heights().any(|height| height as f32 >= FRAME.min_inner * frame_height && height >= min_stroke);
    are_lower && has_mark
}

/// Returns whether `inner` is within the box of `outer`, of which it begins to the right.
fn encloses(outer: &Component, inner: &Component) -> bool {
    inner.x2 < outer.x2 && inner.y1 > outer.y1 && inner.y2 < outer.y2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell drawn with "#" for dark, "+" for faint and "." for background pixels, at one pixel per point.
    fn kept(rows: &[&str], edge: usize, scanned: bool) -> Vec<Component> {
        let (width, height) = (rows[0].len(), rows.len());
        let pixels: Vec<u8> = rows.iter().flat_map(|row| row.bytes()).collect();
        let mut foreground: Vec<bool> = pixels.iter().map(|pixel| *pixel != b'.').collect();
        let darkness = |index: usize| if pixels[index] == b'#' { 255 } else { 90 };
        let classifier = ComponentClassifier::new(width, height, edge, 1.0, 200, scanned);
        strokes(&mut foreground, &darkness, &classifier)
    }

    #[test]
    fn diagonal_pixels_are_one_component() {
        let found = kept(&["........", "..#.....", "...#....", "....#...", "........"], 0, false);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].width(), found[0].height(), found[0].count), (3, 3, 3));
    }

    #[test]
    fn single_pixels_are_specks() {
        assert!(kept(&[".....", "..#..", "....."], 0, false).is_empty());
    }

    #[test]
    fn flat_components_at_the_edge_are_pieces_of_rules() {
        let rows = ["########..", "..........", "...##.....", "...##.....", "..........", ".........."];
        let found = kept(&rows, 1, false);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].y1, 2);
    }

    #[test]
    fn faint_components_without_letters_are_removed() {
        assert!(kept(&["..........", "..++++++..", ".........."], 0, false).is_empty());
    }

    #[test]
    fn a_box_around_a_mark_is_removed() {
        let mut rows = vec!["#..........#"; 12];
        (rows[0], rows[11]) = ("############", "############");
        rows[4..8].fill("#...###....#");
        let found = kept(&rows, 0, false);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].width(), found[0].height()), (3, 4));
    }
}
