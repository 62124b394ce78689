//! How likely a candidate is a door: what its lines say and what the network says of its picture, weighed together.

use fanlight_crops::{Answer, Class};
use fanlight_judge::Weights;
use fanlight_symbols::{Door, DoorKind};

/// Fitted by `cargo run --release -p weighing`, on drafted sheets of offices with mixed habits; but for panels, which those
/// sheets have hardly any false ones of: there the lines count most, since a thin line in a wall has little to show in a crop.
const SWINGING: Weights = Weights { bias: 0.28, finder: 0.88, judge: 0.58 };
const SLIDING: Weights = Weights { bias: 0.5, finder: 0.9, judge: 0.3 };
const FOLDING: Weights = Weights { bias: -3.27, finder: 1.91, judge: 0.69 };

/// How likely a candidate is a door, from 0 to 1. Where the network was not asked, the lines alone say.
pub fn confidence(door: &Door, answer: Option<&Answer>) -> f32 {
    let Some(answer) = answer else { return door.confidence };
    let weights = match door.kind {
        DoorKind::Single | DoorKind::Pair => SWINGING,
        DoorKind::Sliding => SLIDING,
        DoorKind::Folding => FOLDING,
    };
    weights.weigh(door.confidence, answer.likelihood(Class::is_door))
}

#[cfg(test)]
mod tests {
    use fanlight_crops::CLASSES;
    use fanlight_plugin::vocabulary::Rect;

    use super::*;

    /// The network's answer where it is this sure of one class.
    fn answer(class: Class, odds: f32) -> Answer {
        let mut outputs = vec![0.0; 16];
        let place = CLASSES.iter().position(|known| *known == class).unwrap();
        outputs[place] = odds;
        Answer::of(&outputs).unwrap()
    }

    #[test]
    fn the_network_decides_where_lines_leave_it_open_and_lines_alone_without_it() {
        let door = |kind| Door { kind, bbox: Rect { x1: 0.0, y1: 0.0, x2: 30.0, y2: 30.0 }, confidence: 0.6 };
        for kind in [DoorKind::Single, DoorKind::Pair, DoorKind::Sliding, DoorKind::Folding] {
            let open = door(kind);
            assert_eq!(confidence(&open, None), open.confidence);
            assert!(confidence(&open, Some(&answer(Class::DoubleDoor, 9.0))) > 0.5, "{kind:?}");
            assert!(confidence(&open, Some(&answer(Class::Bathtub, 9.0))) < 0.5, "{kind:?}");
        }
    }
}
