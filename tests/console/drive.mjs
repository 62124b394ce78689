// Uses the console as a person does, in Debian's Chromium. Fails at the first thing that is not as it should be.
//
// node drive.mjs BASE_URL SIGN_IN_LINK PLAN.pdf [FOLDER for screenshots]
// An API key comes in the environment as API_KEY.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import axe from "axe-core";
import { chromium } from "playwright-core";

const [baseUrl, link, plan, pictures] = process.argv.slice(2);
// Every wait has this deadline, in milliseconds. A model may take most of it on a busy machine.
const DEADLINE = 100_000;
// Difference that rounding to pixels may make, in pixels.
const ROUNDING = 1.5;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const errors = [];

async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 }, locale: "en-GB", acceptDownloads: true, ...options });
  context.setDefaultTimeout(DEADLINE);
  const page = await context.newPage();
  page.on("console", (message) => {
    // Chromium reports refused requests of its own accord. Violations of the policy must not occur.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("dialog", (dialog) => dialog.accept());
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http")) assert.equal(origin, new URL(baseUrl).origin, "nothing is loaded from elsewhere");
  });
  return page;
}

/** Has axe look at the page, which finds nothing. */
async function accessible(page, screen) {
  const cdp = await page.context().newCDPSession(page);
  // By the inspector, since the page's policy lets no other script in.
  await cdp.send("Runtime.evaluate", { expression: axe.source });
  const run = "axe.run().then((found) => JSON.stringify(found.violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 200) + ' ' + n.failureSummary)])))";
  const { result } = await cdp.send("Runtime.evaluate", { expression: run, awaitPromise: true });
  assert.deepEqual(JSON.parse(result.value), [], screen);
  await cdp.detach();
}

async function picture(page, name) {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
}

const say = (step) => console.log(step);

/** Sends a request with the tab's key, as another program would. */
async function api(page, path) {
  const key = await page.evaluate(() => sessionStorage.getItem("fanlight.key"));
  const answer = await fetch(`${baseUrl}${path}`, { headers: { "X-API-Key": key }, signal: AbortSignal.timeout(DEADLINE) });
  assert.equal(answer.status, 200, path);
  return answer.json();
}

