//! Runs ONNX models, on the GPU by wonnx or on the CPU by rten. No wasm, no HTTP.
//!
//! [`Inference::open`] takes the folder of models and a choice of processor; [`Inference::model`] reads a model by its name and
//! SHA-256 and opens it; [`Model::run`] waits for the model's turn on the device and runs it. Tensors are of 32-bit
//! floats. What an engine makes of a model or of its inputs, a panic included, is the error of that one call.
//!
//! | module | holds |
//! |---|---|
//! | `catalogue` | the folder of models: names, files, hashes |
//! | `device` | the thread that has the engine, and the queue to it |
//! | `engine` | what an engine is |
//! | `cpu` | rten |
//! | `gpu` | wonnx |
//! | `processor` | which of the two |
//! | `tensor_spec` | a model's inputs and outputs, and what fits them |
//! | `cost` | what a run costs, known before it runs |
//! | `tensor` | the numbers |

mod catalogue;
mod cost;
mod cpu;
mod device;
mod engine;
mod gpu;
mod processor;
mod tensor;
mod tensor_spec;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::sync::Mutex;

pub use catalogue::CatalogueError;
pub use cost::UnknownCost;
pub use device::DeviceLost;
pub use engine::UnsupportedModel;
pub use processor::{Choice, NoGpu, Processor};
pub use tensor::{SizeMismatch, Tensor};
pub use tensor_spec::{InvalidInput, TensorSpec};

use catalogue::Catalogue;
use cost::Cost;
use cpu::Rten;
use device::{Device, Opened};
use gpu::Wonnx;

/// What [`Model::device`] calls the GPU, and its thread.
pub const GPU: &str = "inference-gpu";
/// What [`Model::device`] calls the CPU, and the thread that has its engine.
pub const CPU: &str = "inference-cpu";

/// How inference is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of models: `<name>/model.onnx` each. One that isn't there holds none.
    pub models: PathBuf,
    /// What is to run them.
    pub choice: Choice,
}

