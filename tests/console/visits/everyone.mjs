// Four languages, a phone at night, touch, and the keyboard alone.
import assert from "node:assert/strict";
import { pdf } from "../pdf.mjs";
import { settled } from "../visitor.mjs";

export async function everyone(stay) {
  const { visitor, page, other } = stay;
  await visitor.go(page, "documents");
  for (const [language, word] of [["Deutsch", "Dokumente"], ["Español", "Documentos"], ["Français", "Documents"], ["English", "Documents"]]) {
    await page.locator("header select").selectOption({ label: language });
    await page.getByRole("heading", { name: word, exact: true }).waitFor();
    await visitor.accessible(page, `documents, ${language}`);
  }
  await byKeyboard(stay);

  const fixtures = [{ id: "f1", page: 1, bbox: { x1: 20, y1: 60, x2: 60, y2: 100 }, kind: "sink", confidence: 0.3 }];
  const schedule = { title: "DOORS", headers: ["MARK", "WIDTH", "REMARKS"], rows: [{ MARK: "1", WIDTH: "900", REMARKS: "A long remark that is wider than a phone" }], bounding_box: [100, 20, 290, 180], schedule_type: "door_schedule", confidence: 0.9 };
  const { id } = await visitor.standIn(other, pdf([{ media: [0, 0, 300, 200], marks: [[20, 60, 60, 100]] }]), { fixtures, schedules: [schedule] });
  const job = await visitor.api(other, `/v1/jobs/${id}`);
  for (const colorScheme of ["dark", "light"]) {
    const phone = await visitor.open({ viewport: { width: 360, height: 740 }, colorScheme, hasTouch: true, isMobile: true, locale: "de-DE" });
    await phone.goto(`${visitor.baseUrl}/`);
    await phone.getByLabel("API-Schlüssel").waitFor();
    await visitor.accessible(phone, `sign in, narrow and ${colorScheme}`);
    await phone.getByLabel("API-Schlüssel").fill(other);
    await phone.getByLabel("API-Schlüssel").press("Enter");
    await phone.getByRole("heading", { name: "Dokumente", exact: true }).waitFor();
    for (const [address, ready] of [["documents", "table"], ["jobs", "table"], ["models", ".models li"], ["models/fixture-detector", "table"], ["usage", ".chart"], ["keys", "h1"], [`documents/${job.document_id}`, ".card"], [`jobs/${id}`, ".layer img.whole"]]) {
      await visitor.go(phone, address);
      await phone.locator(ready).first().waitFor();
      await visitor.accessible(phone, `${address}, narrow and ${colorScheme}`);
      await visitor.picture(phone, `phone-${colorScheme}-${address.split("/")[0]}${address.includes("/") ? "-one" : ""}`);
    }
    if (colorScheme === "dark") await pinched(phone);
    await phone.context().close();
  }
  const night = await visitor.open({ colorScheme: "dark" });
  await visitor.enter(night, stay.key);
  for (const [address, ready] of [["documents", "table"], ["models", ".models li"], ["usage", ".chart"], ...(stay.fixtures ? [[`jobs/${stay.fixtures}`, ".layer img.whole"], [`documents/${stay.document}`, ".thumbnail img"]] : [])]) {
    await visitor.go(night, address);
    await night.locator(ready).first().waitFor();
    await visitor.accessible(night, `${address}, dark`);
    await visitor.picture(night, `dark-${address.split("/")[0]}${address.includes("/") ? "-one" : ""}`);
  }
  await night.context().close();
  return "four languages; every screen on 360 pixels, light and dark, with nothing for axe to find; pinched by two fingers";
}

/** Goes to a document by the keyboard alone. */
async function byKeyboard({ visitor, page }) {
  await page.reload();
  await page.getByRole("heading", { name: "Documents", exact: true }).waitFor();
  await page.locator("td.first a").first().waitFor();
  const name = await page.locator("td.first a").first().innerText();
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement.textContent)) === name) break;
  }
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name }).waitFor();
  // The heading of the new screen has the focus, so that a screen reader reads on from there.
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H1");
}

/** Two fingers that part enlarge the drawing. */
async function pinched(phone) {
  const before = await phone.locator(".layer").evaluate((layer) => layer.getBoundingClientRect().width);
  const frame = await phone.locator(".frame").boundingBox();
  const [x, y] = [frame.x + frame.width / 2, frame.y + frame.height / 2];
  const cdp = await phone.context().newCDPSession(phone);
  const touch = (type, apart) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: apart === undefined ? [] : [{ x: x - apart, y, id: 0 }, { x: x + apart, y, id: 1 }] });
  await phone.locator(".frame").scrollIntoViewIfNeeded();
  await touch("touchStart", 20);
  for (const apart of [25, 30, 35, 40]) await touch("touchMove", apart);
  await touch("touchEnd");
  await settled(phone);
  const after = await phone.locator(".layer").evaluate((layer) => layer.getBoundingClientRect().width);
  assert.ok(after / before > 1.6 && after / before < 2.4, `enlarged ${after / before} times`);
}
