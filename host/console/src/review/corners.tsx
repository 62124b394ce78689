// Moves, adds and removes the corners of an outline by buttons, for whoever uses no mouse.
import type { Corner } from "../result/items";
import { withCornerAfter, withCornerMoved, withoutCorner } from "../result/outline";
import { t } from "../text";

// How far a button moves a box or a corner, in points.
export const NUDGE = 4;

interface Props {
  outline: Corner[];
  chosen: number;
  onChoose: (corner: number) => void;
  onReshape: (outline: Corner[]) => void;
}

const STEPS = [
  ["←", "corner_left", -NUDGE, 0],
  ["→", "corner_right", NUDGE, 0],
  ["↑", "corner_up", 0, NUDGE],
  ["↓", "corner_down", 0, -NUDGE],
] as const;

export function Corners({ outline, chosen, onChoose, onReshape }: Props) {
  const count = outline.length;
  const [x, y] = outline[chosen] ?? [0, 0];
  const turn = (by: number) => onChoose((chosen + by + count) % count);
  return (
    <div role="group" aria-label={t("corners")}>
      <div class="bar">
        <button type="button" aria-label={t("previous_corner")} title={t("previous_corner")} onClick={() => turn(-1)}>
          ‹
        </button>
        <span role="status">{t("corner_of", { number: chosen + 1, count })}</span>
        <button type="button" aria-label={t("next_corner")} title={t("next_corner")} onClick={() => turn(1)}>
          ›
        </button>
      </div>
      <div class="nudge">
        {STEPS.map(([sign, name, right, up]) => (
          <button key={name} type="button" aria-label={t(name)} title={t(name)} onClick={() => onReshape(withCornerMoved(outline, chosen, [x + right, y + up]))}>
            {sign}
          </button>
        ))}
        <button type="button" aria-label={t("add_corner")} title={t("add_corner")} onClick={() => onReshape(withCornerAfter(outline, chosen))}>
          +
        </button>
        <button type="button" aria-label={t("remove_corner")} title={t("remove_corner")} onClick={() => onReshape(withoutCorner(outline, chosen))}>
          −
        </button>
      </div>
    </div>
  );
}
