//! Doors of all kinds, each drawn in the frame of its opening.
//!
//! The opening begins at the origin and runs along x. y points to the side that the door swings to,
//! and y = 0 is the centre line of the wall.

use serde::Serialize;

use super::pen::{Frame, Ink, P, Pen};
use super::style::{ArcManner, Hung, Jamb, Layer, Leaf, Sliding};
use crate::pdf::Colour;

style_enum! {
    /// The kinds of doors that synthetic plans have, as drawn.
    DoorKind {
        /// One leaf that swings.
        Single,
        /// Two equal leaves that swing to the same side.
        Double,
        /// A wide leaf and a narrow one.
        Uneven,
        /// A leaf that swings to both sides.
        DoubleActing,
        /// Two leaves that swing to both sides.
        DoubleActingPair,
        /// Two leaves that swing to opposite sides.
        DoubleEgress,
        /// Panels that pass each other within the wall.
        Sliding,
        /// A panel that slides along the face of the wall.
        Surface,
        /// A panel that slides into the wall.
        Pocket,
        /// Leaves that fold.
        Bifold,
        /// Two pairs of leaves that fold to both sides.
        BifoldPair,
        /// Many narrow leaves that fold.
        Accordion,
        /// A door that opens upwards.
        Overhead,
        /// Wings that turn in a drum.
        Revolving,
        /// The door of a toilet partition.
        Stall,
    }
}

impl DoorKind {
    /// Returns the number of leaves or panels.
    pub fn leaves(self) -> u8 {
        match self {
            Self::Single
            | Self::DoubleActing
            | Self::Surface
            | Self::Pocket
            | Self::Overhead
            | Self::Stall
            | Self::Accordion => 1,
            Self::BifoldPair | Self::Revolving => 4,
            _ => 2,
        }
    }

    /// Returns whether the leaves slide or fold within the wall, along it or upwards. The box of
    /// such a door is its opening, wherever its leaf is drawn.
    pub fn stays_in_wall(self) -> bool {
        matches!(self, Self::Sliding | Self::Surface | Self::Pocket | Self::Overhead)
    }
}

style_enum! {
    /// The state of an object.
    State {
        /// To be built.
        New,
        /// To remain: drawn in grey.
        Existing,
        /// To be removed: drawn with dashes.
        Demolished,
    }
}

/// A door in the building.
#[derive(Clone, Debug)]
pub(super) struct Door {
    pub(super) frame: Frame,
    pub(super) kind: DoorKind,
    /// The width of the opening, in inches.
    pub(super) width: f32,
    /// The thickness of the wall, in inches.
    pub(super) thickness: f32,
    /// How far its leaves are open, in degrees.
    pub(super) opened: f32,
    /// Whether its swing is drawn.
    pub(super) swings: bool,
    pub(super) state: State,
    pub(super) tag: String,
}

/// The thickness of a leaf in inches.
const LEAF_THICKNESS: f32 = 1.75;

/// Returns the ink for a state.
pub(super) fn by_state(ink: Ink, state: State) -> Ink {
    const EXISTING: Colour = [0.6; 3];
    match state {
        State::New => ink,
        State::Existing => ink.coloured(EXISTING),
        State::Demolished => ink.dashed(3.0, 2.0),
    }
}

