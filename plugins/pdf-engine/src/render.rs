//! Pictures of a page.

use fanlight_contract::{Geometry, Orientation, PageError, PixelFormat, Raster, Rect, RenderOptions};
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::kurbo::Affine;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::{PixmapMut, RasterizerSettings, RenderContext, Resources, TargetInit};
use hayro::{RenderSettings, render_into};

use crate::content::Caches;
use crate::page::geometry;

/// The contract's limit for a raster, in pixels.
const MAX_PIXELS: u64 = 64_000_000;

/// The rasteriser counts pixels with 16 bits.
const MAX_SIDE: f64 = u16::MAX as f64;

/// Points in an inch.
const INCH: f64 = 72.0;

const DPI: std::ops::RangeInclusive<f32> = 1.0..=1200.0;

/// Renders the region that `options` name on white paper. Only its pixels are allocated. The area
/// outside the crop box is white.
pub(crate) fn render<'a>(
    page: &'a PdfPage<'a>,
    caches: &Caches<'a>,
    options: &RenderOptions,
) -> Result<Raster, PageError> {
    let view = View::new(&geometry(page), options)?;
    let (width, height) = (view.width, view.height);

    let mut context = RenderContext::new(width, height);
    render_into(page, &caches.render, &caches.settings, &RenderSettings::default(), &mut context, view.to_pixels);
    context.flush();
    let rgba_bytes = usize::from(width) * usize::from(height) * 4;
    let mut words = vec![0_u64; rgba_bytes.div_ceil(8)];
    let pixels: &mut [u8] = &mut bytemuck::cast_slice_mut(&mut words)[..rgba_bytes];
    let target = PixmapMut::new(width, height, pixels)
        .ok_or_else(|| PageError::BadRequest("the raster has no pixels".to_owned()))?;
    let settings = RasterizerSettings { target_init: TargetInit::Clear(WHITE), ..RasterizerSettings::default() };
    context.render_with(target, &mut Resources::default(), settings);
    drop(context);

    match options.format {
        PixelFormat::Grey => keep_grey(pixels),
        PixelFormat::Rgb => keep_rgb(pixels),
    }
    let (width, height) = (width.into(), height.into());
    let kept = Raster::byte_count(width, height, options.format);
    words.truncate(kept.div_ceil(8));
    let padding: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
    padding[kept..].fill(0);
    Ok(Raster { width, height, format: options.format, words })
}

/// A region of a page as a grid of pixels.
struct View {
    width: u16,
    height: u16,
    /// From user space to pixels, with y growing downwards.
    to_pixels: Affine,
}

impl View {
    fn new(geometry: &Geometry, options: &RenderOptions) -> Result<Self, PageError> {
        let refused = |why: &str| Err(PageError::BadRequest(why.to_owned()));
        if !DPI.contains(&options.dpi) {
            return refused("dpi must be 1 to 1200");
        }
        let Rect { x1, y1, x2, y2 } = options.region.unwrap_or(geometry.crop_box);
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(f64::from);
        if !(x2 > x1 && y2 > y1 && (x2 - x1).is_finite() && (y2 - y1).is_finite()) {
            return refused("the region is empty");
        }

        let scale = f64::from(options.dpi) / INCH;
        let turned = match options.orientation {
            Orientation::UserSpace => 0,
            Orientation::Displayed => geometry.rotation,
        };
        let to_pixels = match turned {
            90 => [0.0, scale, scale, 0.0, -y1 * scale, -x1 * scale],
            180 => [-scale, 0.0, 0.0, scale, x2 * scale, -y1 * scale],
            270 => [0.0, -scale, -scale, 0.0, y2 * scale, x2 * scale],
            _ => [scale, 0.0, 0.0, -scale, -x1 * scale, y2 * scale],
        };
        let (mut width, mut height) = (whole(x2 - x1, scale), whole(y2 - y1, scale));
        if matches!(turned, 90 | 270) {
            (width, height) = (height, width);
        }
        if width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS as f64 {
            return refused("the raster would have more than 64 million pixels, or a side of more than 65,535");
        }
        Ok(Self { width: width as u16, height: height as u16, to_pixels: Affine::new(to_pixels) })
    }
}

/// Returns the whole number of pixels for a length, at least one. Rounds up unless only a rounding
/// error exceeds a whole number.
fn whole(points: f64, scale: f64) -> f64 {
    const ROUNDING: f64 = 1e-3;
    (points * scale - ROUNDING).ceil().max(1.0)
}

/// Converts RGBA to luma in place (ITU-R BT.601, in 256ths).
fn keep_grey(pixels: &mut [u8]) {
    let count = pixels.len() / 4;
    for index in 0..count {
        let [red, green, blue] = [pixels[index * 4], pixels[index * 4 + 1], pixels[index * 4 + 2]].map(u32::from);
        pixels[index] = ((77 * red + 150 * green + 29 * blue + 128) >> 8) as u8;
    }
}

/// Removes the alpha channel in place. On white paper all pixels are opaque.
fn keep_rgb(pixels: &mut [u8]) {
    let count = pixels.len() / 4;
    for index in 0..count {
        // Byte by byte: compiled to WebAssembly, a copy of three bytes is a call into the host.
        let [red, green, blue] = [pixels[index * 4], pixels[index * 4 + 1], pixels[index * 4 + 2]];
        pixels[index * 3] = red;
        pixels[index * 3 + 1] = green;
        pixels[index * 3 + 2] = blue;
    }
}
