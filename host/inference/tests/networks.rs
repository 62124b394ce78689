//! Checks that networks of this project give the outputs that they gave in training.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::path::Path;

use fanlight_inference::{Choice, Inference, Model, Settings, Tensor};

/// A network, and the examples that training wrote beside it.
struct Network {
    model: Model,
    examples: Vec<u8>,
}

/// Opens a network of this project on the CPU.
async fn open(name: &str) -> Network {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let folder = models.join(name);
    let sums = std::fs::read_to_string(folder.join("model.onnx.sha256")).unwrap();
    let sha256 = sums.split_whitespace().next().unwrap();
    let inference = Inference::open(Settings { models, choice: Choice::Cpu }).unwrap();
    let model = inference.model(name, sha256).await.unwrap();
    Network { model, examples: std::fs::read(folder.join("examples.bin")).unwrap() }
}

/// Pixels of an input of the symbol classifier.
const CROP: usize = 64 * 64;
/// Outputs of the symbol classifier, of which the last are unused.
const OUTPUTS: usize = 16;
/// Classes of symbols.
const CLASSES: usize = 13;

#[tokio::test]
async fn the_symbol_classifier_gives_the_outputs_of_training() {
    let Network { model, examples } = open("symbol-classifier").await;
    let records: Vec<&[u8]> = examples.chunks(CROP + 4 * OUTPUTS).collect();
    assert_eq!(records.len(), CLASSES, "one example of each class");
    let mut correct = 0;
    for (class, record) in records.into_iter().enumerate() {
        let (ink, outputs) = record.split_at(CROP);
        let crop = ink.iter().map(|ink| f32::from(*ink) / 255.0).collect();
        let expected: Vec<f32> =
            outputs.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
        let tensor = Tensor::new(vec![1, 1, 64, 64], crop).unwrap();
        let given = model.run(vec![("crop".to_owned(), tensor)]).await.unwrap();
        assert_eq!(given.len(), 1);
        let (name, logits) = &given[0];
        assert_eq!((name.as_str(), logits.shape()), ("logits", [1, OUTPUTS, 1, 1].as_slice()));
        for (given, expected) in logits.values().iter().zip(&expected) {
            assert!((given - expected).abs() < 1e-3, "class {class}: {given} and not {expected}");
        }
        let likeliest = (0..OUTPUTS).max_by(|a, b| logits.values()[*a].total_cmp(&logits.values()[*b])).unwrap();
        correct += usize::from(likeliest == class);
    }
    assert!(correct >= CLASSES - 3, "{correct} of {CLASSES} examples are classified correctly");
}

/// Shapes of the inputs of the view classifier.
const PICTURE: [usize; 4] = [1, 3, 128, 128];
const PLACE: [usize; 4] = [1, 8, 1, 1];

#[tokio::test]
async fn the_view_classifier_gives_the_outputs_of_training() {
    let Network { model, examples } = open("view-classifier").await;
    let values: Vec<f32> = examples.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let (picture, rest) = values.split_at(PICTURE.iter().product());
    let (place, expected) = rest.split_at(PLACE.iter().product());
    let inputs = vec![
        ("picture".to_owned(), Tensor::new(PICTURE.to_vec(), picture.to_vec()).unwrap()),
        ("place".to_owned(), Tensor::new(PLACE.to_vec(), place.to_vec()).unwrap()),
    ];
    let given = model.run(inputs).await.unwrap();
    assert_eq!(given.len(), 1);
    let (name, logits) = &given[0];
    assert_eq!((name.as_str(), logits.values().len()), ("logits", expected.len()));
    for (given, expected) in logits.values().iter().zip(expected) {
        assert!((given - expected).abs() < 1e-3, "{given} and not {expected}");
    }
}
