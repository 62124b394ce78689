//! Assigns texts to the labels of their cells.
//!
//! The rules between cells are not read: a cell extends from its label to the next one below and to
//! the right. Whether labels are above, below or before their values is decided by values that can
//! be recognised: scales, numbers, titles. A single cell may differ from the set.

use crate::drawing_type;
use crate::labels::{self, Label};
use crate::number;
use crate::sheet::{Sheet, Text};

/// Where labels are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabelStyle {
    Over,
    Under,
    Beside,
}

/// A text in its own upright frame.
struct Placed<'t> {
    index: usize,
    text: &'t Text,
    bbox: [f32; 4],
}

/// The labels of a sheet and its other texts, of one direction.
struct Side<'t> {
    labels: Vec<(Label, Placed<'t>)>,
    values: Vec<Placed<'t>>,
}

fn sides(sheet: &Sheet) -> Vec<Side<'_>> {
    (0..4)
        .map(|turn| {
            let mut side = Side { labels: Vec::new(), values: Vec::new() };
            for (index, text) in sheet.texts.iter().enumerate().filter(|(_, text)| text.turn == turn) {
                let placed = Placed { index, text, bbox: text.upright(sheet.width, sheet.height) };
                match labels::read(&text.text) {
                    Some(label) => side.labels.push((label, placed)),
                    None => side.values.push(placed),
                }
            }
            side
        })
        .collect()
}

/// Returns where most labels of the set are.
pub(super) fn style(sheets: &[Sheet]) -> LabelStyle {
    let mut votes = [(LabelStyle::Over, 0_u32), (LabelStyle::Under, 0), (LabelStyle::Beside, 0)];
    for sheet in sheets {
        for side in sides(sheet) {
            for (style, votes) in &mut votes {
                for (at, (label, _)) in side.labels.iter().enumerate() {
                    let value = value(&side, at, *style).map(|(value, _)| value.text.text.as_str());
                    *votes += u32::from(value.is_some_and(|value| suits(*label, value)));
                }
            }
        }
    }
    // The first with the most votes wins: labels above their values are the most common.
    let most = votes.iter().map(|(_, votes)| *votes).max().unwrap_or_default();
    votes.iter().find(|(_, votes)| *votes == most).map_or(LabelStyle::Over, |(style, _)| *style)
}

/// Returns whether a value has the form that a label announces.
fn suits(label: Label, value: &str) -> bool {
    match label {
        Label::Scale => labels::is_scale(value),
        Label::Number => number::read(value).is_some_and(|number| number.likeness >= 0.3),
        Label::Title => drawing_type::names_content(value),
        Label::Date | Label::Project | Label::Other => false,
    }
}

/// Returns for each text of a sheet the label of its cell, if any.
pub(super) fn owners(sheet: &Sheet, style: LabelStyle) -> Vec<Option<Label>> {
    let mut owners: Vec<Option<(f32, Label)>> = vec![None; sheet.texts.len()];
    for side in sides(sheet) {
        for (at, (label, placed)) in side.labels.iter().enumerate() {
            let Some((value, away)) = owned(&side, at, *label, style) else { continue };
            if let Some(owner) = owners.get_mut(value.index)
                && owner.is_none_or(|(nearest, _)| away < nearest)
            {
                *owner = Some((away, announced(*label, &placed.text.text, &value.text.text)));
            }
        }
    }
    owners.into_iter().map(|owner| owner.map(|(_, label)| label)).collect()
}

/// Returns what a label announces if this is its value. The word for a sheet alone precedes its number and its title alike:
/// "ELABORATO 3", "ELABORATO Prospetti", but not "PLAN NO.".
fn announced(label: Label, printed: &str, value: &str) -> Label {
    let may_be_title = label == Label::Number && printed.split_whitespace().count() == 1;
    let is_title = may_be_title && !suits(Label::Number, value) && drawing_type::names_content(value);
    if is_title { Label::Title } else { label }
}

