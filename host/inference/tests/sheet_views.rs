//! Checks that the network of view segmentation gives the outputs it gave in training.

use std::path::Path;

use fanlight_inference::{Choice, Inference, Settings, Tensor};

/// Size of the network's input, in pixels.
const HEIGHT: usize = 768;
const WIDTH: usize = 1024;
/// Shape of the output.
const MAP: [usize; 4] = [1, 16, 192, 256];
/// The example holds the outputs of every eighth row and column of cells.
const STRIDE: usize = 8;

#[tokio::test]
async fn the_example_gives_the_outputs_of_training() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let folder = models.join("sheet-views");
    let sums = std::fs::read_to_string(folder.join("model.onnx.sha256")).unwrap();
    let sha256 = sums.split_whitespace().next().unwrap();
    let inference = Inference::open(Settings { models: models.clone(), choice: Choice::Cpu }).unwrap();
    let model = inference.model("sheet-views", sha256).await.unwrap();

    let example = std::fs::read(folder.join("examples.bin")).unwrap();
    let (ink, outputs) = example.split_at(HEIGHT * WIDTH);
    let sheet = ink.iter().map(|ink| f32::from(*ink) / 255.0).collect();
    let tensor = Tensor::new(vec![1, 1, HEIGHT, WIDTH], sheet).unwrap();
    let given = model.run(vec![("sheet".to_owned(), tensor)]).await.unwrap();
    assert_eq!(given.len(), 1);
    let (name, map) = &given[0];
    assert_eq!((name.as_str(), map.shape()), ("map", MAP.as_slice()));
    let [_, planes, rows, columns] = MAP;
    let cells = (0..planes).flat_map(|plane| {
        (0..rows).step_by(STRIDE).flat_map(move |row| {
            (0..columns).step_by(STRIDE).map(move |column| (plane * rows + row) * columns + column)
        })
    });
    let expected = outputs.chunks_exact(4);
    assert_eq!(expected.len(), planes * (rows / STRIDE) * (columns / STRIDE));
    for (given, expected) in cells.map(|cell| map.values()[cell]).zip(expected) {
        let expected = f32::from_le_bytes(expected.try_into().unwrap());
        assert!((given - expected).abs() < 1e-3, "{given} and not {expected}");
    }
}
