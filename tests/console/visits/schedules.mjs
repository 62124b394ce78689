// Schedules beside their regions, and contents of a manual that open its pages.
import assert from "node:assert/strict";
import { pdf } from "../pdf.mjs";

const PAGE = { media: [0, 0, 300, 200], rotate: 90, marks: [[10, 20, 200, 100]] };

export async function schedules(stay) {
  const { visitor, page, key } = stay;
  const row = (mark, width) => ({ MARK: mark, WIDTH: width });
  const doors = { title: "DOORS", headers: ["MARK", "WIDTH"], rows: [row("1", "9OO"), row("2", "800")], bounding_box: [10, 20, 200, 100], page: 1, schedule_type: "door_schedule", confidence: 0.4 };
  const windows = { ...doors, title: "WINDOWS", bounding_box: [210, 20, 290, 100], page: 1, schedule_type: "window_schedule", confidence: 0.9 };
  const elsewhere = { ...doors, title: "ROOMS", page: 2 };
  const { id } = await visitor.standIn(key, pdf([PAGE, PAGE]), { schedules: [doors, windows, elsewhere], schedules_found: 3 });
  await visitor.result(page, id);
  const tables = page.locator(".schedule");
  // A cell that has the focus highlights its table and its region.
  await page.getByLabel("WIDTH, row 1").first().focus();
  await page.locator(".schedule.selected", { hasText: "DOORS" }).waitFor();
  await page.locator(".shape.selected [data-id='schedules/0']").waitFor();
  // And a click on a region its table.
  const region = await page.locator("[data-id='schedules/1']").evaluate((shape) => shape.getBoundingClientRect().toJSON());
  await page.mouse.click(region.x + region.width / 2, region.y + region.height / 2);
  await page.locator(".schedule.selected", { hasText: "WINDOWS" }).waitFor();
  assert.equal(await tables.count(), 3);
  // Each is on its own sheet only, and its table leads there.
  assert.equal(await page.locator("[data-id='schedules/2']").count(), 0);
  await page.getByRole("button", { name: "Show on sheet: ROOMS" }).click();
  await page.locator(".shape.selected [data-id='schedules/2']").waitFor();
  assert.equal(await page.getByRole("combobox", { name: "Sheets" }).inputValue(), "2");

  // Arrow keys go from cell to cell, as in a spreadsheet.
  const cell = page.getByLabel("WIDTH, row 1").first();
  await cell.fill("900");
  await cell.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "WIDTH, row 2");
  await page.locator("td.corrected").waitFor();
  await visitor.accessible(page, "schedules");
  await visitor.picture(page, "schedules");
  await page.getByRole("button", { name: "Save the review" }).click();
  await page.getByText("Version 1, saved by").waitFor();
  assert.match(await visitor.api(key, `/v1/jobs/${id}/tables.csv`), /1,900/);
  const download = page.waitForEvent("download");
  await page.locator("summary", { hasText: "Download" }).click();
  await page.getByRole("button", { name: "XLSX" }).click();
  assert.equal((await download).suggestedFilename(), "drawn-tables.xlsx");
  await contents(stay);
  return "tables and regions highlight each other; a cell is corrected; sections and requirements open their pages";
}

async function contents({ visitor, page, key }) {
  // Two lines on one sheet, and the rest on the next.
  const line = (page, y) => ({ page, bbox: { x1: 20, y1: y, x2: 180, y2: y + 10 } });
  const samples = { text: "Submit samples.", article: "1.3 SUBMITTALS", page: 2, places: [line(2, 60), line(2, 45), line(3, 80)] };
  const warranty = { text: "Two years.", article: "1.4 WARRANTY", page: 3 };
  const section = { section_code: "081113", section_title: "Hollow Metal Doors", division_code: "08", page_start: 2, page_end: 3, found: true, text: "SECTION 08 11 13", submittals: [samples], warranties: [warranty] };
  const { id } = await visitor.standIn(key, pdf([PAGE, PAGE, PAGE]), { sections: [section] });
  await visitor.result(page, id);
  const sheet = page.getByRole("combobox", { name: "Sheets" });
  await page.getByRole("button", { name: /081113/ }).click();
  assert.equal(await sheet.inputValue(), "2");
  // A requirement without places opens its page.
  await page.getByRole("button", { name: /Two years/ }).click();
  assert.equal(await sheet.inputValue(), "3");
  await page.locator(".requirement.here").waitFor();
  // One with places is highlighted there, once a sheet.
  await page.getByRole("button", { name: /Submit samples/ }).click();
  assert.equal(await sheet.inputValue(), "2");
  await page.locator('.shape.selected [data-id="sections/0/submittals/0/2"]').waitFor();
  await page.locator(".selection").waitFor();
  // And a click on the sheet selects the requirement.
  await sheet.selectOption("3");
  const rest = await page.locator('[data-id="sections/0/submittals/0/3"]').evaluate((shape) => shape.getBoundingClientRect().toJSON());
  await page.mouse.click(rest.x + rest.width / 2, rest.y + rest.height / 2);
  await page.locator('.requirement[aria-pressed="true"]', { hasText: "Submit samples" }).waitFor();
  await page.locator(".layer img.whole").waitFor();
  await visitor.accessible(page, "contents");
  await visitor.picture(page, "contents");
}
