// What can be shown of a result of any model: items with a box, schedules, and contents.
import type { Box, Changes, Model } from "./api";

/** Items from here to `SURE` may need manual review; less confident ones are not in results. */
export const LEAST = 0.12;
/** Items above this confidence are probably right. */
export const SURE = 0.5;

export interface Item {
  id: string;
  list: string;
  page: number | undefined;
  box: Box;
  kind: string;
  confidence: number | undefined;
  polygon: [number, number][] | undefined;
  label: string;
}

export interface Schedule {
  title: string;
  headers: string[];
  rows: Record<string, string>[];
}

export interface Division {
  division_code: string;
  division_title: string;
  sections: { section_code: string; section_title: string }[];
}

type Fields = Record<string, unknown>;

const KINDS = ["kind", "schedule_type", "drawing_type"];

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

/** Returns the items of a result that have a box. */
export function itemsOf(result: Fields): Item[] {
  const found: Item[] = [];
  for (const [list, value] of Object.entries(result)) {
    if (!Array.isArray(value)) continue;
    value.forEach((entry: unknown, position) => {
      if (!entry || typeof entry !== "object") return;
      const fields = entry as Fields;
      const box = boxOf(fields["bbox"] ?? fields["bounding_box"]);
      if (!box) return;
      const page = fields["page"] ?? fields["page_number"];
      const kind = KINDS.map((name) => fields[name]).find((word) => typeof word === "string");
      const confidence = fields["confidence"] ?? fields["score"];
      const texts = ["number", "name", "title"].map((name) => fields[name]).filter((text) => typeof text === "string");
      found.push({
        id: typeof fields["id"] === "string" ? fields["id"] : `${list}/${position}`,
        list,
        page: typeof page === "number" ? page : undefined,
        box,
        kind: typeof kind === "string" ? kind : list.replace(/s$/, ""),
        confidence: typeof confidence === "number" ? confidence : undefined,
        polygon: Array.isArray(fields["polygon"]) ? (fields["polygon"] as [number, number][]) : undefined,
        label: texts.join(" "),
      });
    });
  }
  return found;
}

export function schedulesOf(result: Fields): Schedule[] {
  const value = result["schedules"];
  return Array.isArray(value) ? (value as Schedule[]).filter((one) => one.headers && one.rows) : [];
}

export function divisionsOf(result: Fields): Division[] {
  const value = result["divisions"];
  return Array.isArray(value) ? (value as Division[]).filter((one) => Array.isArray(one.sections)) : [];
}

/** Returns the kinds that the model's schema allows for items of a list; none if they have no kinds. */
export function kindsOf(model: Model | undefined, list: string): string[] {
  const schema = model?.result as Fields | null | undefined;
  if (!schema) return [];
  const resolved = (part: unknown): Fields => {
    let found = (part ?? {}) as Fields;
    for (let depth = 0; typeof found["$ref"] === "string" && depth < 8; depth += 1) {
      const steps = (found["$ref"] as string).split("/").slice(1);
      found = steps.reduce<Fields>((at, step) => (at[step] ?? {}) as Fields, schema);
    }
    return found;
  };
  const words = (part: Fields): string[] => [
    ...((part["enum"] as string[] | undefined) ?? []),
    ...(typeof part["const"] === "string" ? [part["const"]] : []),
    ...((part["oneOf"] as Fields[] | undefined) ?? []).flatMap(words),
  ];
  const properties = (schema["properties"] ?? {}) as Fields;
  const fields = (resolved(resolved(properties[list])["items"])["properties"] ?? {}) as Fields;
  const kind = KINDS.map((name) => fields[name]).find((field) => field !== undefined);
  return kind === undefined ? [] : words(resolved(kind));
}

/** An item as the review has it. */
export interface ReviewedItem extends Item {
  state: "open" | "accepted" | "rejected" | "corrected" | "added";
}

/** Returns the items as a review has them, with those that it rejects. */
export function withReview(items: Item[], review: Changes): ReviewedItem[] {
  const changes = new Map((review.items ?? []).map((change) => [change.id, change]));
  const own = items.map((item): ReviewedItem => {
    const change = changes.get(item.id);
    if (!change) return { ...item, state: "open" };
    const moved = change.bbox ?? undefined;
    const corrected = moved || change.kind;
    const state = change.status === "rejected" ? "rejected" : corrected ? "corrected" : "accepted";
    // A moved outline is computed by the server; until then its box is shown.
    const polygon = moved ? undefined : item.polygon;
    return { ...item, box: moved ?? item.box, kind: change.kind ?? item.kind, polygon, state };
  });
  const added = (review.added ?? []).map(
    (one, position): ReviewedItem => ({
      id: `added_${position + 1}`,
      list: one.list,
      page: one.page,
      box: one.bbox,
      kind: one.kind ?? one.list.replace(/s$/, ""),
      confidence: undefined,
      polygon: undefined,
      label: "",
      state: "added",
    }),
  );
  return [...own, ...added];
}

/** Whether nobody has looked at an item that the model doubts. */
export function isDoubtful(item: ReviewedItem): boolean {
  return item.state === "open" && item.confidence !== undefined && item.confidence >= LEAST && item.confidence <= SURE;
}
