//! Which of what is drawn belongs to which title: the views of a sheet.

use fanlight_contract::Rect;
use fanlight_geometry::{Component, EMPTY_RECT, ForegroundMask, Frame, Line, Lines, RectExt as _, Segment};
use fanlight_sheet::parts::{Phrases, Title};

/// A drawn view.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// What is drawn of it with its dimensions, in the frame.
    pub(crate) bbox: Rect,
    /// Index of its title; none where the sheet has no titles.
    pub(crate) title: Option<usize>,
}

/// Where titles stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Below,
    Above,
    Beside,
}

/// Foreground that is at most this many cells apart belongs to one connected component.
const REACH: usize = 3;
/// What belongs to a view is no further from the rest of it than so many cells: dimensions stand off by a quarter of
/// an inch or so.
const APART: f32 = 12.0;
/// A view's main part has at least this extent, as a share of the sheet's longer side.
const SMALLEST: f32 = 0.016;
/// A title is no further from its view than this share of the sheet's longer side.
const FURTHEST: f32 = 0.12;
/// Letters are no larger than this share of the sheet's longer side.
const LETTER: f32 = 0.006;
/// Maximum number of connected components that are looked at, the largest first. A sheet has some hundreds.
const MAX_COMPONENTS: usize = 20_000;

/// What is known of a sheet's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lettering {
    /// The sheet has its text.
    Set,
    /// Text is drawn as lines.
    Drawn,
    /// Text was taken out of a scan; of titles some may be missing.
    Scanned,
}

/// Parts what is drawn into views. On a scan what belongs to no title is a view as well.
pub(crate) fn split(
    segments: &[Segment],
    lines: &Lines,
    phrases: &Phrases,
    titles: &[Title],
    lettering: Lettering,
    frame: &Frame,
) -> Vec<View> {
    let mut mask = ForegroundMask::new(frame);
    let cell = mask.cell;
    let long = frame.width.max(frame.height);
    let bands: Vec<Rect> = titles.iter().map(|title| title.bbox.expanded(4.0 * cell, 2.0 * cell)).collect();
    let boxes = boxes(titles, lines);
    let kept = Kept::new(&bands, &boxes, phrases, frame);
    if lettering == Lettering::Drawn {
        let letters = letters(segments, LETTER * long);
        mask.draw(segments.iter().zip(letters).filter(|(_, letter)| !letter).map(|(segment, _)| segment));
    } else {
        mask.draw(segments.iter().filter(|segment| kept.keeps(segment)));
    }
    for phrase in phrases.all.iter().filter(|phrase| phrase.is_dimension()) {
        let bbox = phrase.bbox;
        let known = |band: &Rect| {
            overlap(bbox.x1, bbox.x2, band.x1, band.x2) > 0.0 && overlap(bbox.y1, bbox.y2, band.y1, band.y2) > 0.0
        };
        let inside = bbox.x1 >= 0.0 && bbox.y1 >= 0.0 && bbox.x2 <= frame.width && bbox.y2 <= frame.height;
        if inside && !bands.iter().any(known) {
            mask.fill(bbox);
        }
    }
    let mut components = mask.components(REACH);
    components.sort_by(|a, b| b.bbox.area().total_cmp(&a.bbox.area()));
    components.truncate(MAX_COMPONENTS);
    if titles.is_empty() {
        return untitled(components, cell, SMALLEST * long);
    }
    // What the frame around a title holds, or a line between two views joins, is parted at the titles.
    for title in titles {
        components = across(components, &mask, title, long);
    }
    let least = SMALLEST * long;
    let place = place(&components, titles, least, FURTHEST * long);
    if place != Place::Beside {
        components = side_by_side(components, &mask, titles, place, FURTHEST * long);
    }
    let mut parts: Vec<Vec<Rect>> = vec![Vec::new(); titles.len()];
    for component in &components {
        if let Some(title) = nearest(component.bbox, titles, &boxes, place, long) {
            parts[title].push(component.bbox);
        }
    }
    let titled = parts.into_iter().enumerate().filter_map(|(title, parts)| {
        let bbox = whole(parts, APART * cell)?;
        let enough = (bbox.x2 - bbox.x1).min(bbox.y2 - bbox.y1) >= least;
        enough.then_some(View { bbox, title: Some(title) })
    });
    let mut views: Vec<View> = titled.collect();
    if lettering == Lettering::Scanned {
        let is_rest = |component: &Component| {
            let own = component.bbox;
            let (x, y) = (f32::midpoint(own.x1, own.x2), f32::midpoint(own.y1, own.y2));
            !views.iter().any(|view| view.bbox.contains_point(x, y))
        };
        let rest = components.into_iter().filter(is_rest).collect();
        views.extend(untitled(rest, cell, least));
    }
    views
}

