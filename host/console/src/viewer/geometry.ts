// From PDF user space (points, y upwards, unrotated) to the picture of a page as a viewer shows it, and back.
import type { Box, Page } from "../api/client";

export interface Point {
  x: number;
  y: number;
}

/** Width and height of a page as shown, in points. */
export function shownSize(page: Page): { width: number; height: number } {
  const { width, height } = page;
  return page.rotation % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** Returns where a point of user space is shown, in points from the top left. */
export function toShown(page: Page, x: number, y: number): Point {
  const [right, up] = [x - page.crop_box.x1, y - page.crop_box.y1];
  const { width, height } = page;
  switch (page.rotation) {
    case 90:
      return { x: up, y: right };
    case 180:
      return { x: width - right, y: up };
    case 270:
      return { x: height - up, y: width - right };
    default:
      return { x: right, y: height - up };
  }
}

/** The inverse of `toShown`. */
export function toUser(page: Page, { x, y }: Point): Point {
  const { width, height } = page;
  const [right, up] =
    page.rotation === 90
      ? [y, x]
      : page.rotation === 180
        ? [width - x, y]
        : page.rotation === 270
          ? [width - y, height - x]
          : [x, height - y];
  return { x: right + page.crop_box.x1, y: up + page.crop_box.y1 };
}

function boxOf(a: Point, b: Point): Box {
  return { x1: Math.min(a.x, b.x), y1: Math.min(a.y, b.y), x2: Math.max(a.x, b.x), y2: Math.max(a.y, b.y) };
}

/** Returns the place of a shown box within the page, by parts of it, which no zoom changes. */
export function placed(box: Box, size: { width: number; height: number }) {
  const part = (value: number, whole: number) => `${(value / whole) * 100}%`;
  return {
    left: part(box.x1, size.width),
    top: part(box.y1, size.height),
    width: part(box.x2 - box.x1, size.width),
    height: part(box.y2 - box.y1, size.height),
  };
}

export function boxToShown(page: Page, box: Box): Box {
  return boxOf(toShown(page, box.x1, box.y1), toShown(page, box.x2, box.y2));
}

/** Returns a shown point in user space, within the page and to thousandths of a point. */
export function pointToUser(page: Page, shown: Point): [number, number] {
  const { x, y } = toUser(page, shown);
  const { crop_box: crop } = page;
  return [within(x, crop.x1, crop.x2), within(y, crop.y1, crop.y2)];
}

/** Returns the box of user space between two shown points, within the page and to thousandths of a point. */
export function boxToUser(page: Page, shown: Box): Box {
  const [a, b] = [pointToUser(page, { x: shown.x1, y: shown.y1 }), pointToUser(page, { x: shown.x2, y: shown.y2 })];
  return boxOf({ x: a[0], y: a[1] }, { x: b[0], y: b[1] });
}

function within(value: number, low: number, high: number): number {
  return Math.round(Math.min(Math.max(value, low), high) * 1000) / 1000;
}
