//! Scans of pages. The caller renders the pages; this module rotates them, adds dirt and noise, and
//! binds them as images.

use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref};

use crate::chance::Chance;

/// A page as it was printed.
#[derive(Clone, Debug)]
pub struct Print {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// One byte for each pixel, 0 is black, rows from the top.
    pub grey: Vec<u8>,
    /// The resolution in dpi.
    pub dpi: f32,
}

impl Print {
    /// Returns the grey of a pixel; white outside the page.
    fn grey_at(&self, x: i64, y: i64) -> f32 {
        let is_inside = x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height;
        if is_inside { f32::from(self.grey[y as usize * self.width + x as usize]) } else { 255.0 }
    }
}

/// The properties of a scanner.
#[derive(Clone, Copy, Debug)]
pub struct Scanner {
    /// The greatest skew of a page in degrees, in either direction.
    pub skew: f32,
    /// The greatest deviation of a pixel's grey, 0 to 255.
    pub noise: u8,
    /// Specks of dust per square inch.
    pub dust: f32,
    /// Radius of the blur in pixels.
    pub blur: usize,
    /// Black and white, as from fax machines and old scanners.
    pub one_bit: bool,
    /// The greatest share of ink that fades, 0 to 1: pencil and worn prints fade unevenly.
    pub fade: f32,
    /// The greatest darkness of the paper, 0 to 255: old paper and dirty glass.
    pub stain: u8,
    /// Black or white rows per inch, as from worn fax machines.
    pub streaks: f32,
    /// The quantisation of JPEG: 0 for none, 1 as at quality 50, 4 as at quality 12.
    pub jpeg: f32,
}

