//! Exported networks that take tiles, compared with `PyTorch`'s outputs.

use fanlight_detection::detector::SIDE;
use native::NativeNetwork;

#[test]
fn examples_have_the_outputs_of_training() {
    // Each with the number of its maps and the side of a map's cell in pixels.
    for (name, maps, stride) in [("symbol-detector", 16, 4), ("room-segmenter", 4, 2)] {
        let path = format!("{}/../../models/{name}/examples.bin", env!("CARGO_MANIFEST_DIR"));
        let example = std::fs::read(path).unwrap();
        let (ink, outputs) = example.split_at(SIDE * SIDE);
        let tile: Vec<f32> = ink.iter().map(|ink| f32::from(*ink) / 255.0).collect();
        let expected: Vec<f32> = outputs.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let given = NativeNetwork::open(name).unwrap().run(&[1, 1, SIDE, SIDE], &tile).unwrap();
        let values = maps * (SIDE / stride) * (SIDE / stride);
        assert_eq!((given.len(), expected.len()), (values, values), "{name}");
        let furthest = given.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(furthest < 1e-3, "{name} is off by {furthest}");
    }
}
