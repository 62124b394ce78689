//! The CPU's engine, rten. It spreads one run over the machine's cores.

use std::sync::Arc;

use rten::{DataType, Dimension, LoadErrorKind, Model, ModelOptions, NodeId, NodeInfo, Value, ValueType};
use rten_tensor::TensorView;
use rten_tensor::prelude::*;

use crate::cost::Graph;
use crate::engine::{Engine, Network, UnsupportedModel};
use crate::tensor::Tensor;
use crate::tensor_spec::TensorSpec;

/// The engine.
pub(crate) struct Rten;

/// The engine's name in error messages.
const NAME: &str = "the CPU's engine";

impl Engine for Rten {
    fn open(&mut self, onnx: &[u8]) -> Result<Box<dyn Network>, UnsupportedModel> {
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let model = options.load(onnx.to_vec()).map_err(|error| match error.kind() {
            LoadErrorKind::OperatorInvalid => UnsupportedModel::Operator { engine: NAME, detail: error.to_string() },
            _ => UnsupportedModel::Unreadable(error.to_string()),
        })?;
        let inputs = model.input_ids().iter().map(|id| input(&model, *id)).collect::<Result<Vec<TensorSpec>, _>>()?;
        let outputs = model.output_ids().iter().map(|id| name(&model, "output", *id)).collect::<Result<_, _>>()?;
        let graph = Graph::read(onnx)?;
        check_fixed_cost(&graph, &inputs)?;
        Ok(Box::new(RtenNetwork { model, inputs, outputs, graph: Arc::new(graph) }))
    }
}

/// Rejects a network of fixed input sizes whose every run would exceed the limit on cost.
fn check_fixed_cost(graph: &Graph, inputs: &[TensorSpec]) -> Result<(), UnsupportedModel> {
    let Some(shapes) = inputs.iter().map(fixed_shape).collect::<Option<Vec<Vec<usize>>>>() else {
        return Ok(());
    };
    let cost = graph.cost(inputs.iter().zip(&shapes).map(|(input, shape)| (input.name(), shape.as_slice())))?;
    if cost.is_allowed() { Ok(()) } else { Err(UnsupportedModel::TooExpensive(cost.excess())) }
}

/// Returns the shape of an input, or `None` if a size is open.
fn fixed_shape(input: &TensorSpec) -> Option<Vec<usize>> {
    input.shape().iter().copied().collect()
}

struct RtenNetwork {
    model: Model,
    inputs: Vec<TensorSpec>,
    outputs: Vec<String>,
    graph: Arc<Graph>,
}

impl Network for RtenNetwork {
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
        let views = inputs.iter().map(|input| TensorView::from_data(input.shape(), input.values()).into());
        let inputs = self.model.input_ids().iter().copied().zip(views).collect();
        let values = self.model.run(inputs, self.model.output_ids(), None).map_err(|error| error.to_string())?;
        values.into_iter().zip(&self.outputs).map(|(value, name)| tensor(value, name)).collect()
    }
}

/// Converts an output of the engine to a tensor.
fn tensor(value: Value, name: &str) -> Result<Tensor, String> {
    let Value::FloatTensor(tensor) = value else {
        return Err(format!("its output `{name}` is not of 32-bit floats"));
    };
    let shape = tensor.shape().to_vec();
    Tensor::new(shape, tensor.into_data()).map_err(|error| error.to_string())
}

/// Returns the name of an input or output after checking that it is of 32-bit floats.
fn name(model: &Model, what: &str, id: NodeId) -> Result<String, UnsupportedModel> {
    let info = model.node_info(id);
    let name = info.as_ref().and_then(NodeInfo::name).unwrap_or_default();
    match info.and_then(|info| info.dtype()) {
        None | Some(ValueType::Tensor(DataType::Float)) => Ok(name.to_owned()),
        Some(other) => Err(UnsupportedModel::TensorSpec(format!("{what} `{name}` is of {other}"))),
    }
}

/// Returns the specification of an input.
fn input(model: &Model, id: NodeId) -> Result<TensorSpec, UnsupportedModel> {
    let name = name(model, "input", id)?;
    let Some(shape) = model.node_info(id).and_then(|info| info.shape()) else {
        return Err(UnsupportedModel::TensorSpec(format!("input `{name}` has no shape")));
    };
    Ok(TensorSpec::new(name, shape.iter().map(fixed_size).collect()))
}

/// Returns the size of a dimension, or `None` if it is symbolic.
fn fixed_size(dimension: &Dimension) -> Option<usize> {
    match dimension {
        Dimension::Fixed(size) => Some(*size),
        Dimension::Symbolic(_) => None,
    }
}
