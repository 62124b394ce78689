// Which item is at a place.
import type { Box, Page } from "../api/client";
import type { ReviewedItem } from "../review/changes";
import { boxToShown, type Point } from "./geometry";

/** Returns the smallest item whose box has a place of the page, within a margin in points. */
export function itemAt(items: ReviewedItem[], page: Page, at: Point, margin: number): ReviewedItem | undefined {
  let best: ReviewedItem | undefined;
  let least = Infinity;
  for (const item of items) {
    const box = boxToShown(page, item.box);
    if (!contains(box, at, margin)) continue;
    const area = (box.x2 - box.x1) * (box.y2 - box.y1);
    if (area < least) [best, least] = [item, area];
  }
  return best;
}

export function contains(box: Box, { x, y }: Point, margin: number): boolean {
  return x >= box.x1 - margin && x <= box.x2 + margin && y >= box.y1 - margin && y <= box.y2 + margin;
}
