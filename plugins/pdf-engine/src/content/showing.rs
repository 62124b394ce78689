//! Operators that position and show text.

use std::rc::Rc;

use hayro::hayro_syntax::content::ops::TypedInstruction as Op;
use hayro::hayro_syntax::object::{Name, Object};
use hayro::kurbo::Affine;

use super::clip::Visible;
use super::{Collector, Scope, Shown, ShownGlyph, Walk};
use crate::font::TextFont;
use crate::path::Path;

/// Height of capitals, as a share of the font's size.
const CAPITAL: f64 = 0.7;

impl<'a, C: Collector<'a>> Walk<'_, 'a, C> {
    /// Executes an operator that sets the text state or shows text.
    pub(super) fn text_operator(&mut self, operator: &Op<'_, '_>, scope: &Scope<'a>) {
        let text = &mut self.state.text;
        match operator {
            Op::BeginText(_) => {
                text.matrix = Affine::IDENTITY;
                text.line_matrix = Affine::IDENTITY;
            }
            Op::SetTextMatrix(m) => {
                let matrix = Affine::new([m.0, m.1, m.2, m.3, m.4, m.5].map(|number| number.as_f64()));
                text.matrix = matrix;
                text.line_matrix = matrix;
            }
            Op::NextLine(by) => self.next_line(by.0.as_f64(), by.1.as_f64()),
            Op::NextLineAndSetLeading(by) => {
                text.leading = -by.1.as_f64();
                self.next_line(by.0.as_f64(), by.1.as_f64());
            }
            Op::NextLineUsingLeading(_) => self.next_line(0.0, -self.state.text.leading),
            Op::TextFont(font) => {
                text.size = font.1.as_f64();
                self.set_font(font.0, scope);
            }
            Op::CharacterSpacing(spacing) => text.character_spacing = spacing.0.as_f64(),
            Op::WordSpacing(spacing) => text.word_spacing = spacing.0.as_f64(),
            Op::HorizontalScaling(percent) => text.scale = percent.0.as_f64() / 100.0,
            Op::TextLeading(leading) => text.leading = leading.0.as_f64(),
            Op::TextRise(rise) => text.rise = rise.0.as_f64(),
            Op::TextRenderingMode(mode) => text.mode = mode.0.as_i64(),
            Op::ShowText(string) => self.show([Object::String(string.0.clone())]),
            Op::ShowTexts(items) => self.show(items.0.iter::<Object<'_>>()),
            Op::NextLineAndShowText(string) => {
                self.next_line(0.0, -self.state.text.leading);
                self.show([Object::String(string.0.clone())]);
            }
            Op::ShowTextWithParameters(show) => {
                text.word_spacing = show.0.as_f64();
                text.character_spacing = show.1.as_f64();
                self.next_line(0.0, -self.state.text.leading);
                self.show([Object::String(show.2.clone())]);
            }
            _ => {}
        }
    }

    /// Moves to the beginning of a line at (x, y) from the beginning of the current one.
    fn next_line(&mut self, x: f64, y: f64) {
        let text = &mut self.state.text;
        text.line_matrix *= Affine::translate((x, y));
        text.matrix = text.line_matrix;
    }

    fn set_font(&mut self, name: &Name<'_>, scope: &Scope<'a>) {
        let known = scope.fonts.borrow().get(name.as_ref()).cloned();
        self.state.text.font = known.unwrap_or_else(|| {
            let font = scope.resources.get_font(name).and_then(|dict| self.caches.font(&dict));
            scope.fonts.borrow_mut().insert(name.to_vec(), font.clone());
            font
        });
    }

    /// Shows strings and gaps (operator `TJ`), reports them as one run and moves the text position behind them. A number
    /// is a gap: it moves the pen back by thousandths of an em.
    fn show<'s>(&mut self, items: impl IntoIterator<Item = Object<'s>>) {
        let Some(font) = self.state.text.font.clone().or_else(|| self.caches.fallback_font()) else { return };
        self.glyphs.clear();
        self.pen = 0.0;
        for item in items {
            match item {
                Object::String(codes) => self.append(&font, codes.as_bytes()),
                Object::Number(thousandths) => {
                    let text = &self.state.text;
                    let scale = if font.horizontal { text.scale } else { 1.0 };
                    self.pen -= thousandths.as_f64() / 1000.0 * text.size * scale;
                }
                _ => {}
            }
        }
        if !self.glyphs.is_empty() && self.marks.is_visible() {
            self.report_run(&font);
        }
        let moved = if font.horizontal { (self.pen, 0.0) } else { (0.0, self.pen) };
        self.state.text.matrix *= Affine::translate(moved);
    }

    /// Appends the glyphs of a string to the run (ISO 32000-2, 9.4.4).
    fn append(&mut self, font: &TextFont<'a>, codes: &[u8]) {
        let text = &self.state.text;
        let scale = if font.horizontal { text.scale } else { 1.0 };
        let mut offset = 0;
        while offset < codes.len() {
            let (code, length) = font.read_code(codes, offset);
            offset += length.max(1);
            let glyph = font.glyph(code);
            let own = glyph.advance * text.size * scale;
            let word_spacing = if code == 32 && length == 1 { text.word_spacing } else { 0.0 };
            self.glyphs.push(ShownGlyph { code, glyph, pen: self.pen, advance: own });
            self.pen += own + (text.character_spacing + word_spacing) * scale;
        }
    }

    /// Reports the glyphs that an operator shows, unless it paints them outside the clip.
    fn report_run(&mut self, font: &Rc<TextFont<'a>>) {
        // Rendering modes 3 and 7 paint nothing (ISO 32000-2, table 104).
        let is_painted = !matches!(self.state.text.mode, 3 | 7);
        if is_painted && self.is_clipped_away(font) {
            return;
        }
        let text = &self.state.text;
        let color = self.state.fill.color.rgb(&mut self.colors).unwrap_or(0);
        self.collector.show(&Shown {
            font,
            glyphs: &self.glyphs,
            to_page: self.state.to_page * text.matrix,
            font_size: text.size,
            scale: text.scale,
            rise: text.rise,
            color,
            visible: is_painted,
        });
    }

    /// Returns whether the clip hides all glyphs of a horizontal run, each as high as a capital.
    fn is_clipped_away(&mut self, font: &TextFont<'a>) -> bool {
        let text = &self.state.text;
        let (Some(first), Some(last)) = (self.glyphs.first(), self.glyphs.last()) else { return false };
        if !font.horizontal {
            return false;
        }
        let mut run = Path::default();
        let width = last.pen + last.advance - first.pen;
        run.rect([first.pen, text.rise, width, CAPITAL * text.size], self.state.to_page * text.matrix);
        matches!(self.state.clip.visible(&run, 0.0, &mut self.comparisons_left), Visible::Nothing)
    }
}