/// Which segments are of paths that are no higher than a letter: a glyph, or a line of them in one path.
fn letters(segments: &[Segment], size: f32) -> Vec<bool> {
    let mut letters = Vec::with_capacity(segments.len());
    for path in segments.chunk_by(|a, b| a.path == b.path) {
        let mut bbox = EMPTY_RECT;
        let mut length = 0.0;
        for segment in path {
            for (x, y) in [segment.from, segment.to] {
                bbox = bbox.union(&Rect { x1: x, y1: y, x2: x, y2: y });
            }
            length += segment.length();
        }
        let (wide, high) = (bbox.x2 - bbox.x1, bbox.y2 - bbox.y1);
        let (long, low) = (wide.max(high), wide.min(high));
        // A line of letters has strokes all along.
        let letter = long <= size || (low <= size && low > 0.0 && length >= 2.5 * long);
        letters.extend(std::iter::repeat_n(letter, path.len()));
    }
    letters
}

/// Returns the length that two intervals have in common; negative where they are apart.
fn overlap(a1: f32, a2: f32, b1: f32, b2: f32) -> f32 {
    a2.min(b2) - a1.max(b1)
}

/// Which segments are drawn into the grid: no titles, no frames around views, no leaders of notes.
struct Kept<'a> {
    bands: &'a [Rect],
    boxes: &'a [Option<Rect>],
    /// Cells near the ends of notes, where leaders end.
    ends: Vec<bool>,
    wide: usize,
    side: f32,
}

/// A level line as long as so many of those cells is no leader.
const LEADER: f32 = 20.0;
/// Side of the cells that leaders' ends are looked for in, as a share of the sheet's longer side.
const END_CELL: f32 = 1.0 / 400.0;

impl<'a> Kept<'a> {
    fn new(bands: &'a [Rect], boxes: &'a [Option<Rect>], phrases: &Phrases, frame: &Frame) -> Self {
        let side = frame.width.max(frame.height) * END_CELL;
        let wide = (frame.width / side) as usize + 1;
        let high = (frame.height / side) as usize + 1;
        let mut kept = Self { bands, boxes, ends: vec![false; wide * high], wide, side };
        for phrase in phrases.all.iter().filter(|phrase| phrase.upright && phrase.is_note()) {
            let bbox = phrase.bbox.expanded(1.0 * phrase.size, 0.2 * phrase.size);
            if bbox.x1 < 0.0 || bbox.y1 < 0.0 || bbox.x2 > frame.width || bbox.y2 > frame.height {
                continue;
            }
            for row in (bbox.y1 / side) as usize..=(bbox.y2 / side) as usize {
                for column in (bbox.x1 / side) as usize..=(bbox.x2 / side) as usize {
                    if let Some(end) = kept.ends.get_mut(row * wide + column) {
                        *end = true;
                    }
                }
            }
        }
        kept
    }

    fn at_note(&self, (x, y): (f32, f32)) -> bool {
        let (column, row) = ((x / self.side) as usize, (y / self.side) as usize);
        column < self.wide && self.ends.get(row * self.wide + column).copied().unwrap_or_default()
    }