/// Draws a door. The pen's extent is then the door's box, including the opening through the wall.
/// For a door that stays in the wall it is only the opening.
pub(super) fn draw(pen: &mut Pen<'_>, view: &Frame, door: &Door) {
    let frame = view.holding(&door.frame);
    let (w, t) = (door.width, door.thickness);
    let drawn = Drawn {
        frame,
        leaf: by_state(pen.ink(Layer::Door), door.state),
        swing: by_state(pen.ink(Layer::Swing), door.state),
        hinge: if pen.style.centred_hinge { 0.0 } else { t / 2.0 },
        opened: door.opened,
        swings: door.swings,
    };
    if door.kind != DoorKind::Stall {
        for corner in [(0.0, -t / 2.0), (w, t / 2.0)] {
            pen.cover(&frame, corner);
        }
        jambs(pen, &drawn, w, t);
        if pen.style.threshold {
            pen.line(&frame, (0.0, t / 2.0), (w, t / 2.0), drawn.swing);
            pen.line(&frame, (0.0, -t / 2.0), (w, -t / 2.0), drawn.swing);
        }
    }
    match door.kind {
        DoorKind::Single => drawn.swinging(pen, 0.0, w, true, 1.0),
        DoorKind::Stall => drawn.stall(pen, w),
        DoorKind::Double | DoorKind::Uneven => {
            let meet = if door.kind == DoorKind::Double { w / 2.0 } else { w * 0.68 };
            drawn.swinging(pen, 0.0, meet, true, 1.0);
            drawn.swinging(pen, w, w - meet, false, 1.0);
        }
        DoorKind::DoubleEgress => {
            drawn.swinging(pen, 0.0, w / 2.0, true, 1.0);
            drawn.swinging(pen, w, w / 2.0, false, -1.0);
        }
        DoorKind::DoubleActing => drawn.acting(pen, 0.0, w, true),
        DoorKind::DoubleActingPair => {
            drawn.acting(pen, 0.0, w / 2.0, true);
            drawn.acting(pen, w, w / 2.0, false);
        }
        DoorKind::Sliding => drawn.sliding(pen, w, t),
        DoorKind::Surface => drawn.surface(pen, w, t),
        DoorKind::Pocket => drawn.pocket(pen, w, t),
        DoorKind::Bifold => drawn.folding(pen, 0.0, w, 1.0),
        DoorKind::BifoldPair => {
            drawn.folding(pen, 0.0, w / 2.0, 1.0);
            drawn.folding(pen, w, w / 2.0, -1.0);
        }
        DoorKind::Accordion => {
            let count = (w / 5.0).ceil().max(4.0);
            let stretch = w * 0.7;
            let points: Vec<P> = (0..=count as u32)
                .map(|step| (stretch * step as f32 / count, if step % 2 == 0 { -2.0 } else { 2.0 }))
                .collect();
            pen.polyline(&frame, &points, drawn.leaf);
        }
        DoorKind::Overhead => {
            let leaf = drawn.leaf;
            pen.rectangle(&frame, [-3.0, t / 2.0 - 2.0, w + 3.0, t / 2.0], leaf);
            pen.line(&frame, (0.0, 0.0), (w, 0.0), leaf.dashed(4.0, 2.5));
        }
        DoorKind::Revolving => drawn.revolving(pen, w),
    }
    if door.kind.stays_in_wall() {
        pen.begin();
        for corner in [(0.0, -t / 2.0), (w, t / 2.0)] {
            pen.cover(&frame, corner);
        }
    }
}

/// Draws the dashed outline of an open overhead door, which is no part of the door's box.
pub(super) fn overhead_track(pen: &mut Pen<'_>, view: &Frame, door: &Door) {
    let frame = view.holding(&door.frame);
    let ink = pen.ink(Layer::Swing).dashed(5.0, 3.0);
    let near = door.thickness / 2.0;
    pen.rectangle(&frame, [0.0, near, door.width, near + 84.0], ink);
}

fn jambs(pen: &mut Pen<'_>, drawn: &Drawn, w: f32, t: f32) {
    let ink = drawn.leaf;
    let frame = &drawn.frame;
    let half = t / 2.0;
    match pen.style.jamb {
        Jamb::Absent => {}
        Jamb::Boxes => {
            pen.rectangle(frame, [0.0, -half, 1.5, half], ink);
            pen.rectangle(frame, [w - 1.5, -half, w, half], ink);
        }
        Jamb::Casings => {
            for [x1, x2] in [[-2.2, 0.8], [w - 0.8, w + 2.2]] {
                pen.rectangle(frame, [x1, -half - 0.8, x2, half + 0.8], ink);
            }
        }
        Jamb::Profiles => {
            for (x, inward) in [(0.0, 1.0), (w, -1.0)] {
                let outline = [
                    (x - 0.5 * inward, -half - 0.5),
                    (x + 1.2 * inward, -half - 0.5),
                    (x + 1.2 * inward, -half + 1.5),
                    (x + 1.9 * inward, -half + 1.5),
                    (x + 1.9 * inward, half - 2.0),
                    (x + 1.2 * inward, half - 2.0),
                    (x + 1.2 * inward, half + 0.5),
                    (x - 0.5 * inward, half + 0.5),
                ];
                pen.polyline(frame, &outline, ink);
            }
        }
    }
}

