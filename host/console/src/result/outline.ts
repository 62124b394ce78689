// The outline of an item, such as a room's: its extent, and its corners as a person moves, adds and removes them.
import type { Box } from "../api/client";
import type { Corner } from "./items";

/** Corners that an outline has at least and at most, as the server takes it. */
const FEWEST = 3;
const MOST = 1000;

/** Returns the smallest box around an outline. */
export function extentOf(outline: Corner[]): Box {
  const [across, up] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  return { x1: Math.min(...across), y1: Math.min(...up), x2: Math.max(...across), y2: Math.max(...up) };
}

/** Returns the corners of a box, as an outline begins. */
export function cornersOf({ x1, y1, x2, y2 }: Box): Corner[] {
  return [
    [x1, y1],
    [x2, y1],
    [x2, y2],
    [x1, y2],
  ];
}

export function withCornerMoved(outline: Corner[], at: number, to: Corner): Corner[] {
  return outline.with(at, to);
}

/** Returns an outline with a corner after another one: at this place, or in the middle of the edge. */
export function withCornerAfter(outline: Corner[], at: number, place?: Corner): Corner[] {
  if (outline.length >= MOST) return outline;
  return outline.toSpliced(at + 1, 0, place ?? middleOf(outline, at));
}

/** Returns the middle of the edge that begins at a corner. */
export function middleOf(outline: Corner[], at: number): Corner {
  const from = outline[at];
  const to = outline[(at + 1) % outline.length];
  return from && to ? [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2] : [0, 0];
}

export function withoutCorner(outline: Corner[], at: number): Corner[] {
  return outline.length > FEWEST ? outline.toSpliced(at, 1) : outline;
}
