// What drawing-classifier says of each sheet.
import { Table } from "../parts/parts";
import { heading, t } from "../text";
import type { Fields } from "./items";

export interface ClassifiedSheet {
  page_number: number;
  drawing_number?: string | null;
  title?: string | null;
  drawing_type?: string;
  discipline?: string;
}

export function classifiedOf(result: Fields): ClassifiedSheet[] {
  const pages = result["pages"];
  return Array.isArray(pages) ? (pages as ClassifiedSheet[]).filter((one) => typeof one.page_number === "number" && "drawing_type" in one) : [];
}

export function SheetList({ sheets, page, onPage }: { sheets: ClassifiedSheet[]; page: number; onPage: (page: number) => void }) {
  return (
    <Table label={t("sheets")}>
      <thead>
        <tr>
          <th>{t("number")}</th>
          <th>{t("title")}</th>
          <th>{t("kind")}</th>
          <th>{t("discipline")}</th>
        </tr>
      </thead>
      <tbody>
        {sheets.map((sheet) => (
          <tr key={sheet.page_number} class={sheet.page_number === page ? "here" : undefined}>
            <td class="first">
              <button type="button" class="quiet" onClick={() => onPage(sheet.page_number)}>
                {sheet.drawing_number ?? t("sheet", { page: String(sheet.page_number) })}
              </button>
            </td>
            <td>{sheet.title ?? "–"}</td>
            <td>{heading(sheet.drawing_type ?? "")}</td>
            <td>{heading(sheet.discipline ?? "")}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
