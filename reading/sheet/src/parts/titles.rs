//! Titles of views: a name with a scale under it, a name that is underlined, a mark with a scale.

use crate::scale::Scale;
use fanlight_contract::Rect;
use fanlight_geometry::{Line, Lines, RectExt as _};

use crate::parts::border::Border;
use crate::parts::phrases::{Phrase, Phrases};
use crate::parts::view_kind::ViewKind;

/// The title of a view, or of anything else on the sheet that has one.
#[derive(Clone, Debug)]
pub struct Title {
    /// Its box in the frame: mark, name, underline and scale.
    pub bbox: Rect,
    /// What its name says is drawn.
    pub kind: ViewKind,
    /// The scale of the view, if it is printed.
    pub scale: Option<Scale>,
    /// Whether a number or letter marks it.
    pub marked: bool,
    /// Whether it is certainly a title: it has a scale, or both a mark and an underline. The name of a room in a plan may have
    /// one of the latter.
    pub sure: bool,
}

/// Maximum number of titles of a sheet.
pub const MAX_TITLES: usize = 300;
/// Minimum size of a name without a scale, as a multiple of the median size of the sheet's text.
const PROMINENT: f32 = 1.2;
/// Maximum number of words of a name. More are a sentence.
const MAX_WORDS: usize = 9;
/// Maximum distance of an underline below a name, in ems.
const MAX_UNDERLINE_GAP: f32 = 1.0;

/// Returns the titles of the views of a sheet, in its frame.
pub fn view_titles(phrases: &Phrases, lines: &Lines, border: &Border) -> Vec<Title> {
    let all: Vec<&Phrase> = phrases.all.iter().filter(|phrase| phrase.upright && inside(phrase, border)).collect();
    let mut taken = vec![false; all.len()];
    let mut titles = Vec::new();
    for index in 0..all.len() {
        if titles.len() >= MAX_TITLES {
            break;
        }
        if taken[index] || all[index].note.is_none() {
            continue;
        }
        if let Some(title) = scaled(index, &all, &mut taken, lines) {
            titles.push(title);
        }
    }
    for index in 0..all.len() {
        if titles.len() >= MAX_TITLES {
            break;
        }
        if !taken[index]
            && let Some(title) = underlined(index, &all, &mut taken, lines, phrases.common_size)
        {
            titles.push(title);
        }
    }
    titles
}

fn inside(phrase: &Phrase, border: &Border) -> bool {
    let (x, y) = phrase.bbox.center();
    border.holds(x, y)
}

/// Returns whether a phrase may name the drawing whose scale a note gives: it is just above the note or beside it, and about as
/// large. `reach` is the note's box, as wide as the line above it.
fn may_name(phrase: &Phrase, note: &Phrase, reach: &Rect) -> bool {
    let size = phrase.size.max(note.size);
    let over = note.bbox.y1 - phrase.bbox.y2;
    let is_level =
        over < 2.2 * size && note.bbox.y2 - phrase.bbox.y1 > 0.0 && phrase.bbox.y2 < note.bbox.y2 + 0.6 * size;
    let is_beside = phrase.bbox.x1 < reach.x2 + note.size && phrase.bbox.x2 > reach.x1 - 5.0 * note.size;
    is_level && is_beside && phrase.note.is_none() && phrase.size >= 0.8 * note.size
}

/// Returns the title that ends with a scale note.
fn scaled(note: usize, all: &[&Phrase], taken: &mut [bool], lines: &Lines) -> Option<Title> {
    let own = all.get(note)?;
    let found = own.note.as_ref()?;
    let mut bbox = own.bbox;
    let mut words = Vec::new();
    let mut members = vec![note];
    if found.is_alone() {
        // A line between the name and its scale may be longer than either.
        let line = underline(own.bbox, 2.0 * own.size, own.size, lines);
        let mut reach = own.bbox;
        if let Some(line) = line {
            (reach.x1, reach.x2) = (reach.x1.min(line.from), reach.x2.max(line.to));
        }
        // The name is the largest text just above the note; a mark is to the left of it.
        let near: Vec<usize> =
            (0..all.len()).filter(|&at| !taken[at] && at != note && may_name(all[at], own, &reach)).collect();
        let telling =
            near.iter().filter(|&&at| letters(all[at]) >= 3 && ViewKind::from_title(&all[at].text).is_telling());
        let short = near.iter().filter(|&&at| all[at].text.split_whitespace().count() <= MAX_WORDS);
        let by_size = |&&a: &&usize, &&b: &&usize| all[a].size.total_cmp(&all[b].size);
        let name = *telling.max_by(by_size).or_else(|| short.max_by(by_size))?;
        if all[name].text.split_whitespace().count() > MAX_WORDS {
            return None;
        }
        words.push(all[name].text.clone());
        bbox = bbox.union(&all[name].bbox);
        members.push(name);
        marks(name, all, taken, &mut bbox, &mut members, &mut words);
        if let Some(Line { at, from, to }) = line {
            bbox = bbox.union(&Rect { x1: from, y1: at, x2: to, y2: at });
        }
    } else {
        if found.rest.split_whitespace().count() > MAX_WORDS {
            return None;
        }
        words.push(found.rest.clone());
        marks(note, all, taken, &mut bbox, &mut members, &mut words);
    }
    let marked = members.len() > if found.is_alone() { 2 } else { 1 };
    for member in members {
        taken[member] = true;
    }
    Some(Title { bbox, kind: ViewKind::from_title(&words.join(" ")), scale: found.scale, marked, sure: true })
}