/// Why inference can't start.
#[derive(Debug, Error)]
pub enum StartError {
    /// A GPU is wanted, and there is none.
    #[error(transparent)]
    NoGpu(#[from] NoGpu),
    /// The system has no thread left.
    #[error("no thread can be started for inference: {0}")]
    Thread(#[from] std::io::Error),
}

/// Why a model can't be had. Each is one sentence that names the model.
#[derive(Clone, Debug, Error)]
pub enum ModelError {
    /// Its file isn't there, or isn't what was asked for.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// The engine can't run it.
    #[error("the model `{name}` {reason}")]
    Unsupported {
        /// The name of the model.
        name: String,
        /// What the engine cannot run.
        reason: UnsupportedModel,
    },
    /// The engine failed while it opened the model.
    #[error("the model `{name}` can't be opened: {lost}")]
    DeviceLost {
        /// The model's name.
        name: String,
        /// What happened.
        lost: DeviceLost,
    },
}

/// Why a run has no result.
#[derive(Clone, Debug, Error)]
pub enum RunError {
    /// The inputs are not the model's.
    #[error(transparent)]
    InvalidInput(#[from] InvalidInput),
    /// The run would cost more than one may: no run can be interrupted.
    #[error("the model `{model}` on the inputs {inputs} would cost {excess}")]
    TooExpensive {
        /// The model's name.
        model: String,
        /// The names of the inputs with their shapes.
        inputs: String,
        /// The cost, and the limit that it exceeds.
        excess: String,
    },
    /// Nobody can say what the run would cost.
    #[error("the model `{model}` {unknown}")]
    UnknownCost {
        /// The model's name.
        model: String,
        /// Why not.
        unknown: UnknownCost,
    },
    /// The engine failed at it.
    #[error("the model failed: {0}")]
    Failed(String),
    /// The engine crashed over it, or its device is gone.
    #[error("the model failed: {0}")]
    DeviceLost(#[from] DeviceLost),
}

/// The models of this host and the devices that run them. One a process.
#[derive(Debug)]
pub struct Inference {
    catalogue: Catalogue,
    processor: Processor,
    /// None where the CPU is to run everything.
    gpu: Option<Arc<Device>>,
    /// None where the GPU is to run everything.
    cpu: Option<Arc<Device>>,
    open: Mutex<BTreeMap<String, Model>>,
}

impl Inference {
    /// Looks for a GPU, unless the CPU is chosen, and starts the devices. Blocks: drivers take their time to start.
    pub fn open(settings: Settings) -> Result<Self, StartError> {
        let processor = processor::chosen(settings.choice)?;
        let gpu = match processor {
            Processor::Gpu(_) => Some(Arc::new(Device::start(GPU, || Box::new(Wonnx))?)),
            Processor::Cpu => None,
        };
        let cpu = match settings.choice {
            Choice::Gpu => None,
            Choice::Auto | Choice::Cpu => Some(Arc::new(Device::start(CPU, || Box::new(Rten))?)),
        };
        let catalogue = Catalogue::new(settings.models);
        Ok(Self { catalogue, processor, gpu, cpu, open: Mutex::default() })
    }

    /// What runs models, where it can.
    pub fn processor(&self) -> &Processor {
        &self.processor
    }

    /// The model of this name whose file has this SHA-256 (64 hex digits). Opened once, whoever asks.
    pub async fn model(&self, name: &str, sha256: &str) -> Result<Model, ModelError> {
        // Held while a model is opened, so that two who ask for the same one wait for one opening.
        let mut open = self.open.lock().await;
        let key = format!("{name}@{sha256}");
        if let Some(model) = open.get(&key) {
            return Ok(model.clone());
        }
        let onnx = self.catalogue.read(name, sha256).await?;
        let model = match (&self.gpu, &self.cpu) {
            (Some(gpu), None) => on(gpu, name, onnx).await?,
            (None, Some(cpu)) => on(cpu, name, onnx).await?,
            (Some(gpu), Some(cpu)) => match on(gpu, name, onnx.clone()).await {
                Ok(on_gpu) => quicker(on_gpu, on(cpu, name, onnx).await?).await,
                Err(error) => {
                    let model = on(cpu, name, onnx).await?;
                    tracing::warn!(model = name, reason = %error, "a model runs on the CPU");
                    model
                }
            },
            (None, None) => return Err(ModelError::DeviceLost { name: name.to_owned(), lost: DeviceLost::Gone }),
        };
        open.insert(key, model.clone());
        Ok(model)
    }

    /// Ends the devices and waits for that. Models that are open fail from then on. A process that has used a GPU closes it
    /// before it ends: some drivers crash where a thread still has the GPU while they are unloaded.
    pub fn close(&self) {
        for device in self.gpu.iter().chain(&self.cpu) {
            device.close();
        }
    }
}

/// How often a model is run on each processor to see which is quicker; the first run may make things ready.
const TRIALS: u32 = 2;

/// A model on the processor that runs it quicker: a small network is done on the CPU before the GPU has been told of it.
async fn quicker(on_gpu: Model, on_cpu: Model) -> Model {
    let (gpu, cpu) = (on_gpu.quickest_trial().await, on_cpu.quickest_trial().await);
    let is_quicker_on_cpu = matches!((gpu, cpu), (Some(gpu), Some(cpu)) if cpu < gpu);
    tracing::info!(model = %on_gpu.name, ?gpu, ?cpu, is_quicker_on_cpu, "a model was tried on both processors");
    if is_quicker_on_cpu { on_cpu } else { on_gpu }
}

/// Opens a model on a device.
async fn on(device: &Arc<Device>, name: &str, onnx: Arc<[u8]>) -> Result<Model, ModelError> {
    let opened = device.open(onnx).await.map_err(|lost| ModelError::DeviceLost { name: name.to_owned(), lost })?;
    let opened = opened.map_err(|reason| ModelError::Unsupported { name: name.to_owned(), reason })?;
    Ok(Model { name: name.into(), opened: Arc::new(opened), device: device.clone() })
}

/// A model that is open. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Model {
    name: Arc<str>,
    opened: Arc<Opened>,
    device: Arc<Device>,
}

impl Model {
    /// Its name in the catalogue.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the device that runs it is called.
    pub fn device(&self) -> &str {
        self.device.name()
    }

    /// What it takes.
    pub fn inputs(&self) -> &[TensorSpec] {
        &self.opened.inputs
    }

    /// The names of what it gives, in this order.
    pub fn outputs(&self) -> &[String] {
        &self.opened.outputs
    }

    /// The shortest of some runs on zeros; none where it can't be tried.
    async fn quickest_trial(&self) -> Option<Duration> {
        let mut quickest = None;
        for _ in 0..TRIALS {
            let zeros = self.inputs().iter().map(|spec| Some((spec.name().to_owned(), spec.filled(|| 0.0)?)));
            let zeros = zeros.collect::<Option<Vec<_>>>()?;
            let started = Instant::now();
            self.run(zeros).await.ok()?;
            quickest = quickest.into_iter().chain([started.elapsed()]).min();
        }
        quickest
    }

    /// Runs it on these inputs, in whatever order, each once: all outputs by name. Waits for its turn on the device;
    /// dropped before that, it never runs.
    pub async fn run(&self, inputs: Vec<(String, Tensor)>) -> Result<Vec<(String, Tensor)>, RunError> {
        self.prepare(inputs)?.run().await
    }

    /// A run on these inputs that has not begun, once it is known that they fit and what it will cost.
    ///
    /// # Errors
    ///
    /// [`RunError::InvalidInput`], [`RunError::TooExpensive`] or [`RunError::UnknownCost`].
    pub fn prepare(&self, inputs: Vec<(String, Tensor)>) -> Result<Run<'_>, RunError> {
        let inputs = tensor_spec::arrange(&self.opened.inputs, inputs)?;
        let shapes = self.inputs().iter().zip(&inputs).map(|(spec, tensor)| (spec.name(), tensor.shape()));
        let model = || self.name.as_ref().to_owned();
        let cost = match self.opened.graph.cost(shapes.clone()) {
            Ok(cost) => cost,
            Err(unknown) => return Err(RunError::UnknownCost { model: model(), unknown }),
        };
        if !cost.is_allowed() {
            let inputs: Vec<String> = shapes.map(|(name, shape)| format!("`{name}` {shape:?}")).collect();
            return Err(RunError::TooExpensive { model: model(), inputs: inputs.join(", "), excess: cost.excess() });
        }
        Ok(Run { model: self, inputs, cost })
    }
}

/// A run that has not begun.
#[derive(Debug)]
#[must_use]
pub struct Run<'a> {
    model: &'a Model,
    inputs: Vec<Tensor>,
    cost: Cost,
}

impl Run<'_> {
    /// The most bytes that the run holds at a time beside its inputs: intermediate values and outputs.
    pub fn bytes(&self) -> usize {
        usize::try_from(self.cost.bytes).unwrap_or(usize::MAX)
    }

    /// The operations that the run costs: multiplications of matrix products, and other work as what takes as long.
    pub fn operations(&self) -> u64 {
        self.cost.operations
    }

    /// Waits for its turn on the device, and runs: all outputs by name. Dropped before its turn, it never runs.
    pub async fn run(self) -> Result<Vec<(String, Tensor)>, RunError> {
        let opened = &self.model.opened;
        let outputs = self.model.device.run(opened.id, self.inputs).await?.map_err(RunError::Failed)?;
        Ok(opened.outputs.iter().cloned().zip(outputs).collect())
    }
}
