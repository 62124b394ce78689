// Reviewing a result: by mouse, by keys, together with somebody else.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { pdf } from "../pdf.mjs";
import { boxes, settled } from "../visitor.mjs";

// Difference that a place on the screen may make on the sheet, in points: a pixel at the zoom of the test.
const PIXEL = 1.5;

export async function review(stay) {
  const { visitor, page, key } = stay;
  const item = (at, x, confidence, kind = "sink") => ({ id: `f${at}`, page: 1, bbox: { x1: x, y1: 60, x2: x + 40, y2: 100 }, kind, confidence });
  const fixtures = [item(1, 20, 0.9), item(2, 80, 0.2), item(3, 140, 0.3, "wc"), item(4, 200, 0.8), item(5, 260, 0.4)];
  const rooms = [{ id: "r1", page: 1, bbox: { x1: 20, y1: 120, x2: 120, y2: 180 }, polygon: [[20, 120], [120, 120], [70, 180]], name: "HALL", number: null }];
  const file = pdf([{ media: [0, 0, 320, 200], marks: fixtures.map(({ bbox }) => [bbox.x1, bbox.y1, bbox.x2, bbox.y2]) }]);
  const job = await visitor.standIn(key, file, { fixtures, rooms, fixtures_found: 5 }, "review.pdf");
  await visitor.result(page, job.id);
  const items = page.locator(".items .item");
  assert.equal(await items.count(), 6);

  await filters(stay);
  await byMouse(page);
  await byKeys(page);
  await corners(stay);
  await visitor.accessible(page, "a review");
  // What is not saved outlives a reload.
  await page.getByText("Not saved yet").waitFor();
  page.once("dialog", (dialog) => dialog.accept());
  await page.reload();
  await page.getByText("Not saved yet").waitFor();
  await page.getByRole("button", { name: "Save the review" }).click();
  await page.getByText("Version 1, saved by").waitFor();

  const reviewed = await visitor.api(key, `/v1/jobs/${job.id}/result?reviewed=true`);
  const by = new Map(reviewed.fixtures.map((one) => [one.id, one]));
  assert.equal(by.has("f1"), false, "rejected");
  assert.deepEqual([by.get("f2").review, by.get("f2").kind], ["corrected", "wc"]);
  near(by.get("f2").bbox, { x1: 90, y1: 55, x2: 130, y2: 95 }, "moved");
  assert.equal(by.get("f3").review, "accepted");
  near(by.get("f4").bbox, { x1: 200, y1: 50, x2: 250, y2: 100 }, "resized");
  assert.deepEqual([by.get("added_1").review, by.get("added_1").page], ["added", 1]);
  near(by.get("added_1").bbox, { x1: 10, y1: 10, x2: 50, y2: 40 }, "drawn");
  assert.equal(by.get("f5").bbox.x1, 261, "moved by a key");
  const [room] = reviewed.rooms;
  const outline = [[20, 120], [80, 110], [120, 120], [70, 176]];
  room.polygon.forEach(([x, y], at) => assert.ok(Math.hypot(x - outline[at][0], y - outline[at][1]) <= PIXEL, `corner ${at} is at ${x}, ${y}`));
  near(room.bbox, { x1: 20, y1: 110, x2: 120, y2: 176 }, "the extent of the corners");
  assert.deepEqual((await visitor.api(key, `/v1/jobs/${job.id}`)).result, job.result, "the model's own result is as it was");

  // The result as reviewed, as the model found it, and with marks.
  const mode = page.getByRole("combobox", { name: "Show" });
  await mode.selectOption("reviewed");
  await page.locator('[data-id="f1"]').waitFor({ state: "detached" });
  await page.locator('[data-id="added_1"]').waitFor();
  await mode.selectOption("model");
  await page.locator('[data-id="f1"]').waitFor();
  assert.equal(await items.count(), 6);
  await mode.selectOption("marks");
  await items.filter({ hasText: "rejected" }).waitFor();

  await downloads(stay, file.length);
  await conflict(stay, job.id);
  return "filtered; rejected, renamed, moved, resized, reshaped, added by mouse and by keys; saved and read back; a conflict loses nothing";
}

async function filters({ page }) {
  await page.getByRole("button", { name: "Next doubtful (3)" }).waitFor();
  const slider = page.getByRole("slider");
  await slider.fill("0.5");
  await page.getByText("Confidence from 50%").waitFor();
  // The room has no confidence.
  assert.deepEqual(Object.keys(await boxes(page)).sort(), ["f1", "f4", "r1"]);
  await slider.fill("0");
  await page.getByRole("checkbox", { name: "WC" }).uncheck();
  assert.deepEqual(Object.keys(await boxes(page)).sort(), ["f1", "f2", "f4", "f5", "r1"]);
  await page.getByRole("checkbox", { name: "WC" }).check();
  await page.getByText("Counts by sheet").click();
  assert.deepEqual(await page.locator("tfoot td").allInnerTexts(), ["1", "4", "1"]);
  await page.getByText("Counts by sheet").click();
}

/** Presses at a place of the sheet, drags to another, and lets go. Places are in points of user space. */
async function drag(page, from, to) {
  const at = await onScreen(page, from);
  const there = await onScreen(page, to);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move((at.x + there.x) / 2, (at.y + there.y) / 2, { steps: 3 });
  await page.mouse.move(there.x, there.y, { steps: 3 });
  await page.mouse.up();
}

async function onScreen(page, [x, y]) {
  const layer = await page.locator(".layer").evaluate((layer) => layer.getBoundingClientRect().toJSON());
  const zoom = layer.width / 320;
  return { x: layer.x + x * zoom, y: layer.y + (200 - y) * zoom };
}