struct Drawn {
    frame: Frame,
    leaf: Ink,
    swing: Ink,
    /// The distance of the hinges from the centre line of the wall.
    hinge: f32,
    opened: f32,
    swings: bool,
}

impl Drawn {
    fn swing_ink(&self, pen: &Pen<'_>) -> Ink {
        if pen.style.dashed_swing { self.swing.dashed(2.5, 1.8) } else { self.swing }
    }

    /// Draws a leaf hinged at x that closes towards higher or lower x, and swings to the side of
    /// the sign of `side`.
    fn swinging(&self, pen: &mut Pen<'_>, x: f32, length: f32, rightwards: bool, side: f32) {
        let along = if rightwards { 1.0 } else { -1.0 };
        let frame = self.frame.inner((x, self.hinge * side), (along, 0.0), (0.0, side));
        if self.swings {
            let arc = pen.style.swing.arc((0.0, 0.0), length, 0.0, self.opened);
            pen.path(&frame, &arc, self.swing_ink(pen));
        }
        self.leaf(pen, &frame, length, self.opened);
    }

    /// Draws the leaf at an angle from its closed position along x.
    fn leaf(&self, pen: &mut Pen<'_>, frame: &Frame, length: f32, degrees: f32) {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let leaf = frame.inner((0.0, 0.0), (cos, sin), (-sin, cos));
        // The closed leaf is inside its own swing.
        let bar = [0.0, -LEAF_THICKNESS, length, 0.0];
        match pen.style.leaf {
            Leaf::Line => pen.line(&leaf, (0.0, 0.0), (length, 0.0), self.leaf),
            Leaf::Heavy => pen.line(&leaf, (0.0, 0.0), (length, 0.0), self.leaf.heavier(2.2)),
            Leaf::Bar => pen.rectangle(&leaf, bar, self.leaf),
            Leaf::Filled => pen.rectangle(&leaf, bar, self.leaf.solid()),
            // Without its leaf and its swing, a door would be an opening.
            Leaf::Absent if !self.swings => pen.rectangle(&leaf, bar, self.leaf),
            Leaf::Absent => {}
        }
    }

    fn stall(&self, pen: &mut Pen<'_>, length: f32) {
        if self.swings {
            let arc = pen.style.swing.arc((0.0, 0.0), length, 0.0, self.opened);
            pen.path(&self.frame, &arc, self.swing_ink(pen));
        }
        let (sin, cos) = self.opened.to_radians().sin_cos();
        let leaf = self.frame.inner((0.0, 0.0), (cos, sin), (-sin, cos));
        match pen.style.leaf {
            Leaf::Bar | Leaf::Filled => pen.rectangle(&leaf, [0.0, -1.0, length, 0.0], self.leaf),
            _ => pen.line(&leaf, (0.0, 0.0), (length, 0.0), self.leaf),
        }
        pen.cover(&self.frame, (length, 0.0));
    }

    /// Draws a leaf that swings to both sides, open to one.
    fn acting(&self, pen: &mut Pen<'_>, x: f32, length: f32, rightwards: bool) {
        let along = if rightwards { 1.0 } else { -1.0 };
        let frame = self.frame.inner((x, 0.0), (along, 0.0), (0.0, 1.0));
        let arc = pen.style.swing.arc((0.0, 0.0), length, -90.0, 90.0);
        pen.path(&frame, &arc, self.swing_ink(pen));
        self.leaf(pen, &frame, length, 90.0);
        self.leaf(pen, &frame, length, 0.0);
    }

