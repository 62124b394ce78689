//! Assigns cells to rooms: a space with one label is a room; one with several is split where it is narrow (watershed).

use std::collections::{BTreeMap, HashMap};

use crate::mask::{Components, Mask};

/// A room opens to the outside, and is no room, if the opening is wider than this share of the room's own breadth. Set by
/// hand.
const MAX_NECK: f32 = 0.62;
/// The room of cells that are in none.
const NONE: u32 = 0;

/// The room of each cell.
pub(crate) struct Regions {
    /// For each cell one more than the index of its label, or 0.
    pub(crate) owner: Vec<u32>,
}

impl Regions {
    /// Returns the index of the label whose room a cell is in.
    pub(crate) fn label_of_cell(&self, cell: usize) -> Option<usize> {
        self.owner.get(cell)?.checked_sub(1).map(|index| index as usize)
    }

    /// Returns the first cell of each of `count` rooms, from the top.
    pub(crate) fn first_cells(&self, count: usize) -> Vec<Option<usize>> {
        let mut first: Vec<Option<usize>> = vec![None; count];
        for cell in 0..self.owner.len() {
            if let Some(first) = self.label_of_cell(cell).and_then(|label| first.get_mut(label)) {
                first.get_or_insert(cell);
            }
        }
        first
    }

    /// Grows each room by `steps` cells, up to walls that are drawn and to other rooms.
    pub(crate) fn grow(&mut self, mask: &Mask, is_drawn: &[bool], steps: usize) {
        let mut edge: Vec<usize> = (0..self.owner.len()).filter(|cell| self.owner[*cell] != NONE).collect();
        for _ in 0..steps {
            let mut grown = Vec::new();
            for cell in edge {
                for next in mask.around(cell) {
                    if self.owner[next] == NONE && !is_drawn[next] {
                        self.owner[next] = self.owner[cell];
                        grown.push(next);
                    }
                }
            }
            edge = grown;
        }
    }

    /// Returns the share of each room's edge that is wall, for `count` rooms.
    pub(crate) fn walled(&self, mask: &Mask, count: usize) -> Vec<f32> {
        let mut edges = vec![Edge::default(); count];
        for cell in 0..self.owner.len() {
            let Some(edge) = self.label_of_cell(cell).and_then(|label| edges.get_mut(label)) else { continue };
            for next in mask.around(cell).into_iter().filter(|next| self.owner[*next] != self.owner[cell]) {
                edge.walls += u32::from(mask.is_wall_cell(next));
                edge.all += 1;
            }
        }
        edges.into_iter().map(|edge| edge.walls as f32 / edge.all.max(1) as f32).collect()
    }
}

/// The edge of a room, in sides of cells.
#[derive(Clone, Copy, Default)]
struct Edge {
    walls: u32,
    all: u32,
}

/// Assigns the cells of spaces to the labels in them. `seeds` holds each label's cells.
pub(crate) fn assign(mask: &Mask, spaces: &Components, seeds: &[Vec<usize>]) -> Regions {
    let mut labels_of_space: Vec<Vec<usize>> = vec![Vec::new(); spaces.all.len()];
    for (label, cells) in seeds.iter().enumerate() {
        if let Some(space) = space_of_label(spaces, cells) {
            labels_of_space[space].push(label);
        }
    }
    let is_split: Vec<bool> = labels_of_space
        .iter()
        .zip(&spaces.all)
        .map(|(labels, space)| labels.len() > 1 || (labels.len() == 1 && space.is_outside))
        .collect();
    let mut owner = vec![NONE; mask.cell_count()];
    for (cell, owner) in owner.iter_mut().enumerate() {
        let Some(space) = spaces.index_of_cell(cell).filter(|space| !is_split[*space]) else { continue };
        if let Some(label) = labels_of_space[space].first() {
            *owner = *label as u32 + 1;
        }
    }
    if is_split.contains(&true) {
        owner = Watershed::new(mask, spaces, is_split, owner, seeds.len()).split(&labels_of_space, seeds);
    }
    Regions { owner }
}

/// Returns the space that most of a label's cells are in.
pub(crate) fn space_of_label(spaces: &Components, cells: &[usize]) -> Option<usize> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for space in cells.iter().filter_map(|cell| spaces.index_of_cell(*cell)) {
        *counts.entry(space).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(space, count)| (*count, *space)).map(|(space, _)| space)
}

