//! Runs ONNX models, on the GPU by wonnx or on the CPU by rten. No wasm, no HTTP.
//!
//! [`Inference::open`] takes the folder of models and the choice of processor. [`Inference::model`] reads a model by
//! its name and SHA-256 and opens it. [`Model::run`] waits in the device's queue and runs the model. Tensors hold
//! 32-bit floats. A failure of an engine, a panic included, is the error of that one call.
//!
//! | module | holds |
//! |---|---|
//! | `catalogue` | the folder of models: names, files, hashes |
//! | `device` | the thread that owns an engine, and its queue |
//! | `engine` | the traits of an engine and of an open network |
//! | `cpu` | the engine rten |
//! | `gpu` | the engine wonnx |
//! | `processor` | the choice between the two |
//! | `tensor_spec` | the inputs and outputs of a model, and the check of a run's inputs |
//! | `cost` | the cost of a run, computed before it runs |
//! | `tensor` | values with a shape |

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

pub use catalogue::{CatalogueError, carried_model_path};
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

/// The name of the GPU's device ([`Model::device`]) and of its thread.
pub const GPU: &str = "inference-gpu";
/// The name of the CPU's device ([`Model::device`]) and of the thread that owns its engine.
pub const CPU: &str = "inference-cpu";

/// Settings of inference.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of models, `<name>/model.onnx` each. A folder that does not exist holds no models.
    pub models: PathBuf,
    /// Which processor runs the models.
    pub choice: Choice,
}

/// Why inference cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// A GPU is required, and none was found.
    #[error(transparent)]
    NoGpu(#[from] NoGpu),
    /// The system cannot start another thread.
    #[error("no thread can be started for inference: {0}")]
    Thread(#[from] std::io::Error),
}

/// Why a model cannot be opened. Each message is one sentence that names the model.
#[derive(Clone, Debug, Error)]
pub enum ModelError {
    /// Its file is missing, or is not the requested one.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// The engine cannot run it.
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
        /// The name of the model.
        name: String,
        /// What happened.
        lost: DeviceLost,
    },
}

