//! A pen for drawing plans of a few lines.

use fanlight_symbols::Plan;
use fanlight_vocabulary::{Geometry, PagePaths, PageText, PathStyle, Rect};

/// A place, in points.
pub(crate) type Place = (f32, f32);

/// A page of lines.
pub(crate) struct Page {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) paths: PagePaths,
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
        Self { width, height, paths }
    }

    /// A line through places, in one path.
    pub(crate) fn line(&mut self, places: &[Place]) {
        for (index, place) in places.iter().enumerate() {
            self.paths.ops.push(u8::from(index > 0));
            self.paths.coordinates.extend([place.0, place.1]);
        }
        self.end(places.len());
    }

    /// One Bézier curve.
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
        Plan::read(&self.paths, &PageText { fonts: Vec::new(), runs: Vec::new() }, &geometry)
    }
}
