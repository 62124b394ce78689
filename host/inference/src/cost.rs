//! What a run of a network costs, known from its graph and the shapes of its inputs before it runs.
//!
//! Nobody can interrupt an engine, so a run that would take too long must never begin. [`Graph::cost`] walks the nodes of
//! an ONNX file in their order, infers the shape of each value (by rten's own rules, `rten-shape-inference`), adds up
//! the operations and remembers the most bytes of values that are held at a time.

use std::collections::HashMap;

use rten_onnx::onnx::{AttributeProto, DataType, GraphProto, ModelProto, NodeProto, TensorProto};
use rten_shape_inference::ops::{self, Padding};
use rten_shape_inference::{
    BinaryOp, InferShapes, InferShapesContext, InferShapesError, ReductionOp, SymExpr, SymTensor, SymbolGen, UnaryOp,
    VariadicOp,
};
use thiserror::Error;

/// Operations that one run may cost at most. An operation is a multiplication with its addition as a matrix product
/// does it; other work is counted as the operations that take as long, by [`ELEMENT`] and [`WINDOW`].
///
/// On two cores that others used too, `cargo run --release --example pace` measured 4.3 (`Resize`) to 459 operations a
/// nanosecond, 10 to 30 for convolutions and matrix products: 50,000 million are 12 s at worst there. The networks of this
/// project cost 0.05 to 8 % of it (`tests/cost.rs`).
const MOST_OPERATIONS: u64 = 50_000_000_000;
/// Bytes of the values that one run may hold at a time.
const MOST_BYTES: u64 = 1 << 30;
/// Operations that one value of an operator other than a matrix product or a convolution counts as.
const ELEMENT: u64 = 32;
/// Operations that one multiplication of a convolution in groups, or one value under a pooling window, counts as.
const WINDOW: u64 = 8;
/// Bytes of a value: engines compute in 32 bits.
const VALUE_BYTES: u64 = 4;
/// Values of a constant that may be a shape: no tensor has more dimensions.
const SHAPE_VALUES: usize = 64;

/// What a run costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// As [`MOST_OPERATIONS`] counts them.
    pub(crate) operations: u64,
    /// The most bytes of intermediate values and outputs that are held at a time, inputs and weights not among them.
    pub(crate) bytes: u64,
}

impl Cost {
    /// Whether a run may cost this much.
    pub(crate) fn is_allowed(&self) -> bool {
        self.operations <= MOST_OPERATIONS && self.bytes <= MOST_BYTES
    }

    /// The cost and the limit that it exceeds, as the end of a sentence.
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

/// Why nobody can say what a run costs. Goes on a sentence that begins with the model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnknownCost {
    /// No rule for the operator.
    #[error("has the operator `{0}`, whose cost is not known beforehand")]
    Operator(String),
    /// The shape of a value depends on more than the shapes of the inputs.
    #[error("has the value `{0}`, whose size is not known beforehand")]
    Size(String),
    /// The shapes of the inputs don't go together.
    #[error("does not take these shapes: its value `{value}` has none ({reason})")]
    Shapes {
        /// The value.
        value: String,
        /// What the rule says.
        reason: String,
    },
}

/// A network's nodes and constants, as far as they say what a run costs.
#[derive(Debug)]
pub(crate) struct Graph {
    constants: HashMap<String, SymTensor>,
    /// The scales that a `Resize` may take.
    scales: HashMap<String, Vec<f32>>,
    nodes: Vec<Node>,
    /// The last node that reads a value; values that are given out have none.
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

/// An attribute of a node, in the forms that say anything about shapes.
#[derive(Debug, Default)]
struct Attribute {
    integer: Option<i64>,
    integers: Vec<i64>,
    text: Option<String>,
}

/// How an operator's outputs get their shapes, and what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// The shape of the first input, value by value.
    Unary,
    /// The shape that the inputs are broadcast to.
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

/// How the windows of a convolution or pooling lie on its input, one number a spatial dimension.
struct Windows {
    strides: Vec<usize>,
    dilations: Vec<usize>,
    /// Those at each dimension's beginning, then those at its end.
    pads: Vec<usize>,
}

impl Rule {
    /// The rule of an ONNX operator. None where what it costs depends on values, as of a loop, or where nobody has
    /// written down what it costs.
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
    /// Reads an ONNX file. One that can't be read is an empty graph: the engine says what is wrong with the file.
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

    /// What a run on inputs of these names and shapes costs.
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
            // What follows would only be more, and such sizes soon don't fit the rules' 32 bits.
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