/// Why a run has no result.
#[derive(Clone, Debug, Error)]
pub enum RunError {
    /// The inputs do not match the model's specification.
    #[error(transparent)]
    InvalidInput(#[from] InvalidInput),
    /// The run would exceed the limit on cost. A run cannot be interrupted, so it never starts.
    #[error("the model `{model}` on the inputs {inputs} would cost {excess}")]
    TooExpensive {
        /// The name of the model.
        model: String,
        /// The inputs' names and shapes.
        inputs: String,
        /// The cost and the limit that it exceeds.
        excess: String,
    },
    /// The cost of the run cannot be computed.
    #[error("the model `{model}` {unknown}")]
    UnknownCost {
        /// The name of the model.
        model: String,
        /// The reason.
        unknown: UnknownCost,
    },
    /// The engine reported an error.
    #[error("the model failed: {0}")]
    Failed(String),
    /// The engine panicked, or its device is gone.
    #[error("the model failed: {0}")]
    DeviceLost(#[from] DeviceLost),
}

/// The models of this host and the devices that run them. A process has one.
#[derive(Debug)]
pub struct Inference {
    catalogue: Catalogue,
    processor: Processor,
    /// `None` if the CPU runs everything.
    gpu: Option<Arc<Device>>,
    /// `None` if the GPU runs everything.
    cpu: Option<Arc<Device>>,
    open: Mutex<BTreeMap<String, Model>>,
}

impl Inference {
    /// Looks for a GPU, unless the CPU is chosen, and starts the devices. Blocks while drivers start.
    ///
    /// # Errors
    ///
    /// [`StartError::NoGpu`] if the GPU is required and none was found, [`StartError::Thread`] if a device's thread
    /// cannot start.
    pub fn open(settings: Settings) -> Result<Self, StartError> {
        let processor = processor::choose_processor(settings.choice)?;
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

    /// Returns this service with the models of a package that is not installed, `<name>.onnx` each in `folder`. They come
    /// before those of [`Settings::models`]. A folder that does not exist holds no models.
    #[must_use]
    pub fn with_carried_models(mut self, folder: PathBuf) -> Self {
        self.catalogue.read_first(folder);
        self
    }

    /// Returns the processor that runs the models it can run.
    pub fn processor(&self) -> &Processor {
        &self.processor
    }

    /// Returns the model of this name whose file has this SHA-256 (64 hex digits). Each model is opened once and
    /// shared.
    ///
    /// # Errors
    ///
    /// A [`ModelError`] that names the model.
    pub async fn model(&self, name: &str, sha256: &str) -> Result<Model, ModelError> {
        // Held while a model is opened, so that concurrent requests for it share one opening.
        let mut open = self.open.lock().await;
        let key = format!("{name}@{sha256}");
        if let Some(model) = open.get(&key) {
            return Ok(model.clone());
        }
        let onnx = self.catalogue.read(name, sha256).await?;
        let model = match (&self.gpu, &self.cpu) {
            (Some(gpu), None) => open_on(gpu, name, onnx).await?,
            (None, Some(cpu)) => open_on(cpu, name, onnx).await?,
            (Some(gpu), Some(cpu)) => match open_on(gpu, name, onnx.clone()).await {
                Ok(on_gpu) => faster_of(on_gpu, open_on(cpu, name, onnx).await?).await,
                Err(error) => {
                    let model = open_on(cpu, name, onnx).await?;
                    tracing::warn!(model = name, reason = %error, "a model runs on the CPU");
                    model
                }
            },
            (None, None) => return Err(ModelError::DeviceLost { name: name.to_owned(), lost: DeviceLost::Gone }),
        };
        open.insert(key, model.clone());
        Ok(model)
    }

    /// Stops the devices and waits until they have stopped. Open models fail from then on.
    ///
    /// A process that has used a GPU must close it before it exits: some drivers crash if a thread still holds the
    /// GPU while they are unloaded.
    pub fn close(&self) {
        for device in self.gpu.iter().chain(&self.cpu) {
            device.close();
        }
    }
}

/// Runs of each model on each processor, to measure which is faster. The first run may initialize buffers.
const TRIALS: u32 = 2;

/// Returns the model on the processor that runs it faster. A small network is done on the CPU before the GPU has
/// received its inputs.
async fn faster_of(on_gpu: Model, on_cpu: Model) -> Model {
    let (gpu, cpu) = (on_gpu.shortest_trial().await, on_cpu.shortest_trial().await);
    tracing::info!(model = %on_gpu.name, ?gpu, ?cpu, "a model was tried on both processors");
    faster((on_gpu, gpu), (on_cpu, cpu))
}

/// Returns what had the shorter trial. Without a trial on both processors, the GPU runs the model.
fn faster<T>((on_gpu, gpu): (T, Option<Duration>), (on_cpu, cpu): (T, Option<Duration>)) -> T {
    match (gpu, cpu) {
        (Some(gpu), Some(cpu)) if cpu < gpu => on_cpu,
        _ => on_gpu,
    }
}

/// Opens a model on a device.
async fn open_on(device: &Arc<Device>, name: &str, onnx: Arc<[u8]>) -> Result<Model, ModelError> {
    let opened = device.open(onnx).await.map_err(|lost| ModelError::DeviceLost { name: name.to_owned(), lost })?;
    let opened = opened.map_err(|reason| ModelError::Unsupported { name: name.to_owned(), reason })?;
    Ok(Model { name: name.into(), opened: Arc::new(opened), device: device.clone() })
}

/// An open model. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Model {
    name: Arc<str>,
    opened: Arc<Opened>,
    device: Arc<Device>,
}

impl Model {
    /// Returns the name of the model in the catalogue.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the device that runs it: [`GPU`] or [`CPU`].
    pub fn device(&self) -> &str {
        self.device.name()
    }

    /// Returns the specifications of its inputs.
    pub fn inputs(&self) -> &[TensorSpec] {
        &self.opened.inputs
    }

    /// Returns the names of its outputs, in the order of [`Model::run`]'s result.
    pub fn outputs(&self) -> &[String] {
        &self.opened.outputs
    }

    /// Returns the shortest duration of [`TRIALS`] runs on zeros, or `None` if it cannot be run on zeros.
    async fn shortest_trial(&self) -> Option<Duration> {
        let mut shortest = None;
        for _ in 0..TRIALS {
            let zeros = self.inputs().iter().map(|spec| Some((spec.name().to_owned(), spec.filled(|| 0.0)?)));
            let zeros = zeros.collect::<Option<Vec<_>>>()?;
            let started = Instant::now();
            self.run(zeros).await.ok()?;
            shortest = shortest.into_iter().chain([started.elapsed()]).min();
        }
        shortest
    }

    /// Runs the model and returns all outputs by name. Each input is given once, in any order.
    ///
    /// Waits in the device's queue. A future that is dropped before its turn never runs.
    ///
    /// # Errors
    ///
    /// As [`Model::prepare`] and [`Run::run`].
    pub async fn run(&self, inputs: Vec<(String, Tensor)>) -> Result<Vec<(String, Tensor)>, RunError> {
        self.prepare(inputs)?.run().await
    }

    /// Checks the inputs, computes the cost, and returns a run that has not started.
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

/// A run that has not started.
#[derive(Debug)]
#[must_use]
pub struct Run<'a> {
    model: &'a Model,
    inputs: Vec<Tensor>,
    cost: Cost,
}

impl Run<'_> {
    /// Returns the peak number of bytes of intermediate values and outputs, inputs excluded.
    pub fn bytes(&self) -> usize {
        usize::try_from(self.cost.bytes).unwrap_or(usize::MAX)
    }

    /// Returns the cost in operations: multiply-adds of matrix products, and other work in units that take as long.
    pub fn operations(&self) -> u64 {
        self.cost.operations
    }

    /// Waits in the device's queue, runs, and returns all outputs by name. A future that is dropped before its turn
    /// never runs.
    ///
    /// # Errors
    ///
    /// [`RunError::Failed`] if the engine reports an error, [`RunError::DeviceLost`] if it panics or its device is
    /// gone.
    pub async fn run(self) -> Result<Vec<(String, Tensor)>, RunError> {
        let opened = &self.model.opened;
        let outputs = self.model.device.run(opened.id, self.inputs).await?.map_err(RunError::Failed)?;
        Ok(opened.outputs.iter().cloned().zip(outputs).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_runs_where_its_trial_was_shorter() {
        let [short, long] = [1, 9].map(|millis| Some(Duration::from_millis(millis)));
        let cases = [(long, short, CPU), (short, long, GPU), (None, short, GPU), (short, None, GPU)];
        for (gpu, cpu, expected) in cases {
            assert_eq!(faster((GPU, gpu), (CPU, cpu)), expected, "{gpu:?} on the GPU, {cpu:?} on the CPU");
        }
    }
}
