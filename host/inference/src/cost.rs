//! The cost of a run of a network, computed from its graph and the shapes of its inputs before the run.
//!
//! An engine cannot be interrupted, so a run that would take too long must never start. [`Graph::cost`] walks the
//! nodes of an ONNX file in their order, infers the shape of each value (with rten's own rules,
//! `rten-shape-inference`), sums the operations, and records the peak of bytes that values hold.

use std::collections::HashMap;

use rten_onnx::onnx::{AttributeProto, DataType, GraphProto, ModelProto, NodeProto, TensorProto};
use rten_shape_inference::ops::{self, Padding};
use rten_shape_inference::{
    BinaryOp, InferShapes, InferShapesContext, InferShapesError, ReductionOp, SymExpr, SymTensor, SymbolGen, UnaryOp,
    VariadicOp,
};
use thiserror::Error;

/// Most operations of one run. An operation is one multiply-add of a matrix product; other work is converted to
/// operations that take as long, by [`ELEMENT`] and [`WINDOW`].
///
/// `cargo run --release --example pace` measured 4.3 (`Resize`) to 459 operations a nanosecond on two shared cores,
/// and 10 to 30 for convolutions and matrix products. 50,000 million operations are thus 12 s at worst there. The
/// networks of this project cost 0.05 to 8 % of the limit (`tests/cost.rs`).
const MOST_OPERATIONS: u64 = 50_000_000_000;
/// Most bytes of values that one run may hold at a time.
const MOST_BYTES: u64 = 1 << 30;
/// Operations per value that an operator reads or writes.
const ELEMENT: u64 = 32;
/// Operations per multiply-add of a grouped convolution, or per value under a pooling window.
const WINDOW: u64 = 8;
/// Bytes of a value: engines compute in 32 bits.
const VALUE_BYTES: u64 = 4;
/// Most values of a constant that may be a shape: no tensor has more dimensions.
const SHAPE_VALUES: usize = 64;

/// The cost of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// In the unit of [`MOST_OPERATIONS`].
    pub(crate) operations: u64,
    /// Peak bytes of intermediate values and outputs, without inputs and weights.
    pub(crate) bytes: u64,
}

impl Cost {
    /// Returns whether a run may cost this much.
    pub(crate) fn is_allowed(&self) -> bool {
        self.operations <= MOST_OPERATIONS && self.bytes <= MOST_BYTES
    }

    /// Returns the cost and the limit that it exceeds, as the end of a sentence.
    pub(crate) fn excess(&self) -> String {
        const MILLION: u64 = 1_000_000;
        const MIB: u64 = 1 << 20;
        if self.operations > MOST_OPERATIONS {
            let (cost, most) = (self.operations / MILLION, MOST_OPERATIONS / MILLION);
            return format!("{cost} million operations, more than the {most} million that one run may cost");
        }
        let (cost, most) = (self.bytes / MIB, MOST_BYTES / MIB);
        format!("{cost} MB of intermediate values, more than the {most} MB that one run may hold")
    }
}

/// Why the cost of a run cannot be computed. Each message continues a sentence that begins with the model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnknownCost {
    /// There is no rule for the operator.
    #[error("has the operator `{0}`, whose cost is not known beforehand")]
    Operator(String),
    /// The shape of a value depends on more than the shapes of the inputs.
    #[error("has the value `{0}`, whose size is not known beforehand")]
    Size(String),
    /// The shapes of the inputs are incompatible.
    #[error("does not take these shapes: its value `{value}` has none ({reason})")]
    Shapes {
        /// The value whose shape cannot be inferred.
        value: String,
        /// The message of the rule.
        reason: String,
    },
}

/// The part of a network's nodes and constants that determines the cost of a run.
#[derive(Debug)]
pub(crate) struct Graph {
    constants: HashMap<String, SymTensor>,
    /// Constants that a `Resize` may take as scales.
    scales: HashMap<String, Vec<f32>>,
    nodes: Vec<Node>,
    /// The index of the last node that reads a value. Outputs of the network have none.
    last_readers: HashMap<String, usize>,
}

#[derive(Debug)]
struct Node {
    rule: Rule,
    operator: String,
    inputs: Vec<String>,
    outputs: Vec<String>,
    attributes: HashMap<String, Attribute>,
}

