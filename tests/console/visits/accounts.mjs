// Keys, usage, models, and deliveries.
import assert from "node:assert/strict";

export async function accounts(stay) {
  const { visitor, page, key } = stay;
  await keys(stay);
  await visitor.go(page, "usage");
  await page.locator(".chart .length").first().waitFor();
  await visitor.accessible(page, "usage");
  await visitor.picture(page, "usage");
  await visitor.go(page, "models");
  await page.getByRole("link", { name: "Plumbing fixtures" }).waitFor();
  await visitor.accessible(page, "models");
  await visitor.picture(page, "models");
  await page.getByRole("link", { name: "Plumbing fixtures" }).click();
  await page.getByRole("cell", { name: "fixtures[].confidence" }).waitFor();
  await page.getByText("3 credits a sheet").waitFor();
  // What the model and its networks say of themselves.
  await page.locator(".card").getByText("What it misses").waitFor();
  await page.getByText("Network symbol-classifier", { exact: true }).click();
  await page.getByRole("heading", { name: "On the next office's drawings" }).first().waitFor();
  await visitor.accessible(page, "a model");
  await visitor.picture(page, "model");

  const body = { document_id: stay.document, parameters: { answer: {} }, webhook_url: "https://receiver.invalid/hook" };
  const { job_id } = await visitor.api(key, "/v1/models/acme-model/jobs", { body, status: 202 });
  await visitor.api(key, `/v1/jobs/${job_id}?wait=60`);
  await visitor.go(page, `jobs/${job_id}`);
  await page.getByText("Webhook deliveries (1)").click();
  await page.getByText("name_not_found").first().waitFor();
  await page.getByRole("button", { name: "Send again" }).click();
  // The attempt that was due later is made now.
  await page.getByText("name_not_found").nth(1).waitFor();
  await visitor.accessible(page, "deliveries");
  await visitor.picture(page, "deliveries");
  return "a key is created, shown once, copied and revoked; usage, models and deliveries are shown; a delivery is sent again";
}

async function keys({ visitor, page }) {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: visitor.baseUrl });
  await visitor.go(page, "keys");
  await page.getByLabel("Name").fill("office printer");
  await page.getByLabel("Tier").selectOption("free");
  await page.getByRole("button", { name: "Create a key" }).click();
  const secret = await page.locator("code.secret").innerText();
  await page.getByRole("button", { name: "Copy: API key" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
  await visitor.accessible(page, "keys");
  await visitor.picture(page, "keys");
  await visitor.api(secret, "/v1/usage");
  await page.getByRole("button", { name: "I have kept it" }).click();
  assert.equal((await page.content()).includes(secret), false, "shown once");
  await page.getByRole("button", { name: "Revoke: office printer" }).click();
  await visitor.accessible(page, "a question");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("cell", { name: "office printer", exact: true }).waitFor({ state: "detached" });
  await visitor.api(secret, "/v1/usage", { status: 401 });
}
