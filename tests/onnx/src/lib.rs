//! Writes small ONNX files for tests: valid networks, and networks that a host must refuse.
//!
//! Field numbers are those of `onnx.proto3` (onnx/onnx on GitHub), version 7 of the format.

#![expect(clippy::cast_possible_wrap, reason = "the sizes of small networks")]

mod protobuf;

use protobuf::Message;

/// A network: nodes over named values, from inputs to outputs.
#[derive(Clone, Debug, Default)]
pub struct Network {
    nodes: Vec<Message>,
    initializers: Vec<Message>,
    inputs: Vec<Message>,
    outputs: Vec<Message>,
    values: Vec<Message>,
}

/// The size of a dimension.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    /// A fixed size.
    Fixed(i64),
    /// An open size. Dimensions of the same name have the same size.
    Any(&'static str),
}

/// An attribute of a node.
#[derive(Clone, Copy, Debug)]
pub enum Attribute<'a> {
    /// An integer, such as `axis`.
    Integer(&'a str, i64),
    /// A list of integers, such as `kernel_shape`.
    Integers(&'a str, &'a [i64]),
    /// A string, such as `mode`.
    Text(&'a str, &'a str),
}

/// `TensorProto.DataType`
const FLOAT: u64 = 1;
const INT64: u64 = 7;

impl Network {
    /// Adds an input of 32-bit floats.
    #[must_use]
    pub fn input(mut self, name: &str, shape: &[Size]) -> Self {
        self.inputs.push(value(name, shape, FLOAT));
        self
    }

    /// Adds an input of 64-bit integers.
    #[must_use]
    pub fn integer_input(mut self, name: &str, shape: &[Size]) -> Self {
        self.inputs.push(value(name, shape, INT64));
        self
    }

    /// Adds an output of 32-bit floats.
    #[must_use]
    pub fn output(mut self, name: &str, shape: &[Size]) -> Self {
        self.outputs.push(value(name, shape, FLOAT));
        self
    }

    /// Declares the shape of an intermediate value, which some engines require.
    #[must_use]
    pub fn value(mut self, name: &str, shape: &[Size]) -> Self {
        self.values.push(value(name, shape, FLOAT));
        self
    }

    /// Adds a constant of 32-bit floats, such as weights.
    #[must_use]
    pub fn floats(mut self, name: &str, shape: &[i64], values: &[f32]) -> Self {
        let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let tensor = Message::default().numbers(1, shape).number(2, FLOAT).text(8, name).bytes(9, &data);
        self.initializers.push(tensor);
        self
    }

    /// Adds a constant list of 64-bit integers, such as the sizes of a shape.
    #[must_use]
    pub fn integers(mut self, name: &str, values: &[i64]) -> Self {
        let shape = [values.len() as i64];
        let tensor = Message::default().numbers(1, &shape).number(2, INT64).packed(7, values).text(8, name);
        self.initializers.push(tensor);
        self
    }

    /// Adds a node that computes one value from others.
    #[must_use]
    pub fn node(mut self, operator: &str, inputs: &[&str], output: &str, attributes: &[Attribute]) -> Self {
        let mut node = Message::default();
        for input in inputs {
            node = node.text(1, input);
        }
        node = node.text(2, output).text(3, output).text(4, operator);
        for attribute in attributes {
            // `AttributeProto.AttributeType`: INT is 2, STRING is 3, INTS is 7.
            let attribute = match attribute {
                Attribute::Integer(name, value) => {
                    Message::default().text(1, name).number(3, *value as u64).number(20, 2)
                }
                Attribute::Integers(name, values) => Message::default().text(1, name).numbers(8, values).number(20, 7),
                Attribute::Text(name, text) => Message::default().text(1, name).text(4, text).number(20, 3),
            };
            node = node.message(5, &attribute);
        }
        self.nodes.push(node);
        self
    }