async function byMouse(page) {
  const click = async (place) => {
    const { x, y } = await onScreen(page, place);
    await page.mouse.click(x, y);
  };
  // Hovering says what it is.
  const over = await onScreen(page, [40, 80]);
  await page.mouse.move(over.x, over.y);
  await page.locator(".tooltip").getByText("90% sure").waitFor();
  await click([40, 80]);
  await page.getByRole("heading", { name: "Sink", exact: true }).waitFor();
  await page.getByRole("button", { name: "Reject", exact: true }).click();

  await click([100, 80]);
  await settled(page);
  await drag(page, [100, 80], [110, 75]);
  await page.getByRole("combobox", { name: "Kind", exact: true }).selectOption("wc");
  await click([220, 80]);
  await settled(page);
  await drag(page, [240, 60], [250, 50]);

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add an item" }).click();
  await drag(page, [10, 10], [50, 40]);
  await page.locator(".items .item", { hasText: "added" }).waitFor();
  // A mistake is taken back.
  await page.getByRole("button", { name: "Add an item" }).click();
  await drag(page, [150, 10], [180, 30]);
  await page.locator(".items .item", { hasText: "added" }).nth(1).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".items .item", { hasText: "added" }).nth(1).waitFor({ state: "detached" });
}

/** A room gets a corner by the mouse, and another one moves by buttons. */
async function corners({ visitor, page }) {
  await page.locator(".items .item", { hasText: "HALL" }).click();
  await settled(page);
  await page.locator(".handle.corner").nth(2).waitFor();
  await drag(page, [70, 120], [80, 110]);
  await page.locator(".handle.corner").nth(3).waitFor();
  await page.getByText("Corner 2 of 4").waitFor();
  await page.getByRole("button", { name: "Next corner" }).click();
  await page.getByRole("button", { name: "Next corner" }).click();
  await page.getByText("Corner 4 of 4").waitFor();
  await page.getByRole("button", { name: "Move the corner down" }).click();
  await page.getByRole("button", { name: "Add a corner after this one" }).click();
  await page.getByText("Corner 4 of 5").waitFor();
  await page.getByRole("button", { name: "Next corner" }).click();
  await page.getByRole("button", { name: "Remove this corner" }).click();
  await page.getByText("Corner 4 of 4").waitFor();
  await visitor.looksLike(page, "corners");
  await page.locator(".frame").focus();
  await page.keyboard.press("0");
  await page.keyboard.press("Escape");
}

/** With the keyboard alone: the drawing has the focus. */
async function byKeys(page) {
  await page.locator(".frame").focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await page.getByRole("heading", { name: "WC", exact: true }).waitFor();
  await page.keyboard.press("a");
  await page.keyboard.press("n");
  await page.locator('.items .item[aria-pressed="true"]', { hasText: "40%" }).waitFor();
  await page.keyboard.press("Shift+ArrowRight");
  const before = await page.locator(".layer").evaluate((layer) => layer.getBoundingClientRect().x);
  await page.keyboard.press("ArrowLeft");
  const after = await page.locator(".layer").evaluate((layer) => layer.getBoundingClientRect().x);
  assert.equal(Math.round(after - before), 60, "an arrow key moves the drawing");
  await page.keyboard.press("0");
  await page.keyboard.press("Escape");
}

async function downloads({ visitor, page }, length) {
  const get = async (name) => {
    const download = page.waitForEvent("download");
    await page.locator("summary", { hasText: "Download" }).click();
    await visitor.accessible(page, "downloads");
    await page.getByRole("button", { name }).click();
    const file = await download;
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
  const annotated = await get("Annotated PDF");
  assert.equal(annotated.name, "review-annotated.pdf");
  assert.ok(annotated.bytes.subarray(0, 5).equals(Buffer.from("%PDF-")) && annotated.bytes.length > length);
  const reviewed = await get("Reviewed result (JSON)");
  assert.equal(JSON.parse(reviewed.bytes).fixtures.some(({ id }) => id === "f1"), false);
}

/** Somebody else saves first. */
async function conflict({ visitor, page, key }, job) {
  const now = await visitor.api(key, `/v1/jobs/${job}/review`);
  const others = now.items.filter(({ id }) => id !== "f4");
  const body = { items: [...others, { id: "f4", status: "rejected" }], added: now.added, cells: now.cells };
  await visitor.api(key, `/v1/jobs/${job}/review`, { method: "PUT", body, headers: { "If-Match": '"1"' } });
  const items = page.locator(".items .item");
  // Item 5, which nobody else has changed, and item 4, which both change.
  await items.nth(4).click();
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await items.nth(3).click();
  await page.getByRole("button", { name: "Take back" }).click();
  await page.getByRole("button", { name: "Save the review" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "has saved a review since" });
  await alert.getByText("1 thing was changed by both").waitFor();
  await visitor.accessible(page, "a conflict");
  await visitor.picture(page, "conflict");
  await alert.getByRole("button", { name: "Put my changes on top" }).click();
  await page.getByRole("button", { name: "Save the review" }).click();
  await page.getByText("Version 3, saved by").waitFor();
  const { items: saved } = await visitor.api(key, `/v1/jobs/${job}/review`);
  const by = new Map(saved.map((one) => [one.id, one]));
  assert.deepEqual([by.get("f5").status, by.has("f4"), by.get("f3").status], ["rejected", false, "accepted"]);
}

function near(found, wanted, what) {
  for (const side of ["x1", "y1", "x2", "y2"]) {
    assert.ok(Math.abs(found[side] - wanted[side]) <= PIXEL, `${what}, ${side}: ${found[side]} instead of ${wanted[side]}`);
  }
}
