// Signs in to the console with the page of an identity provider, in Debian's Chromium.
//
// node provider.mjs BASE_URL ISSUER
import assert from "node:assert/strict";
import { Visitor } from "./visitor.mjs";

const [baseUrl, issuer] = process.argv.slice(2);
const visitor = new Visitor(baseUrl);
await visitor.start();
try {
  const page = await visitor.open();
  await page.goto(`${baseUrl}/`);
  await visitor.accessible(page, "sign in with a provider");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Documents", exact: true }).waitFor();
  assert.equal(new URL(page.url()).origin, baseUrl, "back at the console");
  // The session outlives a reload, and a new tab has it.
  await page.reload();
  await page.getByRole("heading", { name: "Documents", exact: true }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${baseUrl}/#/keys`);
  await other.getByRole("button", { name: "Create a key" }).waitFor();
  const elsewhere = visitor.errors.filter((error) => !error.startsWith(`loaded from elsewhere: ${new URL(issuer).origin}/`));
  assert.deepEqual(elsewhere, [], "only the provider's pages are from elsewhere, and the browser reports no error");
} finally {
  await visitor.browser.close();
}
