//! The network that maps the views of sheets gives what it gave where it was trained.

use std::path::Path;

use fanlight_inference::{Choice, Inference, Settings, Tensor};

/// Pixels of a sheet.
const HEIGHT: usize = 768;
const WIDTH: usize = 1024;
/// The map's shape.
const MAP: [usize; 4] = [1, 16, 192, 256];
/// Cells of which the example has the outputs: those of every so many rows and columns.
const EVERY: usize = 8;

#[tokio::test]
async fn its_example_comes_out_as_in_training() {
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
        (0..rows)
            .step_by(EVERY)
            .flat_map(move |row| (0..columns).step_by(EVERY).map(move |column| (plane * rows + row) * columns + column))
    });
    let expected = outputs.chunks_exact(4);
    assert_eq!(expected.len(), planes * (rows / EVERY) * (columns / EVERY));
    for (given, expected) in cells.map(|cell| map.values()[cell]).zip(expected) {
        let expected = f32::from_le_bytes(expected.try_into().unwrap());
        assert!((given - expected).abs() < 1e-3, "{given} and not {expected}");
    }
}