/// An attribute of a node, in the forms that affect shapes.
#[derive(Debug, Default)]
struct Attribute {
    integer: Option<i64>,
    integers: Vec<i64>,
    text: Option<String>,
}

/// How the shapes of an operator's outputs and its cost are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Each output has the shape of the first input.
    Unary,
    /// The output has the shape that the inputs broadcast to.
    Variadic,
    Add,
    Sub,
    Mul,
    Div,
    Where,
    Conv,
    ConvTranspose,
    Pool,
    GlobalPool,
    MatMul,
    Gemm,
    Concat,
    Reshape,
    Flatten,
    Squeeze,
    Unsqueeze,
    Transpose,
    Slice,
    Split,
    Gather,
    Pad,
    Resize,
    Expand,
    Tile,
    Shape,
    Identity,
    Reduce,
    DepthToSpace,
    ConstantOfShape,
}

/// The window positions of a convolution or pooling, one number per spatial dimension.
struct Windows {
    strides: Vec<usize>,
    dilations: Vec<usize>,
    /// The padding at the start of each dimension, then at the end of each.
    pads: Vec<usize>,
}

impl Rule {
    /// Returns the rule of an ONNX operator. `None` if its cost depends on values, as a loop's does, or if no rule is
    /// written.
    fn for_node(proto: &NodeProto) -> Option<Self> {
        Some(match proto.op_type.as_deref()? {
            "Cast" if casts_to_integers(proto) => Self::Identity,
            "Abs"
            | "BatchNormalization"
            | "Cast"
            | "Ceil"
            | "Clip"
            | "Cos"
            | "Elu"
            | "Erf"
            | "Exp"
            | "Floor"
            | "Gelu"
            | "HardSigmoid"
            | "HardSwish"
            | "InstanceNormalization"
            | "LayerNormalization"
            | "LeakyRelu"
            | "Log"
            | "LogSoftmax"
            | "Neg"
            | "Not"
            | "Reciprocal"
            | "Relu"
            | "Round"
            | "Sigmoid"
            | "Sign"
            | "Sin"
            | "Softmax"
            | "Softplus"
            | "Sqrt"
            | "Tan"
            | "Tanh" => Self::Unary,
            "And" | "Equal" | "Greater" | "GreaterOrEqual" | "Less" | "LessOrEqual" | "Max" | "Mean" | "Min"
            | "Mod" | "Or" | "PRelu" | "Pow" | "Sum" | "Xor" => Self::Variadic,
            "Add" => Self::Add,
            "Sub" => Self::Sub,
            "Mul" => Self::Mul,
            "Div" => Self::Div,
            "Where" => Self::Where,
            "Conv" => Self::Conv,
            "ConvTranspose" => Self::ConvTranspose,
            "AveragePool" | "MaxPool" => Self::Pool,
            "GlobalAveragePool" | "GlobalMaxPool" => Self::GlobalPool,
            "MatMul" => Self::MatMul,
            "Gemm" => Self::Gemm,
            "Concat" => Self::Concat,
            "Reshape" => Self::Reshape,
            "Flatten" => Self::Flatten,
            "Squeeze" => Self::Squeeze,
            "Unsqueeze" => Self::Unsqueeze,
            "Transpose" => Self::Transpose,
            "Slice" => Self::Slice,
            "Split" => Self::Split,
            "Gather" => Self::Gather,
            "Pad" => Self::Pad,
            "Resize" => Self::Resize,
            "Expand" => Self::Expand,
            "Tile" => Self::Tile,
            "Shape" => Self::Shape,
            "Dropout" | "Identity" => Self::Identity,
            "ArgMax" | "ArgMin" | "ReduceL1" | "ReduceL2" | "ReduceMax" | "ReduceMean" | "ReduceMin" | "ReduceProd"
            | "ReduceSum" | "ReduceSumSquare" => Self::Reduce,
            "DepthToSpace" => Self::DepthToSpace,
            "ConstantOfShape" => Self::ConstantOfShape,
            _ => return None,
        })
    }
}