    fn keeps(&self, segment: &Segment) -> bool {
        let (from, to) = (segment.from, segment.to);
        let both = |r: &Rect| r.contains_point(from.0, from.1) && r.contains_point(to.0, to.1);
        if self.bands.iter().any(both) {
            return false;
        }
        let on_frame = |r: &Rect| {
            let near = |a: f32, b: f32| (a - b).abs() <= 1.0;
            (segment.is_horizontal()
                && (near(from.1, r.y1) || near(from.1, r.y2))
                && overlap(from.0.min(to.0), from.0.max(to.0), r.x1, r.x2) > 0.0)
                || (segment.is_vertical()
                    && (near(from.0, r.x1) || near(from.0, r.x2))
                    && overlap(from.1.min(to.1), from.1.max(to.1), r.y1, r.y2) > 0.0)
        };
        if self.boxes.iter().flatten().any(on_frame) {
            return false;
        }
        // A leader ends at a note, and is no wall: it slants, or is short.
        let wall = segment.is_vertical() || (segment.is_horizontal() && segment.length() >= LEADER * self.side);
        wall || self.at_note(from) == self.at_note(to)
    }
}

/// The ruled box around each title that holds its view as well, and no other title.
fn boxes(titles: &[Title], lines: &Lines) -> Vec<Option<Rect>> {
    let alone = |r: &Rect| {
        let inside = |title: &&Title| {
            let t = title.bbox;
            r.contains_point(f32::midpoint(t.x1, t.x2), f32::midpoint(t.y1, t.y2))
        };
        titles.iter().filter(inside).count() == 1
    };
    titles.iter().map(|title| ruled_box(title.bbox, lines).filter(alone)).collect()
}

/// The smallest closed box of lines around a title, where it is roomy.
fn ruled_box(title: Rect, lines: &Lines) -> Option<Rect> {
    let beside = |line: &&Line| line.from <= title.y1 - 1.0 && line.to >= title.y2 + 1.0;
    let left = lines.vertical.iter().filter(|line| line.at < title.x1).rev().find(beside)?;
    let right = lines.vertical.iter().filter(|line| line.at > title.x2).find(beside)?;
    let wide = right.at - left.at;
    let runs = |line: &&Line| line.within(left.at, right.at) >= 0.97 * wide;
    let above = lines.horizontal.iter().rev().filter(|line| line.at < title.y1).find(runs)?.at;
    let below = lines.horizontal.iter().filter(|line| line.at > title.y2).find(runs)?.at;
    let closed = [left, right].iter().all(|line| line.from <= above + 2.0 && line.to >= below - 2.0);
    // A box around the title alone is part of the title.
    let roomy = below - above > 4.0 * (title.y2 - title.y1);
    (closed && roomy).then_some(Rect { x1: left.at, y1: above, x2: right.at, y2: below })
}

/// Parts components that reach past a title on both sides, where it stands in their extent.
fn across(components: Vec<Component>, mask: &ForegroundMask, title: &Title, long: f32) -> Vec<Component> {
    let band = title.bbox;
    let middle = f32::midpoint(band.y1, band.y2);
    let mut parted = Vec::with_capacity(components.len());
    for component in components {
        let own = component.bbox;
        let beside = overlap(own.x1, own.x2, band.x1, band.x2) > 0.0;
        let past = own.y1 < band.y1 - 0.01 * long && own.y2 > band.y2 + 0.01 * long;
        if beside && past {
            parted.extend(component.split_at_y(mask, middle).into_iter().flatten());
        } else {
            parted.push(component);
        }
    }
    parted
}

