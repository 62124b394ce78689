// A box that is dragged by its middle, a side or a corner.
import type { Box } from "../api/client";
import type { Point } from "./geometry";

/** The sides that a handle moves: `n`, `e`, `s`, `w`, two of them, or none for the whole box. */
export const HANDLES = ["nw", "n", "ne", "e", "se", "s", "sw", "w"] as const;
// The smallest side of a box, in points.
const SMALLEST = 1;

/** Returns a box after its handle was dragged by so many points. */
export function dragged(box: Box, handle: string, { x, y }: Point): Box {
  if (handle === "") return { x1: box.x1 + x, y1: box.y1 + y, x2: box.x2 + x, y2: box.y2 + y };
  const { x1, y1, x2, y2 } = box;
  return {
    x1: handle.includes("w") ? Math.min(x1 + x, x2 - SMALLEST) : x1,
    x2: handle.includes("e") ? Math.max(x2 + x, x1 + SMALLEST) : x2,
    y1: handle.includes("n") ? Math.min(y1 + y, y2 - SMALLEST) : y1,
    y2: handle.includes("s") ? Math.max(y2 + y, y1 + SMALLEST) : y2,
  };
}

export function between(a: Point, b: Point): Box {
  return { x1: Math.min(a.x, b.x), y1: Math.min(a.y, b.y), x2: Math.max(a.x, b.x), y2: Math.max(a.y, b.y) };
}