/// Two regions that meet, the one with the lower number first.
type Pair = (u32, u32);

/// A watershed of the distance transform: each room grows from its label, first where walls are far, so that rooms meet where
/// they are narrow. Meyer, "Un algorithme optimal pour la ligne de partage des eaux", 1991.
struct Watershed<'a> {
    mask: &'a Mask,
    spaces: &'a Components,
    /// To the nearest wall or opening, in thirds of a cell.
    distance: Vec<u16>,
    /// Whether each space is split.
    is_split: Vec<bool>,
    owner: Vec<u32>,
    /// The number of the region that grows from the sheet's edge, one more than that of the last room.
    outside: u32,
    /// Cells to grow from, by their distance. The last one added comes first.
    waiting: Vec<Vec<usize>>,
    /// Largest distance in each region.
    peaks: HashMap<u32, u16>,
    /// Largest distance at which two regions meet: half the width of the opening between them.
    saddles: BTreeMap<Pair, u16>,
}

impl<'a> Watershed<'a> {
    /// Prepares a watershed of `rooms` rooms; `owner` has the rooms that are alone in their space.
    fn new(mask: &'a Mask, spaces: &'a Components, is_split: Vec<bool>, owner: Vec<u32>, rooms: usize) -> Self {
        let distance = mask.distances();
        let most = distance.iter().copied().max().unwrap_or(0) as usize;
        Self {
            mask,
            spaces,
            distance,
            is_split,
            owner,
            outside: rooms as u32 + 1,
            waiting: vec![Vec::new(); most + 1],
            peaks: HashMap::new(),
            saddles: BTreeMap::new(),
        }
    }

    /// Splits spaces among their labels and returns the room of each cell.
    fn split(mut self, labels_of_space: &[Vec<usize>], seeds: &[Vec<usize>]) -> Vec<u32> {
        let spaces = self.spaces;
        for (space, labels) in labels_of_space.iter().enumerate() {
            if !self.is_split[space] {
                continue;
            }
            for &label in labels {
                for &cell in seeds[label].iter().filter(|cell| spaces.index_of_cell(**cell) == Some(space)) {
                    self.claim(cell, label as u32 + 1);
                }
            }
        }
        for cell in self.mask.edge() {
            if self.is_in_split_space(cell) {
                self.claim(cell, self.outside);
            }
        }
        self.flood();
        self.remove_open_rooms(seeds.len());
        self.owner
    }

    /// Returns whether a cell is in a space that is split.
    fn is_in_split_space(&self, cell: usize) -> bool {
        self.spaces.index_of_cell(cell).is_some_and(|space| self.is_split[space])
    }

    /// Adds a cell to a region, unless it is in one, and lets the region grow from it. Returns the cell's distance.
    fn claim(&mut self, cell: usize, region: u32) -> usize {
        let level = self.distance[cell] as usize;
        if self.owner[cell] == NONE {
            self.owner[cell] = region;
            self.waiting[level].push(cell);
        }
        level
    }

    /// Grows all regions until they meet.
    fn flood(&mut self) {
        let mut level = self.waiting.len() - 1;
        loop {
            let Some(cell) = self.waiting[level].pop() else {
                if level == 0 {
                    break;
                }
                level -= 1;
                continue;
            };
            let own = self.owner[cell];
            let peak = self.peaks.entry(own).or_default();
            *peak = (*peak).max(self.distance[cell]);
            for next in self.mask.around(cell) {
                let is_same_space = self.spaces.index_of_cell(next) == self.spaces.index_of_cell(cell);
                if !is_same_space || !self.is_in_split_space(next) {
                    continue;
                }
                let other = self.owner[next];
                if other == NONE {
                    // What lies deeper is reached from here at once: no cell waits above the level.
                    level = level.max(self.claim(next, own));
                } else if other != own {
                    let saddle = self.distance[cell].min(self.distance[next]);
                    let widest = self.saddles.entry((own.min(other), own.max(other))).or_default();
                    *widest = (*widest).max(saddle);
                }
            }
        }
    }

