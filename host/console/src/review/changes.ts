// What a person says of a result, and the items as they are then.
import type { Box, Review, Schemas } from "../api/client";
import { type Corner, type Fields, type Item, LEAST, singular, SURE } from "../result/items";
import { extentOf } from "../result/outline";

export type Changes = Required<Schemas["ReviewRequest"]>;

/** What a person says of one item; `undefined` takes back what was said. */
export interface Verdict {
  status?: "accepted" | "rejected";
  bbox?: Box;
  /** Corners of an outline, whose extent is the box. */
  polygon?: Corner[];
  kind?: string;
}

export interface ReviewedItem extends Item {
  state: "open" | "accepted" | "rejected" | "corrected" | "added";
}

/** What a person says who has said nothing. */
export const NO_CHANGES: Changes = { items: [], added: [], cells: [] };

const ADDED = "added_";

export function changesOf(review: Review): Changes {
  return { items: review.items, added: review.added, cells: review.cells };
}

/** Returns the items as a review has them, with those that it rejects. */
export function withReview(items: Item[], changes: Changes): ReviewedItem[] {
  const byId = new Map(changes.items.map((change) => [change.id, change]));
  const own = items.map((item): ReviewedItem => {
    const change = byId.get(item.id);
    if (!change) return { ...item, state: "open" };
    const polygon = (change.polygon as Corner[] | undefined) ?? (change.bbox && item.polygon && followed(item.polygon, item.box, change.bbox)) ?? item.polygon;
    const box = change.polygon ? extentOf(change.polygon as Corner[]) : (change.bbox ?? item.box);
    const corrected = change.bbox || change.polygon || change.kind;
    const state = change.status === "rejected" ? "rejected" : corrected ? "corrected" : "accepted";
    return { ...item, box, kind: change.kind ?? item.kind, polygon, state };
  });
  const added = changes.added.map(
    (one, at): ReviewedItem => ({
      id: `${ADDED}${at + 1}`,
      list: one.list,
      page: one.page,
      box: one.bbox,
      kind: one.kind ?? singular(one.list),
      confidence: undefined,
      polygon: (one.polygon as Corner[] | undefined) ?? undefined,
      label: "",
      reviewable: true,
      state: "added",
    }),
  );
  return [...own, ...added];
}

/** Returns where the corners of an outline are once its box is another one, as the server computes it. */
function followed(outline: Corner[], from: Box, to: Box): Corner[] {
  const [across, up] = [(to.x2 - to.x1) / (from.x2 - from.x1), (to.y2 - to.y1) / (from.y2 - from.y1)];
  return outline.map(([x, y]) => [to.x1 + (x - from.x1) * across, to.y1 + (y - from.y1) * up]);
}

/** Whether nobody has looked at an item that the model doubts. */
export function isDoubtful(item: ReviewedItem): boolean {
  return item.state === "open" && item.confidence !== undefined && item.confidence >= LEAST && item.confidence <= SURE;
}

/** Returns the changes with another verdict on an item. */
export function judged(changes: Changes, item: ReviewedItem, verdict: Verdict | undefined): Changes {
  if (item.state === "added") return { ...changes, added: judgedAdded(changes.added, item, verdict) };
  const others = changes.items.filter((one) => one.id !== item.id);
  if (!verdict) return { ...changes, items: others };
  if (verdict.status === "rejected") return { ...changes, items: [...others, { id: item.id, status: "rejected" }] };
  const before = changes.items.find((one) => one.id === item.id);
  const { bbox: _box, polygon: _polygon, ...kept } = { ...before, ...verdict };
  return { ...changes, items: [...others, { ...kept, ...placeOf(item, before, verdict), id: item.id, status: "accepted" }] };
}

/** Returns an item's place as the server takes it: a box, or an outline without one. */
function placeOf(item: ReviewedItem, before: Verdict | Changes["items"][number] | undefined, verdict: Verdict): Pick<Changes["items"][number], "bbox" | "polygon"> {
  if (verdict.polygon) return { polygon: verdict.polygon };
  if (verdict.bbox && before?.polygon && item.polygon) return { polygon: followed(item.polygon, item.box, verdict.bbox) };
  if (verdict.bbox) return { bbox: verdict.bbox };
  return { ...(before?.bbox && { bbox: before.bbox }), ...(before?.polygon && { polygon: before.polygon as Corner[] }) };
}

function judgedAdded(added: Changes["added"], item: ReviewedItem, verdict: Verdict | undefined): Changes["added"] {
  const place = Number(item.id.slice(ADDED.length)) - 1;
  if (!verdict || verdict.status === "rejected") return added.filter((_, at) => at !== place);
  const { bbox, kind } = verdict;
  const outline = verdict.polygon ?? (bbox && item.polygon && followed(item.polygon, item.box, bbox));
  const moved = { ...(outline && { polygon: outline }), ...(kind && { kind }) };
  return added.map((one, at) => (at === place ? { ...one, ...moved, bbox: outline ? extentOf(outline) : (bbox ?? one.bbox) } : one));
}

/** Returns the changes with another item, and the name under which it is shown. */
export function withAdded(changes: Changes, one: Changes["added"][number]): { changes: Changes; id: string } {
  return { changes: { ...changes, added: [...changes.added, one] }, id: `${ADDED}${changes.added.length + 1}` };
}

/** Returns the changes with another text of a cell. The model's own text takes back what was said. */
export function withCell(changes: Changes, cell: Changes["cells"][number], own: string | undefined): Changes {
  const others = changes.cells.filter((one) => cellName(one) !== cellName(cell));
  return { ...changes, cells: cell.text === own ? others : [...others, cell] };
}

export function cellName(cell: { schedule: number; row: number; header: string }): string {
  return JSON.stringify([cell.schedule, cell.row, cell.header]);
}

/** Gives the items of a reviewed result the state that the server writes into them. */
export function asReviewed(items: Item[], result: Fields): ReviewedItem[] {
  const states = new Map<string, string>();
  for (const [list, value] of Object.entries(result)) {
    if (!Array.isArray(value)) continue;
    value.forEach((entry: unknown, at) => {
      const fields = (entry ?? {}) as Fields;
      states.set(typeof fields["id"] === "string" ? fields["id"] : `${list}/${at}`, String(fields["review"] ?? "open"));
    });
  }
  return items.map((item) => ({ ...item, state: (states.get(item.id) ?? "open") as ReviewedItem["state"] }));
}
