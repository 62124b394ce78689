//! The networks of the host and the pages of the engine: what plugins call.

use std::cell::OnceCell;

use crate::classifier::{Judge, Weights};
use crate::classifier_input::{Answer, Class};
use fanlight_contract::Rect;
use fanlight_plugin::nn::{Network, NnError, Tensor};
use fanlight_plugin::pdf;

use crate::detector::search::Find;
use crate::detector::sheet::pictured;
use crate::detector::tile::SIDE;

/// The network's name, as `plugin.toml` and the operator's grants have it.
const NETWORK: &str = "symbols-finder";

/// The network that finds symbols in pictures, loaded when a page is one: a network that was loaded in vain is a warning to
/// the client.
#[derive(Debug, Default)]
pub struct Finder {
    network: OnceCell<Option<Network>>,
}

impl Finder {
    /// The symbols of a page that is a picture, the likeliest first. None for a page that is not, and where this plugin can't
    /// have the network: not granted, not installed, or not run here. The judge is asked about each. `path_operators` are
    /// those of the page's paths.
    pub fn finds(&self, page: &pdf::Page, path_operators: usize, judge: &Judge) -> Option<Vec<Find>> {
        let part = pictured(path_operators, &page.geometry(), || page.images())?;
        let network = self.network()?;
        let mut finds = crate::detector::find(page, part, |tile| maps(network, tile).ok());
        let boxes: Vec<Rect> = finds.iter().map(|find| find.bbox).collect();
        let answers = judge.answers(page, &boxes);
        for (find, answer) in finds.iter_mut().zip(answers) {
            *find = weighed(find, answer.as_ref());
        }
        finds.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        Some(finds)
    }

    fn network(&self) -> Option<&Network> {
        let load = || Network::load(NETWORK).map_err(|error| eprintln!("nothing is found on scans: {error}"));
        self.network.get_or_init(|| load().ok()).as_ref()
    }
}

fn maps(network: &Network, tile: Vec<f32>) -> Result<Vec<f32>, NnError> {
    let side = SIDE as u32;
    let mut outputs = network.run(vec![("tile", Tensor::new(&[1, 1, side, side], tile))])?;
    Ok(outputs.take("maps")?.values)
}

/// Fitted by `cargo run --release -p eval --bin eval-detector -- weigh --sheets 36`, on drafted scans of offices with mixed habits.
const DOORS: Weights = Weights { bias: -0.17, finder: 0.82, judge: 0.19 };
const FIXTURES: Weights = Weights { bias: -0.47, finder: 0.88, judge: 0.58 };

/// A find with what the judge says of its picture: how likely it is, and of its group what it is. Where the judge was not
/// asked, the find stands as it is.
pub fn weighed(find: &Find, answer: Option<&Answer>) -> Find {
    let Some(answer) = answer else { return *find };
    let (weights, group): (Weights, fn(Class) -> bool) =
        if find.class.is_door() { (DOORS, Class::is_door) } else { (FIXTURES, Class::is_fixture) };
    let confidence = weights.weigh(find.confidence, answer.likelihood(group));
    Find { class: answer.likeliest(group).unwrap_or(find.class), confidence, ..*find }
}