    /// Removes the outside, and the rooms that open widely to it.
    fn remove_open_rooms(&mut self, rooms: usize) {
        let mut is_room = vec![true; rooms + 2];
        is_room[self.outside as usize] = false;
        for (&(label, other), &saddle) in &self.saddles {
            let peak = self.peaks.get(&label).copied().unwrap_or(0);
            if other == self.outside && f32::from(saddle) > MAX_NECK * f32::from(peak) {
                is_room[label as usize] = false;
            }
        }
        for owner in &mut self.owner {
            if !is_room.get(*owner as usize).copied().unwrap_or_default() {
                *owner = NONE;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fanlight_contract::Rect;
    use fanlight_geometry::Frame;

    use super::*;
    use crate::walls::{Axis, Strip};

    /// Two rooms of 50 by 60 points side by side. A wall with an opening is between them, and the right one's right wall has
    /// an opening to the outside, both as wide as told.
    fn two_rooms(between: f32, outside: f32) -> Mask {
        let mut mask = Mask::new(&Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 160.0, y2: 100.0 }, 0.0), 1.0);
        for y in [20.0, 80.0] {
            mask.draw(Axis::Horizontal, &Strip { from: 20.0, to: 123.0, low: y, high: y + 3.0 });
        }
        for (x, opening) in [(20.0, 0.0), (70.0, between), (120.0, outside)] {
            mask.draw(Axis::Vertical, &Strip { from: 20.0, to: 80.0 - opening, low: x, high: x + 3.0 });
        }
        mask
    }

    fn regions(mask: &Mask) -> Regions {
        let seeds = [(45.0, 50.0), (95.0, 50.0)].map(|place| mask.at(place).into_iter().collect());
        assign(mask, &mask.spaces(), &seeds)
    }

    fn labels_at(mask: &Mask, regions: &Regions) -> [Option<usize>; 3] {
        [(30.0, 30.0), (110.0, 30.0), (5.0, 5.0)].map(|place| regions.label_of_cell(mask.at(place).unwrap()))
    }

    #[test]
    fn a_space_with_one_label_is_that_room() {
        let mask = two_rooms(0.0, 0.0);
        let regions = regions(&mask);
        assert_eq!(labels_at(&mask, &regions), [Some(0), Some(1), None]);
        assert_eq!(regions.walled(&mask, 2), [1.0, 1.0]);
        assert!(regions.first_cells(2).iter().all(Option::is_some));
    }

    #[test]
    fn a_space_with_two_labels_is_split_where_it_is_narrow() {
        let mask = two_rooms(12.0, 0.0);
        let regions = regions(&mask);
        assert_eq!(labels_at(&mask, &regions), [Some(0), Some(1), None]);
        let count = |label| (0..mask.cell_count()).filter(|cell| regions.label_of_cell(*cell) == Some(label)).count();
        assert!(count(0).abs_diff(count(1)) * 20 < count(0), "{} {}", count(0), count(1));
    }

    #[test]
    fn a_room_that_opens_widely_to_the_outside_is_none() {
        let mask = two_rooms(0.0, 50.0);
        assert_eq!(labels_at(&mask, &regions(&mask)), [Some(0), None, None]);
    }

    #[test]
    fn a_room_grows_up_to_drawn_walls() {
        let mask = two_rooms(0.0, 0.0);
        let count = |regions: &Regions| regions.owner.iter().filter(|owner| **owner == 1).count();
        let mut regions = regions(&mask);
        let before = count(&regions);
        regions.grow(&mask, &(0..mask.cell_count()).map(|cell| mask.is_wall_cell(cell)).collect::<Vec<_>>(), 2);
        assert_eq!(count(&regions), before);
        regions.grow(&mask, &vec![false; mask.cell_count()], 1);
        assert!(count(&regions) > before + 180, "{} {before}", count(&regions));
    }

    #[test]
    fn a_label_is_in_the_space_of_most_of_its_cells() {
        let mask = two_rooms(0.0, 0.0);
        let spaces = mask.spaces();
        let cells = [(66.0, 50.0), (75.0, 50.0), (76.0, 50.0)].map(|place| mask.at(place).unwrap());
        assert_eq!(space_of_label(&spaces, &cells), spaces.index_of_cell(cells[2]));
    }
}