    fn sliding(&self, pen: &mut Pen<'_>, w: f32, t: f32) {
        let panel = (t / 3.0).clamp(1.2, 2.0);
        let lap = w * 0.04;
        let (left, right) = ([0.0, w / 2.0 + lap], [w / 2.0 - lap, w]);
        let (near, far) = ([0.15, panel], [-panel, -0.15]);
        match pen.style.sliding {
            Sliding::Panels => {
                self.panel(pen, left, near);
                self.panel(pen, right, far);
            }
            Sliding::Lines | Sliding::Stiles => {
                let apart = (t / 6.0).clamp(0.6, 1.2);
                for ([from, to], y) in [(left, apart), (right, -apart)] {
                    pen.line(&self.frame, (from, y), (to, y), self.leaf);
                    if pen.style.sliding == Sliding::Stiles {
                        let solid = self.leaf.solid();
                        for end in [from, to - 1.4] {
                            pen.rectangle(&self.frame, [end, y - 0.6, end + 1.4, y + 0.6], solid);
                        }
                    }
                }
            }
            Sliding::Glazed => {
                for (x, y) in [(left, near), (right, far)] {
                    self.panel(pen, x, y);
                    let middle = f32::midpoint(y[0], y[1]);
                    pen.line(&self.frame, (x[0] + 2.0, middle), (x[1] - 2.0, middle), self.swing);
                }
                for y in [-t / 2.0, t / 2.0] {
                    pen.line(&self.frame, (0.0, y), (w, y), self.swing);
                }
            }
            Sliding::Four => {
                let quarter = w / 4.0;
                self.panel(pen, [0.0, quarter + lap], far);
                self.panel(pen, [quarter, 2.0 * quarter], near);
                self.panel(pen, [2.0 * quarter, 3.0 * quarter], near);
                self.panel(pen, [3.0 * quarter - lap, w], far);
            }
            Sliding::Three => {
                let deep = panel * 0.8;
                for track in 0..3_u8 {
                    let (x, y) = (f32::from(track) * w / 3.0, (f32::from(track) - 1.5) * deep);
                    self.panel(pen, [(x - lap).max(0.0), (x + w / 3.0 + lap).min(w)], [y + 0.1, y + deep - 0.1]);
                }
            }
            Sliding::Arrow => {
                self.panel(pen, left, far);
                self.panel(pen, [w * 0.42, w * 0.92], near);
                self.arrow(pen, [w * 0.85, w * 0.6], t / 2.0 + 3.0);
            }
        }
        if pen.style.threshold {
            pen.rectangle(&self.frame, [0.0, -t / 2.0, w, t / 2.0], self.swing);
        }
    }

    /// Draws a panel as a thin rectangle, along the wall and across it.
    fn panel(&self, pen: &mut Pen<'_>, [x1, x2]: [f32; 2], [y1, y2]: [f32; 2]) {
        pen.rectangle(&self.frame, [x1, y1, x2, y2], self.leaf);
    }

    /// Draws an arrow along the wall in the direction of a panel.
    fn arrow(&self, pen: &mut Pen<'_>, [from, to]: [f32; 2], y: f32) {
        let back = if to > from { -3.0 } else { 3.0 };
        pen.line(&self.frame, (from, y), (to, y), self.swing);
        pen.polyline(&self.frame, &[(to + back, y + 1.2), (to, y), (to + back, y - 1.2)], self.swing);
    }

    /// Draws a panel on the face of the wall.
    fn surface(&self, pen: &mut Pen<'_>, w: f32, t: f32) {
        let y = t / 2.0 + 0.8;
        let depth = [y, y + 2.0];
        match pen.style.hung {
            Hung::HalfOpen => {
                self.panel(pen, [w * 0.15, w * 1.2], depth);
                pen.line(&self.frame, (-w * 0.05, y + 2.6), (w * 1.25, y + 2.6), self.swing);
            }
            Hung::Panel => self.panel(pen, [w * 0.4, w * 1.45], depth),
            Hung::Closed => {
                self.panel(pen, [-1.5, w + 1.5], depth);
                pen.rectangle(&self.frame, [w + 1.5, y, 2.0 * w, y + 2.0], self.swing.dashed(2.0, 1.5));
            }
            Hung::Open => {
                self.panel(pen, [w, 2.0 * w + 2.0], depth);
                pen.rectangle(&self.frame, [-1.5, y, w, y + 2.0], self.swing.dashed(2.0, 1.5));
            }
            Hung::Arrow => {
                pen.line(&self.frame, (w * 0.1, y + 0.4), (w * 1.15, y + 0.4), self.leaf);
                self.arrow(pen, [w * 0.35, w * 0.75], y + 4.0);
            }
        }
    }

