//! Checks that the symbol classifier gives the outputs it gave in training.

use std::path::Path;

use fanlight_inference::{Choice, Inference, Settings, Tensor};

const CROP: usize = 64 * 64;
const OUTPUTS: usize = 16;
const CLASSES: usize = 13;

#[tokio::test]
async fn the_examples_give_the_outputs_of_training() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let folder = models.join("symbol-classifier");
    let sums = std::fs::read_to_string(folder.join("model.onnx.sha256")).unwrap();
    let sha256 = sums.split_whitespace().next().unwrap();
    let inference = Inference::open(Settings { models: models.clone(), choice: Choice::Cpu }).unwrap();
    let model = inference.model("symbol-classifier", sha256).await.unwrap();

    let examples = std::fs::read(folder.join("examples.bin")).unwrap();
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
