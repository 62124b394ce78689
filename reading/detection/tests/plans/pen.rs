//! Pages of a few lines, drawn for tests.

use fanlight_contract::{Font, Geometry, PagePaths, PageText, PathStyle, Rect, TextRun};
use fanlight_detection::symbols::Plan;

/// A place, in points.
pub(crate) type Place = (f32, f32);

/// A page of lines.
pub(crate) struct Page {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) paths: PagePaths,
    /// The page's scale note.
    pub(crate) note: &'static str,
}

impl Page {
    pub(crate) fn new(width: f32, height: f32) -> Self {
        let style =
            |width: f32| PathStyle { stroke: Some(0), fill: None, opacity: 1.0, width, dash: Vec::new(), layer: None };
        let paths = PagePaths {
            ops: Vec::new(),
            coordinates: Vec::new(),
            lengths: Vec::new(),
            style_of: Vec::new(),
            styles: vec![style(0.7), style(0.35)],
            layers: Vec::new(),
        };
        Self { width, height, paths, note: "" }
    }

    /// Draws a polyline as one path.
    pub(crate) fn line(&mut self, places: &[Place]) {
        for (index, place) in places.iter().enumerate() {
            self.paths.ops.push(u8::from(index > 0));
            self.paths.coordinates.extend([place.0, place.1]);
        }
        self.end(places.len());
    }

    /// Draws a Bézier curve.
    pub(crate) fn curve(&mut self, places: [Place; 4]) {
        self.paths.ops.extend([0, 2]);
        self.paths.coordinates.extend(places.iter().flat_map(|place| [place.0, place.1]));
        self.end(2);
    }

    fn end(&mut self, ops: usize) {
        self.paths.lengths.push(ops as u32);
        self.paths.style_of.push(1);
    }

    pub(crate) fn plan(&self) -> Plan {
        let sheet = Rect { x1: 0.0, y1: 0.0, x2: self.width, y2: self.height };
        let geometry = Geometry { media_box: sheet, crop_box: sheet, rotation: 0, user_unit: 1.0 };
        let note = TextRun {
            text: self.note.to_owned(),
            lengths: vec![1; self.note.len()],
            advances: vec![4.0; self.note.len()],
            codes: self.note.chars().map(u32::from).collect(),
            x: 10.0,
            y: 10.0,
            size: 8.0,
            angle: 0.0,
            bbox: Rect { x1: 10.0, y1: 8.0, x2: 40.0, y2: 18.0 },
            font: 0,
            color: 0,
            visible: true,
        };
        let font = Font { name: "Sans".to_owned(), bold: false, italic: false };
        Plan::read(&self.paths, &PageText { fonts: vec![font], runs: vec![note] }, &geometry)
    }
}