try {
  const page = await open();
  await page.goto(`${baseUrl}/`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await accessible(page, "sign in");
  await page.getByLabel("API key").fill("fl_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("does not accept this key").waitFor();
  say("a wrong key is refused");

  await page.goto(link);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Console" }).click();
  await page.getByRole("heading", { name: "Documents" }).waitFor();
  await accessible(page, "documents, empty");
  say("signed in by link");

  const bytes = [...(await readFile(plan))];
  await page.locator("input[type=file]").setInputFiles(plan);
  await page.getByText("plan.pdf: Uploaded").waitFor();
  const dropped = await page.evaluateHandle((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], "dropped.pdf", { type: "application/pdf" }));
    data.items.add(new File(["no PDF"], "notes.pdf", { type: "application/pdf" }));
    return data;
  }, bytes);
  await page.dispatchEvent(".drop", "drop", { dataTransfer: dropped });
  await page.getByText("dropped.pdf: Uploaded").waitFor();
  await page.locator(".uploads .bad", { hasText: "notes.pdf" }).waitFor();
  await accessible(page, "documents");
  say("uploaded by choosing and by dropping; a file that is no PDF is refused");

  await page.getByRole("link", { name: "plan.pdf", exact: true }).click();
  await page.getByRole("heading", { name: "plan.pdf" }).waitFor();
  await page.locator(".thumbnail img").first().waitFor();
  await page.getByLabel("Model").selectOption("toc-parser");
  await page.getByRole("button", { name: "Run for 1 credits" }).click();
  await page.locator(".status.failed").waitFor();
  await page.getByRole("link", { name: "toc-parser" }).click();
  await page.getByText("UNSUPPORTED_DOCUMENT").waitFor();
  await accessible(page, "a failed job");
  await page.getByRole("link", { name: "Back to the document" }).click();
  say("a job fails and says why");

  await page.getByLabel("Model").selectOption("fixture-detector");
  await page.getByRole("checkbox", { name: "Sheet 1" }).check();
  await page.getByRole("button", { name: "Run for 3 credits" }).click();
  await page.getByRole("link", { name: "fixture-detector" }).waitFor();
  await accessible(page, "a document");
  await page.getByRole("link", { name: "fixture-detector" }).click();
  await page.locator(".layer img").waitFor();
  const job = page.url().split("/").pop();
  const { result, document_id } = await api(page, `/v1/jobs/${job}`);
  const { pages } = await api(page, `/v1/documents/${document_id}/pages`);
  const shown = pages[0];
  assert.ok(result.fixtures.length > 3, "the plan has fixtures");
  const layer = await page.locator(".layer").boundingBox();
  const turned = shown.rotation % 180 !== 0;
  const zoom = layer.width / (turned ? shown.height : shown.width);
  for (const { id, bbox } of result.fixtures) {
    const box = await page.locator(`[data-id="${id}"]`).evaluate((shape) => {
      const { x, y, width, height } = shape.getBoundingClientRect();
      return { x, y, width, height };
    });
    assert.equal(shown.rotation, 0, "the sheet is not turned");
    const wanted = {
      x: layer.x + (bbox.x1 - shown.crop_box.x1) * zoom,
      y: layer.y + (shown.crop_box.y2 - bbox.y2) * zoom,
      width: (bbox.x2 - bbox.x1) * zoom,
      height: (bbox.y2 - bbox.y1) * zoom,
    };
    // The stroke is outside of the box.
    for (const side of ["x", "y", "width", "height"]) {
      assert.ok(Math.abs(box[side] - wanted[side]) <= ROUNDING + 2, `${id} ${side}: ${box[side]} instead of ${wanted[side]}`);
    }
  }
  await accessible(page, "a result");
  await picture(page, "viewer");
  say(`${result.fixtures.length} boxes are where the JSON has them`);

  const items = page.locator(".items .item");
  assert.equal(await items.count(), result.fixtures.length);
  await items.first().click();
  await page.getByRole("button", { name: "Reject" }).click();
  await items.nth(1).click();
  await page.getByLabel("Kind", { exact: true }).selectOption("urinal");
  await page.getByRole("button", { name: "Move right" }).click();
  await items.nth(2).click();
  // By the keyboard alone: the drawing has the focus, and A accepts.
  await page.locator(".frame").focus();
  await page.keyboard.press("a");
  await page.keyboard.press("Escape");
  await page.keyboard.press("+");
  await page.getByRole("button", { name: "Add an item" }).click();
  await page.locator(".frame").focus();
  await page.keyboard.press("Enter");
  await items.filter({ hasText: "added" }).waitFor();
  await accessible(page, "a review");
  await picture(page, "review");
  await page.getByRole("button", { name: "Save the review" }).click();
  await page.getByText("Saved by Console").waitFor();
  const reviewed = await api(page, `/v1/jobs/${job}/result?reviewed=true`);
  const [first, second, third] = result.fixtures;
  const by = new Map(reviewed.fixtures.map((item) => [item.id, item]));
  assert.equal(by.has(first.id), false, "rejected");
  assert.deepEqual([by.get(second.id).review, by.get(second.id).kind], ["corrected", "urinal"]);
  assert.equal(Math.round((by.get(second.id).bbox.x1 - second.bbox.x1) * 1000), 4000, "moved by 4 points");
  assert.equal(by.get(third.id).review, "accepted");
  assert.equal(by.get("added_1").review, "added");
  assert.deepEqual((await api(page, `/v1/jobs/${job}`)).result, result, "the model's own result is as it was");
  await page.reload();
  await items.filter({ hasText: "rejected" }).waitFor();
  say("rejected, renamed, moved, accepted by key, added; saved and read back");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Annotated PDF" }).click();
  const file = await readFile(await (await download).path());
  assert.ok(file.subarray(0, 5).equals(Buffer.from("%PDF-")) && file.length > bytes.length);
  say("exported");

  // Another tab saves first: the second one learns of it and overwrites nothing.
  const key = await page.evaluate(() => sessionStorage.getItem("fanlight.key"));
  const put = await fetch(`${baseUrl}/v1/jobs/${job}/review`, {
    method: "PUT",
    headers: { "X-API-Key": key, "If-Match": '"1"', "Content-Type": "application/json" },
    body: "{}",
  });
  assert.equal(put.status, 200);
  await items.nth(4).click();
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByRole("button", { name: "Save the review" }).click();
  await page.getByText("Somebody else has saved a review").waitFor();
  say("a review that somebody else has changed is not overwritten");

  await page.getByRole("link", { name: "Keys" }).click();
  await page.getByLabel("Name").fill("office printer");
  await page.getByRole("button", { name: "Create a key" }).click();
  const secret = await page.locator("code.secret").innerText();
  await accessible(page, "keys");
  await page.getByRole("button", { name: "Revoke: office printer" }).click();
  await page.getByRole("cell", { name: "office printer" }).waitFor({ state: "detached" });
  const refused = await fetch(`${baseUrl}/v1/usage`, { headers: { "X-API-Key": secret } });
  assert.equal(refused.status, 401);
  for (const [name, heading] of [["Usage", "Usage"], ["Models", "Models"]]) {
    await page.getByRole("navigation").getByRole("link", { name }).click();
    await page.getByRole("heading", { name: heading, exact: true }).waitFor();
    await page.locator("table, .models li").first().waitFor();
    await accessible(page, name);
  }
  say("a key is created, shown once and revoked; usage and models are shown");

  for (const [language, word] of [["Deutsch", "Dokumente"], ["Español", "Documentos"], ["Français", "Documents"]]) {
    await page.getByRole("combobox").last().selectOption({ label: language });
    await page.getByRole("link", { name: word }).first().waitFor();
  }
  await page.getByRole("combobox").last().selectOption({ label: "English" });
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  const ended = await fetch(`${baseUrl}/v1/usage`, { headers: { "X-API-Key": key } });
  assert.equal(ended.status, 401, "the tab's key was revoked");
  say("four languages; signed out");

  // A phone at night, signed in by key.
  const phone = await open({ viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true });
  await phone.goto(`${baseUrl}/`);
  await phone.getByLabel("API key").fill(process.env.API_KEY);
  await phone.keyboard.press("Enter");
  for (const name of ["Documents", "Keys", "Usage", "Models"]) {
    await phone.getByRole("navigation").getByRole("link", { name }).click();
    await phone.getByRole("heading", { name, exact: true }).waitFor();
    const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${name} is ${wide} pixels wide`);
    await accessible(phone, `${name}, narrow and dark`);
  }
  await phone.goto(`${baseUrl}/#/jobs/${process.env.JOB}`);
  await phone.locator(".layer img").waitFor();
  const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 360, `a result is ${wide} pixels wide`);
  await accessible(phone, "a result, narrow and dark");
  const cell = phone.getByLabel("WIDTH, row 1");
  await cell.fill("900");
  await phone.getByRole("button", { name: "Save the review" }).click();
  await phone.getByText("Saved by").waitFor();
  const csv = await fetch(`${baseUrl}/v1/jobs/${process.env.JOB}/tables.csv`, { headers: { "X-API-Key": process.env.API_KEY } });
  assert.match(await csv.text(), /1,900/);
  say("signed in by key on 360 pixels in the dark; a cell corrected");

  // A key that has been revoked signs the tab out.
  await phone.evaluate(() => sessionStorage.setItem("fanlight.key", "fl_gone"));
  await phone.getByRole("link", { name: "Usage" }).click();
  await phone.getByText("Your session has ended").waitFor();
  say("a key that is no longer valid leads back to signing in");
  assert.deepEqual(errors, [], "the browser reports no error");
} finally {
  await browser.close();
}