impl Scanner {
    /// Named scanners, from a good one to a fax machine.
    pub const ALL: [(&'static str, Self); 4] = [
        ("flatbed", Self { noise: 6, ..Self::PLAIN }),
        ("feeder", Self { skew: 0.6, noise: 14, dust: 0.5, blur: 1, ..Self::PLAIN }),
        ("copier", Self { skew: 0.4, noise: 30, dust: 1.5, blur: 1, one_bit: true, ..Self::PLAIN }),
        ("fax", Self { skew: 0.8, noise: 40, dust: 3.0, one_bit: true, ..Self::PLAIN }),
    ];

    /// Named scanners of damaged pages: pencil, old paper, strong compression, a worn fax machine.
    pub const WORN: [(&'static str, Self); 4] = [
        ("pencil", Self { skew: 0.5, noise: 24, dust: 3.0, blur: 1, fade: 0.75, ..Self::PLAIN }),
        ("old-paper", Self { skew: 0.8, noise: 12, dust: 2.0, blur: 1, fade: 0.3, stain: 90, ..Self::PLAIN }),
        ("mailed", Self { skew: 0.2, noise: 4, jpeg: 4.0, ..Self::PLAIN }),
        (
            "worn-fax",
            Self { skew: 0.6, noise: 50, dust: 3.0, blur: 1, one_bit: true, fade: 0.4, streaks: 1.0, ..Self::PLAIN },
        ),
    ];

    /// A scanner that changes nothing.
    const PLAIN: Self =
        Self { skew: 0.0, noise: 0, dust: 0.0, blur: 0, one_bit: false, fade: 0.0, stain: 0, streaks: 0.0, jpeg: 0.0 };

    /// Returns the rotation that [`scan`] applies to the first page with this seed, in degrees
    /// counterclockwise as seen.
    pub fn turn(&self, seed: u64) -> f32 {
        self.askew(&mut Chance::new(seed))
    }

    fn askew(&self, chance: &mut Chance) -> f32 {
        let tenths = (self.skew * 10.0) as u32;
        (chance.between(0, 2 * tenths) as f32 - tenths as f32) / 10.0
    }
}

/// Scans pages into a PDF without text. The same seed gives the same bytes.
pub fn scan(pages: &[Print], scanner: &Scanner, seed: u64) -> Vec<u8> {
    scan_turned(pages, scanner, seed, 0)
}

/// Scans pages as [`scan`] does, put into the scanner sideways or upside down. `/Rotate` of
/// `rotate` degrees (0, 90, 180 or 270) displays them upright.
pub fn scan_turned(pages: &[Print], scanner: &Scanner, seed: u64, rotate: u16) -> Vec<u8> {
    let mut chance = Chance::new(seed);
    let mut pdf = Pdf::new();
    let (catalog, tree) = (Ref::new(1), Ref::new(2));
    pdf.catalog(catalog).pages(tree);
    let page_ref = |index: usize| Ref::new(3 + number(index) * 3);
    pdf.pages(tree).kids((0..pages.len()).map(page_ref)).count(number(pages.len()));
    for (index, print) in pages.iter().enumerate() {
        let (page_id, content_id, image_id) =
            (page_ref(index), Ref::new(page_ref(index).get() + 1), Ref::new(page_ref(index).get() + 2));
        let points = |pixels: usize| pixels as f32 * 72.0 / print.dpi;
        let (picture, width, height) = quartered(scanned(print, scanner, &mut chance), print, rotate);
        let (wide, high) = (points(width), points(height));

        let mut page = pdf.page(page_id);
        page.parent(tree).media_box(Rect::new(0.0, 0.0, wide, high)).contents(content_id);
        if rotate != 0 {
            page.rotate(i32::from(rotate));
        }
        page.resources().x_objects().pair(Name(b"Scan"), image_id);
        page.finish();

        let mut content = Content::new();
        content.transform([wide, 0.0, 0.0, high, 0.0, 0.0]).x_object(Name(b"Scan"));
        pdf.stream(content_id, &content.finish());

        let (samples, bits) = if scanner.one_bit { (packed(&picture, width), 1) } else { (picture, 8) };
        let compressed = miniz_oxide::deflate::compress_to_vec_zlib(&samples, 6);
        let mut image = pdf.image_xobject(image_id, &compressed);
        image.filter(Filter::FlateDecode);
        image.width(number(width)).height(number(height));
        image.color_space().device_gray();
        image.bits_per_component(bits);
    }
    pdf.finish()
}

/// Returns a scanned page before it is bound.
pub fn copied(print: &Print, scanner: &Scanner, seed: u64) -> Print {
    Print { grey: scanned(print, scanner, &mut Chance::new(seed)), ..print.clone() }
}

/// Returns an image turned counterclockwise by a multiple of 90 degrees, with its new width and
/// height.
fn quartered(picture: Vec<u8>, print: &Print, degrees: u16) -> (Vec<u8>, usize, usize) {
    let (mut picture, mut width, mut height) = (picture, print.width, print.height);
    for _ in 0..degrees / 90 {
        picture = (0..width)
            .rev()
            .flat_map(|column| (0..height).map(move |row| row * width + column))
            .map(|index| picture[index])
            .collect();
        (width, height) = (height, width);
    }
    (picture, width, height)
}

/// Converts a count to PDF's integers.
fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// Scans a page, one byte for each pixel.
fn scanned(print: &Print, scanner: &Scanner, chance: &mut Chance) -> Vec<u8> {
    let degrees = scanner.askew(chance);
    let mut picture = blurred(&turned(print, degrees), print.width, print.height, scanner.blur);
    worn(&mut picture, print, scanner, chance);
    let noise = u32::from(scanner.noise);
    for pixel in &mut picture {
        let off = f64::from(chance.between(0, 2 * noise)) - f64::from(noise);
        *pixel = (f64::from(*pixel) + off).clamp(0.0, 255.0) as u8;
    }
    let square_inches = picture.len() as f32 / (print.dpi * print.dpi);
    for _ in 0..(square_inches * scanner.dust) as u32 {
        let at = chance.between(0, picture.len() as u32 - 1) as usize;
        for speck in [at, at + 1, at + print.width, at + print.width + 1] {
            if let Some(pixel) = picture.get_mut(speck) {
                *pixel = 40;
            }
        }
    }
    streaked(&mut picture, print, scanner.streaks, chance);
    if scanner.jpeg > 0.0 {
        coarsened(&mut picture, print.width, scanner.jpeg);
    }
    if scanner.one_bit {
        for pixel in &mut picture {
            *pixel = if *pixel < 128 { 0 } else { 255 };
        }
    }
    picture
}

/// The distance of the points at which wear is drawn, in inches. It is interpolated between them.
const WEAR: f32 = 0.7;

/// Fades ink and darkens paper in blotches.
fn worn(picture: &mut [u8], print: &Print, scanner: &Scanner, chance: &mut Chance) {
    if scanner.fade <= 0.0 && scanner.stain == 0 {
        return;
    }
    let step = (WEAR * print.dpi).max(1.0);
    let (columns, rows) = ((print.width as f32 / step) as usize + 2, (print.height as f32 / step) as usize + 2);
    let [gone, dark]: [Vec<f32>; 2] =
        std::array::from_fn(|_| (0..columns * rows).map(|_| chance.between(0, 1000) as f32 / 1000.0).collect());
    for (row, pixels) in picture.chunks_mut(print.width.max(1)).enumerate() {
        let y = row as f32 / step;
        for (column, pixel) in pixels.iter_mut().enumerate() {
            let x = column as f32 / step;
            let at = |field: &[f32]| interpolated(x, y, |x, y| field[y as usize * columns + x as usize]);
            let ink = (255.0 - f32::from(*pixel)) * (1.0 - scanner.fade * at(&gone));
            let paper = 255.0 - f32::from(scanner.stain) * at(&dark);
            *pixel = (paper * (1.0 - ink / 255.0)) as u8;
        }
    }
}

/// Interpolates bilinearly between the values at whole coordinates.
fn interpolated(x: f32, y: f32, value: impl Fn(i64, i64) -> f32) -> f32 {
    let (across, down) = (x - x.floor(), y - y.floor());
    let (left, top) = (x.floor() as i64, y.floor() as i64);
    let upper = value(left, top) * (1.0 - across) + value(left + 1, top) * across;
    let lower = value(left, top + 1) * (1.0 - across) + value(left + 1, top + 1) * across;
    upper * (1.0 - down) + lower * down
}

/// Paints rows black or white.
fn streaked(picture: &mut [u8], print: &Print, streaks: f32, chance: &mut Chance) {
    let count = (print.height as f32 / print.dpi * streaks) as u32;
    for _ in 0..count {
        let row = chance.between(0, print.height.saturating_sub(1) as u32) as usize;
        let grey = if chance.percent(30) { 30 } else { 255 };
        if let Some(pixels) = picture.get_mut(row * print.width..(row + 1) * print.width) {
            pixels.fill(grey);
        }
    }
}

/// The luminance quantisation table of JPEG at quality 50 (ITU-T T.81, table K.1).
const STEPS: [[f32; 8]; 8] = [
    [16.0, 11.0, 10.0, 16.0, 24.0, 40.0, 51.0, 61.0],
    [12.0, 12.0, 14.0, 19.0, 26.0, 58.0, 60.0, 55.0],
    [14.0, 13.0, 16.0, 24.0, 40.0, 57.0, 69.0, 56.0],
    [14.0, 17.0, 22.0, 29.0, 51.0, 87.0, 80.0, 62.0],
    [18.0, 22.0, 37.0, 56.0, 68.0, 109.0, 103.0, 77.0],
    [24.0, 35.0, 55.0, 64.0, 81.0, 104.0, 113.0, 92.0],
    [49.0, 64.0, 78.0, 87.0, 103.0, 121.0, 120.0, 101.0],
    [72.0, 92.0, 95.0, 98.0, 112.0, 100.0, 103.0, 99.0],
];

/// Applies JPEG's quantisation with steps `coarser` than [`STEPS`]. Blocks at the edge stay
/// unchanged.
fn coarsened(picture: &mut [u8], width: usize, coarser: f32) {
    let waves: [[f32; 8]; 8] = std::array::from_fn(|often| {
        let share = if often == 0 { 0.125_f32.sqrt() } else { 0.5 };
        std::array::from_fn(|at| share * ((2 * at + 1) as f32 * often as f32 * std::f32::consts::PI / 16.0).cos())
    });
    let rows = picture.len() / width.max(1);
    for top in (0..rows / 8).map(|block| block * 8) {
        for left in (0..width / 8).map(|block| block * 8) {
            let mut block = [[0.0_f32; 8]; 8];
            for (y, line) in block.iter_mut().enumerate() {
                for (x, value) in line.iter_mut().enumerate() {
                    *value = f32::from(picture[(top + y) * width + left + x]) - 128.0;
                }
            }
            if block.as_flattened().iter().all(|value| *value == block[0][0]) {
                continue;
            }
            let mut heights = product(&waves, &product(&block, &transposed(&waves)));
            for (line, steps) in heights.iter_mut().zip(STEPS) {
                for (value, step) in line.iter_mut().zip(steps) {
                    *value = (*value / (step * coarser)).round() * step * coarser;
                }
            }
            let block = product(&transposed(&waves), &product(&heights, &waves));
            for (y, line) in block.iter().enumerate() {
                for (x, value) in line.iter().enumerate() {
                    picture[(top + y) * width + left + x] = (value + 128.0).clamp(0.0, 255.0) as u8;
                }
            }
        }
    }
}

fn product(a: &[[f32; 8]; 8], b: &[[f32; 8]; 8]) -> [[f32; 8]; 8] {
    std::array::from_fn(|row| std::array::from_fn(|column| (0..8).map(|at| a[row][at] * b[at][column]).sum()))
}

fn transposed(a: &[[f32; 8]; 8]) -> [[f32; 8]; 8] {
    std::array::from_fn(|row| std::array::from_fn(|column| a[column][row]))
}

/// Returns the page turned about its centre. The area from outside is white.
fn turned(print: &Print, degrees: f32) -> Vec<u8> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (middle_x, middle_y) = (print.width as f32 / 2.0, print.height as f32 / 2.0);
    let mut picture = Vec::with_capacity(print.width * print.height);
    for row in 0..print.height {
        for column in 0..print.width {
            let (x, y) = (column as f32 - middle_x, row as f32 - middle_y);
            let (from_x, from_y) = (x * cos - y * sin + middle_x, x * sin + y * cos + middle_y);
            picture.push(interpolated(from_x, from_y, |x, y| print.grey_at(x, y)) as u8);
        }
    }
    picture
}

/// Blurs with a box filter.
fn blurred(picture: &[u8], width: usize, height: usize, radius: usize) -> Vec<u8> {
    if radius == 0 {
        return picture.to_vec();
    }
    let mut blurred = Vec::with_capacity(picture.len());
    for row in 0..height {
        let rows = row.saturating_sub(radius)..(row + radius + 1).min(height);
        for column in 0..width {
            let columns = column.saturating_sub(radius)..(column + radius + 1).min(width);
            let mut sum = 0;
            for y in rows.clone() {
                sum += columns.clone().map(|x| u32::from(picture[y * width + x])).sum::<u32>();
            }
            blurred.push((sum / (rows.len() * columns.len()) as u32) as u8);
        }
    }
    blurred
}

/// Packs eight pixels into a byte and pads rows.
fn packed(picture: &[u8], width: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(picture.len() / 8);
    for row in picture.chunks(width) {
        for eight in row.chunks(8) {
            let bits = eight.iter().enumerate().map(|(at, &pixel)| u8::from(pixel >= 128) << (7 - at));
            bytes.push(bits.fold(0, |byte, bit| byte | bit));
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_turned_counterclockwise() {
        let print = Print { width: 3, height: 2, grey: vec![1, 2, 3, 4, 5, 6], dpi: 10.0 };
        let turned = |degrees| quartered(print.grey.clone(), &print, degrees);
        assert_eq!(turned(90), (vec![3, 6, 2, 5, 1, 4], 2, 3));
        assert_eq!(turned(180), (vec![6, 5, 4, 3, 2, 1], 3, 2));
        assert_eq!(turned(0), (print.grey.clone(), 3, 2));
    }

    #[test]
    fn a_scan_has_pictures_and_no_text() {
        let print = Print { width: 85, height: 110, grey: vec![255; 85 * 110], dpi: 10.0 };
        for (name, scanner) in Scanner::ALL.into_iter().chain(Scanner::WORN) {
            let pdf = scan(&[print.clone(), print.clone()], &scanner, 1);
            assert_eq!(pdf, scan(&[print.clone(), print.clone()], &scanner, 1), "{name}");
            let document = lopdf::Document::load_mem(&pdf).unwrap();
            assert_eq!(document.get_pages().len(), 2, "{name}");
            assert_eq!(document.extract_text(&[1]).unwrap().trim(), "", "{name}");
        }
    }
}
