//! The model that the host runs: the document from the engine, progress page by page.

use std::cell::OnceCell;

use fanlight_plugin::nn::{Network, NnError, Tensor};
use fanlight_plugin::{Failure, JobPage, NoParameters, PageItems, PageModel};
use fanlight_sheet::view_segmentation::{HEIGHT, WIDTH};

use crate::{Elevation, Elevations};

/// Finds interior elevations.
#[derive(Default)]
pub struct ElevationDetector {
    network: SegmentationNetwork,
}

impl PageModel for ElevationDetector {
    type Parameters = NoParameters;
    type Item = Elevation;
    type Outcome = Elevations;

    const NAME: &'static str = "elevation-detector";
    const VERSION: &'static str = fanlight_plugin::version!();
    const SUMMARY: &'static str = "Finds the interior elevations of drawing sheets.";

    fn analyze_page(&self, page: &JobPage<'_>, _: &NoParameters) -> Result<Vec<Elevation>, Failure> {
        let boxes = crate::detect(&page.content, |shown| self.network.run(shown));
        let elevations = boxes.into_iter().map(|bbox| Elevation {
            id: page.identifier("ele", bbox),
            page: page.number,
            bbox: bbox.into(),
        });
        Ok(elevations.collect())
    }

    fn progress_message(number: u32, _: u32, _: u32) -> String {
        format!("Looking for elevations on page {number}")
    }
}

impl From<PageItems<Elevation>> for Elevations {
    fn from(found: PageItems<Elevation>) -> Self {
        Self {
            elevations: found.items,
            elevations_found: found.items_found,
            pages_analyzed: found.pages_analyzed as u32,
        }
    }
}

/// The network that segments views, loaded at the first scan.
#[derive(Default)]
struct SegmentationNetwork(OnceCell<Option<Network>>);

impl SegmentationNetwork {
    fn network(&self) -> Option<&Network> {
        let load = || Network::load("sheet-views").map_err(|error| eprintln!("views are not segmented: {error}")).ok();
        self.0.get_or_init(load).as_ref()
    }

    fn run(&self, shown: Vec<f32>) -> Option<Vec<f32>> {
        let sheet = Tensor::new(&[1, 1, HEIGHT as u32, WIDTH as u32], shown);
        let run = |network: &Network| -> Result<Vec<f32>, NnError> {
            Ok(network.run(vec![("sheet", sheet)])?.take("map")?.values)
        };
        run(self.network()?).map_err(|error| eprintln!("views are not segmented: {error}")).ok()
    }
}

fanlight_plugin::export_model!(ElevationDetector);
