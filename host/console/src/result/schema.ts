// What a model's JSON Schema says of its result: fields, lists of items, and kinds.
import type { Model } from "../api/client";

type Schema = Record<string, unknown>;

/** Names of the field that says what an item is. */
export const KINDS = ["kind", "schedule_type", "drawing_type"];
// References are followed this far, since a schema may refer to itself.
const DEEPEST = 8;

/** Returns a part of a schema, with references followed. */
function resolved(schema: Schema, part: unknown): Schema {
  let found = (part ?? {}) as Schema;
  for (let depth = 0; typeof found["$ref"] === "string" && depth < DEEPEST; depth += 1) {
    const steps = found["$ref"].split("/").slice(1);
    found = steps.reduce<Schema>((at, step) => (at[step] ?? {}) as Schema, schema);
  }
  return found;
}

function itemFields(schema: Schema, list: string): Schema {
  const properties = (schema["properties"] ?? {}) as Schema;
  return (resolved(schema, resolved(schema, properties[list])["items"])["properties"] ?? {}) as Schema;
}

function words(part: Schema): string[] {
  return [
    ...((part["enum"] as string[] | undefined) ?? []),
    ...(typeof part["const"] === "string" ? [part["const"]] : []),
    ...((part["oneOf"] as Schema[] | undefined) ?? []).flatMap(words),
  ];
}

/** Returns the kinds that the model's schema allows for items of a list; none if they have no kinds. */
export function kindsOf(model: Model | undefined, list: string): string[] {
  const schema = model?.result as Schema | null | undefined;
  if (!schema) return [];
  const fields = itemFields(schema, list);
  const kind = KINDS.map((name) => fields[name]).find((field) => field !== undefined);
  return kind === undefined ? [] : words(resolved(schema, kind));
}

/** Returns the lists of a model's result to which a person can add items: those with a page and a box. */
export function listsOf(model: Model | undefined): string[] {
  const schema = model?.result as Schema | null | undefined;
  return Object.keys((schema?.["properties"] ?? {}) as Schema).filter((name) => {
    const fields = itemFields(schema as Schema, name);
    return "bbox" in fields && "page" in fields;
  });
}

/** Whether items of a list have an outline. */
export function isOutlined(model: Model | undefined, list: string): boolean {
  const schema = model?.result as Schema | null | undefined;
  return schema !== null && schema !== undefined && "polygon" in itemFields(schema, list);
}

export interface Field {
  path: string;
  type: string;
  description: string;
}

/** Returns the fields of a schema, those of lists and objects below them. */
export function fieldsOf(schema: unknown): Field[] {
  return schema ? below(schema as Schema, schema as Schema, "", 0) : [];
}

function below(root: Schema, part: Schema, path: string, depth: number): Field[] {
  if (depth > DEEPEST) return [];
  const properties = (part["properties"] ?? {}) as Schema;
  return Object.entries(properties).flatMap(([name, given]) => {
    const own = given as Schema;
    const field = resolved(root, own);
    const item = resolved(root, field["items"]);
    const isList = field["type"] === "array";
    const here = `${path}${name}${isList ? "[]" : ""}`;
    const kinds = words(field);
    const type = kinds.length > 0 ? kinds.join(", ") : typeName(isList ? item["type"] : field["type"]);
    const description = String(own["description"] ?? field["description"] ?? "");
    return [{ path: here, type, description }, ...below(root, isList ? item : field, `${here}.`, depth + 1)];
  });
}

function typeName(type: unknown): string {
  return Array.isArray(type) ? type.filter((one) => one !== "null").join(", ") : String(type ?? "");
}
