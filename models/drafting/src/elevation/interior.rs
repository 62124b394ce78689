//! Walls of rooms, drawn from inside.

use super::canvas::Canvas;
use super::furnished;
use super::style::{DrawnAt, Outline, Style};
use crate::chance::Chance;

/// What is in front of a wall.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    Kitchen,
    Toilet,
    Lobby,
    Classroom,
    Stair,
    Bare,
}

pub(super) const CONTENTS: [Content; 6] =
    [Content::Kitchen, Content::Toilet, Content::Classroom, Content::Lobby, Content::Bare, Content::Stair];

/// A wall to be drawn. Lengths in inches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    pub(super) content: Content,
    pub(super) wide: f32,
    pub(super) high: f32,
}

impl Wall {
    /// Returns the wall number `index` of a sheet.
    pub(super) fn nth(index: usize, high: f32, chance: &mut Chance) -> Self {
        let content = CONTENTS[(index + chance.between(0, 1) as usize) % CONTENTS.len()];
        let wide = chance.between(6, 17) as f32 * 12.0 + chance.between(0, 11) as f32;
        Self { content, wide, high }
    }
}

/// Draws the wall. The extent of the canvas is what is drawn with its dimensions, without notes.
pub(super) fn draw(canvas: &mut Canvas<'_, '_>, wall: Wall, style: &Style, chance: &mut Chance) {
    let (wide, high) = (wall.wide, wall.high);
    bounds(canvas, wall, style);
    match wall.content {
        _ if style.furnished => furnished::draw(canvas, wide, high, chance),
        Content::Kitchen => kitchen(canvas, wide, high),
        Content::Toilet => toilet(canvas, wide, high),
        Content::Lobby => lobby(canvas, wide, high, chance),
        Content::Classroom => classroom(canvas, wide, high),
        Content::Stair => stair(canvas, wide, high),
        Content::Bare => bare(canvas, wide, high),
    }
    if style.dimensions {
        canvas.dimension_y(0.0, high, 0.0, -22.0, &length(style.scale, high));
        if chance.percent(60) {
            canvas.dimension_x(0.0, wide, high, 18.0, &length(style.scale, wide));
        }
        if chance.percent(50) {
            canvas.dimension_y(0.0, 36.0, wide, 16.0, &length(style.scale, 36.0));
        }
        if chance.percent(40) {
            canvas.dimension_x(0.1 * wide, 0.6 * wide, 0.0, -14.0, &length(style.scale, 0.5 * wide));
        }
    }
    if style.leaders {
        let right = wide * canvas.scale + 24.0;
        let words = style.tongue.words().beside;
        if style.furnished {
            for _ in 0..chance.between(0, 3) {
                let y = chance.between(5, 85) as f32 / 100.0 * high;
                let note = *chance.pick(words);
                canvas.note_left(0.15 * wide, y, 30.0, note);
            }
        }
        canvas.note(0.8 * wide, 0.7 * high, right, words[chance.between(0, words.len() as u32 - 1) as usize]);
        canvas.note(0.9 * wide, 0.3 * high, right, words[chance.between(0, words.len() as u32 - 1) as usize]);
    }
}

/// Returns a length in millimetres at a metric scale, and otherwise in feet and inches.
fn length(scale: DrawnAt, inches: f32) -> String {
    match scale {
        DrawnAt::Fiftieth | DrawnAt::Twentieth => ((inches * 2.54).round() as u32 * 10).to_string(),
        DrawnAt::Quarter | DrawnAt::ThreeEighths | DrawnAt::Half => {
            format!("{}'-{}\"", (inches / 12.0) as u32, inches as u32 % 12)
        }
    }
}

fn bounds(canvas: &mut Canvas<'_, '_>, wall: Wall, style: &Style) {
    let (wide, high) = (wall.wide, wall.high);
    match style.outline {
        Outline::Heavy => {
            canvas.line(0.0, 0.0, wide, 0.0, 1.8);
            canvas.line(wide, 0.0, wide, high, 1.8);
            canvas.line(wide, high, 0.0, high, 1.8);
            canvas.line(0.0, high, 0.0, 0.0, 1.8);
        }
        Outline::Floor => {
            canvas.line(-6.0, 0.0, wide + 6.0, 0.0, 2.2);
            canvas.line(0.0, high, wide, high, 0.4);
            canvas.line(0.0, 0.0, 0.0, high, 0.4);
            canvas.line(wide, 0.0, wide, high, 0.4);
        }
        Outline::Open => canvas.line(-4.0, 0.0, wide + 4.0, 0.0, 1.8),
        Outline::Broken => {
            canvas.line(0.0, 0.0, wide, 0.0, 1.4);
            canvas.line(0.0, high, wide, high, 0.7);
            for x in [0.0, wide] {
                canvas.line(x, 0.0, x, 0.45 * high, 0.3);
                canvas.line(x, 0.45 * high, x - 2.0, 0.48 * high, 0.3);
                canvas.line(x - 2.0, 0.48 * high, x + 2.0, 0.52 * high, 0.3);
                canvas.line(x + 2.0, 0.52 * high, x, 0.55 * high, 0.3);
                canvas.line(x, 0.55 * high, x, high, 0.3);
            }
        }
    }
}

/// Draws a row of cupboards, with the hinges of their doors as dashed lines.
fn cupboards(canvas: &mut Canvas<'_, '_>, [x, y, wide, high]: [f32; 4]) {
    let count = (wide / 18.0).round().max(1.0);
    let each = wide / count;
    for index in 0..count as u32 {
        let left = x + index as f32 * each;
        canvas.rect(left, y, each, high, 0.5);
        let hinge = if index % 2 == 0 { left } else { left + each };
        let free = if index % 2 == 0 { left + each } else { left };
        canvas.dashed(free, y, hinge, y + high / 2.0);
        canvas.dashed(hinge, y + high / 2.0, free, y + high);
    }
}

