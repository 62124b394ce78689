// Items of a result that have a place on a page, of any model.
import type { Box } from "../api/client";
import { KINDS } from "./schema";

/** Items from here to `SURE` may need manual review; less confident ones are not in results (docs/api.md). */
export const LEAST = 0.12;
/** Items above this confidence are probably right. */
export const SURE = 0.5;

export type Fields = Record<string, unknown>;
export type Corner = [number, number];

export interface Item {
  id: string;
  list: string;
  page: number | undefined;
  box: Box;
  kind: string;
  confidence: number | undefined;
  polygon: Corner[] | undefined;
  label: string;
  /** Whether a review can name it. */
  reviewable: boolean;
}

function boxOf(value: unknown): Box | undefined {
  const numbers = Array.isArray(value)
    ? value
    : value && typeof value === "object"
      ? ["x1", "y1", "x2", "y2"].map((name) => (value as Fields)[name])
      : [];
  if (numbers.length !== 4 || !numbers.every((number) => typeof number === "number")) return undefined;
  const [x1, y1, x2, y2] = numbers as [number, number, number, number];
  return { x1, y1, x2, y2 };
}

/** Returns the name of one item of a list: `door` for `doors`. */
export function singular(list: string): string {
  return list.replace(/s$/, "");
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Returns the items of a result that have a box. */
export function itemsOf(result: Fields): Item[] {
  return Object.entries(result).flatMap(([list, value]) => (Array.isArray(value) ? value.flatMap((entry: unknown, at) => itemsIn(entry, list, at)) : []));
}

function itemsIn(entry: unknown, list: string, at: number): Item[] {
  if (!entry || typeof entry !== "object") return [];
  const fields = entry as Fields;
  const id = typeof fields["id"] === "string" ? fields["id"] : `${list}/${at}`;
  const own = itemOf(fields, list, id, true);
  if (own) return [own];
  // Lines of a page stand in a list of their own.
  const page = numberOf(fields["page"] ?? fields["page_number"]);
  const lines = Array.isArray(fields["lines"]) ? (fields["lines"] as Fields[]) : [];
  return lines.flatMap((line, number) => {
    const item = itemOf({ page, ...line }, "lines", `${id}/lines/${number}`, false);
    return item ? [item] : [];
  });
}

function itemOf(fields: Fields, list: string, id: string, reviewable: boolean): Item | undefined {
  const box = boxOf(fields["bbox"] ?? fields["bounding_box"]);
  if (!box) return undefined;
  const kind = KINDS.map((name) => fields[name]).find((word) => typeof word === "string");
  const texts = ["number", "name", "title", "text"].map((name) => fields[name]).filter((text) => typeof text === "string" && text !== "");
  return {
    id,
    list,
    page: numberOf(fields["page"] ?? fields["page_number"]),
    box,
    kind: typeof kind === "string" ? kind : singular(list),
    confidence: numberOf(fields["confidence"] ?? fields["score"]),
    polygon: Array.isArray(fields["polygon"]) ? (fields["polygon"] as Corner[]) : undefined,
    label: texts.join(" "),
    reviewable,
  };
}
