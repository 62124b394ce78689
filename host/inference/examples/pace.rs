//! How long the operations take that the cost of a run is counted in, by kinds of operators, on this machine's CPU.
//!
//! Prints for each kind the operations of one run, its milliseconds, and the operations of a nanosecond. The weights in
//! `src/cost.rs` are right where no kind is much slower than the matrix product.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a program for the developer")]

use std::fs;
use std::time::Instant;

use fanlight_inference::{Choice, Inference, Settings, Tensor};
use onnx_writer::{Attribute, Network, Size};
use sha2::{Digest, Sha256};

/// A picture of 32 planes.
const SHAPE: [i64; 4] = [1, 32, 256, 256];
/// Runs of which the quickest counts.
const RUNS: usize = 5;

/// A network of one node over a picture.
fn of_one(
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
    let none = |network: Network| network;
    vec![
        ("Conv 3x3", of_one("Conv", &["x", "w"], &[window(&[3, 3]), pads], |n| weights(n, &[32, 32, 3, 3]))),
        ("Conv 1x1", of_one("Conv", &["x", "w"], &[window(&[1, 1])], |n| weights(n, &[32, 32, 1, 1]))),
        (
            "Conv by plane",
            of_one("Conv", &["x", "w"], &[window(&[3, 3]), pads, Attribute::Integer("group", 32)], |n| {
                weights(n, &[32, 1, 3, 3])
            }),
        ),
        (
            "Conv in 4 groups",
            of_one("Conv", &["x", "w"], &[window(&[3, 3]), pads, Attribute::Integer("group", 4)], |n| {
                weights(n, &[32, 8, 3, 3])
            }),
        ),
        (
            "ConvTranspose",
            of_one("ConvTranspose", &["x", "w"], &[window(&[2, 2]), Attribute::Integers("strides", &[2, 2])], |n| {
                weights(n, &[32, 32, 2, 2])
            }),
        ),
        ("MatMul", of_one("MatMul", &["x", "w"], &[], |n| weights(n, &[256, 256]))),
        ("MaxPool 3x3", of_one("MaxPool", &["x"], &[window(&[3, 3]), pads, one_by_one], none)),
        ("AveragePool 7x7", of_one("AveragePool", &["x"], &[window(&[7, 7]), one_by_one], none)),
        ("GlobalAveragePool", of_one("GlobalAveragePool", &["x"], &[], none)),
        ("Relu", of_one("Relu", &["x"], &[], none)),
        ("Sigmoid", of_one("Sigmoid", &["x"], &[], none)),
        ("Erf", of_one("Erf", &["x"], &[], none)),
        ("Tan", of_one("Tan", &["x"], &[], none)),
        ("Log", of_one("Log", &["x"], &[], none)),
        ("Softmax over planes", of_one("Softmax", &["x"], &[Attribute::Integer("axis", 1)], none)),
        ("Add", of_one("Add", &["x", "x"], &[], none)),
        ("Pow", of_one("Pow", &["x", "x"], &[], none)),
        ("Mod", of_one("Mod", &["x", "x"], &[Attribute::Integer("fmod", 1)], none)),
        ("Concat", of_one("Concat", &["x", "x"], &[Attribute::Integer("axis", 1)], none)),
        ("Transpose", of_one("Transpose", &["x"], &[Attribute::Integers("perm", &[3, 2, 1, 0])], none)),
        ("ReduceMean of planes", of_one("ReduceMean", &["x"], &[Attribute::Integers("axes", &[1])], none)),
        ("ArgMax of planes", of_one("ReduceMax", &["x"], &[Attribute::Integers("axes", &[1])], none)),
        ("Resize nearest", of_one("Resize", &["x", "", "scales"], &nearest, twice)),
        ("Resize linear", of_one("Resize", &["x", "", "scales"], &linear, twice)),
        ("DepthToSpace", of_one("DepthToSpace", &["x"], &[Attribute::Integer("blocksize", 2)], none)),
        ("Tile", of_one("Tile", &["x", "often"], &[], |n| n.integers("often", &[1, 2, 1, 1]))),
        (
            "Gather of columns",
            of_one("Gather", &["x", "which"], &[Attribute::Integer("axis", 3)], |n| {
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
        let mut quickest = f64::INFINITY;
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
            quickest = quickest.min(started.elapsed().as_secs_f64());
        }
        println!("{kind:24} {operations:12} {:10.2} {:8.2}", quickest * 1e3, operations as f64 / quickest / 1e9);
    }
}
