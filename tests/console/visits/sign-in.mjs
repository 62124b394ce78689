// Signing in by the one-time link.
import assert from "node:assert/strict";

export async function signIn(stay) {
  const { visitor, page, link } = stay;
  await page.goto(`${visitor.baseUrl}/`);
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await visitor.accessible(page, "sign in");
  await visitor.picture(page, "sign-in");
  await page.getByLabel("API key").fill("fl_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("does not accept this key").waitFor();

  // The link opens in another tab of the same browser, and this one goes on.
  const other = await page.context().newPage();
  await other.goto(link);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("link", { name: "Console" }).waitFor();
  await other.close();
  await page.getByRole("heading", { name: "Documents", exact: true }).waitFor();
  await page.getByText("No documents yet").waitFor();
  await visitor.accessible(page, "documents, empty");
  stay.key = await page.evaluate(() => sessionStorage.getItem("fanlight.key"));
  assert.match(stay.key, /^fl_/);
  return "a wrong key is refused; the link signs in a tab that waits";
}
