// A lost connection, and a session that ends.
import assert from "node:assert/strict";
import { pdf } from "../pdf.mjs";

export async function trouble(stay) {
  const { visitor, page, key } = stay;
  const fixtures = [{ id: "f1", page: 1, bbox: { x1: 20, y1: 60, x2: 60, y2: 100 }, kind: "sink", confidence: 0.3 }];
  const { id, document_id } = await visitor.standIn(key, pdf([{ media: [0, 0, 300, 200] }]), { fixtures });
  await visitor.result(page, id);
  await page.locator(".items .item").first().click();
  await page.getByRole("button", { name: "Accept", exact: true }).click();

  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Save the review" }).click();
  await page.getByText("No connection to the server").waitFor();
  await page.getByText("Nothing is lost").waitFor();
  await visitor.accessible(page, "a lost connection");
  await visitor.picture(page, "lost");
  await page.context().setOffline(false);
  await page.getByText("Connected again").waitFor();
  await page.getByRole("button", { name: "Save the review" }).click();
  await page.getByText("Version 1, saved by").waitFor();
  // A screen that is opened meanwhile waits, and goes on by itself.
  await page.context().setOffline(true);
  await visitor.go(page, `documents/${document_id}`);
  await page.getByText("No connection to the server").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("heading", { name: "drawn.pdf" }).waitFor();

  // The session ends, and with it this tab's key, while a review is not saved.
  await visitor.result(page, id);
  await page.locator(".items .item").first().click();
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  const again = await endSession(page, key);
  await page.getByRole("button", { name: "Save the review" }).click();
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await dialog.waitFor();
  await visitor.accessible(page, "a session that has ended");
  await visitor.picture(page, "ended");
  await dialog.getByLabel("API key").fill(again);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.waitFor({ state: "detached" });
  // What was being saved is saved now.
  await page.getByText("Version 2, saved by").waitFor();
  const { items } = await visitor.api(again, `/v1/jobs/${id}/review`);
  assert.deepEqual(items.map((item) => item.status), ["rejected"]);

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem("fanlight.key")), null);
  return "a lost connection is shown and waited for; a session that ends is renewed over the screen, and nothing is lost";
}

/** Ends the session of the browser's cookie and revokes the key of this tab, as time does. Returns another key. */
async function endSession(page, key) {
  return page.evaluate(async (key) => {
    const session = await (await fetch("v1/session")).json();
    const headers = { "X-CSRF-Token": session.csrf_token, "Content-Type": "application/json" };
    const made = await (await fetch("v1/keys", { method: "POST", headers, body: JSON.stringify({ name: "again" }) })).json();
    const { keys } = await (await fetch("v1/keys?limit=100")).json();
    const own = keys.find(({ prefix }) => key.startsWith(prefix.replace(/…$/, "")));
    await fetch(`v1/keys/${own.id}`, { method: "DELETE", headers });
    await fetch("v1/session", { method: "DELETE", headers });
    return made.secret;
  }, key);
}