impl Graph {
    /// Reads an ONNX file. An unreadable file gives an empty graph, because the engine reports what is wrong with the
    /// file.
    ///
    /// # Errors
    ///
    /// [`UnknownCost::Operator`] for an operator without a rule.
    pub(crate) fn read(onnx: &[u8]) -> Result<Self, UnknownCost> {
        let graph = ModelProto::parse_buf(onnx).ok().and_then(|model| model.graph).unwrap_or_default();
        let GraphProto { node: protos, initializer, output, .. } = graph;
        let mut constants = HashMap::new();
        let mut scales = HashMap::new();
        for tensor in &initializer {
            if let Some(name) = &tensor.name {
                scales.extend(floats(tensor).map(|values| (name.clone(), values)));
                constants.insert(name.clone(), constant(tensor));
            }
        }
        let mut nodes = Vec::with_capacity(protos.len());
        for proto in protos {
            let operator = proto.op_type.clone().unwrap_or_default();
            if operator == "Constant" {
                let value = proto.attribute.iter().find_map(|attribute| attribute.t.as_ref());
                let (Some(tensor), Some(name)) = (value, proto.output.first()) else {
                    return Err(UnknownCost::Operator(operator));
                };
                scales.extend(floats(tensor).map(|values| (name.clone(), values)));
                constants.insert(name.clone(), constant(tensor));
                continue;
            }
            let is_standard = matches!(proto.domain.as_deref(), None | Some("" | "ai.onnx"));
            let Some(rule) = Rule::for_node(&proto).filter(|_| is_standard) else {
                return Err(UnknownCost::Operator(operator));
            };
            nodes.push(Node::new(rule, operator, proto));
        }
        let mut last_readers = HashMap::new();
        for (place, node) in nodes.iter().enumerate() {
            last_readers.extend(node.inputs.iter().map(|name| (name.clone(), place)));
        }
        for name in output.iter().filter_map(|output| output.name.as_deref()) {
            last_readers.remove(name);
        }
        Ok(Self { constants, scales, nodes, last_readers })
    }

    /// Computes the cost of a run on inputs of these names and shapes.
    ///
    /// # Errors
    ///
    /// [`UnknownCost`] if a shape cannot be inferred.
    pub(crate) fn cost<'a>(
        &self,
        inputs: impl IntoIterator<Item = (&'a str, &'a [usize])>,
    ) -> Result<Cost, UnknownCost> {
        let inputs = inputs.into_iter().map(|(name, shape)| (name.to_owned(), SymTensor::from_fixed_shape(shape)));
        let mut values: HashMap<String, SymTensor> = inputs.collect();
        let mut sizes: HashMap<&str, u64> = HashMap::new();
        let (mut cost, mut held) = (Cost::default(), 0_u64);
        for (place, node) in self.nodes.iter().enumerate() {
            let given = node.given(|name| values.get(name).or_else(|| self.constants.get(name)).cloned());
            let outputs = node.shapes(&given, |name| self.scales.get(name).map(Vec::as_slice))?;
            let mut written = 0_u64;
            for (name, output) in node.outputs.iter().zip(outputs).filter(|(name, _)| !name.is_empty()) {
                let output = output.simplify();
                let elements = elements(&output).ok_or_else(|| UnknownCost::Size(name.clone()))?;
                written = written.saturating_add(elements);
                sizes.insert(name, elements.saturating_mul(VALUE_BYTES));
                values.insert(name.clone(), output);
            }
            cost.operations = cost.operations.saturating_add(node.operations(&given, written));
            held = held.saturating_add(written.saturating_mul(VALUE_BYTES));
            cost.bytes = cost.bytes.max(held);
            // The result is decided, and larger sizes would soon exceed the 32 bits of the shape rules.
            if cost.bytes > MOST_BYTES {
                break;
            }
            for name in &node.inputs {
                if self.last_readers.get(name) == Some(&place) {
                    held = held.saturating_sub(sizes.remove(name.as_str()).unwrap_or(0));
                }
            }
        }
        Ok(cost)
    }
}

impl Node {
    fn new(rule: Rule, operator: String, proto: NodeProto) -> Self {
        let attributes = proto.attribute.into_iter().filter_map(|attribute| {
            let AttributeProto { name, i: integer, ints: integers, s: text, .. } = attribute;
            Some((name?, Attribute { integer, integers, text }))
        });
        let attributes = attributes.collect();
        Self { rule, operator, inputs: proto.input, outputs: proto.output, attributes }
    }

