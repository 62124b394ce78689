//! The capability `nn`: the standard interface `wasi:nn`, limited to `load-by-name` of the networks that a plugin may
//! use.

use std::collections::{BTreeMap, BTreeSet};

use fanlight_composition::{Capability, Grants, Package, Refusal};
use fanlight_inference::{Inference, Model, RunError};
use wasmtime::Result;
use wasmtime::component::Resource;

use crate::bindings::composed::wasi::nn::errors::{self, ErrorCode};
use crate::bindings::composed::wasi::nn::graph::{self, ExecutionTarget, GraphEncoding};
use crate::bindings::composed::wasi::nn::inference;
use crate::bindings::composed::wasi::nn::tensor::{self, TensorType};
use crate::guest::{Guest, reason, sanitized};
use crate::warning::Warning;

/// The networks that a plugin's package names, each open or with the reason why not.
#[derive(Default)]
pub(crate) struct Networks {
    by_name: BTreeMap<String, std::result::Result<Model, Unavailable>>,
    /// The names of the OCR engine's networks, if the plugin is composed with it.
    of_ocr: BTreeSet<String>,
}

/// Why a plugin cannot use a network that its package names.
#[derive(Clone, Copy)]
enum Unavailable {
    NotGranted,
    NotUsable,
}

impl Networks {
    /// Opens the networks that a package names.
    ///
    /// # Errors
    ///
    /// The [`Refusal`] if the plugin requires inference and a network is not granted or cannot be opened.
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
                (false, _) => Err(Unavailable::NotGranted),
                (true, None) => Err(Unavailable::NotUsable),
                (true, Some(inference)) => match inference.model(name, wanted.sha256()).await {
                    Ok(model) => Ok(model),
                    Err(error) if needed => {
                        return Err(Refusal::Model { plugin: plugin(), reason: error.to_string() });
                    }
                    Err(error) => {
                        tracing::warn!(plugin = package.name(), %error, "a plugin goes on without a model");
                        Err(Unavailable::NotUsable)
                    }
                },
            };
            networks.insert(name.to_owned(), network);
        }
        Ok(Self { by_name: networks, of_ocr: BTreeSet::new() })
    }

    /// Opens the networks of the OCR engine. What cannot be opened is logged, and OCR is then unavailable to the plugin.
    pub(crate) async fn open_for_ocr(&mut self, engine: &Package, inference: Option<&Inference>) {
        for wanted in engine.models() {
            let name = wanted.name().to_owned();
            let opened = match inference {
                Some(inference) => inference.model(&name, wanted.sha256()).await.map_err(|error| {
                    tracing::warn!(engine = engine.name(), %error, "no text is read from pictures");
                    Unavailable::NotUsable
                }),
                None => Err(Unavailable::NotUsable),
            };
            self.of_ocr.insert(name.clone());
            self.by_name.entry(name).or_insert(opened);
        }
    }

    /// Returns whether any network can be used.
    pub(crate) fn usable(&self) -> bool {
        self.by_name.iter().any(|(name, network)| network.is_ok() && !self.of_ocr.contains(name))
    }

    /// Returns whether the package names this network and the plugin cannot use it. Any other name is the plugin's
    /// own mistake.
    fn lacks(&self, name: &str) -> bool {
        self.by_name.get(name).is_some_and(std::result::Result::is_err)
    }

    /// Returns the warning of a network that cannot be used.
    fn warning(&self, name: &str) -> Warning {
        if self.of_ocr.contains(name) {
            return Warning::OcrUnavailable;
        }
        Warning::NetworkUnavailable { network: name.to_owned() }
    }

    /// Returns a network by its name, or the error for the guest.
    fn by_name(&self, name: &str) -> std::result::Result<Graph, Error> {
        let shown = sanitized(name, NAME_BYTES);
        let refuse = |code, why: &str| Err(Error::new(code, &format!("the model `{shown}` {why}")));
        match self.by_name.get(name) {
            Some(Ok(model)) => Ok(Graph(model.clone())),
            Some(Err(Unavailable::NotGranted)) => refuse(ErrorCode::Security, "is not granted to this plugin"),
            Some(Err(Unavailable::NotUsable)) => refuse(ErrorCode::NotFound, "can't be used on this host"),
            None => refuse(ErrorCode::NotFound, "is not among those that the plugin's package names"),
        }
    }
}

/// `graph.graph`: a network that a guest has loaded.
#[expect(unreachable_pub, reason = "the bindings export it on")]
pub struct Graph(Model);

/// `inference.graph-execution-context`: a network, ready to run.
#[expect(unreachable_pub, reason = "the bindings export it on")]
pub struct Context(Model);

/// `tensor.tensor`, as the guest or a network made it. It is checked against a network's inputs only when a network
/// runs.
#[expect(unreachable_pub, reason = "the bindings export it on")]
pub struct Tensor {
    dimensions: Vec<u32>,
    element_type: TensorType,
    data: Data,
}

