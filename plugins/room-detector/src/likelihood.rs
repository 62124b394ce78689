//! How likely an enclosed region is a room: a logistic regression on what lines, texts, doors and the network show of it.

use crate::floors::Seen;
use crate::mask::Mask;
use crate::regions::Regions;
use crate::sheet::{MIN_EDGE, SURE_FLOOR};

/// Number of features.
pub const FEATURES: usize = 10;

/// The coefficients of [`RoomEvidence::features`], fitted by `labelled_rooms --fit` on the 24 labelled plans with an open
/// licence, whose rooms' floors and edges the network has learnt from. That was before the rule for boxes around
/// text went. On the 23 others the likelihood raises F1 from 0.773 to 0.803.
const COEFFICIENTS: [f32; FEATURES] = [-6.726, 0.506, -0.651, 1.383, 0.261, 0.325, 2.157, -2.564, 0.536, 2.123];

/// What is known of a region that may be a room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomEvidence {
    /// Whether a text in it is a known name of rooms.
    pub is_known: bool,
    /// Whether it has no text that may be its name.
    pub is_unnamed: bool,
    /// Whether a door is at its edge.
    pub has_door: bool,
    /// Number of doors of the sheet.
    pub doors: usize,
    /// Its area in square inches of the building.
    pub square_inches: f32,
    /// What its cells show.
    pub cells: RegionCells,
}

impl RoomEvidence {
    /// Returns the features of the logistic regression; the first is constant.
    pub fn features(&self) -> [f32; FEATURES] {
        let RegionCells { sure_floor, edge, drawn_outline, seen_outline } = self.cells;
        [
            1.0,
            f32::from(self.is_known),
            f32::from(self.is_unnamed),
            f32::from(self.has_door),
            (self.doors as f32).ln_1p(),
            self.square_inches.max(1.0).ln(),
            sure_floor,
            edge,
            drawn_outline,
            seen_outline,
        ]
    }

    /// Returns the probability that the region is a room, from 0 to 1.
    pub fn likelihood(&self) -> f32 {
        let log_odds: f32 = self.features().iter().zip(COEFFICIENTS).map(|(feature, own)| feature * own).sum();
        1.0 / (1.0 + (-log_odds).exp())
    }
}

/// What the cells of a region and of its outline show, as means and shares from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegionCells {
    /// Of its cells, those that the network surely takes for a floor.
    pub sure_floor: f32,
    /// The mean probability that its cells are an edge.
    pub edge: f32,
    /// Of its outline, what is drawn as a wall.
    pub drawn_outline: f32,
    /// Of its outline, what the network takes for an edge.
    pub seen_outline: f32,
}

/// What the network and the lines show at each cell of a mask.
pub(crate) struct CellEvidence {
    pub(crate) seen: Vec<Seen>,
    /// Whether lines make it a wall.
    pub(crate) is_drawn: Vec<bool>,
}