    /// Returns the node's inputs. Attributes of older operator versions are moved to the positions where newer ones
    /// have inputs.
    fn given(&self, value: impl Fn(&str) -> Option<SymTensor>) -> Vec<Option<SymTensor>> {
        let mut inputs: Vec<Option<SymTensor>> = self.inputs.iter().map(|name| value(name)).collect();
        let lists: &[(usize, &str)] = match self.rule {
            Rule::Squeeze | Rule::Unsqueeze | Rule::Reduce => &[(1, "axes")],
            Rule::Pad => &[(1, "pads")],
            Rule::Split => &[(1, "split")],
            Rule::Slice => &[(1, "starts"), (2, "ends"), (3, "axes")],
            _ => &[],
        };
        for (place, name) in lists {
            let list = self.integers(name).unwrap_or_default();
            if inputs.len() <= *place && !list.is_empty() {
                inputs.resize(*place, None);
                inputs.push(Some(SymTensor::from_vec(list.iter().map(|value| number(*value)).collect())));
            }
        }
        if self.rule == Rule::Split && inputs.len() == 1 {
            inputs.push(self.even_parts(&inputs));
        }
        inputs
    }

    /// Returns the sizes of the parts of a `Split` without sizes: equal, with a smaller last part.
    fn even_parts(&self, inputs: &[Option<SymTensor>]) -> Option<SymTensor> {
        let data = inputs.first()?.as_ref()?;
        let axis = i64::from(self.axis("axis", 0));
        let axis = if axis < 0 { axis + i64::try_from(data.ndim()?).ok()? } else { axis };
        let whole = i64::try_from(size(data, usize::try_from(axis).ok()?)?).ok()?;
        let parts = i64::try_from(self.outputs.len()).ok()?;
        let part = (whole + parts - 1) / parts.max(1);
        let sizes = (0..parts).map(|place| number((whole - place * part).clamp(0, part)));
        Some(SymTensor::from_vec(sizes.collect()))
    }