/// Where titles stand on this sheet: where the most large components and titles find each other.
fn place(components: &[Component], titles: &[Title], least: f32, furthest: f32) -> Place {
    let large: Vec<Rect> = components
        .iter()
        .map(|component| component.bbox)
        .filter(|bbox| (bbox.x2 - bbox.x1).min(bbox.y2 - bbox.y1) >= 2.0 * least)
        .take(400)
        .collect();
    let score = |place: Place| {
        let mut sum = 0.0;
        for title in titles {
            let best = large
                .iter()
                .filter_map(|bbox| distance(*bbox, title.bbox, place))
                .filter(|away| *away <= furthest)
                .fold(f32::MAX, f32::min);
            if best < f32::MAX {
                sum += 1.0 - 0.5 * best / furthest;
            }
        }
        for bbox in &large {
            let found = titles.iter().filter_map(|title| distance(*bbox, title.bbox, place)).fold(f32::MAX, f32::min);
            if found <= furthest {
                sum += 1.0 - 0.5 * found / furthest;
            }
        }
        sum
    };
    // Below is the custom: the others must be clearly better.
    let below = score(Place::Below) * 1.1;
    let (above, beside) = (score(Place::Above), score(Place::Beside) * 0.95);
    if below >= above && below >= beside {
        Place::Below
    } else if above >= beside {
        Place::Above
    } else {
        Place::Beside
    }
}

/// How far what is drawn is from a title that stands in a place to it; none where it stands elsewhere.
fn distance(drawn: Rect, title: Rect, place: Place) -> Option<f32> {
    let slack = 0.6 * (title.y2 - title.y1);
    let aside = -overlap(drawn.x1, drawn.x2, title.x1, title.x2);
    match place {
        Place::Below => {
            let gap = title.y1 - drawn.y2;
            (gap >= -slack && aside < 0.0).then_some(gap.max(0.0))
        }
        Place::Above => {
            let gap = drawn.y1 - title.y2;
            (gap >= -slack && aside < 0.0).then_some(gap.max(0.0))
        }
        Place::Beside => {
            let gap = drawn.x1 - title.x2;
            let level = overlap(drawn.y1, drawn.y2, title.y1, title.y2) > 0.0;
            (gap >= -slack && level).then_some(gap.max(0.0))
        }
    }
}

/// Parts components that stand over several titles side by side.
fn side_by_side(
    components: Vec<Component>,
    mask: &ForegroundMask,
    titles: &[Title],
    place: Place,
    furthest: f32,
) -> Vec<Component> {
    let mut parted = Vec::with_capacity(components.len());
    for mut component in components {
        let own = component.bbox;
        let mut row: Vec<Rect> = titles
            .iter()
            .map(|title| title.bbox)
            .filter(|title| distance(own, *title, place).is_some_and(|gap| gap <= 0.5 * furthest))
            .collect();
        row.sort_by(|a, b| a.x1.total_cmp(&b.x1));
        // Titles of other rows stand further off than the nearest of this row.
        let edge = |title: &Rect| if place == Place::Below { title.y1 - own.y2 } else { own.y1 - title.y2 };
        let first = row.iter().map(edge).fold(f32::MAX, f32::min);
        row.retain(|title| edge(title) <= first + 2.0 * (title.y2 - title.y1) + 6.0 * mask.cell);
        for pair in row.windows(2) {
            let [left, right] = pair else { continue };
            let at = component.thinnest_x(
                mask,
                f32::midpoint(left.x1, left.x2),
                f32::midpoint(right.x1, right.x2),
                right.x1 - 4.0 * mask.cell,
            );
            let Some(at) = at else { continue };
            match component.split_at_x(mask, at) {
                [Some(done), Some(rest)] => {
                    parted.push(done);
                    component = rest;
                }
                [Some(only), None] | [None, Some(only)] => component = only,
                [None, None] => return parted,
            }
        }
        parted.push(component);
    }
    parted
}