    /// The node's inputs; what older versions of operators have as an attribute stands where newer ones have an input.
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

    /// The sizes of the parts that a `Split` without sizes makes: equal ones, the last one smaller.
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

    /// The shapes of the outputs, and their values where they are themselves shapes.
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

    /// What the node costs, with this many values in its outputs.
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

    fn integer(&self, name: &str, default: i64) -> i64 {
        self.attributes.get(name).and_then(|attribute| attribute.integer).unwrap_or(default)
    }

    fn axis(&self, name: &str, default: i64) -> i32 {
        // No tensor has that many dimensions: the rule refuses it.
        i32::try_from(self.integer(name, default)).unwrap_or(i32::MAX)
    }

    fn integers(&self, name: &str) -> Option<&[i64]> {
        self.attributes.get(name).map(|attribute| attribute.integers.as_slice())
    }

    /// A list of sizes. None where the node has no such attribute.
    fn sizes(&self, name: &str) -> Result<Option<Vec<usize>>, InferShapesError> {
        let Some(values) = self.integers(name) else { return Ok(None) };
        let sizes = values.iter().map(|value| i32::try_from(*value).ok().and_then(|value| usize::try_from(value).ok()));
        sizes.collect::<Option<_>>().map(Some).ok_or(InferShapesError::InvalidValue)
    }

    /// Strides, dilations and pads of a convolution or pooling.
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

    fn padding<'a>(&self, pads: &'a [usize]) -> Padding<'a> {
        let automatic = self.attributes.get("auto_pad").and_then(|attribute| attribute.text.as_deref());
        match automatic {
            Some("SAME_UPPER" | "SAME_LOWER") => Padding::Same,
            _ => Padding::Fixed(pads),
        }
    }
}

/// Whether a `Cast` leaves the numbers of a shape as they are.
fn casts_to_integers(proto: &NodeProto) -> bool {
    let to = proto.attribute.iter().find(|attribute| attribute.name.as_deref() == Some("to"));
    let to = to.and_then(|to| to.i).and_then(|to| i32::try_from(to).ok()).map(DataType);
    matches!(to, Some(DataType::INT32 | DataType::INT64))
}

/// The shape that scales make of the first input's: each size rounded down, as ONNX says.
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

/// The size of one dimension, where it is known.
fn size(tensor: &SymTensor, dimension: usize) -> Option<u64> {
    match tensor.size(dimension)?.simplify() {
        SymExpr::Value(size) => u64::try_from(size).ok(),
        _ => None,
    }
}

/// The number of values, where all sizes are known.
fn elements(tensor: &SymTensor) -> Option<u64> {
    (0..tensor.ndim()?)
        .map(|dimension| size(tensor, dimension))
        .try_fold(1_u64, |all, size| Some(all.saturating_mul(size?)))
}

/// A number of a shape; one that no shape has is cut, and fails later.
fn number(value: i64) -> SymExpr {
    SymExpr::Value(value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
}

/// A constant: its values where it may be a shape, else its shape.
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

/// The integers of a constant, where it is of integers.
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

/// The values of a short list of floats, as scales are.
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
    fn convolutions_cost_their_multiplications_and_what_they_move() {
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
    fn the_operators_of_a_detector_have_their_sizes() {
        let cost = cost(&onnx_writer::detector(), &[("image", &[1, 1, 16, 16])]).unwrap();
        // At the sum: the first layer, the enlarged one and the sum, of 16 x 16 x 16 values each.
        assert_eq!(cost.bytes, 3 * 16 * 16 * 16 * 4);
        let multiplications = 256 * 16 * 9 + 64 * 16 * 16 * 9 + 256 * 16;
        assert!((multiplications..4 * multiplications + 3_000_000).contains(&cost.operations), "{cost:?}");
    }

    #[test]
    fn shapes_that_are_computed_are_followed() {
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
    fn sizes_that_no_machine_holds_are_a_cost_and_no_crash() {
        let network = Network::default()
            .input("x", &[Size::Any("n")])
            .integers("often", &[1 << 30])
            .node("Tile", &["x", "often"], "many", &[])
            .node("Relu", &["many"], "y", &[])
            .output("y", &[Size::Any("m")])
            .to_onnx();
        let cost = cost(&network, &[("x", &[1])]).unwrap();
        assert!(!cost.is_allowed() && cost.excess().contains("MB of intermediate values"), "{cost:?}");
    }

    #[test]
    fn shapes_that_do_not_go_together_are_told() {
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
