//! Resolves colours. Grey and RGB are read here. Every other space and every pattern is resolved by
//! hayro, which interprets a content stream of one rectangle in that colour.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;

use hayro::hayro_interpret::font::GlyphRun;
use hayro::hayro_interpret::pattern::{Pattern, ShadingPattern};
use hayro::hayro_interpret::shading::ShadingType;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, Paint, SoftMask, interpret,
};
use hayro::hayro_syntax::content::TypedIter;
use hayro::hayro_syntax::page::Resources;
use hayro::kurbo::{Affine, BezPath, Point, Rect, Shape};

use crate::content::Caches;

/// A colour space, as far as this module distinguishes them.
#[derive(Clone)]
pub(crate) enum Space<'a> {
    Grey,
    Rgb,
    Cmyk,
    Named(Rc<NamedSpace<'a>>),
}

/// A colour space by its name in the resources of a content stream.
pub(crate) struct NamedSpace<'a> {
    name: Vec<u8>,
    resources: Rc<Resources<'a>>,
}

impl<'a> Space<'a> {
    /// Returns the space that the operand of `cs` or `CS` names.
    pub(crate) fn named(name: &[u8], resources: &Rc<Resources<'a>>) -> Self {
        match name {
            b"DeviceGray" | b"G" => Self::Grey,
            b"DeviceRGB" | b"RGB" => Self::Rgb,
            b"DeviceCMYK" | b"CMYK" => Self::Cmyk,
            _ => Self::Named(Rc::new(NamedSpace { name: name.to_vec(), resources: Rc::clone(resources) })),
        }
    }
}

/// What a fill or stroke is painted with.
#[derive(Clone)]
pub(crate) enum Color<'a> {
    /// 0xRRGGBB.
    Rgb(u32),
    /// To be resolved by hayro.
    Unresolved(Rc<Unresolved<'a>>),
}

pub(crate) struct Unresolved<'a> {
    space: Space<'a>,
    resources: Rc<Resources<'a>>,
    components: Vec<f32>,
    pattern: Option<Vec<u8>>,
    rgb: OnceCell<Option<u32>>,
}

impl<'a> Color<'a> {
    /// Creates a colour from its components; without components, the initial colour of the space.
    /// The pattern is looked up in `resources`.
    pub(crate) fn new(
        space: &Space<'a>,
        components: &[f32],
        pattern: Option<&[u8]>,
        resources: &Rc<Resources<'a>>,
    ) -> Self {
        match (space, components) {
            (Space::Grey | Space::Rgb, []) => Self::Rgb(0),
            (Space::Grey, &[grey, ..]) => Self::Rgb(rgb([grey; 3])),
            (Space::Rgb, &[red, green, blue, ..]) => Self::Rgb(rgb([red, green, blue])),
            _ => Self::Unresolved(Rc::new(Unresolved {
                space: space.clone(),
                resources: Rc::clone(resources),
                components: components.to_vec(),
                pattern: pattern.map(<[u8]>::to_vec),
                rgb: OnceCell::new(),
            })),
        }
    }

    /// Returns the colour as 0xRRGGBB; `None` if nothing would be painted.
    pub(crate) fn rgb(&self, colors: &mut Colors<'_, 'a>) -> Option<u32> {
        match self {
            Self::Rgb(rgb) => Some(*rgb),
            Self::Unresolved(unresolved) => *unresolved.rgb.get_or_init(|| colors.resolve(unresolved)),
        }
    }
}

/// The colours of a page that hayro has resolved.
pub(crate) struct Colors<'w, 'a> {
    caches: &'w Caches<'a>,
    resolved: HashMap<(usize, Vec<u8>), Option<u32>>,
}

impl<'w, 'a> Colors<'w, 'a> {
    pub(crate) fn new(caches: &'w Caches<'a>) -> Self {
        Self { caches, resolved: HashMap::new() }
    }

