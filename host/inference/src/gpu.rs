//! The GPU's engine, wonnx over wgpu.
//!
//! wonnx takes the adapter that wgpu's environment variables select (`WGPU_ADAPTER_NAME`, `WGPU_POWER_PREF`,
//! `WGPU_BACKEND`), and panics if there is none. [`adapter`] therefore looks first, in the same way. wonnx computes
//! some networks wrongly without an error, such as a convolution of 3 x 3 without a bias or a concatenation along
//! some axes. Each network must therefore reproduce the CPU's results before it is used (`docs/decisions`).

use std::collections::HashMap;
use std::env;
use std::sync::Arc;
use std::thread;
#[cfg(target_os = "linux")]
use std::{fs, path::Path};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use tokio::runtime::{Builder, Runtime};
use wgpu::{AdapterInfo, Backends, DeviceType, Instance, InstanceDescriptor};
use wonnx::utils::{InputTensor, OutputTensor};
use wonnx::{Session, SessionError};

use crate::cost::Graph;
use crate::cpu::Rten;
use crate::engine::{Engine, Network, UnsupportedModel};
use crate::tensor::Tensor;
use crate::tensor_spec::TensorSpec;

/// The engine's name in error messages.
const NAME: &str = "the GPU's engine";

/// Largest accepted difference from the CPU's result: relative where the value is above 1, else absolute.
const TOLERANCE: f32 = 1e-3;

/// wgpu's variable that names an adapter.
const BY_NAME: &str = "WGPU_ADAPTER_NAME";

/// The outcome of the search for the adapter that wonnx would take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The adapter's name and its graphics interface.
    Gpu(String),
    /// An adapter that computes on the CPU, slower than the CPU's own engine. It is used only if named explicitly.
    Software(String),
    /// No adapter was found.
    Nothing,
}

/// Looks for the adapter that wonnx would take.
pub(crate) fn find() -> Found {
    let by_name = env::var_os(BY_NAME).is_some();
    if !by_name && !has_device() {
        return Found::Nothing;
    }
    // Panics if no adapter has the name, and possibly if a driver fails. `block_on` needs a thread outside any
    // runtime.
    match thread::spawn(adapter).join() {
        Ok(Some(info)) => classify(info, by_name),
        _ => Found::Nothing,
    }
}

/// Classifies an adapter as hardware or software; a software adapter that is named explicitly counts as hardware.
fn classify(info: AdapterInfo, by_name: bool) -> Found {
    let AdapterInfo { name, backend, device_type, .. } = info;
    let described = format!("{name} ({backend:?})");
    if device_type == DeviceType::Cpu && !by_name { Found::Software(described) } else { Found::Gpu(described) }
}

/// Returns whether Linux lists a GPU device. If not, drivers are not started: that takes time, and they may write to
/// standard error.
#[cfg(target_os = "linux")]
fn has_device() -> bool {
    // NVIDIA's own driver and WSL's have devices of these names; all others have render nodes.
    let named = ["/dev/nvidiactl", "/dev/dxg"].iter().any(|device| Path::new(device).exists());
    let mut nodes = fs::read_dir("/dev/dri").into_iter().flatten().flatten();
    named || nodes.any(|node| node.file_name().to_string_lossy().starts_with("renderD"))
}

#[cfg(not(target_os = "linux"))]
fn has_device() -> bool {
    true
}

/// Returns the adapter that wonnx would take.
fn adapter() -> Option<AdapterInfo> {
    let backends = wgpu::util::backend_bits_from_env().unwrap_or(Backends::PRIMARY);
    let instance = Instance::new(InstanceDescriptor { backends, ..InstanceDescriptor::default() });
    let looking = wgpu::util::initialize_adapter_from_env_or_default(&instance, backends, None);
    runtime().ok()?.block_on(looking).map(|adapter| adapter.get_info())
}

fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().build()
}

/// The engine. It must live on a thread outside any runtime.
pub(crate) struct Wonnx;

impl Engine for Wonnx {
    /// Opens a network and compares its results on random inputs with the CPU's.
    fn open(&mut self, onnx: &[u8]) -> Result<Box<dyn Network>, UnsupportedModel> {
        let mut reference = Rten.open(onnx)?;
        let inputs = reference.inputs().to_vec();
        let trial = inputs.iter().map(random_input).collect::<Result<Vec<Tensor>, UnsupportedModel>>()?;
        let expected =
            reference.run(&trial).map_err(|error| unsupported(format!("a trial on the CPU failed: {error}")))?;

        let runtime = runtime().map_err(|error| unsupported(error.to_string()))?;
        let session = runtime.block_on(Session::from_bytes(onnx)).map_err(|error| unsupported(sentence(&error)))?;
        let shapes = expected.iter().map(|output| output.shape().to_vec()).collect();
        let (outputs, graph) = (reference.outputs().to_vec(), reference.graph().clone());
        let mut network = WonnxNetwork { runtime, session, inputs, outputs, graph, shapes };
        let found = network.run(&trial).map_err(|error| unsupported(format!("a trial failed: {error}")))?;
        for ((name, expected), found) in network.outputs.iter().zip(&expected).zip(&found) {
            check_output(name, expected, found)?;
        }
        Ok(Box::new(network))
    }
}

