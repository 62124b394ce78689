// The items of a page as one drawing. It is not drawn again while the page moves.
import type { Page } from "../api/client";
import { isDoubtful, type ReviewedItem } from "../review/changes";
import { boxToShown, shownSize, toShown } from "./geometry";

/** Colours of kinds in viewer.css. */
export const COLORS = 8;

interface Props {
  page: Page;
  items: ReviewedItem[];
  colors: Map<string, number>;
  /** The item that is drawn apart, since it is selected. */
  without: string | undefined;
}

export function Shapes({ page, items, colors, without }: Props) {
  const { width, height } = shownSize(page);
  return (
    <svg class="shapes" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {items.map((item) => (
        <Shape key={item.id} page={page} item={item} color={colors.get(item.kind) ?? 0} selected={item.id === without} />
      ))}
    </svg>
  );
}

function Shape({ page, item, color, selected }: { page: Page; item: ReviewedItem; color: number; selected: boolean }) {
  const classes = `shape c${color} ${item.state}${isDoubtful(item) ? " doubtful" : ""}${selected ? " selected" : ""}`;
  const box = boxToShown(page, item.box);
  const rect = <rect data-id={item.id} class={item.polygon ? "frame-only" : undefined} x={box.x1} y={box.y1} width={box.x2 - box.x1} height={box.y2 - box.y1} />;
  if (!item.polygon) return <g class={classes}>{rect}</g>;
  const corners = item.polygon.map(([x, y]) => toShown(page, x, y));
  return (
    <g class={classes}>
      <polygon data-room={item.id} points={corners.map(({ x, y }) => `${x},${y}`).join(" ")} />
      {rect}
    </g>
  );
}
