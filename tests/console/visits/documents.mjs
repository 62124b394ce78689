// Uploading, running models, and a job that fails.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

export async function documents(stay) {
  const { visitor, page, plan, key } = stay;
  const bytes = [...(await readFile(plan))];
  await visitor.go(page, "documents");
  await page.locator("input[type=file]").setInputFiles(plan);
  await page.locator(".uploads .done", { hasText: "plan.pdf" }).waitFor();
  // Several files at once, dropped beside the box.
  const dropped = await page.evaluateHandle((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], "dropped.pdf", { type: "application/pdf" }));
    data.items.add(new File(["no PDF"], "notes.pdf", { type: "application/pdf" }));
    return data;
  }, bytes);
  await page.dispatchEvent("h1", "drop", { dataTransfer: dropped });
  await page.locator(".uploads .done", { hasText: "dropped.pdf" }).waitFor();
  await page.locator(".uploads .failed", { hasText: "notes.pdf" }).getByText("This file is not a PDF").waitFor();
  await visitor.accessible(page, "documents");
  await visitor.picture(page, "documents");
  await page.getByRole("button", { name: "Delete: dropped.pdf" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("cell", { name: "dropped.pdf", exact: true }).waitFor({ state: "detached" });

  await page.getByRole("cell", { name: "plan.pdf", exact: true }).getByRole("link").first().click();
  await page.getByRole("heading", { name: "plan.pdf" }).waitFor();
  await page.locator(".thumbnail img").first().waitFor();
  const models = page.getByRole("form", { name: "Run models" });
  await models.getByRole("checkbox", { name: "Plumbing fixtures" }).check();
  await page.getByRole("checkbox", { name: "Sheet 1" }).check();
  await models.getByRole("button", { name: "Run for 3 credits" }).waitFor();
  await models.getByRole("checkbox", { name: "Sheets by number and title" }).check();
  await models.getByRole("button", { name: "Run for 4 credits" }).click();
  await page.locator(".status.queued, .status.processing").first().waitFor();
  await page.locator(".status.complete").nth(1).waitFor();
  // The sheet's own number stands at its picture as soon as it has been read.
  await page.locator(".card", { hasText: "A-101" }).waitFor();
  await visitor.accessible(page, "a document");
  await visitor.picture(page, "document");
  stay.document = page.url().split("/").pop();
  const { jobs } = await visitor.api(key, `/v1/jobs?document_id=${stay.document}`);
  assert.deepEqual(jobs.map((job) => [job.model, job.credits_charged]).sort(), [["drawing-classifier", 1], ["fixture-detector", 3]]);
  stay.fixtures = jobs.find((job) => job.model === "fixture-detector").id;

  // The stand-in cannot give a result whose `pages` is a text.
  const body = { document_id: stay.document, parameters: { answer: { pages: "none" } } };
  const { job_id } = await visitor.api(key, "/v1/models/acme-model/jobs", { body, status: 202 });
  await page.reload();
  await page.locator(".status.failed").waitFor();
  await visitor.go(page, `jobs/${job_id}`);
  await page.getByRole("alert").getByText("The job failed for an internal reason").waitFor();
  await page.getByText("It was not charged").waitFor();
  await visitor.accessible(page, "a failed job");
  await visitor.picture(page, "failed");
  await visitor.go(page, "jobs");
  await page.getByLabel("Status").selectOption("failed");
  await page.locator("tbody tr").nth(1).waitFor({ state: "detached" });
  await visitor.accessible(page, "jobs");
  return "uploaded by choosing and by dropping; run on a sheet for the price shown; a job fails and says why";
}
