// What an item is, beside the pointer.
import type { Box } from "../api/client";
import type { ReviewedItem } from "../review/changes";
import { heading, percent, t } from "../text";
import type { Point } from "./geometry";

export interface Hovered {
  item: ReviewedItem;
  at: Point;
  box: Box;
}

export function Tooltip({ hovered }: { hovered: Hovered }) {
  const { item, at } = hovered;
  return (
    <div class="tooltip" aria-hidden="true" style={{ transform: `translate(${at.x + 14}px, ${at.y + 14}px)` }}>
      <b>{heading(item.kind)}</b> {item.label}
      <br />
      {item.confidence !== undefined && `${t("confidence_is", { value: percent(item.confidence) })} · `}
      {t(item.state)}
    </div>
  );
}
