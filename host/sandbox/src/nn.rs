//! The capability `nn`: the standard `wasi:nn`, by `load-by-name` alone, over the models that a plugin may use.

use std::collections::BTreeMap;

use fanlight_inference::{Inference, Model, ModelError, RunError};
use wasmtime::Result;
use wasmtime::component::Resource;

use crate::bindings::composed::wasi::nn::errors::{self, ErrorCode};
use crate::bindings::composed::wasi::nn::graph::{self, ExecutionTarget, GraphEncoding};
use crate::bindings::composed::wasi::nn::inference;
use crate::bindings::composed::wasi::nn::tensor::{self, TensorType};
use crate::capability::{Capability, Grants, Refusal};
use crate::guest::{Guest, reason, words};
use crate::package::Package;
use crate::warning::Warning;

/// The models that a plugin's package names, each open or with the reason why it isn't.
#[derive(Default)]
pub(crate) struct Networks(BTreeMap<String, std::result::Result<Model, Closed>>);

/// Why a plugin can't use a model that its package names.
#[derive(Clone, Copy)]
enum Closed {
    NotGranted,
    NotUsable,
}

impl Networks {
    /// Opens what a package names. A model that it can't do without and that it can't have is its refusal.
    pub(crate) async fn open(
        package: &Package,
        grants: &Grants,
        inference: Option<&Inference>,
    ) -> std::result::Result<Self, Refusal> {
        let plugin = || package.name().to_owned();
        let needed = package.capabilities().contains(&Capability::Nn);
        let mut networks = BTreeMap::new();
        for wanted in package.models() {
            let name = wanted.name();
            let network = match (grants.has_model(name), inference) {
                (false, _) if needed => {
                    return Err(Refusal::ModelNotGranted { plugin: plugin(), model: name.to_owned() });
                }
                (_, None) if needed => {
                    return Err(Refusal::NotOffered { plugin: plugin(), capability: Capability::Nn });
                }
                (false, _) => Err(Closed::NotGranted),
                (true, None) => Err(Closed::NotUsable),
                (true, Some(inference)) => match inference.model(name, wanted.sha256()).await {
                    Ok(model) => Ok(model),
                    Err(error) if needed => return Err(refusal(plugin(), error)),
                    Err(error) => {
                        tracing::warn!(plugin = package.name(), %error, "a plugin goes on without a model");
                        Err(Closed::NotUsable)
                    }
                },
            };
            networks.insert(name.to_owned(), network);
        }
        Ok(Self(networks))
    }

    /// Whether there is any to use.
    pub(crate) fn usable(&self) -> bool {
        self.0.values().any(std::result::Result::is_ok)
    }

    /// Whether the plugin's package names a model that the plugin can't have. A name of the plugin's own invention is none.
    fn lacks(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(std::result::Result::is_err)
    }

    fn by_name(&self, name: &str) -> std::result::Result<Graph, Error> {
        let shown = words(name, NAME_BYTES);
        let refuse = |code, why: &str| Err(Error::new(code, &format!("the model `{shown}` {why}")));
        match self.0.get(name) {
            Some(Ok(model)) => Ok(Graph(model.clone())),
            Some(Err(Closed::NotGranted)) => refuse(ErrorCode::Security, "is not granted to this plugin"),
            Some(Err(Closed::NotUsable)) => refuse(ErrorCode::NotFound, "can't be used on this host"),
            None => refuse(ErrorCode::NotFound, "is not among those that the plugin's package names"),
        }
    }
}

fn refusal(plugin: String, error: ModelError) -> Refusal {
    Refusal::Model { plugin, error }
}

/// `graph.graph`: a model that a guest has loaded.
#[expect(unreachable_pub, reason = "the bindings export it on")]
pub struct Graph(Model);

/// `inference.graph-execution-context`: the same, to be run.
#[expect(unreachable_pub, reason = "the bindings export it on")]
pub struct Context(Model);

/// `tensor.tensor`: as the guest or a model made it. Whether it is what a model takes, the model tells.
#[expect(unreachable_pub, reason = "the bindings export it on")]
pub struct Tensor {
    dimensions: Vec<u32>,
    of: TensorType,
    data: Data,
}

/// The values of a tensor, in the form in which they came: each other form is a copy.
enum Data {
    /// As a guest gave them.
    Bytes(Vec<u8>),
    /// As a model gave them.
    Floats(Vec<f32>),
}

/// `errors.error`
#[expect(unreachable_pub, reason = "the bindings export it on")]
pub struct Error {
    code: ErrorCode,
    text: String,
}

impl Error {
    /// An error whose text is cut to the length that a reason may have.
    fn new(code: ErrorCode, text: &str) -> Self {
        Self { code, text: reason(text) }
    }

