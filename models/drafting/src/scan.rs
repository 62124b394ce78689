//! Scans: pages that went through paper. The caller renders them; here they are turned, dirtied and bound as pictures.

use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref};

use crate::chance::Chance;

/// A page as it was printed.
#[derive(Clone, Debug)]
pub struct Print {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// One byte a pixel, 0 is black, rows from the top.
    pub grey: Vec<u8>,
    /// Pixels an inch.
    pub dpi: f32,
}

/// What a scanner makes of a page.
#[derive(Clone, Copy, Debug)]
pub struct Scanner {
    /// Most that a page lies askew, in degrees either way.
    pub skew: f32,
    /// Most that a pixel's grey is off, 0 to 255.
    pub noise: u8,
    /// Specks of dust a square inch.
    pub dust: f32,
    /// Radius of the blur in pixels.
    pub blur: usize,
    /// Black and white, as fax machines and old scanners give.
    pub one_bit: bool,
}

impl Scanner {
    /// Named scanners, from a good one to a fax machine.
    pub const ALL: [(&'static str, Self); 4] = [
        ("flatbed", Self { skew: 0.0, noise: 6, dust: 0.0, blur: 0, one_bit: false }),
        ("feeder", Self { skew: 0.6, noise: 14, dust: 0.5, blur: 1, one_bit: false }),
        ("copier", Self { skew: 0.4, noise: 30, dust: 1.5, blur: 1, one_bit: true }),
        ("fax", Self { skew: 0.8, noise: 40, dust: 3.0, blur: 0, one_bit: true }),
    ];
}

/// Scans pages into a PDF without any text. The same seed gives the same bytes.
pub fn scan(pages: &[Print], scanner: &Scanner, seed: u64) -> Vec<u8> {
    scan_turned(pages, scanner, seed, 0)
}

/// Scans pages as [`scan`] does, put into the scanner sideways or upside down: `/Rotate` of `rotate` degrees (0, 90, 180
/// or 270) sets them upright for a viewer.
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

/// A picture of a print turned counterclockwise by so many degrees, in quarters, with its new width and height.
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

/// As PDF's numbers are counted.
fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The page as it comes out of the scanner, one byte a pixel.
fn scanned(print: &Print, scanner: &Scanner, chance: &mut Chance) -> Vec<u8> {
    let tenths = (scanner.skew * 10.0) as u32;
    let degrees = (chance.between(0, 2 * tenths) as f32 - tenths as f32) / 10.0;
    let mut picture = blurred(&turned(print, degrees), print.width, print.height, scanner.blur);
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
    if scanner.one_bit {
        for pixel in &mut picture {
            *pixel = if *pixel < 128 { 0 } else { 255 };
        }
    }
    picture
}

/// Turned about the page's middle; what comes in from beside it is white.
fn turned(print: &Print, degrees: f32) -> Vec<u8> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (middle_x, middle_y) = (print.width as f32 / 2.0, print.height as f32 / 2.0);
    let at = |x: i64, y: i64| {
        let inside = x >= 0 && y >= 0 && (x as usize) < print.width && (y as usize) < print.height;
        if inside { f32::from(print.grey[y as usize * print.width + x as usize]) } else { 255.0 }
    };
    let mut picture = Vec::with_capacity(print.width * print.height);
    for row in 0..print.height {
        for column in 0..print.width {
            let (x, y) = (column as f32 - middle_x, row as f32 - middle_y);
            let (from_x, from_y) = (x * cos - y * sin + middle_x, x * sin + y * cos + middle_y);
            let (left, top) = (from_x.floor(), from_y.floor());
            let (right_share, low_share) = (from_x - left, from_y - top);
            let (left, top) = (left as i64, top as i64);
            let upper = at(left, top) * (1.0 - right_share) + at(left + 1, top) * right_share;
            let lower = at(left, top + 1) * (1.0 - right_share) + at(left + 1, top + 1) * right_share;
            picture.push((upper * (1.0 - low_share) + lower * low_share) as u8);
        }
    }
    picture
}

/// Each pixel the mean of the square around it.
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

/// Eight pixels to a byte, rows filled up.
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
        for (name, scanner) in Scanner::ALL {
            let pdf = scan(&[print.clone(), print.clone()], &scanner, 1);
            assert_eq!(pdf, scan(&[print.clone(), print.clone()], &scanner, 1), "{name}");
            let document = lopdf::Document::load_mem(&pdf).unwrap();
            assert_eq!(document.get_pages().len(), 2, "{name}");
            assert_eq!(document.extract_text(&[1]).unwrap().trim(), "", "{name}");
        }
    }
}