    /// Infers the shapes of the outputs, and their values if they are shapes themselves.
    fn shapes<'a>(
        &self,
        inputs: &[Option<SymTensor>],
        scales: impl Fn(&str) -> Option<&'a [f32]>,
    ) -> Result<Vec<SymTensor>, UnknownCost> {
        let mut symbols = SymbolGen::new();
        let inferred = match self.rule {
            Rule::Resize => match self.inputs.get(2).and_then(|name| scales(name)) {
                Some(scales) => scaled(inputs, scales),
                None => self.infer(inputs, &mut symbols),
            },
            _ => self.infer(inputs, &mut symbols),
        };
        inferred.map_err(|reason| UnknownCost::Shapes {
            value: self.outputs.first().cloned().unwrap_or_default(),
            reason: reason.to_string(),
        })
    }

    /// Infers the shapes of the outputs with the rule of `rten-shape-inference`.
    fn infer(&self, inputs: &[Option<SymTensor>], symbols: &mut SymbolGen) -> Result<Vec<SymTensor>, InferShapesError> {
        let context = || InferShapesContext::new(inputs);
        match self.rule {
            Rule::Unary => UnaryOp.infer_shapes(context(), symbols),
            Rule::Variadic if self.operator == "Equal" => ops::Equal.infer_shapes(context(), symbols),
            Rule::Variadic if inputs.len() == 2 => BinaryOp.infer_shapes(context(), symbols),
            Rule::Variadic => VariadicOp.infer_shapes(context(), symbols),
            Rule::Add => ops::Add.infer_shapes(context(), symbols),
            Rule::Sub => ops::Sub.infer_shapes(context(), symbols),
            Rule::Mul => ops::Mul.infer_shapes(context(), symbols),
            Rule::Div => ops::Div.infer_shapes(context(), symbols),
            Rule::Where => ops::Where.infer_shapes(context(), symbols),
            Rule::Conv => {
                let Windows { strides, dilations, pads } = self.windows(inputs)?;
                let padding = self.padding(&pads);
                ops::Conv { dilations: &dilations, padding, strides: &strides }.infer_shapes(context(), symbols)
            }
            Rule::ConvTranspose => {
                let Windows { strides, dilations, pads } = self.windows(inputs)?;
                let padding = self.padding(&pads);
                let output_padding = self.sizes("output_padding")?;
                let groups = usize::try_from(self.integer("group", 1)).map_err(|_| InferShapesError::InvalidValue)?;
                let rule = ops::ConvTranspose {
                    groups,
                    padding,
                    strides: &strides,
                    dilations: &dilations,
                    output_padding: output_padding.as_deref(),
                };
                rule.infer_shapes(context(), symbols)
            }
            Rule::Pool => {
                let Windows { strides, dilations, pads } = self.windows(inputs)?;
                let padding = self.padding(&pads);
                let kernel_size = self.sizes("kernel_shape")?.ok_or(InferShapesError::InvalidValue)?;
                let ceil_mode = self.integer("ceil_mode", 0) != 0;
                let rule = ops::Pool {
                    dilations: &dilations,
                    kernel_size: &kernel_size,
                    padding,
                    strides: &strides,
                    ceil_mode,
                };
                rule.infer_shapes(context(), symbols)
            }
            Rule::GlobalPool => ops::GlobalPool.infer_shapes(context(), symbols),
            Rule::MatMul => ops::MatMul.infer_shapes(context(), symbols),
            Rule::Gemm => {
                let (transpose_a, transpose_b) = (self.integer("transA", 0) != 0, self.integer("transB", 0) != 0);
                ops::Gemm { transpose_a, transpose_b }.infer_shapes(context(), symbols)
            }
            Rule::Concat => ops::Concat { axis: self.axis("axis", 0) }.infer_shapes(context(), symbols),
            Rule::Reshape => {
                ops::Reshape { allow_zero: self.integer("allowzero", 0) != 0 }.infer_shapes(context(), symbols)
            }
            Rule::Flatten => ops::Flatten { axis: self.axis("axis", 1) }.infer_shapes(context(), symbols),
            Rule::Squeeze => ops::Squeeze.infer_shapes(context(), symbols),
            Rule::Unsqueeze => ops::Unsqueeze.infer_shapes(context(), symbols),
            Rule::Transpose => {
                let permutation = self.sizes("perm")?;
                ops::Transpose { perm: permutation.as_deref() }.infer_shapes(context(), symbols)
            }
            Rule::Slice => ops::Slice.infer_shapes(context(), symbols),
            Rule::Split => {
                let num_outputs = u32::try_from(self.outputs.len()).ok();
                ops::Split { axis: self.axis("axis", 0), num_outputs }.infer_shapes(context(), symbols)
            }
            Rule::Gather => ops::Gather { axis: self.axis("axis", 0) }.infer_shapes(context(), symbols),
            Rule::Pad => ops::Pad.infer_shapes(context(), symbols),
            Rule::Resize => ops::Resize.infer_shapes(context(), symbols),
            Rule::Expand => ops::Expand.infer_shapes(context(), symbols),
            Rule::Tile => ops::Tile.infer_shapes(context(), symbols),
            Rule::Shape => {
                let end = self.attributes.contains_key("end").then(|| self.axis("end", 0));
                ops::Shape { start: Some(self.axis("start", 0)), end }.infer_shapes(context(), symbols)
            }
            Rule::Identity => ops::Identity.infer_shapes(context(), symbols),
            Rule::Reduce => {
                let is_of_one_axis = self.operator.starts_with("Arg");
                let axes = is_of_one_axis.then(|| [self.axis("axis", 0)]);
                let rule = ReductionOp {
                    axes: axes.as_ref().map(<[i32; 1]>::as_slice),
                    keep_dims: self.integer("keepdims", 1) != 0,
                };
                rule.infer_shapes(context(), symbols)
            }
            Rule::DepthToSpace => {
                let block_size =
                    u32::try_from(self.integer("blocksize", 1)).map_err(|_| InferShapesError::InvalidValue)?;
                ops::DepthToSpace { block_size }.infer_shapes(context(), symbols)
            }
            Rule::ConstantOfShape => ops::ConstantOfShape { value: None }.infer_shapes(context(), symbols),
        }
    }

    /// Returns the operations of the node. `written` is the number of values of its outputs.
    fn operations(&self, inputs: &[Option<SymTensor>], written: u64) -> u64 {
        let input = |place: usize| inputs.get(place).and_then(Option::as_ref);
        let read = inputs.iter().flatten().filter_map(elements).fold(0, u64::saturating_add);
        let moved = read.saturating_add(written).saturating_mul(ELEMENT);
        let weights = input(1).and_then(elements).unwrap_or(0);
        let first_of_weights = input(1).and_then(|weights| size(weights, 0)).unwrap_or(1).max(1);
        let is_grouped = self.integer("group", 1) != 1;
        let by_window = if is_grouped { WINDOW } else { 1 };
        let work = match self.rule {
            Rule::Conv => written.saturating_mul(weights / first_of_weights).saturating_mul(by_window),
            Rule::ConvTranspose => {
                let values = input(0).and_then(elements).unwrap_or(0);
                values.saturating_mul(weights / first_of_weights).saturating_mul(by_window)
            }
            Rule::Pool => {
                let window = self.integers("kernel_shape").unwrap_or_default();
                let window = window.iter().map(|size| size.unsigned_abs()).fold(1, u64::saturating_mul);
                written.saturating_mul(window).saturating_mul(WINDOW)
            }
            Rule::MatMul => {
                let depth = input(0).and_then(|left| size(left, left.ndim()?.checked_sub(1)?));
                written.saturating_mul(depth.unwrap_or(1))
            }
            Rule::Gemm => {
                let place = usize::from(self.integer("transA", 0) == 0);
                written.saturating_mul(input(0).and_then(|left| size(left, place)).unwrap_or(1))
            }
            _ => 0,
        };
        work.saturating_add(moved)
    }

    /// Returns an integer attribute, or `default` without it.
    fn integer(&self, name: &str, default: i64) -> i64 {
        self.attributes.get(name).and_then(|attribute| attribute.integer).unwrap_or(default)
    }

    /// Returns an axis. One that exceeds 32 bits becomes a number that the shape rule rejects.
    fn axis(&self, name: &str, default: i64) -> i32 {
        // No tensor has that many dimensions: the rule refuses it.
        i32::try_from(self.integer(name, default)).unwrap_or(i32::MAX)
    }

    /// Returns an attribute that is a list of integers.
    fn integers(&self, name: &str) -> Option<&[i64]> {
        self.attributes.get(name).map(|attribute| attribute.integers.as_slice())
    }

    /// Returns a list of sizes, or `None` if the node has no such attribute.
    fn sizes(&self, name: &str) -> Result<Option<Vec<usize>>, InferShapesError> {
        let Some(values) = self.integers(name) else { return Ok(None) };
        let sizes = values.iter().map(|value| i32::try_from(*value).ok().and_then(|value| usize::try_from(value).ok()));
        sizes.collect::<Option<_>>().map(Some).ok_or(InferShapesError::InvalidValue)
    }

    /// Returns the strides, dilations and padding of a convolution or pooling.
    fn windows(&self, inputs: &[Option<SymTensor>]) -> Result<Windows, InferShapesError> {
        let data = inputs.first().and_then(Option::as_ref).ok_or(InferShapesError::IncorrectInputCount)?;
        let spatial = data.ndim().unwrap_or(4).saturating_sub(2);
        let strides = self.sizes("strides")?.unwrap_or_else(|| vec![1; spatial]);
        if strides.contains(&0) {
            return Err(InferShapesError::InvalidValue);
        }
        let dilations = self.sizes("dilations")?.unwrap_or_else(|| vec![1; spatial]);
        let pads = self.sizes("pads")?.unwrap_or_else(|| vec![0; 2 * spatial]);
        Ok(Windows { strides, dilations, pads })
    }

    /// Returns the padding mode of a convolution or pooling.
    fn padding<'a>(&self, pads: &'a [usize]) -> Padding<'a> {
        let automatic = self.attributes.get("auto_pad").and_then(|attribute| attribute.text.as_deref());
        match automatic {
            Some("SAME_UPPER" | "SAME_LOWER") => Padding::Same,
            _ => Padding::Fixed(pads),
        }
    }
}

