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
use crate::guest::{Guest, reason};
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
        let refuse = |code, why: &str| Err(Error { code, text: reason(&format!("the model `{name}` {why}")) });
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

/// `tensor.tensor`: as the guest made it. Whether it is what a model takes, the model tells.
#[expect(unreachable_pub, reason = "the bindings export it on")]
pub struct Tensor {
    dimensions: Vec<u32>,
    of: TensorType,
    data: Vec<u8>,
}

/// `errors.error`
#[expect(unreachable_pub, reason = "the bindings export it on")]
pub struct Error {
    code: ErrorCode,
    text: String,
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Self {
        let code = match error {
            RunError::Misfit(_) => ErrorCode::InvalidArgument,
            RunError::Failed(_) | RunError::Lost(_) => ErrorCode::RuntimeError,
        };
        Self { code, text: reason(&error.to_string()) }
    }
}

impl Tensor {
    /// As the engines take it.
    fn floats(self, name: &str) -> std::result::Result<fanlight_inference::Tensor, Error> {
        let invalid = |what: String| Error {
            code: ErrorCode::InvalidArgument,
            text: reason(&format!("the tensor `{name}` {what}")),
        };
        if self.of != TensorType::Fp32 {
            return Err(invalid(format!("is of {:?}, models take FP32 alone", self.of)));
        }
        let (values, rest) = self.data.as_chunks();
        if !rest.is_empty() {
            return Err(invalid(format!("has {} bytes, no whole number of FP32", self.data.len())));
        }
        let values = values.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let shape = self.dimensions.into_iter().map(|size| size as usize).collect();
        fanlight_inference::Tensor::new(shape, values).map_err(|error| invalid(format!("is none: {error}")))
    }

    fn of_floats(tensor: fanlight_inference::Tensor) -> Self {
        let (shape, values) = tensor.into_parts();
        let mut data = vec![0; values.len() * 4];
        for (bytes, value) in data.as_chunks_mut().0.iter_mut().zip(values) {
            *bytes = value.to_le_bytes();
        }
        Self { dimensions: shape.into_iter().map(|size| size as u32).collect(), of: TensorType::Fp32, data }
    }
}

impl Guest {
    /// A tensor on the guest's account: its bytes count as the guest's memory, for as long as it lives.
    fn keep(&mut self, tensor: Tensor) -> Result<Resource<Tensor>> {
        if !self.memory.take(tensor.data.len()) {
            wasmtime::bail!("no memory is left for a tensor");
        }
        Ok(self.table.push(tensor)?)
    }

    /// Off the guest's account.
    fn let_go(&mut self, tensor: Resource<Tensor>) -> Result<Tensor> {
        let tensor = self.table.delete(tensor)?;
        self.memory.give_back(tensor.data.len());
        Ok(tensor)
    }

    fn refuse<T>(&mut self, error: Error) -> Result<std::result::Result<T, Resource<Error>>> {
        Ok(Err(self.table.push(error)?))
    }
}

impl tensor::Host for Guest {}

impl tensor::HostTensor for Guest {
    fn new(&mut self, dimensions: Vec<u32>, of: TensorType, data: Vec<u8>) -> Result<Resource<Tensor>> {
        self.keep(Tensor { dimensions, of, data })
    }

    fn dimensions(&mut self, tensor: Resource<Tensor>) -> Result<Vec<u32>> {
        Ok(self.table.get(&tensor)?.dimensions.clone())
    }

    fn ty(&mut self, tensor: Resource<Tensor>) -> Result<TensorType> {
        Ok(self.table.get(&tensor)?.of)
    }

    fn data(&mut self, tensor: Resource<Tensor>) -> Result<Vec<u8>> {
        Ok(self.table.get(&tensor)?.data.clone())
    }

    fn drop(&mut self, tensor: Resource<Tensor>) -> Result<()> {
        self.let_go(tensor).map(drop)
    }
}

impl graph::Host for Guest {
    fn load(
        &mut self,
        _builders: Vec<Vec<u8>>,
        _encoding: GraphEncoding,
        _target: ExecutionTarget,
    ) -> Result<std::result::Result<Resource<Graph>, Resource<Error>>> {
        let text = "models are loaded by name alone: a plugin brings none of its own".to_owned();
        self.refuse(Error { code: ErrorCode::UnsupportedOperation, text })
    }

    fn load_by_name(&mut self, name: String) -> Result<std::result::Result<Resource<Graph>, Resource<Error>>> {
        if self.networks.lacks(&name) {
            self.warnings.note(Warning::NetworkUnavailable { network: name.clone() });
        }
        match self.networks.by_name(&name) {
            Ok(graph) => Ok(Ok(self.table.push(graph)?)),
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
        Ok(Ok(self.table.push(context)?))
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
        let mut wrong = None;
        for (name, tensor) in inputs {
            match self.let_go(tensor)?.floats(&name) {
                Ok(tensor) => given.push((name, tensor)),
                Err(error) => wrong = Some(error),
            }
        }
        if let Some(error) = wrong {
            return self.refuse(error);
        }
        let held: usize = given.iter().map(|(_, tensor)| tensor.values().len() * 4).sum();
        if !self.memory.take(held) {
            wasmtime::bail!("no memory is left for the inputs of a model");
        }
        let computed = model.run(given).await;
        self.memory.give_back(held);
        let outputs = match computed {
            Ok(outputs) => outputs,
            Err(error) => {
                tracing::warn!(model = model.name(), %error, "a model gave no result");
                if let Some(warning) = Warning::of_run(model.name(), &error) {
                    self.warnings.note(warning);
                }
                return self.refuse(error.into());
            }
        };
        let mut kept = Vec::with_capacity(outputs.len());
        for (name, tensor) in outputs {
            kept.push((name, self.keep(Tensor::of_floats(tensor))?));
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
        self.table.delete(error)?;
        Ok(())
    }
}