impl CellEvidence {
    /// Returns what the cells of each of `count` regions show.
    pub(crate) fn of_regions(&self, mask: &Mask, regions: &Regions, count: usize) -> Vec<RegionCells> {
        let mut sums = vec![RegionCells::default(); count];
        let (mut cells, mut sides) = (vec![0_u32; count], vec![0_u32; count]);
        for cell in 0..mask.cell_count() {
            let Some(region) = regions.label_of_cell(cell).filter(|region| *region < count) else { continue };
            let sum = &mut sums[region];
            cells[region] += 1;
            sum.sure_floor += f32::from(self.seen[cell].floor >= SURE_FLOOR);
            sum.edge += self.seen[cell].edge;
            for beyond in mask.around(cell).into_iter().filter(|next| regions.label_of_cell(*next) != Some(region)) {
                sides[region] += 1;
                sum.drawn_outline += f32::from(self.is_drawn[beyond]);
                sum.seen_outline += f32::from(self.seen[beyond].edge >= MIN_EDGE);
            }
        }
        for ((sum, cells), sides) in sums.iter_mut().zip(cells).zip(sides) {
            let (cells, sides) = (cells.max(1) as f32, sides.max(1) as f32);
            *sum = RegionCells {
                sure_floor: sum.sure_floor / cells,
                edge: sum.edge / cells,
                drawn_outline: sum.drawn_outline / sides,
                seen_outline: sum.seen_outline / sides,
            };
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use fanlight_contract::Rect;
    use fanlight_geometry::Frame;

    use super::*;
    use crate::regions;
    use crate::walls::{Axis, Strip};

    /// A bedroom of 12 square metres that the network sees whole.
    fn bedroom() -> RoomEvidence {
        RoomEvidence {
            is_known: true,
            is_unnamed: false,
            has_door: true,
            doors: 12,
            square_inches: 18_600.0,
            cells: RegionCells { sure_floor: 0.9, edge: 0.05, drawn_outline: 0.4, seen_outline: 0.9 },
        }
    }

    #[test]
    fn a_room_is_likelier_the_more_speaks_for_it() {
        let bedroom = bedroom();
        let cells = bedroom.cells;
        let weaker = [
            ("no name", RoomEvidence { is_known: false, is_unnamed: true, ..bedroom }),
            ("no door", RoomEvidence { has_door: false, ..bedroom }),
            ("smaller", RoomEvidence { square_inches: 900.0, ..bedroom }),
            ("furniture", RoomEvidence { cells: RegionCells { sure_floor: 0.3, ..cells }, ..bedroom }),
            ("walls inside", RoomEvidence { cells: RegionCells { edge: 0.4, ..cells }, ..bedroom }),
            ("open", RoomEvidence { cells: RegionCells { seen_outline: 0.2, ..cells }, ..bedroom }),
        ];
        assert!(bedroom.likelihood() > 0.9, "{}", bedroom.likelihood());
        for (what, evidence) in weaker {
            assert!(evidence.likelihood() < bedroom.likelihood(), "{what}");
        }
        let stair_tread = RoomEvidence {
            is_known: false,
            is_unnamed: true,
            has_door: false,
            square_inches: 1_200.0,
            cells: RegionCells { sure_floor: 0.2, edge: 0.3, drawn_outline: 0.8, seen_outline: 0.4 },
            ..bedroom
        };
        assert!(stair_tread.likelihood() < 0.1, "{}", stair_tread.likelihood());
    }

    #[test]
    fn cells_of_a_region_and_of_its_outline_are_counted() {
        // A space of 6 by 6 cells between walls; the network sees a floor in its left half and an edge on the right wall.
        let mut mask = Mask::new(&Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 40.0, y2: 40.0 }, 0.0), 1.0);
        for low in [8.0, 18.0] {
            mask.draw(Axis::Horizontal, &Strip { from: 8.0, to: 20.0, low, high: low + 2.0 });
            mask.draw(Axis::Vertical, &Strip { from: 8.0, to: 20.0, low, high: low + 2.0 });
        }
        let spaces = mask.spaces();
        let inside = mask.at((14.0, 14.0)).unwrap();
        let regions = regions::assign(&mask, &spaces, &[vec![inside]]);
        let cells = 0..mask.cell_count();
        let evidence = CellEvidence {
            seen: cells
                .clone()
                .map(|cell| {
                    let (x, _) = mask.place(cell);
                    Seen { floor: if x < 14.0 { 0.9 } else { 0.5 }, edge: if x > 17.0 { 0.8 } else { 0.1 } }
                })
                .collect(),
            is_drawn: cells.map(|cell| mask.is_wall_cell(cell)).collect(),
        };
        let found = evidence.of_regions(&mask, &regions, 1)[0];
        let expected = RegionCells { sure_floor: 0.5, edge: 0.1, drawn_outline: 1.0, seen_outline: 0.25 };
        for (found, expected) in [
            (found.sure_floor, expected.sure_floor),
            (found.edge, expected.edge),
            (found.drawn_outline, expected.drawn_outline),
            (found.seen_outline, expected.seen_outline),
        ] {
            assert!((found - expected).abs() < 0.01, "{found} for {expected}");
        }
    }
}