    /// Returns the ONNX file.
    pub fn to_onnx(&self) -> Vec<u8> {
        let mut graph = Message::default();
        let parts =
            [(1, &self.nodes), (5, &self.initializers), (11, &self.inputs), (12, &self.outputs), (13, &self.values)];
        for (field, messages) in parts {
            for message in messages {
                graph = graph.message(field, message);
            }
        }
        graph = graph.text(2, "network");
        // Operator set 13, which PyTorch exports.
        let operators = Message::default().text(1, "").number(2, 13);
        Message::default()
            .number(1, 7)
            .text(2, "fanlight's tests")
            .message(7, &graph)
            .message(8, &operators)
            .into_bytes()
    }
}

/// Describes a value by its name, shape and element type.
fn value(name: &str, shape: &[Size], of: u64) -> Message {
    let mut dimensions = Message::default();
    for size in shape {
        let dimension = match size {
            Size::Fixed(size) => Message::default().number(1, *size as u64),
            Size::Any(name) => Message::default().text(2, name),
        };
        dimensions = dimensions.message(1, &dimension);
    }
    let tensor = Message::default().number(1, of).message(2, &dimensions);
    Message::default().text(1, name).message(2, &Message::default().message(1, &tensor))
}

/// Returns a small network with the operators of a detector: convolutions with biases, a pooling, an upsampling and a
/// sum. Maps `image` of 1 x 1 x 16 x 16 to `heat` of the same shape, with values from 0 to 1.
pub fn detector() -> Vec<u8> {
    use Size::Fixed;
    let channels = 16_i64;
    let full = [Fixed(1), Fixed(channels), Fixed(16), Fixed(16)];
    let half = [Fixed(1), Fixed(channels), Fixed(8), Fixed(8)];
    let one = [Fixed(1), Fixed(1), Fixed(16), Fixed(16)];
    let weights = |count: i64, seed: usize| -> Vec<f32> {
        (0..count as usize).map(|index| ((index * 7 + seed) % 23) as f32 / 46.0 - 0.25).collect()
    };
    let three = [Attribute::Integers("kernel_shape", &[3, 3]), Attribute::Integers("pads", &[1, 1, 1, 1])];
    let pool = [Attribute::Integers("kernel_shape", &[2, 2]), Attribute::Integers("strides", &[2, 2])];
    let nearest = [
        Attribute::Text("mode", "nearest"),
        Attribute::Text("coordinate_transformation_mode", "asymmetric"),
        Attribute::Text("nearest_mode", "floor"),
    ];
    Network::default()
        .input("image", &one)
        .floats("w1", &[channels, 1, 3, 3], &weights(channels * 9, 1))
        .floats("b1", &[channels], &weights(channels, 2))
        .node("Conv", &["image", "w1", "b1"], "c1", &three)
        .value("c1", &full)
        .node("Relu", &["c1"], "r1", &[])
        .value("r1", &full)
        .node("MaxPool", &["r1"], "p1", &pool)
        .value("p1", &half)
        .floats("w2", &[channels, channels, 3, 3], &weights(channels * channels * 9, 3))
        .floats("b2", &[channels], &weights(channels, 4))
        .node("Conv", &["p1", "w2", "b2"], "c2", &three)
        .value("c2", &half)
        .node("Relu", &["c2"], "r2", &[])
        .value("r2", &half)
        .floats("scales", &[4], &[1.0, 1.0, 2.0, 2.0])
        .node("Resize", &["r2", "", "scales"], "u2", &nearest)
        .value("u2", &full)
        .node("Add", &["u2", "r1"], "s2", &[])
        .value("s2", &full)
        .floats("w3", &[1, channels, 1, 1], &weights(channels, 5))
        .floats("b3", &[1], &[0.125])
        .node("Conv", &["s2", "w3", "b3"], "c3", &[Attribute::Integers("kernel_shape", &[1, 1])])
        .value("c3", &one)
        .node("Sigmoid", &["c3"], "heat", &[])
        .output("heat", &one)
        .to_onnx()
}

