//! Measures how long the operations of the cost model take on this machine's CPU, by operator.
//!
//! Prints for each operator the operations of one run, its milliseconds, and the operations per nanosecond. The
//! factors in `src/cost.rs` are right if no operator is much slower than the matrix product.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a program for the developer")]

use std::fs;
use std::time::Instant;

use fanlight_inference::{Choice, Inference, Settings, Tensor};
use onnx_writer::{Attribute, Network, Size};
use sha2::{Digest, Sha256};

/// The input: a batch of one, 32 channels, 256 x 256 pixels.
const SHAPE: [i64; 4] = [1, 32, 256, 256];
/// Runs per operator, of which the fastest counts.
const RUNS: usize = 5;

/// A network of one node over an input of [`SHAPE`].
fn single_node(
    operator: &str,
    inputs: &[&str],
    attributes: &[Attribute],
    prepare: impl FnOnce(Network) -> Network,
) -> Vec<u8> {
    let picture = SHAPE.map(Size::Fixed);
    let any = [Size::Any("a"), Size::Any("b"), Size::Any("c"), Size::Any("d")];
    let network = Network::default().input("x", &picture);
    let last = if operator == "Shape" { &any[..1] } else { &any[..] };
    prepare(network).node(operator, inputs, "y", attributes).output("y", last).to_onnx()
}

fn weights(network: Network, shape: &[i64]) -> Network {
    let count: i64 = shape.iter().product();
    network.floats("w", shape, &vec![0.01; count as usize])
}

fn kinds() -> Vec<(&'static str, Vec<u8>)> {
    let window = |size: &'static [i64]| Attribute::Integers("kernel_shape", size);
    let pads = Attribute::Integers("pads", &[1, 1, 1, 1]);
    let one_by_one = Attribute::Integers("strides", &[1, 1]);
    let nearest = [
        Attribute::Text("mode", "nearest"),
        Attribute::Text("coordinate_transformation_mode", "asymmetric"),
        Attribute::Text("nearest_mode", "floor"),
    ];
    let linear = [Attribute::Text("mode", "linear"), Attribute::Text("coordinate_transformation_mode", "asymmetric")];
    let twice = |network: Network| network.floats("scales", &[4], &[1.0, 1.0, 2.0, 2.0]);
    let unchanged = |network: Network| network;
    vec![
        ("Conv 3x3", single_node("Conv", &["x", "w"], &[window(&[3, 3]), pads], |n| weights(n, &[32, 32, 3, 3]))),
        ("Conv 1x1", single_node("Conv", &["x", "w"], &[window(&[1, 1])], |n| weights(n, &[32, 32, 1, 1]))),
        (
            "Conv by plane",
            single_node("Conv", &["x", "w"], &[window(&[3, 3]), pads, Attribute::Integer("group", 32)], |n| {
                weights(n, &[32, 1, 3, 3])
            }),
        ),
        (
            "Conv in 4 groups",
            single_node("Conv", &["x", "w"], &[window(&[3, 3]), pads, Attribute::Integer("group", 4)], |n| {
                weights(n, &[32, 8, 3, 3])
            }),
        ),
        (
            "ConvTranspose",
            single_node(
                "ConvTranspose",
                &["x", "w"],
                &[window(&[2, 2]), Attribute::Integers("strides", &[2, 2])],
                |n| weights(n, &[32, 32, 2, 2]),
            ),
        ),
        ("MatMul", single_node("MatMul", &["x", "w"], &[], |n| weights(n, &[256, 256]))),
        ("MaxPool 3x3", single_node("MaxPool", &["x"], &[window(&[3, 3]), pads, one_by_one], unchanged)),
        ("AveragePool 7x7", single_node("AveragePool", &["x"], &[window(&[7, 7]), one_by_one], unchanged)),
        ("GlobalAveragePool", single_node("GlobalAveragePool", &["x"], &[], unchanged)),
        ("Relu", single_node("Relu", &["x"], &[], unchanged)),
        ("Sigmoid", single_node("Sigmoid", &["x"], &[], unchanged)),
        ("Erf", single_node("Erf", &["x"], &[], unchanged)),
        ("Tan", single_node("Tan", &["x"], &[], unchanged)),
        ("Log", single_node("Log", &["x"], &[], unchanged)),
        ("Softmax over planes", single_node("Softmax", &["x"], &[Attribute::Integer("axis", 1)], unchanged)),
        ("Add", single_node("Add", &["x", "x"], &[], unchanged)),
        ("Pow", single_node("Pow", &["x", "x"], &[], unchanged)),
        ("Mod", single_node("Mod", &["x", "x"], &[Attribute::Integer("fmod", 1)], unchanged)),
        ("Concat", single_node("Concat", &["x", "x"], &[Attribute::Integer("axis", 1)], unchanged)),
        ("Transpose", single_node("Transpose", &["x"], &[Attribute::Integers("perm", &[3, 2, 1, 0])], unchanged)),
        ("ReduceMean of planes", single_node("ReduceMean", &["x"], &[Attribute::Integers("axes", &[1])], unchanged)),
        ("ArgMax of planes", single_node("ReduceMax", &["x"], &[Attribute::Integers("axes", &[1])], unchanged)),
        ("Resize nearest", single_node("Resize", &["x", "", "scales"], &nearest, twice)),
        ("Resize linear", single_node("Resize", &["x", "", "scales"], &linear, twice)),
        ("DepthToSpace", single_node("DepthToSpace", &["x"], &[Attribute::Integer("blocksize", 2)], unchanged)),
        ("Tile", single_node("Tile", &["x", "often"], &[], |n| n.integers("often", &[1, 2, 1, 1]))),
        (
            "Gather of columns",
            single_node("Gather", &["x", "which"], &[Attribute::Integer("axis", 3)], |n| {
                n.integers("which", &(0..256).rev().collect::<Vec<i64>>())
            }),
        ),
    ]
}

#[tokio::main]
async fn main() {
    println!("{:24} {:>12} {:>10} {:>8}", "kind", "operations", "ms", "per ns");
    for (kind, onnx) in kinds() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("network")).unwrap();
        fs::write(folder.path().join("network/model.onnx"), &onnx).unwrap();
        let inference = Inference::open(Settings { models: folder.path().to_owned(), choice: Choice::Cpu }).unwrap();
        let model = match inference.model("network", &hex::encode(Sha256::digest(&onnx))).await {
            Ok(model) => model,
            Err(error) => {
                println!("{kind:24} {error}");
                continue;
            }
        };
        let shape = SHAPE.map(|size| size as usize).to_vec();
        let values: Vec<f32> = (0..shape.iter().product()).map(|place: usize| (place % 97) as f32 / 97.0).collect();
        let mut fastest = f64::INFINITY;
        let mut operations = 0;
        for _ in 0..RUNS {
            let input = Tensor::new(shape.clone(), values.clone()).unwrap();
            let run = model.prepare(vec![("x".to_owned(), input)]).unwrap();
            operations = run.operations();
            let started = Instant::now();
            if let Err(error) = run.run().await {
                println!("{kind:24} {error}");
                break;
            }
            fastest = fastest.min(started.elapsed().as_secs_f64());
        }
        println!("{kind:24} {operations:12} {:10.2} {:8.2}", fastest * 1e3, operations as f64 / fastest / 1e9);
    }
}
