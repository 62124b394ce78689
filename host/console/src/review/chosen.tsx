// What a person says of the selected item.
import type { Box } from "../api/client";
import { heading, percent, t } from "../text";
import type { ReviewedItem, Verdict } from "./changes";
import { Corners, NUDGE } from "./corners";

interface Props {
  item: ReviewedItem;
  kinds: string[];
  readOnly: boolean;
  onChange: (verdict: Verdict | undefined) => void;
  /** The corner of the item's outline that keys and buttons move. */
  corner: number | undefined;
  onCorner: (corner: number) => void;
  /** What it costs to search for the same symbol; nothing if no model does. */
  similarFor: number | undefined;
  onSimilar: () => void;
}

export function Chosen({ item, kinds, readOnly, onChange, corner, onCorner, similarFor, onSimilar }: Props) {
  const editable = item.reviewable && !readOnly;
  return (
    <section class="chosen-item" aria-labelledby="chosen">
      <h2 id="chosen">
        {heading(item.kind)} {item.label}
      </h2>
      <p class="note">
        <span class={`state ${item.state}`}>{t(item.state)}</span>
        {item.confidence !== undefined && <> · {t("confidence_is", { value: percent(item.confidence) })}</>}
      </p>
      {editable && (
        <div class="bar">
          {item.state !== "added" && (
            <button type="button" class="main" aria-keyshortcuts="A" onClick={() => onChange({ status: "accepted" })}>
              {t("accept")} <kbd aria-hidden="true">A</kbd>
            </button>
          )}
          <button type="button" aria-keyshortcuts="R" onClick={() => onChange({ status: "rejected" })}>
            {t(item.state === "added" ? "remove" : "reject")} <kbd aria-hidden="true">R</kbd>
          </button>
          {item.state !== "open" && item.state !== "added" && (
            <button type="button" class="quiet" onClick={() => onChange(undefined)}>
              {t("reopen")}
            </button>
          )}
        </div>
      )}
      {editable && item.state !== "rejected" && (
        <>
          {kinds.length > 1 && (
            <label class="block">
              {t("kind")}{" "}
              <select aria-label={t("kind")} value={item.kind} onChange={(event) => onChange({ kind: event.currentTarget.value })}>
                {[...new Set([item.kind, ...kinds])].map((kind) => (
                  <option key={kind} value={kind}>
                    {heading(kind)}
                  </option>
                ))}
              </select>
            </label>
          )}
          {item.page !== undefined && <Nudge box={item.box} onMove={(bbox) => onChange({ bbox })} />}
          {item.page !== undefined && item.polygon && (
            <Corners
              outline={item.polygon}
              chosen={Math.min(corner ?? 0, item.polygon.length - 1)}
              onChoose={onCorner}
              onReshape={(polygon) => onChange({ polygon })}
            />
          )}
        </>
      )}
      {similarFor !== undefined && (
        <button type="button" class="quiet" onClick={onSimilar}>
          {t("find_similar", { count: similarFor })}
        </button>
      )}
    </section>
  );
}

/** Moves and resizes a box by buttons, for whoever uses no mouse. */
function Nudge({ box, onMove }: { box: Box; onMove: (box: Box) => void }) {
  const steps = [
    ["←", "move_left", -NUDGE, 0, 0, 0],
    ["→", "move_right", NUDGE, 0, 0, 0],
    ["↑", "move_up", 0, NUDGE, 0, 0],
    ["↓", "move_down", 0, -NUDGE, 0, 0],
    ["↔+", "wider", 0, 0, NUDGE / 2, 0],
    ["↔−", "narrower", 0, 0, -NUDGE / 2, 0],
    ["↕+", "taller", 0, 0, 0, NUDGE / 2],
    ["↕−", "lower", 0, 0, 0, -NUDGE / 2],
  ] as const;
  const moved = (x: number, y: number, wide: number, high: number) => {
    const { x1, y1, x2, y2 } = box;
    const moved = { x1: x1 + x - wide, y1: y1 + y - high, x2: x2 + x + wide, y2: y2 + y + high };
    if (moved.x1 < moved.x2 && moved.y1 < moved.y2) onMove(moved);
  };
  return (
    <div class="nudge" role="group" aria-label={t("place_and_size")}>
      {steps.map(([sign, name, x, y, wide, high]) => (
        <button key={name} type="button" aria-label={t(name)} title={t(name)} onClick={() => moved(x, y, wide, high)}>
          {sign}
        </button>
      ))}
    </div>
  );
}
