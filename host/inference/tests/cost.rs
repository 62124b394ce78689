//! Checks that a run that would cost too much is refused before it begins.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::path::Path;

use fanlight_inference::{Choice, Inference, Model, ModelError, Settings, Tensor};
use onnx_writer::Size;
use sha2::{Digest, Sha256};

/// Opens the network on the CPU.
async fn open(onnx: &[u8]) -> Result<Model, ModelError> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("network")).unwrap();
    std::fs::write(folder.path().join("network/model.onnx"), onnx).unwrap();
    let inference = Inference::open(Settings { models: folder.path().to_owned(), choice: Choice::Cpu }).unwrap();
    inference.model("network", &hex::encode(Sha256::digest(onnx))).await
}

fn rows(count: usize) -> Vec<(String, Tensor)> {
    vec![("x".to_owned(), Tensor::new(vec![count, 1], vec![1.0; count]).unwrap())]
}

#[tokio::test]
async fn a_run_is_refused_by_what_its_shapes_would_cost() {
    let model = open(&onnx_writer::laborious(Size::Any("n"))).await.unwrap();
    let given = model.run(rows(3)).await.unwrap();
    assert_eq!(given[0].1.shape(), [3, 1]);
    assert!((given[0].1.values()[0] - 1.0).abs() < 1e-3, "{:?}", given[0].1);

    let refused = model.run(rows(16_384)).await.unwrap_err().to_string();
    let expected = "the model `network` on the inputs `x` [16384, 1] would cost 310329 million operations, more than \
                    the 50000 million that one run may cost";
    assert_eq!(refused, expected);
}

#[tokio::test]
async fn a_network_whose_every_run_costs_too_much_is_not_opened() {
    let refused = open(&onnx_writer::laborious(Size::Fixed(16_384))).await.unwrap_err().to_string();
    let expected = "the model `network` takes inputs of fixed sizes, and a run on them costs 310329 million operations, \
                    more than the 50000 million that one run may cost";
    assert_eq!(refused, expected);
    assert!(open(&onnx_writer::laborious(Size::Fixed(8))).await.is_ok());
}

#[tokio::test]
async fn a_network_of_unknown_cost_is_not_opened() {
    let refused = open(&onnx_writer::summing()).await.unwrap_err().to_string();
    assert_eq!(refused, "the model `network` has the operator `Einsum`, whose cost is not known beforehand");
}

#[tokio::test]
async fn intermediate_values_are_known_before_a_run() {
    let model = open(&onnx_writer::laborious(Size::Any("n"))).await.unwrap();
    // Two layers at a time hold 512 values of 4 bytes for each row.
    assert_eq!(model.prepare(rows(100)).unwrap().bytes(), 100 * 2 * 512 * 4);
}

/// Returns the operations of one run of this project's network, whose inputs all have fixed sizes.
async fn operations(name: &str) -> u64 {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let onnx = std::fs::read(models.join(name).join("model.onnx")).unwrap();
    let inference = Inference::open(Settings { models, choice: Choice::Cpu }).unwrap();
    let model = inference.model(name, &hex::encode(Sha256::digest(onnx))).await.unwrap();
    let zeros = model.inputs().iter().map(|spec| {
        let shape: Vec<usize> = spec.shape().iter().map(|size| size.unwrap()).collect();
        let values = vec![0.0; shape.iter().product()];
        (spec.name().to_owned(), Tensor::new(shape, values).unwrap())
    });
    let run = model.prepare(zeros.collect()).unwrap();
    println!("{name}: {} operations, {} bytes", run.operations(), run.bytes());
    run.operations()
}

#[tokio::test]
async fn the_networks_of_this_project_are_far_below_the_limit() {
    for name in ["symbol-classifier", "symbol-detector", "room-segmenter", "view-classifier"] {
        assert!(operations(name).await < 10_000_000_000, "{name}");
    }
}
