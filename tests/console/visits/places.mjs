// Boxes are where the result has them, on sheets that are turned and cropped as well.
import assert from "node:assert/strict";
import { pdf } from "../pdf.mjs";
import { boxes, settled } from "../visitor.mjs";

// Difference between a box and its place, in pixels: what rounding makes.
const ROUNDING = 1;
// Difference between a box and the ink of the tiles, in pixels: a tile has whole pixels of its own, at 200 dots per inch,
// and is smoothed.
const INK = 2;
// Tiles of a page of this test.
const TILES = 2;
const MEDIA = [10, 20, 310, 220];
const CROP = [30, 40, 290, 200];
const MARK = [50, 60, 110, 90];

/** Returns where a place of user space is on a page as a viewer shows it, in points from the top left. */
function shown([x, y], [left, bottom, right, top], rotate) {
  const turns = { 0: [x - left, top - y], 90: [y - bottom, x - left], 180: [right - x, y - bottom], 270: [top - y, right - x] };
  return turns[rotate];
}

export async function places(stay) {
  const { visitor, page, key } = stay;
  const rotations = [0, 90, 180, 270];
  const file = pdf(rotations.map((rotate) => ({ media: MEDIA, crop: CROP, rotate, marks: [MARK] })));
  const [x1, y1, x2, y2] = MARK;
  const polygon = [[x1, y1], [x2, y1], [x2, y2], [x1, y2]];
  const items = rotations.map((_, at) => ({ id: `mark_${at}`, page: at + 1, bbox: { x1, y1, x2, y2 }, kind: "sink", confidence: 0.9 }));
  const rooms = rotations.map((_, at) => ({ id: `room_${at}`, page: at + 1, bbox: { x1, y1, x2, y2 }, polygon, name: "STORE", number: "7" }));
  const { id } = await visitor.standIn(key, file, { fixtures: items, rooms });
  await visitor.result(page, id);
  for (const [at, rotate] of rotations.entries()) {
    await page.getByRole("combobox", { name: "Sheets" }).selectOption(String(at + 1));
    await page.locator(`[data-id="mark_${at}"]`).waitFor();
    await page.locator(".layer img.whole").waitFor();
    await settled(page);
    for (const zoomed of [false, true]) {
      if (zoomed) await page.getByRole("button", { name: "Zoom in" }).click();
      await settled(page);
      await compare(page, at, rotate);
      if (zoomed) await visitor.looksLike(page, `turned-${rotate}`);
    }
  }
  await plan(stay);
  return "boxes, polygons and ink agree on turned and cropped sheets, and on a plan";
}

async function compare(page, at, rotate) {
  const layer = await page.locator(".layer").evaluate((layer) => layer.getBoundingClientRect().toJSON());
  const [wide, high] = [CROP[2] - CROP[0], CROP[3] - CROP[1]];
  const zoom = layer.width / (rotate % 180 === 0 ? wide : high);
  const corners = [shown(MARK.slice(0, 2), CROP, rotate), shown(MARK.slice(2), CROP, rotate)];
  const [xs, ys] = [corners.map(([x]) => layer.x + x * zoom), corners.map(([, y]) => layer.y + y * zoom)];
  const wanted = { x1: Math.min(...xs), y1: Math.min(...ys), x2: Math.max(...xs), y2: Math.max(...ys) };
  near((await boxes(page))[`mark_${at}`], wanted, ROUNDING, `box at ${rotate} degrees`);
  const room = await page.locator(`[data-room="room_${at}"]`).evaluate((room) => {
    const screen = room.getScreenCTM();
    const points = [...room.points].map((point) => new DOMPoint(point.x, point.y).matrixTransform(screen));
    return { x1: Math.min(...points.map((p) => p.x)), y1: Math.min(...points.map((p) => p.y)), x2: Math.max(...points.map((p) => p.x)), y2: Math.max(...points.map((p) => p.y)) };
  });
  near(room, wanted, ROUNDING, `room at ${rotate} degrees`);
  // The sheet is small, so it is enlarged, and two tiles lie over its coarse picture.
  await page.locator(".layer img.tile").nth(TILES - 1).waitFor();
  near(await page.evaluate(inkOnScreen), wanted, INK, `ink at ${rotate} degrees`);
}

/** Returns the box of what is dark in the tiles of a sheet, on the screen. Runs in the page. */
async function inkOnScreen() {
  const dark = { x1: Infinity, y1: Infinity, x2: 0, y2: 0 };
  for (const tile of document.querySelectorAll(".layer img.tile")) {
    await tile.decode();
    const canvas = new OffscreenCanvas(tile.naturalWidth, tile.naturalHeight);
    const context = canvas.getContext("2d");
    context.drawImage(tile, 0, 0);
    const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
    const room = tile.getBoundingClientRect();
    const [across, down] = [room.width / width, room.height / height];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (data[(y * width + x) * 4] > 128) continue;
        dark.x1 = Math.min(dark.x1, room.x + x * across);
        dark.y1 = Math.min(dark.y1, room.y + y * down);
        dark.x2 = Math.max(dark.x2, room.x + (x + 1) * across);
        dark.y2 = Math.max(dark.y2, room.y + (y + 1) * down);
      }
    }
  }
  return dark;
}

function near(found, wanted, allowed, what) {
  for (const side of ["x1", "y1", "x2", "y2"]) {
    assert.ok(Math.abs(found[side] - wanted[side]) <= allowed, `${what}, ${side}: ${found[side]} instead of ${wanted[side]}`);
  }
}

/** The boxes of a real model on a plan. */
async function plan({ visitor, page, key, fixtures }) {
  if (!fixtures) return;
  await visitor.result(page, fixtures);
  const { result, document_id } = await visitor.api(key, `/v1/jobs/${fixtures}`);
  const { pages } = await visitor.api(key, `/v1/documents/${document_id}/pages`);
  const [{ crop_box: crop, rotation, width }] = pages;
  assert.equal(rotation, 0);
  assert.ok(result.fixtures.length > 3, "the plan has fixtures");
  const layer = await page.locator(".layer").evaluate((layer) => layer.getBoundingClientRect().toJSON());
  const zoom = layer.width / width;
  const found = await boxes(page);
  for (const { id, bbox } of result.fixtures) {
    const wanted = { x1: layer.x + (bbox.x1 - crop.x1) * zoom, y1: layer.y + (crop.y2 - bbox.y2) * zoom, x2: layer.x + (bbox.x2 - crop.x1) * zoom, y2: layer.y + (crop.y2 - bbox.y1) * zoom };
    near(found[id], wanted, ROUNDING, id);
  }
  await visitor.accessible(page, "a result");
  await visitor.picture(page, "viewer");
}
