//! The GPU, by wonnx over wgpu.
//!
//! wonnx takes the adapter that wgpu's own variables choose (`WGPU_ADAPTER_NAME`, `WGPU_POWER_PREF`, `WGPU_BACKEND`),
//! and panics where there is none, so [`adapter`] looks first, in the same way. What it computes is wrong for some
//! networks without a word (a convolution of 3 x 3 without a bias, a concatenation along another axis than it knows), so
//! each network has to give what the CPU gives before it is run.

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

/// What errors call it.
const NAME: &str = "the GPU's engine";

/// How far a result may be from the CPU's: of the value where that is above 1, else in all.
const TOLERANCE: f32 = 1e-3;

/// wgpu's variable that names an adapter.
const BY_NAME: &str = "WGPU_ADAPTER_NAME";

/// The GPU that wonnx would take, or why none is to be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The adapter's name and the interface to it.
    Gpu(String),
    /// An adapter that computes on the CPU, slower than the CPU's own engine; used only when asked for by its name.
    Software(String),
    /// No adapter.
    Nothing,
}

/// Looks for the adapter that wonnx would take.
pub(crate) fn find() -> Found {
    let by_name = env::var_os(BY_NAME).is_some();
    if !by_name && !has_device() {
        return Found::Nothing;
    }
    // A name that no adapter has is a panic, as a driver's failure may be. A thread of its own may be one of no runtime.
    match thread::spawn(adapter).join() {
        Ok(Some(info)) => judge(info, by_name),
        _ => Found::Nothing,
    }
}

fn judge(info: AdapterInfo, by_name: bool) -> Found {
    let AdapterInfo { name, backend, device_type, .. } = info;
    let described = format!("{name} ({backend:?})");
    if device_type == DeviceType::Cpu && !by_name { Found::Software(described) } else { Found::Gpu(described) }
}

/// Whether Linux has the device of any GPU: where it has none, drivers need not be started, which takes time and lets
/// them write to standard error.
#[cfg(target_os = "linux")]
fn has_device() -> bool {
    // NVIDIA's own driver and WSL's have devices by these names; all others are render nodes.
    let named = ["/dev/nvidiactl", "/dev/dxg"].iter().any(|device| Path::new(device).exists());
    let mut nodes = fs::read_dir("/dev/dri").into_iter().flatten().flatten();
    named || nodes.any(|node| node.file_name().to_string_lossy().starts_with("renderD"))
}

#[cfg(not(target_os = "linux"))]
fn has_device() -> bool {
    true
}

fn adapter() -> Option<AdapterInfo> {
    let backends = wgpu::util::backend_bits_from_env().unwrap_or(Backends::PRIMARY);
    let instance = Instance::new(InstanceDescriptor { backends, ..InstanceDescriptor::default() });
    let looking = wgpu::util::initialize_adapter_from_env_or_default(&instance, backends, None);
    runtime().ok()?.block_on(looking).map(|adapter| adapter.get_info())
}

fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().build()
}

/// The engine. It lives on a thread that no runtime runs on.
pub(crate) struct Wonnx;

impl Engine for Wonnx {
    /// Opens a network and has it give what the CPU gives, on random numbers.
    fn open(&mut self, onnx: &[u8]) -> Result<Box<dyn Network>, UnsupportedModel> {
        let mut reference = Rten.open(onnx)?;
        let inputs = reference.inputs().to_vec();
        let trial = inputs.iter().map(random).collect::<Result<Vec<Tensor>, UnsupportedModel>>()?;
        let lacking = |detail: String| UnsupportedModel::Operator { engine: NAME, detail };
        let expected = reference.run(&trial).map_err(|error| lacking(format!("a trial on the CPU failed: {error}")))?;

        let runtime = runtime().map_err(|error| lacking(error.to_string()))?;
        let session = runtime.block_on(Session::from_bytes(onnx)).map_err(|error| lacking(sentence(&error)))?;
        let shapes = expected.iter().map(|output| output.shape().to_vec()).collect();
        let (outputs, graph) = (reference.outputs().to_vec(), reference.graph().clone());
        let mut network = WonnxNetwork { runtime, session, inputs, outputs, graph, shapes };
        let found = network.run(&trial).map_err(|error| lacking(format!("a trial failed: {error}")))?;
        for ((name, expected), found) in network.outputs.iter().zip(&expected).zip(&found) {
            check(name, expected, found)?;
        }
        Ok(Box::new(network))
    }
}

/// Numbers from 0 to 1 as an input: what pixels are made into.
fn random(spec: &TensorSpec) -> Result<Tensor, UnsupportedModel> {
    let mut random = SmallRng::seed_from_u64(1);
    let open =
        || UnsupportedModel::Operator { engine: NAME, detail: format!("it leaves sizes of `{}` open", spec.name()) };
    spec.filled(|| random.random()).ok_or_else(open)
}

/// Whether an output is what the CPU gives.
fn check(name: &str, expected: &Tensor, found: &Tensor) -> Result<(), UnsupportedModel> {
    let off = |(expected, found): (&f32, &f32)| {
        let difference = (expected - found).abs() / expected.abs().max(1.0);
        // Not a number is as far off as can be, unless both are.
        if difference.is_nan() && !(expected.is_nan() && found.is_nan()) { f32::INFINITY } else { difference }
    };
    let furthest = expected.values().iter().zip(found.values()).map(off).fold(0.0, f32::max);
    if furthest <= TOLERANCE {
        Ok(())
    } else {
        Err(UnsupportedModel::Differs { output: name.to_owned(), by: furthest })
    }
}

struct WonnxNetwork {
    runtime: Runtime,
    session: Session,
    inputs: Vec<TensorSpec>,
    outputs: Vec<String>,
    graph: Arc<Graph>,
    /// Of each output: wonnx gives the values alone, and with all sizes fixed they never change.
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

/// An error of wonnx in a line.
fn sentence(error: &SessionError) -> String {
    error.to_string().lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adapter_that_computes_on_the_cpu_is_used_only_when_it_is_named() {
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
        assert_eq!(judge(info(DeviceType::Cpu), false), Found::Software(shown.clone()));
        assert_eq!(judge(info(DeviceType::Cpu), true), Found::Gpu(shown.clone()));
        assert_eq!(judge(info(DeviceType::IntegratedGpu), false), Found::Gpu(shown));
    }

    #[test]
    fn a_result_is_compared_with_the_cpu_s_value_by_value() {
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
            assert_eq!(check("y", &tensor(expected), &tensor(found)).is_ok(), equal, "{expected:?} {found:?}");
        }
    }
}