/// Returns whether a `Cast` converts to integers, which keeps the values of a shape.
fn casts_to_integers(proto: &NodeProto) -> bool {
    let to = proto.attribute.iter().find(|attribute| attribute.name.as_deref() == Some("to"));
    let to = to.and_then(|to| to.i).and_then(|to| i32::try_from(to).ok()).map(DataType);
    matches!(to, Some(DataType::INT32 | DataType::INT64))
}

/// Returns the first input's shape scaled, each size rounded down, as ONNX specifies for `Resize`.
fn scaled(inputs: &[Option<SymTensor>], scales: &[f32]) -> Result<Vec<SymTensor>, InferShapesError> {
    let data = inputs.first().and_then(Option::as_ref).ok_or(InferShapesError::IncorrectInputCount)?;
    let sizes = (0..data.ndim().unwrap_or(0)).map(|place| size(data, place)).collect::<Option<Vec<u64>>>();
    let sizes = sizes.filter(|sizes| sizes.len() == scales.len()).ok_or(InferShapesError::IncorrectRank)?;
    let sizes = sizes.iter().zip(scales).map(|(size, scale)| (*size as f64 * f64::from(*scale)).floor());
    let is_size = |size: &f64| (0.0..=f64::from(i32::MAX)).contains(size);
    let sizes = sizes.map(|size| is_size(&size).then_some(SymExpr::Value(size as i32)));
    let sizes = sizes.collect::<Option<Vec<SymExpr>>>().ok_or(InferShapesError::InvalidValue)?;
    Ok(vec![SymTensor::from_shape(sizes)])
}

