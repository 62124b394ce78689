// How many items there are, by kind and sheet.
import { Table } from "../parts/parts";
import type { ReviewedItem } from "../review/changes";
import { heading, number, t } from "../text";

interface Props {
  items: ReviewedItem[];
  kinds: string[];
  pageOf: (item: ReviewedItem) => number;
  nameOf: (page: number) => string;
  onPage: (page: number) => void;
}

export function Counts({ items, kinds, pageOf, nameOf, onPage }: Props) {
  const counted = items.filter((item) => item.state !== "rejected");
  const pages = [...new Set(counted.map(pageOf))].sort((a, b) => a - b);
  if (pages.length === 0) return null;
  const count = (kind: string, page?: number) => counted.filter((item) => item.kind === kind && (page === undefined || pageOf(item) === page)).length;
  return (
    <details>
      <summary>{t("by_sheet")}</summary>
      <Table label={t("by_sheet")}>
        <thead>
          <tr>
            <th>{t("sheets")}</th>
            {kinds.map((kind) => (
              <th key={kind} class="number">
                {heading(kind)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pages.map((page) => (
            <tr key={page}>
              <td class="first">
                <button type="button" class="quiet" onClick={() => onPage(page)}>
                  {nameOf(page)}
                </button>
              </td>
              {kinds.map((kind) => (
                <td key={kind} class="number">
                  {number(count(kind, page))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th>{t("total")}</th>
            {kinds.map((kind) => (
              <td key={kind} class="number">
                <b>{number(count(kind))}</b>
              </td>
            ))}
          </tr>
        </tfoot>
      </Table>
    </details>
  );
}
