//! A plugin that runs a network on its parameters and returns the outputs.

use fanlight_plugin::nn::bindings::wasi::nn::{graph, tensor};
use fanlight_plugin::nn::{Network, NnError, Tensor};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The plugin.
pub struct Inferring;

/// Selects what to run.
#[derive(Deserialize, JsonSchema)]
pub struct Parameters {
    /// The name of the network.
    network: String,
    /// The inputs of the network.
    #[serde(default)]
    inputs: Vec<Input>,
    /// Number of runs.
    #[serde(default = "once")]
    times: u32,
    /// A misuse of inference, in place of the runs.
    #[serde(default)]
    instead: Option<Instead>,
}

fn once() -> u32 {
    1
}

/// An input of a network.
#[derive(Clone, Deserialize, Serialize, JsonSchema)]
pub struct Input {
    name: String,
    shape: Vec<u32>,
    values: Vec<f32>,
}

/// Misuses of inference.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Instead {
    /// Load a network from bytes.
    LoadItself,
    /// Run the network on bytes instead of floats.
    RunOnBytes,
    /// Create tensors without end, and keep them.
    HoardTensors,
    /// Create handles of tensors without values, without end.
    HoardHandles,
}

/// The outcome.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Told {
    /// The outputs of the last run.
    outputs: Vec<Input>,
    /// The error, if there are no outputs.
    error: Option<String>,
}

impl Model for Inferring {
    type Parameters = Parameters;
    type Partial = Told;
    type Outcome = Told;

    fn description() -> Description {
        Description {
            name: "inferring",
            version: "1.0.0",
            summary: "Runs a network.",
            granularity: Granularity::Document,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Told, Failure> {
        let told = match outputs(&request.parameters) {
            Ok(outputs) => Told { outputs, error: None },
            Err(error) => Told { outputs: Vec::new(), error: Some(format!("{error:?}")) },
        };
        Ok(told)
    }

    fn conclude(_: &Request<Parameters>, partials: Vec<Told>) -> Result<Told, Failure> {
        partials.into_iter().next().ok_or_else(|| Failure::Internal("there was no page".to_owned()))
    }
}

fn outputs(parameters: &Parameters) -> Result<Vec<Input>, NnError> {
    match parameters.instead {
        Some(Instead::LoadItself) => {
            let onnx = [vec![8, 7]];
            graph::load(&onnx, graph::GraphEncoding::Onnx, graph::ExecutionTarget::Cpu)?;
            return Ok(Vec::new());
        }
        Some(Instead::RunOnBytes) => {
            let context = graph::load_by_name(&parameters.network)?.init_execution_context()?;
            let bytes = tensor::Tensor::new(&[2], tensor::TensorType::U8, &[1, 2]);
            context.compute(vec![("x".to_owned(), bytes)])?;
            return Ok(Vec::new());
        }
        Some(Instead::HoardTensors) => hoard(8 * 1024 * 1024),
        Some(Instead::HoardHandles) => hoard(0),
        None => {}
    }
    let network = Network::load(&parameters.network)?;
    let mut outputs = Vec::new();
    for run in 0..parameters.times {
        job::progress(run, parameters.times, "Running");
        let inputs = parameters.inputs.iter();
        let inputs = inputs.map(|input| (input.name.as_str(), Tensor::new(&input.shape, input.values.clone())));
        outputs = network.run(inputs.collect())?.into_vec();
    }
    let told = outputs.into_iter().map(|(name, tensor)| Input { name, shape: tensor.shape, values: tensor.values });
    Ok(told.collect())
}

/// Creates tensors of `bytes` bytes until the host ends the guest.
fn hoard(bytes: usize) -> ! {
    let data = vec![0; bytes];
    let mut hoard = Vec::new();
    loop {
        hoard.push(tensor::Tensor::new(&[bytes as u32], tensor::TensorType::U8, &data));
    }
}

fanlight_plugin::export_model!(Inferring);