/// Returns the size of one dimension if it is known.
fn size(tensor: &SymTensor, dimension: usize) -> Option<u64> {
    match tensor.size(dimension)?.simplify() {
        SymExpr::Value(size) => u64::try_from(size).ok(),
        _ => None,
    }
}

/// Returns the number of values if all sizes are known.
fn elements(tensor: &SymTensor) -> Option<u64> {
    (0..tensor.ndim()?)
        .map(|dimension| size(tensor, dimension))
        .try_fold(1_u64, |all, size| Some(all.saturating_mul(size?)))
}

/// Converts an integer of a shape. A value that exceeds 32 bits is clamped and rejected later.
fn number(value: i64) -> SymExpr {
    SymExpr::Value(value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
}

/// Returns a constant with its values if it may be a shape, else its shape alone.
fn constant(tensor: &TensorProto) -> SymTensor {
    let shape: Vec<SymExpr> = tensor.dims.iter().map(|size| number(*size)).collect();
    let count = tensor.dims.iter().try_fold(1_usize, |all, size| all.checked_mul(usize::try_from(*size).ok()?));
    let is_short = count.is_some_and(|count| count <= SHAPE_VALUES) && shape.len() <= 1;
    let values = integers(tensor).filter(|values| is_short && Some(values.len()) == count);
    match (values, shape.len()) {
        (Some(values), 0) => SymTensor::from_scalar(number(values[0])),
        (Some(values), _) => SymTensor::from_vec(values.into_iter().map(number).collect()),
        (None, _) => SymTensor::from_shape(shape),
    }
}

/// Returns the values of an integer constant.
fn integers(tensor: &TensorProto) -> Option<Vec<i64>> {
    let raw = tensor.raw_data.as_ref().map(|raw| raw.borrow());
    match (tensor.data_type, raw) {
        (Some(DataType::INT64), Some(raw)) => {
            Some(raw.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect())
        }
        (Some(DataType::INT64), None) => Some(tensor.int64_data.clone()),
        (Some(DataType::INT32), Some(raw)) => {
            Some(raw.as_chunks().0.iter().map(|bytes| i64::from(i32::from_le_bytes(*bytes))).collect())
        }
        (Some(DataType::INT32), None) => Some(tensor.int32_data.iter().map(|value| i64::from(*value)).collect()),
        _ => None,
    }
}

/// Returns the values of a short list of floats, such as scales.
fn floats(tensor: &TensorProto) -> Option<Vec<f32>> {
    if tensor.data_type != Some(DataType::FLOAT) || tensor.dims.len() != 1 {
        return None;
    }
    let count = usize::try_from(tensor.dims[0]).ok().filter(|count| (1..=SHAPE_VALUES).contains(count))?;
    let values: Vec<f32> = match &tensor.raw_data {
        Some(raw) => raw.borrow().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        None => tensor.float_data.clone(),
    };
    (values.len() == count).then_some(values)
}

#[cfg(test)]
mod tests {
    use onnx_writer::{Attribute, Network, Size};

    use super::*;

    fn cost(onnx: &[u8], inputs: &[(&str, &[usize])]) -> Result<Cost, UnknownCost> {
        Graph::read(onnx)?.cost(inputs.iter().copied())
    }

    #[test]
    fn convolutions_cost_multiply_adds_and_moved_values() {
        let three = [Attribute::Integers("kernel_shape", &[3, 3]), Attribute::Integers("pads", &[1, 1, 1, 1])];
        let network = Network::default()
            .input("x", &[Size::Fixed(1), Size::Fixed(2), Size::Any("h"), Size::Any("w")])
            .floats("w", &[4, 2, 3, 3], &[0.0; 72])
            .node("Conv", &["x", "w"], "y", &three)
            .output("y", &[Size::Fixed(1), Size::Fixed(4), Size::Any("h"), Size::Any("w")])
            .to_onnx();
        let (read, written) = (2 * 10 * 20 + 72, 4 * 10 * 20);
        let expected = Cost { operations: written * 18 + (read + written) * ELEMENT, bytes: written * 4 };
        assert_eq!(cost(&network, &[("x", &[1, 2, 10, 20])]), Ok(expected));
    }

    #[test]
    fn a_detector_s_peak_bytes_are_at_its_sum() {
        let cost = cost(&onnx_writer::detector(), &[("image", &[1, 1, 16, 16])]).unwrap();
        // The sum holds the first layer, the upsampled one and itself, of 16 x 16 x 16 values each.
        assert_eq!(cost.bytes, 3 * 16 * 16 * 16 * 4);
        let multiplications = 256 * 16 * 9 + 64 * 16 * 16 * 9 + 256 * 16;
        assert!((multiplications..4 * multiplications + 3_000_000).contains(&cost.operations), "{cost:?}");
    }

    #[test]
    fn computed_shapes_are_inferred() {
        let network = Network::default()
            .input("x", &[Size::Any("n"), Size::Any("m")])
            .integers("first", &[0])
            .integers("rest", &[-1])
            .node("Shape", &["x"], "shape", &[])
            .node("Gather", &["shape", "first"], "rows", &[])
            .node("Concat", &["rows", "rest"], "wanted", &[Attribute::Integer("axis", 0)])
            .node("Reshape", &["x", "wanted"], "folded", &[])
            .node("Relu", &["folded"], "y", &[])
            .output("y", &[Size::Any("n"), Size::Any("m")])
            .to_onnx();
        assert!(cost(&network, &[("x", &[6, 7])]).unwrap().bytes >= 2 * 42 * 4);
    }

    #[test]
    fn oversized_shapes_give_a_cost_without_a_crash() {
        let network = Network::default()
            .input("x", &[Size::Any("n")])
            .integers("repeats", &[1 << 30])
            .node("Tile", &["x", "repeats"], "many", &[])
            .node("Relu", &["many"], "y", &[])
            .output("y", &[Size::Any("m")])
            .to_onnx();
        let cost = cost(&network, &[("x", &[1])]).unwrap();
        assert!(!cost.is_allowed() && cost.excess().contains("MB of intermediate values"), "{cost:?}");
    }

    #[test]
    fn incompatible_shapes_are_reported() {
        let network = Network::default()
            .input("x", &[Size::Any("n"), Size::Any("m")])
            .floats("w", &[3, 4], &[0.0; 12])
            .node("Add", &["x", "w"], "y", &[])
            .output("y", &[Size::Any("n"), Size::Any("m")])
            .to_onnx();
        let unknown = cost(&network, &[("x", &[2, 2])]).unwrap_err().to_string();
        assert_eq!(unknown, "does not take these shapes: its value `y` has none (input shapes are incompatible)");
    }
}