    /// Draws a panel that slides into the wall.
    fn pocket(&self, pen: &mut Pen<'_>, w: f32, t: f32) {
        let panel = (t / 4.0).clamp(0.7, 1.0);
        let depth = [-panel, panel];
        let pocket = [-w, -panel - 0.7, 0.0, panel + 0.7];
        match pen.style.hung {
            Hung::HalfOpen => {
                self.panel(pen, [-w * 0.7, w * 0.3], depth);
                pen.rectangle(&self.frame, pocket, self.swing.dashed(2.0, 1.5));
            }
            Hung::Panel => self.panel(pen, [-w * 0.5, w * 0.5], depth),
            Hung::Closed => {
                self.panel(pen, [0.0, w], depth);
                pen.rectangle(&self.frame, pocket, self.swing.dashed(2.0, 1.5));
            }
            Hung::Open => {
                self.panel(pen, [-w * 0.85, w * 0.15], depth);
                pen.rectangle(&self.frame, pocket, self.swing);
            }
            Hung::Arrow => {
                pen.line(&self.frame, (-w * 0.35, 0.0), (w * 0.65, 0.0), self.leaf);
                self.arrow(pen, [w * 0.5, w * 0.1], t / 2.0 + 3.0);
            }
        }
    }

    /// Draws two half-open leaves from a jamb at x. `along` is the sign of the direction to the
    /// other jamb.
    fn folding(&self, pen: &mut Pen<'_>, x: f32, width: f32, along: f32) {
        let each = width / 2.0;
        let usual = self.opened.min(60.0).to_radians().cos().max(0.5);
        let folded = pen.style.folded;
        let half = each * if folded == 0 { usual } else { f32::from(folded).to_radians().cos() };
        let rise = (each * each - half * half).max(0.0).sqrt();
        let frame = self.frame.inner((x, 0.0), (along, 0.0), (0.0, 1.0));
        let outer = rise.atan2(half).to_degrees();
        match pen.style.leaf {
            Leaf::Bar | Leaf::Filled => {
                let (sin, cos) = outer.to_radians().sin_cos();
                let rising = frame.inner((0.0, 0.0), (cos, sin), (-sin, cos));
                let falling = frame.inner((half, rise), (cos, -sin), (sin, cos));
                pen.rectangle(&rising, [0.0, -1.2, each, 0.0], self.leaf);
                pen.rectangle(&falling, [0.0, -1.2, each, 0.0], self.leaf);
            }
            _ => pen.polyline(&frame, &[(0.0, 0.0), (half, rise), (2.0 * half, 0.0)], self.leaf),
        }
    }

    fn revolving(&self, pen: &mut Pen<'_>, w: f32) {
        let centre = (w / 2.0, 0.0);
        let radius = w / 2.0;
        for from in [-48.0, 132.0] {
            for r in [radius, radius - 2.0] {
                let manner = if pen.style.curves == ArcManner::Dashes { ArcManner::OneCurve } else { pen.style.curves };
                let arc = manner.arc(centre, r, from, from + 96.0);
                pen.path(&self.frame, &arc, self.leaf);
            }
        }
        for wing in [45.0_f32, 135.0, 225.0, 315.0] {
            let (sin, cos) = wing.to_radians().sin_cos();
            let to = (centre.0 + (radius - 2.5) * cos, centre.1 + (radius - 2.5) * sin);
            pen.line(&self.frame, centre, to, self.leaf);
        }
    }
}

/// The ground truth of a door.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DoorTruth {
    /// Leaf, swing and opening through the wall, in user space of the unrotated page. For a door
    /// that [stays in the wall](DoorKind::stays_in_wall) only the opening.
    pub bbox: [f32; 4],
    /// The kind.
    pub kind: DoorKind,
    /// The number of leaves or panels.
    pub leaves: u8,
    /// Whether it is new, existing or demolished.
    pub state: State,
    /// The opening's width in inches.
    pub width: f32,
    /// The number beside the door; empty if there is none.
    pub tag: String,
    /// How far it is open, in degrees.
    pub opened: f32,
    /// Always false: synthetic doors are certain.
    pub uncertain: bool,
}
