// A person's browser: what the visits to the console share.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import axe from "axe-core";
import pixelmatch from "pixelmatch";
import { chromium } from "playwright-core";
import { PNG } from "pngjs";

// Every wait has this deadline, in milliseconds. A model may take most of it on a busy machine.
export const DEADLINE = Number(process.env.DEADLINE ?? 100_000);
// Pictures that the drawing is compared with. `REFERENCES=DIR` writes them there instead, to be looked at and checked in.
const references = new URL("pictures/", import.meta.url);
// Height of the buttons over the bottom of the drawing, with their margin, in pixels.
const BUTTONS = 60;
// The part of the pixels that may differ: what smoothing makes.
const DIFFERENT = 0.005;
const axeSource = axe.source;
const run = `axe.run().then((found) => JSON.stringify(found.violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 200) + ' ' + n.failureSummary)])))`;

export class Visitor {
  errors = [];

  constructor(baseUrl, pictures) {
    this.baseUrl = baseUrl;
    this.pictures = pictures;
  }

  async start() {
    this.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  }

  /** Opens a browser window of its own, which fails the test if it loads something from elsewhere or reports an error. */
  async open(options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1360, height: 850 }, locale: "en-GB", acceptDownloads: true, ...options });
    context.setDefaultTimeout(DEADLINE);
    const page = await context.newPage();
    page.on("console", (message) => {
      // Chromium reports refused requests of its own accord. Violations of the policy must not occur.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) this.errors.push(message.text());
    });
    page.on("pageerror", (error) => this.errors.push(String(error.stack)));
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith("http") && origin !== new URL(this.baseUrl).origin) this.errors.push(`loaded from elsewhere: ${request.url()}`);
    });
    return page;
  }

  async go(page, address) {
    await page.goto(`${this.baseUrl}/#/${address}`);
  }

  /** Signs a window in by an API key. */
  async enter(page, key) {
    await page.goto(`${this.baseUrl}/`);
    await page.getByLabel("API key").fill(key);
    await page.getByLabel("API key").press("Enter");
    await page.getByRole("heading", { name: "Documents", exact: true }).waitFor();
  }

  /** Opens a result and waits for the picture of its sheet. */
  async result(page, job) {
    await this.go(page, `jobs/${job}`);
    await page.locator(".layer img.whole").waitFor();
    await settled(page);
  }

  /** Has axe look at the page, which finds nothing; and the page is no wider than its window. */
  async accessible(page, screen) {
    // A colour that is fading has another contrast than the one that stays. Endless animations do not end.
    await page.evaluate(() => {
      const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime));
      return Promise.allSettled(ending.map((one) => one.finished));
    });
    const cdp = await page.context().newCDPSession(page);
    // By the inspector, since the page's policy lets no other script in.
    await cdp.send("Runtime.evaluate", { expression: axeSource });
    const { result } = await cdp.send("Runtime.evaluate", { expression: run, awaitPromise: true });
    await cdp.detach();
    assert.deepEqual(JSON.parse(result.value), [], screen);
    const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= window, `${screen} is ${wide} pixels wide in a window of ${window}`);
  }

  /** The drawing with what lies over it looks as in the picture that is checked in. */
  async looksLike(page, name) {
    // Nothing is under the pointer. The buttons at the bottom have text, and fonts differ between machines.
    await page.mouse.move(0, 0);
    await settled(page);
    const frame = await page.locator(".frame").boundingBox();
    const taken = await page.screenshot({ clip: { ...frame, height: frame.height - BUTTONS } });
    if (process.env.REFERENCES) {
      await mkdir(process.env.REFERENCES, { recursive: true });
      await writeFile(`${process.env.REFERENCES}/${name}.png`, taken);
      return;
    }
    await this.picture(page, name);
    const [now, wanted] = [PNG.sync.read(taken), PNG.sync.read(await readFile(new URL(`${name}.png`, references)))];
    assert.deepEqual([now.width, now.height], [wanted.width, wanted.height], `the size of ${name}`);
    const different = pixelmatch(now.data, wanted.data, undefined, now.width, now.height, { threshold: 0.1 });
    assert.ok(different <= DIFFERENT * now.width * now.height, `${different} pixels of ${name} differ`);
  }

  async picture(page, name) {
    if (this.pictures) await page.screenshot({ path: `${this.pictures}/${name}.png` });
  }

  /** Sends a request as another program would. */
  async api(key, path, { method, body, headers = {}, status = 200 } = {}) {
    const isFile = body instanceof Buffer;
    const answer = await fetch(`${this.baseUrl}${path}`, {
      method: method ?? (body ? "POST" : "GET"),
      headers: { "X-API-Key": key, "Content-Type": isFile ? "application/pdf" : "application/json", ...headers },
      body: isFile ? body : body && JSON.stringify(body),
      signal: AbortSignal.timeout(DEADLINE),
    });
    const text = await answer.text();
    assert.equal(answer.status, status, `${path}: ${text}`);
    return text.startsWith("{") ? JSON.parse(text) : text;
  }

  /** Uploads a file and has the stand-in model answer with a result. Returns the job, complete. */
  async standIn(key, file, answer, name = "drawn.pdf") {
    const { document_id } = await this.api(key, `/v1/documents?filename=${name}`, { body: file, status: 201 });
    const body = { document_id, parameters: { answer } };
    const { job_id } = await this.api(key, "/v1/models/acme-model/jobs", { body, status: 202 });
    return this.api(key, `/v1/jobs/${job_id}?wait=60`);
  }
}

/** Waits until the layer of the drawing stands still. */
export async function settled(page) {
  let before;
  for (;;) {
    const now = await page.locator(".layer").evaluate((layer) => JSON.stringify(layer.getBoundingClientRect()));
    if (now === before) return;
    before = now;
    await page.waitForTimeout(200);
  }
}

/** Returns where each box of the drawing is on the screen, in pixels, by the item's ID. */
export function boxes(page) {
  return page.evaluate(() => {
    const found = {};
    for (const shape of document.querySelectorAll(".shapes [data-id]")) {
      const { x, y, width, height } = shape.getBBox();
      const screen = shape.getScreenCTM();
      const [a, b] = [new DOMPoint(x, y), new DOMPoint(x + width, y + height)].map((point) => point.matrixTransform(screen));
      found[shape.dataset.id] = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
    }
    return found;
  });
}
