//! A network of the host that a plugin can do without.

use std::cell::OnceCell;

use fanlight_plugin::nn::{Network, NnError, Tensor};

/// A network that takes squares of one channel, and that a plugin can do without.
///
/// It is loaded when it is first asked for: a failed load becomes a warning to the client, and a page without work for the
/// network should cause none.
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
    pub fn is_there(&self) -> bool {
        self.loaded().is_some()
    }

    /// Runs the network on a square of `side` by `side` values, named `input`, and returns the values of `output`.
    ///
    /// Returns `None` if the network is not there or fails.
    pub fn run(&self, input: &str, side: usize, values: Vec<f32>, output: &str) -> Option<Vec<f32>> {
        run(self.loaded()?, input, side as u32, values, output).ok()
    }

    fn loaded(&self) -> Option<&Network> {
        let load = || Network::load(self.name).map_err(|error| eprintln!("{}: {error}", self.without));
        self.network.get_or_init(|| load().ok()).as_ref()
    }
}

fn run(network: &Network, input: &str, side: u32, values: Vec<f32>, output: &str) -> Result<Vec<f32>, NnError> {
    let mut outputs = network.run(vec![(input, Tensor::new(&[1, 1, side, side], values))])?;
    Ok(outputs.take(output)?.values)
}