/// Returns values from 0 to 1 for an input, the range of pixel values.
fn random_input(spec: &TensorSpec) -> Result<Tensor, UnsupportedModel> {
    let mut random = SmallRng::seed_from_u64(1);
    let input = spec.filled(|| random.random());
    input.ok_or_else(|| unsupported(format!("it leaves sizes of `{}` open", spec.name())))
}

/// Compares an output with the CPU's.
///
/// # Errors
///
/// [`UnsupportedModel::Differs`] if a value differs by more than [`TOLERANCE`].
fn check_output(name: &str, expected: &Tensor, found: &Tensor) -> Result<(), UnsupportedModel> {
    let pairs = expected.values().iter().zip(found.values());
    let furthest = pairs.map(|(expected, found)| difference(*expected, *found)).fold(0.0, f32::max);
    if furthest <= TOLERANCE {
        Ok(())
    } else {
        Err(UnsupportedModel::Differs { output: name.to_owned(), by: furthest })
    }
}

/// Returns the difference of two values, relative where `expected` is above 1. It is infinite if only one is NaN.
fn difference(expected: f32, found: f32) -> f32 {
    let difference = (expected - found).abs() / expected.abs().max(1.0);
    let only_one_is_nan = difference.is_nan() && !(expected.is_nan() && found.is_nan());
    if only_one_is_nan { f32::INFINITY } else { difference }
}

/// Creates the error of a network that this engine cannot run.
fn unsupported(detail: String) -> UnsupportedModel {
    UnsupportedModel::Operator { engine: NAME, detail }
}

struct WonnxNetwork {
    runtime: Runtime,
    session: Session,
    inputs: Vec<TensorSpec>,
    outputs: Vec<String>,
    graph: Arc<Graph>,
    /// The shape of each output. wonnx returns values without shapes; the shapes are constant because all sizes are
    /// fixed.
    shapes: Vec<Vec<usize>>,
}

impl Network for WonnxNetwork {
    fn inputs(&self) -> &[TensorSpec] {
        &self.inputs
    }

    fn outputs(&self) -> &[String] {
        &self.outputs
    }

    fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    fn run(&mut self, inputs: &[Tensor]) -> Result<Vec<Tensor>, String> {
        let named = self.inputs.iter().zip(inputs);
        let inputs: HashMap<String, InputTensor> =
            named.map(|(spec, tensor)| (spec.name().to_owned(), InputTensor::from(tensor.values()))).collect();
        let mut given = self.runtime.block_on(self.session.run(&inputs)).map_err(|error| sentence(&error))?;
        let shaped = self.outputs.iter().zip(&self.shapes);
        let output = shaped.map(|(name, shape)| match given.remove(name) {
            Some(OutputTensor::F32(values)) => Tensor::new(shape.clone(), values).map_err(|error| error.to_string()),
            Some(_) => Err(format!("its output `{name}` is not of 32-bit floats")),
            None => Err(format!("its output `{name}` is missing")),
        });
        output.collect()
    }
}

/// Returns an error of wonnx as one line.
fn sentence(error: &SessionError) -> String {
    error.to_string().lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_software_adapter_is_used_only_if_named() {
        let info = |device_type| AdapterInfo {
            name: "llvmpipe".to_owned(),
            vendor: 0,
            device: 0,
            device_type,
            driver: String::new(),
            driver_info: String::new(),
            backend: wgpu::Backend::Vulkan,
        };
        let shown = "llvmpipe (Vulkan)".to_owned();
        assert_eq!(classify(info(DeviceType::Cpu), false), Found::Software(shown.clone()));
        assert_eq!(classify(info(DeviceType::Cpu), true), Found::Gpu(shown.clone()));
        assert_eq!(classify(info(DeviceType::IntegratedGpu), false), Found::Gpu(shown));
    }

    #[test]
    fn results_are_compared_with_the_cpu_value_by_value() {
        let tensor = |values: &[f32]| Tensor::new(vec![values.len()], values.to_vec()).unwrap();
        let cases: [(&[f32], &[f32], bool); 6] = [
            (&[0.5, -2.0], &[0.5009, -2.0], true),
            (&[0.5, -2.0], &[0.502, -2.0], false),
            (&[5000.0], &[5004.0], true),
            (&[5000.0], &[5006.0], false),
            (&[0.0], &[f32::NAN], false),
            (&[f32::NAN], &[f32::NAN], true),
        ];
        for (expected, found, equal) in cases {
            assert_eq!(check_output("y", &tensor(expected), &tensor(found)).is_ok(), equal, "{expected:?} {found:?}");
        }
    }
}
