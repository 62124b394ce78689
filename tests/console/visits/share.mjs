// A link that shows one result to somebody without a key, and tiles where they look closely.
import assert from "node:assert/strict";
import { pdf } from "../pdf.mjs";
import { boxes, settled } from "../visitor.mjs";

export async function share(stay) {
  const { visitor, page, key } = stay;
  const item = (id, x) => ({ id, page: 1, bbox: { x1: x, y1: 60, x2: x + 40, y2: 100 }, kind: "sink", confidence: 0.9 });
  const fixtures = [item("f1", 20), item("f2", 80)];
  const file = pdf([{ media: [0, 0, 320, 200], marks: fixtures.map(({ bbox }) => [bbox.x1, bbox.y1, bbox.x2, bbox.y2]) }]);
  const job = await visitor.standIn(key, file, { fixtures, fixtures_found: 2 }, "shared.pdf");
  await visitor.api(key, `/v1/jobs/${job.id}/review`, { method: "PUT", body: { items: [{ id: "f1", status: "rejected" }] } });

  await visitor.result(page, job.id);
  await page.getByText("Share", { exact: true }).click();
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = page.getByLabel("Link, shown once");
  await link.waitFor();
  await visitor.accessible(page, "making a link");

  const guest = await visitor.open();
  await guest.goto(await link.inputValue());
  await guest.locator(".layer img.whole").waitFor();
  await settled(guest);
  assert.deepEqual(Object.keys(await boxes(guest)), ["f2"], "the result as reviewed");
  assert.equal(await guest.getByRole("button", { name: "Save the review" }).count(), 0, "a guest changes nothing");
  await guest.getByText("Shared with you until").waitFor();
  await visitor.accessible(guest, "a shared result");
  await visitor.picture(guest, "shared");

  // The sheet is small, so it is enlarged as it opens.
  await guest.locator(".layer img.tile").first().waitFor();
  const ends = await guest.locator(".layer").evaluate((layer) => {
    const tiles = [...layer.querySelectorAll("img.tile")].map((tile) => tile.getBoundingClientRect());
    const sheet = layer.getBoundingClientRect();
    return [Math.min(...tiles.map((tile) => tile.x)) - sheet.x, Math.max(...tiles.map((tile) => tile.y + tile.height)) - sheet.bottom];
  });
  assert.ok(ends.every((end) => Math.abs(end) < 1), `tiles end where the sheet does: ${ends}`);

  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Link until").waitFor({ state: "detached" });
  await guest.reload();
  await guest.getByRole("heading", { name: "This link shows nothing" }).waitFor();
  await guest.context().close();
  return "made, opened by a guest as reviewed, with tiles, and revoked";
}