    fn invalid(text: &str) -> Self {
        Self::new(ErrorCode::InvalidArgument, text)
    }
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Self {
        let code = match error {
            RunError::InvalidInput(_) | RunError::TooExpensive { .. } | RunError::UnknownCost { .. } => {
                ErrorCode::InvalidArgument
            }
            RunError::Failed(_) | RunError::DeviceLost(_) => ErrorCode::RuntimeError,
        };
        Self::new(code, &error.to_string())
    }
}

/// Bytes of the name of a model or of an input that are kept; files of networks have names of some ten.
const NAME_BYTES: usize = 200;
/// Dimensions of an input at most. Networks have up to five.
const MOST_DIMENSIONS: usize = 16;
/// Bytes of a 32-bit float.
const FLOAT_BYTES: usize = size_of::<f32>();

impl Tensor {
    /// Bytes that the host holds for it, its handle aside.
    fn bytes(&self) -> usize {
        let values = match &self.data {
            Data::Bytes(bytes) => bytes.capacity(),
            Data::Floats(floats) => floats.capacity() * FLOAT_BYTES,
        };
        values + self.dimensions.capacity() * size_of::<u32>()
    }

    /// Whether a model can take it at all, as the input of this name.
    fn check(&self, name: &str) -> std::result::Result<(), Error> {
        let invalid = |what: String| Err(Error::invalid(&format!("the tensor `{name}` {what}")));
        if self.of != TensorType::Fp32 {
            return invalid(format!("is of {:?}, models take FP32 alone", self.of));
        }
        if self.dimensions.len() > MOST_DIMENSIONS {
            return invalid(format!(
                "has {} dimensions, more than the {MOST_DIMENSIONS} that a model can take",
                self.dimensions.len()
            ));
        }
        match &self.data {
            Data::Bytes(bytes) if bytes.len() % FLOAT_BYTES != 0 => {
                invalid(format!("has {} bytes, no whole number of FP32", bytes.len()))
            }
            _ => Ok(()),
        }
    }
}

impl From<fanlight_inference::Tensor> for Tensor {
    fn from(tensor: fanlight_inference::Tensor) -> Self {
        let (shape, mut floats) = tensor.into_parts();
        // The engine may have used a longer piece of memory again.
        floats.shrink_to_fit();
        let dimensions = shape.into_iter().map(|size| size as u32).collect();
        Self { dimensions, of: TensorType::Fp32, data: Data::Floats(floats) }
    }
}

/// The bytes of floats as WebAssembly has them: little-endian.
fn little_endian(floats: &[f32]) -> Vec<u8> {
    let mut bytes = vec![0; floats.len() * FLOAT_BYTES];
    for (bytes, value) in bytes.as_chunks_mut().0.iter_mut().zip(floats) {
        *bytes = value.to_le_bytes();
    }
    bytes
}

impl Guest {
    fn refuse<T>(&mut self, error: Error) -> Result<std::result::Result<T, Resource<Error>>> {
        let bytes = error.text.capacity();
        Ok(Err(self.push(error, bytes)?))
    }

    fn push_tensor(&mut self, tensor: Tensor) -> Result<Resource<Tensor>> {
        let bytes = tensor.bytes();
        self.push(tensor, bytes)
    }

    /// The values of a tensor that is used up, as engines take them. They count as the guest's instead of the tensor.
    fn floats(&mut self, tensor: Tensor) -> Result<Vec<f32>> {
        let bytes = tensor.bytes();
        match tensor.data {
            Data::Floats(floats) => {
                self.release(bytes - floats.capacity() * FLOAT_BYTES);
                Ok(floats)
            }
            Data::Bytes(raw) => {
                // Both forms are there for a moment.
                self.charge(raw.len())?;
                let floats = raw.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
                drop(raw);
                self.release(bytes);
                Ok(floats)
            }
        }
    }
}

impl tensor::Host for Guest {}

impl tensor::HostTensor for Guest {
    fn new(&mut self, dimensions: Vec<u32>, of: TensorType, data: Vec<u8>) -> Result<Resource<Tensor>> {
        self.push_tensor(Tensor { dimensions, of, data: Data::Bytes(data) })
    }

    fn dimensions(&mut self, tensor: Resource<Tensor>) -> Result<Vec<u32>> {
        let length = self.table.get(&tensor)?.dimensions.len() * size_of::<u32>();
        self.check_answer(length)?;
        Ok(self.table.get(&tensor)?.dimensions.clone())
    }

    fn ty(&mut self, tensor: Resource<Tensor>) -> Result<TensorType> {
        Ok(self.table.get(&tensor)?.of)
    }

    /// A copy, which is gone when the guest has its own.
    fn data(&mut self, tensor: Resource<Tensor>) -> Result<Vec<u8>> {
        let length = match &self.table.get(&tensor)?.data {
            Data::Bytes(bytes) => bytes.len(),
            Data::Floats(floats) => floats.len() * FLOAT_BYTES,
        };
        self.check_answer(length)?;
        Ok(match &self.table.get(&tensor)?.data {
            Data::Bytes(bytes) => bytes.clone(),
            Data::Floats(floats) => little_endian(floats),
        })
    }

