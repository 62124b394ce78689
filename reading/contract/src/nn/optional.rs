//! A network of the host that a plugin can do without.

use std::cell::OnceCell;

use crate::nn::{Network, NnError, Tensor};

/// A network that a plugin can do without.
///
/// It is loaded when it is first asked for: a failed load becomes a warning to the client, and a page without work for the
/// network should cause none.
///
/// ```no_run
/// use fanlight_contract::nn::{OptionalNetwork, Tensor};
///
/// let network = OptionalNetwork::new("room-segmenter", "only rooms with a name are detected");
/// let maps = network.run(vec![("tile", Tensor::square(256, vec![0.0; 256 * 256]))], "maps");
/// ```
#[derive(Debug)]
pub struct OptionalNetwork {
    /// Its name in `plugin.toml` and in the operator's grants.
    name: &'static str,
    /// What happens without it, for the warning.
    without: &'static str,
    network: OnceCell<Option<Network>>,
}

impl OptionalNetwork {
    /// Names a network, and what happens without it.
    pub const fn new(name: &'static str, without: &'static str) -> Self {
        Self { name, without, network: OnceCell::new() }
    }

    /// Returns whether the network is granted, installed and run on this host. It is loaded for that.
    ///
    /// ```no_run
    /// use fanlight_contract::nn::OptionalNetwork;
    ///
    /// /// Returns the crops to classify: none, if the network is missing, because cutting them out takes long.
    /// fn crops(network: &OptionalNetwork, cut_out: impl Fn() -> Vec<Vec<f32>>) -> Vec<Vec<f32>> {
    ///     if network.is_there() { cut_out() } else { Vec::new() }
    /// }
    /// ```
    pub fn is_there(&self) -> bool {
        self.loaded().is_some()
    }

    /// Runs the network on its inputs by name and returns the values of an output. `None` if the network is not there or fails.
    pub fn run(&self, inputs: Vec<(&str, Tensor)>, output: &str) -> Option<Vec<f32>> {
        let network = self.loaded()?;
        let found = network.run(inputs).and_then(|mut outputs| outputs.take(output));
        found.map(|tensor| tensor.values).inspect_err(|error| self.warn(error)).ok()
    }

    fn loaded(&self) -> Option<&Network> {
        self.network.get_or_init(|| Network::load(self.name).inspect_err(|error| self.warn(error)).ok()).as_ref()
    }

    fn warn(&self, error: &NnError) {
        eprintln!("{}: {error}", self.without);
    }
}