/// Returns a title without a scale: prominent, and underlined or marked by a number before it.
fn underlined(name: usize, all: &[&Phrase], taken: &mut [bool], lines: &Lines, common: f32) -> Option<Title> {
    let own = all.get(name)?;
    if letters(own) < 3 || own.text.split_whitespace().count() > MAX_WORDS || own.is_dimension() {
        return None;
    }
    let kind = ViewKind::from_title(&own.text);
    if own.size < PROMINENT * common {
        return None;
    }
    let line = underline(own.bbox, 0.3 * own.size, MAX_UNDERLINE_GAP * own.size, lines)
        .filter(|line| line.length() <= 3.0 * (own.bbox.x2 - own.bbox.x1) + 6.0 * own.size);
    let mut bbox = own.bbox;
    let (mut members, mut words) = (vec![name], vec![own.text.clone()]);
    marks(name, all, taken, &mut bbox, &mut members, &mut words);
    let marked = members.len() > 1;
    // The heading of a list has neither underline nor mark; the name of a room in a plan may be underlined.
    let heading = kind == ViewKind::Other;
    let lined = line.is_some() && kind != ViewKind::Room;
    if !(lined || marked || heading) {
        return None;
    }
    if let Some(Line { at, from, to }) = line {
        bbox = bbox.union(&Rect { x1: from, y1: at, x2: to, y2: at });
    }
    for member in members {
        taken[member] = true;
    }
    Some(Title {
        bbox,
        kind: ViewKind::from_title(&words.join(" ")),
        scale: None,
        marked,
        sure: marked && line.is_some(),
    })
}

fn letters(phrase: &Phrase) -> usize {
    phrase.text.chars().filter(|c| c.is_alphabetic()).count()
}

/// Adds what belongs to a name: the mark at its left, the lines of the same name over and under it.
fn marks(
    name: usize,
    all: &[&Phrase],
    taken: &[bool],
    bbox: &mut Rect,
    members: &mut Vec<usize>,
    words: &mut Vec<String>,
) {
    let own = all[name];
    let middle = f32::midpoint(own.bbox.y1, own.bbox.y2);
    for (at, phrase) in all.iter().enumerate() {
        if taken[at] || members.contains(&at) || phrase.note.is_some() {
            continue;
        }
        let large = own.size.max(phrase.size);
        let gap = own.bbox.x1 - phrase.bbox.x2;
        let level = (f32::midpoint(phrase.bbox.y1, phrase.bbox.y2) - middle).abs() <= 1.6 * large;
        let short =
            phrase.text.chars().filter(|c| !c.is_whitespace()).count() <= 7 && !phrase.text.contains(['\'', '"']);
        let mark = level && short && (-0.5 * large..3.5 * large).contains(&gap);
        let same = (phrase.size - own.size).abs() <= 0.05 * own.size;
        let left = (phrase.bbox.x1 - own.bbox.x1).abs() <= own.size;
        let leading = (phrase.bbox.y1 - own.bbox.y1).abs();
        let continued = same && left && leading > 0.5 * own.size && leading <= 1.7 * own.size && own.size > 0.0;
        if mark || (continued && phrase.text.split_whitespace().count() <= 5) {
            *bbox = bbox.union(&phrase.bbox);
            members.push(at);
            if continued && !mark {
                words.push(phrase.text.clone());
            }
        }
    }
}

/// Returns the shortest horizontal line near a text's lower edge, from `above` points over it to `below` under it, that runs
/// along most of it.
fn underline(text: Rect, above: f32, below: f32, lines: &Lines) -> Option<Line> {
    let wide = text.x2 - text.x1;
    lines
        .horizontal_between(text.y2 - above - (text.y2 - text.y1), text.y2 + below)
        .iter()
        .filter(|line| line.at < text.y1 + 0.3 * (text.y2 - text.y1) || line.at > text.y2 - 0.4 * (text.y2 - text.y1))
        .filter(|line| line.within(text.x1, text.x2) >= 0.8 * wide)
        .min_by(|a, b| a.length().total_cmp(&b.length()))
        .copied()
}
