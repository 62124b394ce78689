//! The exported detector network, compared with `PyTorch`'s output.

use eval::NativeDetector;
use fanlight_detection::detector::SIDE;

/// Values of the network's output: 16 maps with a quarter of a tile's side each way.
const VALUES: usize = 16 * (SIDE / 4) * (SIDE / 4);

#[test]
fn the_example_has_the_output_of_training() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/symbols-finder/examples.bin");
    let example = std::fs::read(path).unwrap();
    let (ink, maps) = example.split_at(SIDE * SIDE);
    let tile: Vec<f32> = ink.iter().map(|ink| f32::from(*ink) / 255.0).collect();
    let expected: Vec<f32> = maps.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let given = NativeDetector::open().unwrap().maps(&tile).unwrap();
    assert_eq!((given.len(), expected.len()), (VALUES, VALUES));
    let furthest = given.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(furthest < 1e-3, "off by {furthest}");
}
