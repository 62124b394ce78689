//! Checks that the network of views gives the outputs it gave in training.

use std::path::Path;

use fanlight_inference::{Choice, Inference, Settings, Tensor};

/// Shapes of the inputs.
const PICTURE: [usize; 4] = [1, 3, 128, 128];
const PLACE: [usize; 4] = [1, 8, 1, 1];

#[tokio::test]
async fn the_example_gives_the_outputs_of_training() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let folder = models.join("view-classifier");
    let sums = std::fs::read_to_string(folder.join("model.onnx.sha256")).unwrap();
    let sha256 = sums.split_whitespace().next().unwrap();
    let inference = Inference::open(Settings { models: models.clone(), choice: Choice::Cpu }).unwrap();
    let model = inference.model("view-classifier", sha256).await.unwrap();

    let example = std::fs::read(folder.join("examples.bin")).unwrap();
    let values: Vec<f32> = example.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
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
