// Uses the console as a person does, in Debian's Chromium. Fails at the first thing that is not as it should be.
//
// node drive.mjs BASE_URL SIGN_IN_LINK PLAN.pdf [FOLDER for screenshots]
// The key of an account comes in the environment as API_KEY. ONLY names one visit, for development; SESSION_KEY is then
// the key of another account.
import assert from "node:assert/strict";
import { accounts } from "./visits/accounts.mjs";
import { documents } from "./visits/documents.mjs";
import { everyone } from "./visits/everyone.mjs";
import { many } from "./visits/many.mjs";
import { places } from "./visits/places.mjs";
import { review } from "./visits/review.mjs";
import { schedules } from "./visits/schedules.mjs";
import { share } from "./visits/share.mjs";
import { signIn } from "./visits/sign-in.mjs";
import { trouble } from "./visits/trouble.mjs";
import { Visitor } from "./visitor.mjs";

const [baseUrl, link, plan, pictures] = process.argv.slice(2);
const visitor = new Visitor(baseUrl, pictures);
const visits = { signIn, documents, places, many, review, share, schedules, accounts, everyone, trouble };

await visitor.start();
try {
  const page = await visitor.open();
  const stay = { visitor, page, link, plan, key: process.env.SESSION_KEY ?? "", other: process.env.API_KEY };
  for (const [name, visit] of Object.entries(visits)) {
    if (process.env.ONLY && !process.env.ONLY.split(",").includes(name)) continue;
    if (process.env.ONLY && name !== "signIn" && !(await signedIn(page))) await visitor.enter(page, stay.key);
    console.log(`${name}: ${await visit(stay)}`);
  }
  assert.deepEqual(visitor.errors, [], "the browser reports no error");
} catch (error) {
  for (const page of visitor.browser.contexts().flatMap((context) => context.pages())) await visitor.picture(page, `failed-${page.viewportSize().width}`);
  throw error;
} finally {
  await visitor.browser.close();
}

function signedIn(page) {
  return page.evaluate(() => location.protocol !== "about:" && sessionStorage.getItem("fanlight.key") !== null);
}