/// The values of a tensor in their original form, since any other form is a copy.
enum Data {
    /// From a guest.
    Bytes(Vec<u8>),
    /// From a network.
    Floats(Vec<f32>),
}

/// `errors.error`
#[expect(unreachable_pub, reason = "the bindings export it on")]
pub struct Error {
    code: ErrorCode,
    text: String,
}

impl Error {
    /// Creates an error whose text is cut to the length of a reason.
    fn new(code: ErrorCode, text: &str) -> Self {
        Self { code, text: reason(text) }
    }

    /// Creates the error of an invalid argument.
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

/// Most bytes of the name of a network or an input. Names in model files have about ten.
const NAME_BYTES: usize = 200;
/// Most dimensions of an input. Networks have up to five.
const MOST_DIMENSIONS: usize = 16;
/// Bytes of a 32-bit float.
const FLOAT_BYTES: usize = size_of::<f32>();

impl Tensor {
    /// Returns the bytes that the host holds for the tensor, without its handle.
    fn bytes(&self) -> usize {
        let values = match &self.data {
            Data::Bytes(bytes) => bytes.capacity(),
            Data::Floats(floats) => floats.capacity() * FLOAT_BYTES,
        };
        values + self.dimensions.capacity() * size_of::<u32>()
    }

    /// Checks that the tensor can be an input of any network. `name` is the input's name.
    fn check(&self, name: &str) -> std::result::Result<(), Error> {
        let invalid = |what: String| Err(Error::invalid(&format!("the tensor `{name}` {what}")));
        if self.element_type != TensorType::Fp32 {
            return invalid(format!("is of {:?}, models take FP32 alone", self.element_type));
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
        // The engine may have reused a longer buffer.
        floats.shrink_to_fit();
        let dimensions = shape.into_iter().map(|size| size as u32).collect();
        Self { dimensions, element_type: TensorType::Fp32, data: Data::Floats(floats) }
    }
}

/// Returns floats as bytes in WebAssembly's order, little-endian.
fn little_endian(floats: &[f32]) -> Vec<u8> {
    let mut bytes = vec![0; floats.len() * FLOAT_BYTES];
    for (bytes, value) in bytes.as_chunks_mut().0.iter_mut().zip(floats) {
        *bytes = value.to_le_bytes();
    }
    bytes
}

/// Checks the names and forms of all inputs of a run.
fn check_inputs(inputs: &[(String, Tensor)]) -> std::result::Result<(), Error> {
    for (name, tensor) in inputs {
        if name.len() > NAME_BYTES {
            return Err(Error::invalid(&format!("the name of an input has more than {NAME_BYTES} bytes")));
        }
        tensor.check(name)?;
    }
    Ok(())
}

impl Guest {
    /// Gives the guest an error as the result of its call.
    fn refuse<T>(&mut self, error: Error) -> Result<std::result::Result<T, Resource<Error>>> {
        let bytes = error.text.capacity();
        Ok(Err(self.push(error, bytes)?))
    }

    /// Gives the guest a handle to a tensor.
    fn push_tensor(&mut self, tensor: Tensor) -> Result<Resource<Tensor>> {
        let bytes = tensor.bytes();
        self.push(tensor, bytes)
    }

    /// Consumes a tensor and returns its values as engines take them. The account charges them in place of the
    /// tensor.
    fn floats(&mut self, tensor: Tensor) -> Result<Vec<f32>> {
        let bytes = tensor.bytes();
        match tensor.data {
            Data::Floats(floats) => {
                self.release(bytes - floats.capacity() * FLOAT_BYTES);
                Ok(floats)
            }
            Data::Bytes(raw) => {
                // Both forms exist for a moment.
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
        self.count_host_call(data.len());
        self.push_tensor(Tensor { dimensions, element_type: of, data: Data::Bytes(data) })
    }

    fn dimensions(&mut self, tensor: Resource<Tensor>) -> Result<Vec<u32>> {
        let length = self.table.get(&tensor)?.dimensions.len() * size_of::<u32>();
        self.check_answer(length)?;
        Ok(self.table.get(&tensor)?.dimensions.clone())
    }

    fn ty(&mut self, tensor: Resource<Tensor>) -> Result<TensorType> {
        Ok(self.table.get(&tensor)?.element_type)
    }

    /// Returns a copy, which the host frees once the guest has its own.
    fn data(&mut self, tensor: Resource<Tensor>) -> Result<Vec<u8>> {
        let length = match &self.table.get(&tensor)?.data {
            Data::Bytes(bytes) => bytes.len(),
            Data::Floats(floats) => floats.len() * FLOAT_BYTES,
        };
        self.check_answer(length)?;
        self.count_host_call(length);
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
            let warning = self.networks.warning(&name);
            self.warnings.note(warning);
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
    /// Waits for the device without blocking the worker. The call's deadline or cancellation ends the wait.
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
        if let Err(error) = check_inputs(&given) {
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
        // Charged from the moment when the run waits in the device's queue.
        let run_bytes = run.bytes();
        self.charge(run_bytes)?;
        let computed = run.run().await;
        self.release(held + run_bytes);
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