/// Returns the value of a label: of the texts beside it, below it or where the set's labels have theirs, the one with the form
/// that the label announces. Without such a form, it is the one of the set's style, then a text on one line with the label. A
/// title may also be below its label among labels that are beside their values: it is too long to be beside it.
fn owned<'s, 't>(side: &'s Side<'t>, at: usize, label: Label, style: LabelStyle) -> Option<(&'s Placed<'t>, f32)> {
    let values = [style, LabelStyle::Beside, LabelStyle::Over].map(|style| value(side, at, style));
    let suited = values.iter().flatten().find(|(value, _)| suits(label, &value.text.text)).copied();
    let [usual, beside, below] = values;
    suited.or(usual).or(beside).or(below.filter(|_| label == Label::Title))
}

/// The greatest width of a cell without a neighbour, in em of its label.
const WIDEST: f32 = 60.0;
/// The greatest height of a cell without a neighbour, in em of its label.
const DEEPEST: f32 = 16.0;

/// The cell of a label. It extends to the next labels on its right, below it and above it.
struct Cell {
    label: [f32; 4],
    /// The em of the label in points.
    em: f32,
    right: f32,
    floor: f32,
    ceiling: f32,
}

impl Cell {
    fn new(label: &Placed<'_>, others: &[[f32; 4]]) -> Self {
        let (own, em) = (label.bbox, label.text.size);
        let beside = others.iter().filter(|other| (other[3] - own[3]).abs() < 1.5 * em && other[0] >= own[2]);
        let right = beside.map(|other| other[0]).fold(own[0] + WIDEST * em, f32::min);
        let (floor, ceiling) = (own[3] + DEEPEST * em, own[1] - DEEPEST * em);
        let mut cell = Self { label: own, em, right, floor, ceiling };
        let spanned: Vec<&[f32; 4]> = others.iter().filter(|other| cell.spans(other)).collect();
        let below = spanned.iter().map(|other| other[1]).filter(|top| *top > own[1] + em);
        let above = spanned.iter().map(|other| other[3]).filter(|foot| *foot < own[3] - em);
        cell.floor = below.fold(floor, f32::min);
        cell.ceiling = above.fold(ceiling, f32::max);
        cell
    }

    /// Returns whether a box is above, in or below the cell.
    fn spans(&self, bbox: &[f32; 4]) -> bool {
        bbox[0] < self.right && bbox[2] > self.label[0] - 2.0 * self.em
    }

    /// Returns how far a text is from the label, in points, if it may be the label's value in this style.
    fn distance(&self, value: &Placed<'_>, style: LabelStyle) -> Option<f32> {
        let Self { label, em, .. } = *self;
        let bbox = value.bbox;
        let middle = f32::midpoint(bbox[1], bbox[3]);
        let indent = 0.1 * (bbox[0] - label[0]).abs();
        let (is_value, apart) = match style {
            LabelStyle::Over => {
                let is_below = bbox[3] > label[3] + 0.3 * em && bbox[1] > label[1] && middle < self.floor + 0.2 * em;
                (self.spans(&bbox) && is_below, (bbox[1] - label[3]).max(0.0) + indent)
            }
            LabelStyle::Under => {
                let is_above = bbox[1] < label[1] - 0.3 * em && bbox[3] < label[3] && middle > self.ceiling - 0.2 * em;
                (self.spans(&bbox) && is_above, (label[1] - bbox[3]).max(0.0) + indent)
            }
            LabelStyle::Beside => {
                let on_line = (middle - f32::midpoint(label[1], label[3])).abs() < 0.6 * value.text.size.max(em);
                (on_line && bbox[0] >= label[2] - 0.3 * em && bbox[0] < self.right, bbox[0] - label[2])
            }
        };
        is_value.then_some(apart)
    }
}

/// Returns the value of a label, the closest text of its cell, with its distance.
fn value<'s, 't>(side: &'s Side<'t>, at: usize, style: LabelStyle) -> Option<(&'s Placed<'t>, f32)> {
    let (_, label) = side.labels.get(at)?;
    let others = side.labels.iter().enumerate().filter(|(index, _)| *index != at);
    let others: Vec<[f32; 4]> = others.map(|(_, (_, placed))| placed.bbox).collect();
    let cell = Cell::new(label, &others);
    let values = side.values.iter().filter_map(|value| Some((value, cell.distance(value, style)?)));
    values.min_by(|a, b| a.1.total_cmp(&b.1))
}