    fn resolve(&mut self, unresolved: &Unresolved<'a>) -> Option<u32> {
        let resources = match &unresolved.space {
            // A name means what it meant where the space was set, so the resources are the space's
            // own.
            Space::Named(space) if unresolved.pattern.is_none() => &space.resources,
            _ => &unresolved.resources,
        };
        let content = unresolved.content();
        let key = (Rc::as_ptr(resources) as usize, content);
        if let Some(rgb) = self.resolved.get(&key) {
            return *rgb;
        }
        let rgb = swatch(&key.1, resources, self.caches);
        self.resolved.insert(key, rgb);
        rgb
    }
}

impl Unresolved<'_> {
    /// Returns a content stream that fills the unit square with the colour.
    fn content(&self) -> Vec<u8> {
        let mut content = String::new();
        let name = match &self.space {
            Space::Grey => b"DeviceGray".as_slice(),
            Space::Rgb => b"DeviceRGB",
            Space::Cmyk => b"DeviceCMYK",
            Space::Named(space) => &space.name,
        };
        write_name(&mut content, name);
        content.push_str(" cs ");
        for component in &self.components {
            // Writing to a string cannot fail. A component that is not finite counts as 0.
            let _ = write!(content, "{} ", if component.is_finite() { *component } else { 0.0 });
        }
        match &self.pattern {
            Some(pattern) => {
                write_name(&mut content, pattern);
                content.push_str(" scn ");
            }
            None if !self.components.is_empty() => content.push_str("sc "),
            None => {}
        }
        content.push_str("0 0 1 1 re f");
        content.into_bytes()
    }
}

/// Writes a name with every byte escaped (ISO 32000-2, 7.3.5).
fn write_name(content: &mut String, name: &[u8]) {
    content.push('/');
    for byte in name {
        let _ = write!(content, "#{byte:02X}");
    }
}

/// Returns the mean colour that a content stream paints; `None` if it paints nothing.
fn swatch<'a>(content: &[u8], resources: &Resources<'a>, caches: &Caches<'a>) -> Option<u32> {
    let square = Rect::new(0.0, 0.0, 1.0, 1.0);
    let mut context = Context::new(Affine::IDENTITY, square, &caches.interpreter, caches.xref, caches.settings.clone());
    let mut swatch = Swatch::default();
    interpret(TypedIter::new(content), resources, &mut context, &mut swatch);
    swatch.mean().map(rgb)
}

fn rgb(components: [f32; 3]) -> u32 {
    let [red, green, blue] = components.map(|component| (component.clamp(0.0, 1.0) * 255.0 + 0.5) as u32);
    red << 16 | green << 8 | blue
}

/// A device that averages colours, weighted by the area that they cover.
#[derive(Default)]
struct Swatch {
    sum: [f64; 3],
    area: f64,
    /// Whether it is the cell of a pattern.
    is_cell: bool,
}

impl Swatch {
    /// Returns the mean of the components red, green and blue; `None` if nothing is painted.
    fn mean(&self) -> Option<[f32; 3]> {
        (self.area > 0.0).then(|| self.sum.map(|sum| (sum / self.area) as f32))
    }

    fn add(&mut self, [red, green, blue, opacity]: [f32; 4], area: f64) {
        let weight = area * f64::from(opacity);
        if !(weight > 0.0 && weight.is_finite()) {
            return;
        }
        for (sum, component) in self.sum.iter_mut().zip([red, green, blue]) {
            *sum += f64::from(component) * weight;
        }
        self.area += weight;
    }

    fn add_paint(&mut self, paint: &Paint<'_>, area: f64) {
        match paint {
            Paint::Color(color) => self.add(color.to_rgba().components(), area),
            Paint::Pattern(pattern) => match pattern.as_ref() {
                Pattern::Shading(shading) => self.add_shading(shading, area),
                // Patterns within the cell of a pattern are left out: they could refer to each
                // other in a cycle.
                Pattern::Tiling(tiling) if !self.is_cell => {
                    let mut cell = Self { is_cell: true, ..Self::default() };
                    tiling.interpret(&mut cell, Affine::IDENTITY, false);
                    if let Some([red, green, blue]) = cell.mean() {
                        self.add([red, green, blue, tiling.opacity], area);
                    }
                }
                Pattern::Tiling(_) => {}
            },
        }
    }

