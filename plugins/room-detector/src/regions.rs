//! Assigns cells to rooms: a space with one label is a room; one with several is split where it is narrow (watershed).

use std::collections::HashMap;

use crate::mask::{Mask, Part};

/// The room of each cell: 0 for none, otherwise 1 more than the index of its label.
pub(crate) struct Regions {
    pub(crate) owner: Vec<u32>,
}

/// A room that opens to the outside, or to a room with another label, is one where the opening is narrower than this
/// share of its own breadth.
const NECK: f32 = 0.62;

/// Assigns the cells of spaces to the labels in them. `seeds` holds each label's cells.
pub(crate) fn assign(mask: &Mask, spaces: &[u32], parts: &[Part], seeds: &[Vec<usize>]) -> Regions {
    let mut owner = vec![0_u32; spaces.len()];
    let mut of_space: HashMap<u32, Vec<usize>> = HashMap::new();
    for (label, cells) in seeds.iter().enumerate() {
        if let Some(space) = space_of(spaces, cells) {
            of_space.entry(space).or_default().push(label);
        }
    }
    let mut alone: HashMap<u32, u32> = HashMap::new();
    let mut shared: Vec<usize> = Vec::new();
    for (space, labels) in &of_space {
        let outside = parts.get(*space as usize - 1).is_some_and(|part| part.outside);
        match labels.as_slice() {
            [label] if !outside => {
                alone.insert(*space, *label as u32 + 1);
            }
            _ => shared.push(*space as usize),
        }
    }
    for (cell, space) in spaces.iter().enumerate() {
        if let Some(label) = alone.get(space) {
            owner[cell] = *label;
        }
    }
    if !shared.is_empty() {
        part(mask, spaces, parts, seeds, &of_space, &shared, &mut owner);
    }
    Regions { owner }
}

/// Returns the space that most of a label's cells are in.
pub(crate) fn space_of(spaces: &[u32], cells: &[usize]) -> Option<u32> {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    for &cell in cells {
        if let Some(&space) = spaces.get(cell).filter(|space| **space > 0) {
            *counts.entry(space).or_default() += 1;
        }
    }
    counts.into_iter().max_by_key(|(space, count)| (*count, *space)).map(|(space, _)| space)
}

/// Returns the share of each room's edge that is wall, for `count` rooms.
pub(crate) fn walled(mask: &Mask, owner: &[u32], count: usize) -> Vec<f32> {
    let mut edges = vec![(0_u32, 0_u32); count];
    for (cell, own) in owner.iter().enumerate() {
        let Some(edge) = (*own as usize).checked_sub(1).and_then(|room| edges.get_mut(room)) else { continue };
        for next in mask.around(cell).into_iter().filter(|next| owner[*next] != *own) {
            edge.0 += u32::from(mask.is_wall_cell(next));
            edge.1 += 1;
        }
    }
    edges.into_iter().map(|(walls, all)| walls as f32 / all.max(1) as f32).collect()
}

/// Splits shared spaces by a watershed of the distance transform: each room grows from its label, first where walls are far,
/// so that rooms meet where they are narrow.
fn part(
    mask: &Mask,
    spaces: &[u32],
    parts: &[Part],
    seeds: &[Vec<usize>],
    of_space: &HashMap<u32, Vec<usize>>,
    shared: &[usize],
    owner: &mut [u32],
) {
    let outside = seeds.len() as u32 + 1;
    let distance = mask.distances();
    let most = distance.iter().copied().max().unwrap_or(0) as usize;
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); most + 1];
    let mut wanted = vec![false; parts.len() + 1];
    let mut peaks: HashMap<u32, u16> = HashMap::new();
    for &space in shared {
        wanted[space] = true;
        for &label in of_space.get(&(space as u32)).into_iter().flatten() {
            for &cell in seeds[label].iter().filter(|cell| spaces.get(**cell) == Some(&(space as u32))) {
                if owner[cell] == 0 {
                    owner[cell] = label as u32 + 1;
                    waiting[distance[cell] as usize].push(cell);
                }
            }
        }
    }
    // The outside grows from the sheet's edge.
    let edge = (0..mask.wide)
        .flat_map(|column| [column, (mask.high - 1) * mask.wide + column])
        .chain((0..mask.high).flat_map(|row| [row * mask.wide, row * mask.wide + mask.wide - 1]));
    for cell in edge {
        if wanted[spaces[cell] as usize] && owner[cell] == 0 {
            owner[cell] = outside;
            waiting[distance[cell] as usize].push(cell);
        }
    }
    let mut saddles: HashMap<(u32, u32), u16> = HashMap::new();
    let mut level = most;
    loop {
        let Some(cell) = waiting[level].pop() else {
            if level == 0 {
                break;
            }
            level -= 1;
            continue;
        };
        let own = owner[cell];
        let peak = peaks.entry(own).or_default();
        *peak = (*peak).max(distance[cell]);
        for next in mask.around(cell) {
            if !wanted[spaces[next] as usize] || spaces[next] != spaces[cell] {
                continue;
            }
            let other = owner[next];
            if other == 0 {
                owner[next] = own;
                // What lies deeper is reached from here at once: no cell waits above the level.
                let at = (distance[next] as usize).min(most);
                waiting[at].push(next);
                level = level.max(at);
            } else if other != own {
                let saddle = distance[cell].min(distance[next]);
                let entry = saddles.entry((own.min(other), own.max(other))).or_default();
                *entry = (*entry).max(saddle);
            }
        }
    }
    // What opens widely to the outside is outside.
    let open: Vec<u32> = saddles
        .iter()
        .filter(|((_, other), _)| *other == outside)
        .filter(|((label, _), saddle)| {
            let peak = peaks.get(label).copied().unwrap_or(0);
            f32::from(**saddle) > NECK * f32::from(peak)
        })
        .map(|((label, _), _)| *label)
        .collect();
    let mut closed = vec![true; seeds.len() + 2];
    for label in open {
        closed[label as usize] = false;
    }
    closed[outside as usize] = false;
    for cell in owner.iter_mut() {
        if !closed.get(*cell as usize).copied().unwrap_or_default() {
            *cell = 0;
        }
    }
}