fn kitchen(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32) {
    cupboards(canvas, [4.0, 4.0, wide - 36.0, 31.0]);
    canvas.rect(4.0, 35.0, wide - 34.0, 1.5, 0.6);
    cupboards(canvas, [4.0, 54.0, wide - 36.0, (high - 66.0).clamp(24.0, 36.0)]);
    canvas.line(0.0, 4.0, wide - 32.0, 4.0, 0.4);
    // The refrigerator.
    canvas.rect(wide - 30.0, 1.0, 28.0, 68.0, 0.6);
    canvas.line(wide - 30.0, 46.0, wide - 2.0, 46.0, 0.4);
    // The tiled splashback.
    for row in 1..5 {
        let y = 36.5 + 3.5 * row as f32;
        canvas.line(4.0, y, wide - 32.0, y, 0.2);
    }
}

fn toilet(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32) {
    let x = 18.0;
    // The bowl and its tank from the front.
    canvas.rect(x - 9.0, 16.0, 18.0, 13.0, 0.5);
    canvas.quarter(x, 15.0, 7.0, 2, 0.5);
    canvas.quarter(x, 15.0, 7.0, 3, 0.5);
    canvas.line(x - 4.0, 0.0, x - 4.0, 9.0, 0.4);
    canvas.line(x + 4.0, 0.0, x + 4.0, 9.0, 0.4);
    // Grab bars, a lavatory with its mirror, and tiles.
    canvas.rect(x - 12.0, 33.0, 36.0, 1.5, 0.5);
    if wide > 66.0 {
        canvas.rect(wide - 28.0, 27.0, 20.0, 7.0, 0.5);
        canvas.rect(wide - 30.0, 40.0, 24.0, 36.0, 0.5);
        canvas.line(wide - 26.0, 48.0, wide - 18.0, 62.0, 0.2);
        canvas.line(wide - 22.0, 46.0, wide - 14.0, 60.0, 0.2);
    }
    let top = 0.55 * high;
    let mut y = 0.0;
    while y < top {
        canvas.line(0.0, y, wide, y, 0.15);
        y += 8.0;
    }
    let mut column = 8.0;
    while column < wide {
        canvas.line(column, 0.0, column, top, 0.15);
        column += 8.0;
    }
}

fn lobby(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32, chance: &mut Chance) {
    let panels = chance.between(3, 6);
    for index in 0..panels {
        let each = wide / panels as f32;
        canvas.rect(index as f32 * each + 2.0, 6.0, each - 4.0, high - 18.0, 0.4);
    }
    canvas.line(0.0, 4.0, wide, 4.0, 0.3);
    canvas.line(0.0, high - 10.0, wide, high - 10.0, 0.3);
    canvas.rect(0.25 * wide, 0.0, 0.5 * wide, 42.0, 0.7);
    canvas.line(0.25 * wide, 38.0, 0.75 * wide, 38.0, 0.4);
}

fn classroom(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32) {
    // The board, the door with its lite, and a base.
    let board = (wide - 52.0).max(20.0);
    canvas.rect(4.0, 34.0, board, 42.0, 0.6);
    canvas.rect(5.5, 35.5, board - 3.0, 39.0, 0.3);
    canvas.rect(wide - 44.0, 0.0, 36.0, 84.0_f32.min(high - 6.0), 0.7);
    canvas.rect(wide - 42.0, 0.0, 32.0, 82.0_f32.min(high - 8.0), 0.4);
    canvas.rect(wide - 18.0, 40.0, 4.0, 30.0, 0.4);
    canvas.circle(wide - 39.0, 38.0, 1.5, 0.4);
    canvas.line(0.0, 4.0, wide - 44.0, 4.0, 0.3);
    canvas.label(wide / 3.0, 54.0, 7.0, "WB-1");
}

fn stair(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32) {
    let steps = ((high - 20.0) / 7.0).min(wide / 11.0) as u32;
    for step in 0..steps {
        let (x, y) = (step as f32 * 11.0, step as f32 * 7.0);
        canvas.line(x, y, x, y + 7.0, 0.5);
        canvas.line(x, y + 7.0, x + 11.0, y + 7.0, 0.5);
        if step % 2 == 0 {
            canvas.line(x + 5.0, y + 7.0, x + 5.0, (y + 40.0).min(high), 0.3);
        }
    }
    let (right, top) = (steps as f32 * 11.0, steps as f32 * 7.0);
    canvas.line(0.0, 34.0, right.min(wide), (top + 34.0).min(high), 0.5);
    canvas.line(0.0, 36.0, right.min(wide), (top + 36.0).min(high), 0.5);
}

fn bare(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32) {
    let window = (0.4 * wide).min(72.0);
    canvas.rect(0.3 * wide, 36.0, window, 40.0, 0.6);
    canvas.rect(0.3 * wide + 2.0, 38.0, window - 4.0, 36.0, 0.3);
    canvas.line(0.3 * wide + window / 2.0, 38.0, 0.3 * wide + window / 2.0, 74.0, 0.3);
    canvas.line(0.0, 4.0, wide, 4.0, 0.3);
    // A soffit across a part of the wall.
    canvas.line(0.6 * wide, high - 14.0, wide, high - 14.0, 0.5);
    canvas.line(0.6 * wide, high - 14.0, 0.6 * wide, high, 0.5);
}