    fn drop(&mut self, tensor: Resource<Tensor>) -> Result<()> {
        let tensor = self.table.delete(tensor)?;
        self.release(tensor.bytes());
        Ok(())
    }
}

impl graph::Host for Guest {
    fn load(
        &mut self,
        _builders: Vec<Vec<u8>>,
        _encoding: GraphEncoding,
        _target: ExecutionTarget,
    ) -> Result<std::result::Result<Resource<Graph>, Resource<Error>>> {
        let text = "models are loaded by name alone: a plugin brings none of its own";
        self.refuse(Error::new(ErrorCode::UnsupportedOperation, text))
    }

    fn load_by_name(&mut self, name: String) -> Result<std::result::Result<Resource<Graph>, Resource<Error>>> {
        if self.networks.lacks(&name) {
            self.warnings.note(Warning::NetworkUnavailable { network: name.clone() });
        }
        match self.networks.by_name(&name) {
            Ok(graph) => Ok(Ok(self.push(graph, 0)?)),
            Err(error) => self.refuse(error),
        }
    }
}

impl graph::HostGraph for Guest {
    fn init_execution_context(
        &mut self,
        graph: Resource<Graph>,
    ) -> Result<std::result::Result<Resource<Context>, Resource<Error>>> {
        let context = Context(self.table.get(&graph)?.0.clone());
        Ok(Ok(self.push(context, 0)?))
    }

    fn drop(&mut self, graph: Resource<Graph>) -> Result<()> {
        self.table.delete(graph)?;
        Ok(())
    }
}

impl inference::Host for Guest {}

impl inference::HostGraphExecutionContext for Guest {
    /// Waits for the device while the worker does other work; ended with the call by its deadline or cancellation.
    async fn compute(
        &mut self,
        context: Resource<Context>,
        inputs: Vec<(String, Resource<Tensor>)>,
    ) -> Result<std::result::Result<Vec<(String, Resource<Tensor>)>, Resource<Error>>> {
        let model = self.table.get(&context)?.0.clone();
        let mut given = Vec::with_capacity(inputs.len());
        for (name, tensor) in inputs {
            given.push((name, self.table.delete(tensor)?));
        }
        let checked = given.iter().try_for_each(|(name, tensor)| {
            if name.len() > NAME_BYTES {
                return Err(Error::invalid(&format!("the name of an input has more than {NAME_BYTES} bytes")));
            }
            tensor.check(name)
        });
        if let Err(error) = checked {
            self.release(given.iter().map(|(_, tensor)| tensor.bytes()).sum());
            return self.refuse(error);
        }
        let (mut inputs, mut held, mut wrong) = (Vec::with_capacity(given.len()), 0, None);
        for (name, tensor) in given {
            let shape = tensor.dimensions.iter().map(|size| *size as usize).collect();
            let floats = self.floats(tensor)?;
            held += floats.capacity() * FLOAT_BYTES;
            match fanlight_inference::Tensor::new(shape, floats) {
                Ok(tensor) => inputs.push((name, tensor)),
                Err(error) => wrong = Some(Error::invalid(&format!("the tensor `{name}` is none: {error}"))),
            }
        }
        let run = match wrong {
            Some(error) => Err(error),
            None => model.prepare(inputs).map_err(Error::from),
        };
        let run = match run {
            Ok(run) => run,
            Err(error) => {
                self.release(held);
                return self.refuse(error);
            }
        };
        // What the run holds counts from the moment that it waits for its turn.
        let holds = run.bytes();
        self.charge(holds)?;
        let computed = run.run().await;
        self.release(held + holds);
        let outputs = match computed {
            Ok(outputs) => outputs,
            Err(error) => {
                tracing::warn!(model = model.name(), %error, "a model gave no result");
                if let Some(warning) = Warning::from_run_error(model.name(), &error) {
                    self.warnings.note(warning);
                }
                return self.refuse(error.into());
            }
        };
        let mut kept = Vec::with_capacity(outputs.len());
        for (name, tensor) in outputs {
            kept.push((name, self.push_tensor(tensor.into())?));
        }
        Ok(Ok(kept))
    }

    fn drop(&mut self, context: Resource<Context>) -> Result<()> {
        self.table.delete(context)?;
        Ok(())
    }
}

impl errors::Host for Guest {}

impl errors::HostError for Guest {
    fn code(&mut self, error: Resource<Error>) -> Result<ErrorCode> {
        Ok(self.table.get(&error)?.code)
    }

    fn data(&mut self, error: Resource<Error>) -> Result<String> {
        Ok(self.table.get(&error)?.text.clone())
    }

    fn drop(&mut self, error: Resource<Error>) -> Result<()> {
        let error = self.table.delete(error)?;
        self.release(error.text.capacity());
        Ok(())
    }
}