/// Returns a network of one 3 x 3 convolution without a bias, which wonnx computes wrongly. Maps `x` of 1 x 1 x 8 x 8
/// to `y` of 1 x 4 x 8 x 8.
pub fn without_bias() -> Vec<u8> {
    use Size::Fixed;
    let three = [Attribute::Integers("kernel_shape", &[3, 3]), Attribute::Integers("pads", &[1, 1, 1, 1])];
    let weights: Vec<f32> = (0..36_u8).map(|index| f32::from(index) / 36.0).collect();
    Network::default()
        .input("x", &[Fixed(1), Fixed(1), Fixed(8), Fixed(8)])
        .floats("w", &[4, 1, 3, 3], &weights)
        .node("Conv", &["x", "w"], "y", &three)
        .output("y", &[Fixed(1), Fixed(4), Fixed(8), Fixed(8)])
        .to_onnx()
}

/// Returns a network that doubles `x`, of any number of values.
pub fn doubling() -> Vec<u8> {
    let any = [Size::Any("n")];
    Network::default()
        .input("x", &any)
        .floats("two", &[1], &[2.0])
        .node("Mul", &["x", "two"], "doubled", &[])
        .output("doubled", &any)
        .to_onnx()
}

/// Returns a network that reshapes `x` to two rows of two. It fails on any other number of values than four.
pub fn folding() -> Vec<u8> {
    Network::default()
        .input("x", &[Size::Any("n")])
        .integers("rows", &[2, 2])
        .node("Reshape", &["x", "rows"], "folded", &[])
        .output("folded", &[Size::Fixed(2), Size::Fixed(2)])
        .to_onnx()
}

/// Layers of [`laborious`].
const LABORIOUS_LAYERS: usize = 64;
/// Width of each layer of [`laborious`].
const LABORIOUS_WIDTH: i64 = 512;

/// Returns a network of many layers that process each row of `x` separately: 17 million multiply-adds per row, in a
/// file of 1 MB. `x` has one value per row and `rows` rows; `y` has the same shape.
pub fn laborious(rows: Size) -> Vec<u8> {
    let width = LABORIOUS_WIDTH;
    let evenly = |count: i64| vec![1.0 / width as f32; count as usize];
    let mut network = Network::default()
        .input("x", &[rows, Size::Fixed(1)])
        .floats("widen", &[1, width], &vec![1.0; width as usize])
        .floats("layer", &[width, width], &evenly(width * width))
        .floats("narrow", &[width, 1], &evenly(width))
        .node("MatMul", &["x", "widen"], "layer-0", &[]);
    for layer in 1..=LABORIOUS_LAYERS {
        let (input, output) = (format!("layer-{}", layer - 1), format!("layer-{layer}"));
        network = network.node("MatMul", &[&input, "layer"], &output, &[]);
    }
    network
        .node("MatMul", &[&format!("layer-{LABORIOUS_LAYERS}"), "narrow"], "y", &[])
        .output("y", &[rows, Size::Fixed(1)])
        .to_onnx()
}

/// Returns a network with `Einsum`, an operator whose cost depends on a string. Maps `x` of any number of values to
/// `y`.
pub fn summing() -> Vec<u8> {
    let any = [Size::Any("n")];
    let equation = [Attribute::Text("equation", "i,i->i")];
    Network::default().input("x", &any).node("Einsum", &["x", "x"], "y", &equation).output("y", &any).to_onnx()
}

/// Returns a network with an operator that no engine supports.
pub fn divining() -> Vec<u8> {
    let any = [Size::Any("n")];
    Network::default().input("x", &any).node("Divine", &["x"], "truth", &[]).output("truth", &any).to_onnx()
}

/// Returns a network that takes integers.
pub fn counting() -> Vec<u8> {
    let any = [Size::Any("n")];
    Network::default().integer_input("x", &any).node("Identity", &["x"], "y", &[]).output("y", &any).to_onnx()
}