    fn add_shading(&mut self, shading: &ShadingPattern, area: f64) {
        /// Samples along each side of the shading's extent.
        const SIDE: u32 = 24;
        let Some(extent) = extent(&shading.shading.shading_type) else { return };
        let side = f64::from(SIDE);
        let scale = (side / extent.width(), side / extent.height());
        let to_grid = Affine::scale_non_uniform(scale.0, scale.1) * Affine::translate((-extent.x0, -extent.y0));
        let sampled = ShadingPattern { matrix: to_grid, ..shading.clone() }.encode();
        let mut samples = Self::default();
        for x in 0..SIDE {
            for y in 0..SIDE {
                // Whole numbers: meshes are sampled at pixels.
                let point = sampled.base_transform * Point::new(f64::from(x), f64::from(y));
                samples.add(sampled.sample(point), 1.0);
            }
        }
        if let Some([red, green, blue]) = samples.mean() {
            self.add([red, green, blue, shading.opacity], area);
        }
    }
}

/// Returns a bounding box of the shading's colours in its own space.
fn extent(shading: &ShadingType) -> Option<Rect> {
    let extent = match shading {
        ShadingType::FunctionBased { domain: [x1, x2, y1, y2], matrix, .. } => {
            matrix.transform_rect_bbox(Rect::new((*x1).into(), (*y1).into(), (*x2).into(), (*y2).into()))
        }
        ShadingType::RadialAxial { coords, axial: true, .. } => {
            let [x1, y1, x2, y2, ..] = coords.map(f64::from);
            Rect::from_points((x1, y1), (x2, y2))
        }
        ShadingType::RadialAxial { coords, .. } => {
            let [x1, y1, r1, x2, y2, r2] = coords.map(f64::from);
            Rect::new(x1 - r1, y1 - r1, x1 + r1, y1 + r1).union(Rect::new(x2 - r2, y2 - r2, x2 + r2, y2 + r2))
        }
        ShadingType::TriangleMesh { triangles, .. } => {
            around(triangles.iter().flat_map(|triangle| [&triangle.p0, &triangle.p1, &triangle.p2]).map(|v| v.point))?
        }
        ShadingType::CoonsPatchMesh { patches, .. } => around(patches.iter().flat_map(|patch| patch.control_points))?,
        ShadingType::TensorProductPatchMesh { patches, .. } => {
            around(patches.iter().flat_map(|patch| patch.control_points))?
        }
        ShadingType::Dummy => return None,
    };
    // A vertical or horizontal gradient has no extent in the other direction.
    let least = extent.width().max(extent.height()) / 2.0;
    let extent = extent.inflate((least - extent.width()).max(0.0) / 2.0, (least - extent.height()).max(0.0) / 2.0);
    (extent.is_finite() && extent.width() > 0.0 && extent.height() > 0.0).then_some(extent)
}

/// Returns the bounding box of some points; `None` if there are none.
fn around(points: impl Iterator<Item = Point>) -> Option<Rect> {
    points.map(|point| Rect::from_points(point, point)).reduce(|a, b| a.union(b))
}

impl<'a> Device<'a> for Swatch {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        let mut bounds = path.bounding_box();
        if let DrawMode::Stroke(stroke) = mode {
            let reach = f64::from(stroke.line_width) / 2.0;
            bounds = bounds.inflate(reach, reach);
        }
        self.add_paint(&props.paint, props.transform.transform_rect_bbox(bounds).area().abs());
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn draw_glyph_run(&mut self, _: &GlyphRun<'_, 'a>, _: DrawProps<'a>, _: &DrawMode) {}
    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
