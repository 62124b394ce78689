//! Tiles: a displayed page cut into small pictures, at several resolutions (a pyramid), for viewers that zoom.
//!
//! The engine draws the tiles of a block together (a metatile), since most of the time goes into reading the page. Blocks
//! are kept in memory up to [`MOST_BYTES`]; those that nobody asks for go first. Requests that miss the same block wait for
//! one drawing of it.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use fanlight_sandbox::{Picture, PixelArea};
use fanlight_store::Document;
use moka::future::Cache;

use crate::domain::inspection::{self, InspectionError};
use crate::domain::service::Service;

/// Pixels of a tile's side. Those at the right and the bottom edge may be smaller.
pub(crate) const TILE: u32 = 512;
/// Resolutions of the zoom levels in pixels per inch. 200 shows the finest lettering of a plot.
pub(crate) const RESOLUTIONS: [u16; 4] = [25, 50, 100, 200];
/// Tiles of a block's side. A block of 2,048 pixels takes 12.6 MB while it is drawn.
const BLOCK: u32 = 4;
/// Most bytes of tiles that are kept: about 100 blocks of plans.
const MOST_BYTES: u64 = 128 * 1024 * 1024;

/// Where a tile is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TilePlace {
    /// The page, counted from 1.
    pub(crate) page: u32,
    /// Index into [`RESOLUTIONS`].
    pub(crate) zoom: usize,
    /// Tiles to the left of it, as the page is displayed.
    pub(crate) column: u32,
    /// Tiles above it.
    pub(crate) row: u32,
}

/// Names a block. Documents are told by content, so that equal ones share their tiles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct BlockPlace {
    document_sha256: String,
    page: u32,
    zoom: usize,
    column: u32,
    row: u32,
}

/// The tiles of a block as PNG files, row by row, `columns` of them in each row.
struct Block {
    columns: u32,
    tiles: Vec<Bytes>,
}

impl Block {
    /// Cuts a picture into tiles.
    fn new(picture: &Picture) -> Result<Self, png::EncodingError> {
        let (columns, rows) = (picture.width.div_ceil(TILE), picture.height.div_ceil(TILE));
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let tiles = places.map(|(column, row)| {
            let part = part(picture, column * TILE, row * TILE);
            inspection::encode(&part).map(Bytes::from)
        });
        Ok(Self { columns, tiles: tiles.collect::<Result<_, _>>()? })
    }

    /// Returns the tile at a column and a row of the block. None beyond the edge of the page.
    fn tile(&self, column: u32, row: u32) -> Option<Bytes> {
        let at = (column < self.columns).then_some(row * self.columns + column)?;
        self.tiles.get(at as usize).cloned()
    }

    fn bytes(&self) -> u32 {
        u32::try_from(self.tiles.iter().map(Bytes::len).sum::<usize>()).unwrap_or(u32::MAX)
    }
}

/// Returns the part of a picture that begins at a pixel, at most a tile.
fn part(picture: &Picture, left: u32, top: u32) -> Picture {
    let (width, height) = (TILE.min(picture.width - left), TILE.min(picture.height - top));
    let mut pixels = Vec::with_capacity(width as usize * height as usize * Picture::PIXEL_BYTES);
    for row in top..top + height {
        let start = (row as usize * picture.width as usize + left as usize) * Picture::PIXEL_BYTES;
        pixels.extend_from_slice(&picture.pixels[start..start + width as usize * Picture::PIXEL_BYTES]);
    }
    Picture { width, height, pixels, dpi: picture.dpi }
}

/// The tiles that are kept.
pub(crate) struct Tiles(Cache<BlockPlace, Arc<Block>>);

impl Tiles {
    /// Creates an empty cache.
    pub(crate) fn new() -> Self {
        let cache = Cache::builder().max_capacity(MOST_BYTES).weigher(|_, block: &Arc<Block>| block.bytes());
        Self(cache.build())
    }
}

/// Returns a tile as a PNG file. None beyond the edge of the page.
///
/// # Errors
///
/// As [`inspection::picture`].
pub(crate) async fn tile(
    service: &Service,
    document: &Document,
    place: TilePlace,
) -> Result<Option<Bytes>, Arc<InspectionError>> {
    let block = BlockPlace {
        document_sha256: document.sha256.clone(),
        page: place.page,
        zoom: place.zoom,
        column: place.column / BLOCK,
        row: place.row / BLOCK,
    };
    let drawn = service.tiles.0.try_get_with(block.clone(), draw(service, document, &block)).await?;
    Ok(drawn.tile(place.column % BLOCK, place.row % BLOCK))
}

/// Draws a block. It has no tiles beyond the edge of the page.
async fn draw(service: &Service, document: &Document, block: &BlockPlace) -> Result<Arc<Block>, InspectionError> {
    const SIDE: u32 = BLOCK * TILE;
    let dpi = RESOLUTIONS.get(block.zoom).copied().map_or(0.0, f32::from);
    let area = PixelArea {
        left: block.column.saturating_mul(SIDE),
        top: block.row.saturating_mul(SIDE),
        width: SIDE,
        height: SIDE,
    };
    let Some((picture, permit)) = inspection::part(service, document, block.page, dpi, area).await? else {
        return Ok(Arc::new(Block { columns: 0, tiles: Vec::new() }));
    };
    let encoding = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        Block::new(&picture)
    });
    Ok(Arc::new(encoding.await.map_err(io::Error::other)??))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a picture whose pixels have their column and row, in blocks of 16, as red and green.
    fn picture(width: u32, height: u32) -> Picture {
        let rows =
            (0..height).flat_map(|row| (0..width).flat_map(move |column| [(column / 16) as u8, (row / 16) as u8, 0]));
        Picture { width, height, pixels: rows.collect(), dpi: 100.0 }
    }

    #[test]
    fn a_block_is_cut_into_tiles_that_are_smaller_at_the_edges() {
        let picture = picture(TILE + 100, TILE + 40);
        let block = Block::new(&picture).unwrap();
        assert_eq!((block.columns, block.tiles.len()), (2, 4));
        assert!(block.tile(2, 0).is_none() && block.tile(0, 2).is_none());
        let last = part(&picture, TILE, TILE);
        assert_eq!((last.width, last.height), (100, 40));
        assert_eq!(last.pixels[..3], [(TILE / 16) as u8, (TILE / 16) as u8, 0]);
    }
}
