//! Pages for the programs of this folder: catalogues, rendering by the engine that serves, and classes of symbols.

use anyhow::{Result, anyhow};
use drafting::plan::{Catalogue, DoorKind, FixtureKind};
use fanlight_contract::{Orientation, PixelFormat, RenderOptions};
use fanlight_detection::classifier_input::Class;
use fanlight_detection::placed_raster::PlacedRaster;

/// Returns the catalogue of a sheet's forms. It alternates by pairs of seeds, so that each of the eighteen named styles occurs
/// with either.
pub(crate) fn catalogue(seed: u64) -> Catalogue {
    if (seed / 2).is_multiple_of(2) { Catalogue::Rarer } else { Catalogue::Common }
}

/// A page's pixels.
pub(crate) struct Pixels {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) grey: Vec<u8>,
}

impl Pixels {
    /// Returns the pixels as a raster of a page whose upper edge is at `top`.
    pub(crate) fn raster(&self, top: f32, dpi: f32) -> PlacedRaster<'_> {
        let Self { width, height, ref grey } = *self;
        PlacedRaster { pixels: grey, width, height, left: 0.0, top, scale: dpi / 72.0 }
    }
}

/// Renders a page in its user space, one byte per pixel.
pub(crate) fn render(pdf: Vec<u8>, page: u32, dpi: f32) -> Result<Pixels> {
    let document = pdf_engine::Document::open(pdf).map_err(|error| anyhow!("{error:?}"))?;
    let page = document.page(page).map_err(|error| anyhow!("{error:?}"))?;
    let options = RenderOptions { dpi, region: None, format: PixelFormat::Grey, orientation: Orientation::UserSpace };
    let raster = page.render(&options).map_err(|error| anyhow!("{error:?}"))?;
    let grey = raster.bytes().to_vec();
    Ok(Pixels { width: raster.width as usize, height: raster.height as usize, grey })
}

/// Returns the class of a synthetic door.
pub(crate) fn class_of_door(kind: DoorKind) -> Class {
    match kind {
        DoorKind::Single | DoorKind::Stall | DoorKind::DoubleActing => Class::SwingingDoor,
        DoorKind::Double | DoorKind::Uneven | DoorKind::DoubleActingPair | DoorKind::DoubleEgress => Class::DoubleDoor,
        DoorKind::Sliding | DoorKind::Surface | DoorKind::Pocket | DoorKind::Overhead => Class::SlidingDoor,
        DoorKind::Bifold | DoorKind::BifoldPair | DoorKind::Accordion | DoorKind::Revolving => Class::OtherDoor,
    }
}

/// Returns the class of a synthetic fixture.
pub(crate) fn class_of_fixture(kind: FixtureKind) -> Class {
    match kind {
        FixtureKind::Wc => Class::WaterCloset,
        FixtureKind::SquatWc => Class::SquatPan,
        FixtureKind::Urinal => Class::Urinal,
        FixtureKind::Lavatory => Class::Lavatory,
        FixtureKind::Sink | FixtureKind::Mop => Class::Sink,
        FixtureKind::Bathtub => Class::Bathtub,
        FixtureKind::Shower => Class::Shower,
        FixtureKind::Other => Class::OtherFixture,
    }
}
