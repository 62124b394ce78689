// A page of 5,000 boxes pans smoothly.
import assert from "node:assert/strict";
import { pdf } from "../pdf.mjs";

const [ACROSS, DOWN] = [100, 50];
// Frames a second, and how long they are counted, in milliseconds.
const FRAMES = 30;
const COUNTED = 3000;
// On a machine that does other things as well, frames wait for a core. The browser then still must not need more of one
// than it has at that speed: processor time of its busiest process for a frame, in milliseconds.
const MOST = 1000 / FRAMES;

export async function many({ visitor, page, key }) {
  const media = [0, 0, 2592, 1728];
  const place = (at) => [12 + (at % ACROSS) * 25.6, 12 + Math.floor(at / ACROSS) * 34];
  const fixtures = Array.from({ length: ACROSS * DOWN }, (_, at) => {
    const [x, y] = place(at);
    return { id: `f${at}`, page: 1, bbox: { x1: x, y1: y, x2: x + 16, y2: y + 20 }, kind: ["sink", "wc", "shower"][at % 3], confidence: (at % 100) / 100 };
  });
  const marks = Array.from({ length: ACROSS * DOWN }, (_, at) => [...place(at), place(at)[0] + 8, place(at)[1] + 8]);
  const { id } = await visitor.standIn(key, pdf([{ media, marks }]), { fixtures });
  await visitor.result(page, id);
  assert.equal(await page.locator(".shapes rect").count(), fixtures.length);
  const speeds = [];
  for (const steps of [0, 6]) {
    for (let step = 0; step < steps; step += 1) await page.getByRole("button", { name: "Zoom in" }).click();
    await page.waitForTimeout(1500);
    const before = await processorTimes(visitor);
    const { frames, speed, moved, drawnAgain } = await page.evaluate(pan, COUNTED);
    const after = await processorTimes(visitor);
    const most = Math.max(...[...after].map(([id, time]) => (time - (before.get(id) ?? 0)) / frames)) * 1000;
    assert.ok(moved > 100, "the drawing moves");
    assert.equal(drawnAgain, 0, "no shape is drawn again");
    const said = `${speed.toFixed(0)} frames a second (${most.toFixed(1)} ms of a core each)`;
    assert.ok(speed >= FRAMES || most <= MOST, said);
    speeds.push(said);
  }
  return `${fixtures.length} boxes pan at ${speeds.join(", enlarged at ")}`;
}

/** Returns the processor time of each process of the browser so far, in seconds. */
async function processorTimes({ browser }) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return new Map(processInfo.map(({ id, cpuTime }) => [id, cpuTime]));
}

/** Drags the drawing to and fro, a step each frame, and counts frames. Runs in the page. */
async function pan(counted) {
  const frame = document.querySelector(".frame");
  const layer = document.querySelector(".layer");
  let drawnAgain = 0;
  const observer = new MutationObserver((changes) => (drawnAgain += changes.length));
  observer.observe(document.querySelector(".shapes"), { attributes: true, childList: true, subtree: true });
  const room = frame.getBoundingClientRect();
  const at = (step) => ({ clientX: room.x + room.width / 2 + 150 * Math.sin(step / 12), clientY: room.y + room.height / 2 + 90 * Math.sin(step / 17) });
  const send = (type, step) => frame.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, buttons: 1, ...at(step) }));
  frame.setPointerCapture = () => {};
  send("pointerdown", 0);
  const start = performance.now();
  let frames = 0;
  let moved = 0;
  let before = layer.getBoundingClientRect().x;
  while (performance.now() - start < counted) {
    await new Promise(requestAnimationFrame);
    frames += 1;
    send("pointermove", frames);
    const now = layer.getBoundingClientRect().x;
    moved += Math.abs(now - before);
    before = now;
  }
  const speed = (frames * 1000) / (performance.now() - start);
  send("pointerup", frames);
  observer.disconnect();
  delete frame.setPointerCapture;
  return { frames, speed, moved, drawnAgain };
}
