//! Project manuals that went through a scanner, through the whole service.

use drafting::manual::{draft, styles};
use drafting::scan::{Print, Scanner, scan};
use fanlight_tests::server::{Options, Server};
use pdf_engine::vocabulary::{Orientation, PixelFormat, RenderOptions};

/// Pages that are scanned of each manual: the contents are among them.
const PAGES: u32 = 8;
/// Pixels an inch that offices scan at.
const DPI: f32 = 200.0;

fn scanned(pdf: Vec<u8>, scanner: &Scanner) -> Vec<u8> {
    let manual = pdf_engine::Document::open(pdf).unwrap();
    let prints: Vec<Print> = (1..=manual.page_count().min(PAGES))
        .map(|number| {
            let options = RenderOptions {
                dpi: DPI,
                region: None,
                format: PixelFormat::Grey,
                orientation: Orientation::Displayed,
            };
            let raster = manual.page(number).unwrap().render(&options).unwrap();
            let (width, height) = (raster.width as usize, raster.height as usize);
            Print { width, height, grey: raster.bytes().to_vec(), dpi: DPI }
        })
        .collect();
    scan(&prints, scanner, 1)
}

#[tokio::test(flavor = "multi_thread")]
async fn without_ocr_a_scan_has_no_contents_and_the_job_completes() {
    let settings = vec![("OCR__PROGRAM", "no-such-program".to_owned())];
    let server = Server::start_with(Options { settings, ..Options::default() });
    let client = server.client("scans", "enterprise");
    let (_, style) = styles().swap_remove(0);
    let document = client.document(scanned(draft(&style, 1).pdf, &Scanner::ALL[0].1)).await;
    let job = client.finished(&client.job(&document).await).await;
    assert_eq!(job["status"], "complete", "{job}");
    assert_eq!(job["result"]["divisions"], serde_json::json!([]));
}