/// The title that what is drawn belongs to.
fn nearest(drawn: Rect, titles: &[Title], boxes: &[Option<Rect>], place: Place, long: f32) -> Option<usize> {
    let (x, y) = (f32::midpoint(drawn.x1, drawn.x2), f32::midpoint(drawn.y1, drawn.y2));
    // What a ruled box holds belongs to the box's title.
    let boxed = (0..titles.len())
        .filter(|&at| boxes[at].is_some_and(|r| r.contains_point(x, y)))
        .min_by(|&a, &b| boxes[a].map_or(f32::MAX, |r| r.area()).total_cmp(&boxes[b].map_or(f32::MAX, |r| r.area())));
    if boxed.is_some() {
        return boxed;
    }
    let cost = |title: &Title| {
        let t = title.bbox;
        let slack = 0.6 * (t.y2 - t.y1);
        let aside = (-overlap(drawn.x1, drawn.x2, t.x1, t.x2)).max(0.0);
        match place {
            Place::Below | Place::Above => {
                let gap = if place == Place::Below { t.y1 - drawn.y2 } else { drawn.y1 - t.y2 };
                // A view's left end stands over its title's, or its middle over the title's: what lies to the left of
                // the title is rather the view's before.
                (gap >= -slack).then_some(gap.max(0.0) + 2.0 * aside)
            }
            Place::Beside => {
                let gap = drawn.x1 - t.x2;
                let off = (-overlap(drawn.y1, drawn.y2, t.y1, t.y2)).max(0.0);
                (gap >= -slack).then_some(gap.max(0.0) + 2.0 * off)
            }
        }
    };
    let best = titles
        .iter()
        .enumerate()
        .filter_map(|(at, title)| Some((at, cost(title)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))?;
    (best.1 <= 0.5 * long).then_some(best.0)
}

/// The largest part with what is near to it.
fn whole(mut parts: Vec<Rect>, apart: f32) -> Option<Rect> {
    let largest = (0..parts.len()).max_by(|&a, &b| parts[a].area().total_cmp(&parts[b].area()))?;
    let mut bbox = parts.swap_remove(largest);
    loop {
        let around = bbox.expanded(apart, apart);
        let near = |r: &Rect| {
            overlap(around.x1, around.x2, r.x1, r.x2) >= 0.0 && overlap(around.y1, around.y2, r.y1, r.y2) >= 0.0
        };
        let before = parts.len();
        let mut joined = bbox;
        parts.retain(|part| {
            if near(part) {
                joined = joined.union(part);
                return false;
            }
            true
        });
        bbox = joined;
        if parts.len() == before {
            return Some(bbox);
        }
    }
}

/// Views of a sheet without titles: the large components, each with what is near to it.
fn untitled(components: Vec<Component>, cell: f32, least: f32) -> Vec<View> {
    let mut large: Vec<Rect> = Vec::new();
    let mut small: Vec<Rect> = Vec::new();
    for component in components {
        let bbox = component.bbox;
        let middle = (f32::midpoint(bbox.x1, bbox.x2), f32::midpoint(bbox.y1, bbox.y2));
        // The largest come first: what lies in one of them is a part of it.
        if (bbox.x2 - bbox.x1).min(bbox.y2 - bbox.y1) < 2.0 * least {
            small.push(bbox);
        } else if large.len() < MOST_UNTITLED && !large.iter().any(|view| view.contains_point(middle.0, middle.1)) {
            large.push(bbox);
        }
    }
    // Lettering is low: what hangs on a view and is higher is a dimension or a part of it.
    small.retain(|r| r.y2 - r.y1 >= 6.0 * cell);
    large
        .iter()
        .map(|view| {
            let near = |r: &&Rect| {
                overlap(view.x1 - 0.5 * APART * cell, view.x2 + 0.5 * APART * cell, r.x1, r.x2) > 0.0
                    && overlap(view.y1 - 0.5 * APART * cell, view.y2 + 0.5 * APART * cell, r.y1, r.y2) > 0.0
            };
            let bbox = small.iter().filter(near).fold(*view, |sum, r| sum.union(r));
            View { bbox, title: None }
        })
        .collect()
}

/// Views taken of a sheet without titles at most.
const MOST_UNTITLED: usize = 400;
