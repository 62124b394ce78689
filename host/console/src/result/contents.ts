// Divisions and sections of a project manual, from a contents page or from the sections that were read.
import type { Box } from "../api/client";
import type { Fields, Item } from "./items";
import { cornersOf, extentOf } from "./outline";

export interface Section {
  code: string;
  title: string;
  division: string;
  first: number | undefined;
  last: number | undefined;
  found: boolean;
  text: string;
  requirements: Requirement[];
}

export interface Requirement {
  category: string;
  text: string;
  article: string;
  page: number | undefined;
  /** Its lines on the sheets, an item a page. */
  places: Item[];
}

export interface Division {
  code: string;
  title: string;
  sections: Section[];
}

// Fields of a section that are lists of requirements have these fields in each entry.
const REQUIREMENT = ["text", "page"];

/** Returns the divisions of a result; none if it is about something else. */
export function divisionsOf(result: Fields): Division[] {
  const { divisions, sections } = result;
  if (Array.isArray(divisions)) {
    return (divisions as Fields[]).map((division) => ({
      code: textOf(division["division_code"]),
      title: textOf(division["division_title"]),
      sections: (division["sections"] as Fields[] | undefined)?.map((section, at) => sectionOf(section, `divisions/${at}`)) ?? [],
    }));
  }
  const found = Array.isArray(sections) ? (sections as Fields[]).filter((one) => "section_code" in one).map((one, at) => sectionOf(one, `sections/${at}`)) : [];
  const codes = [...new Set(found.map((section) => section.division))];
  return codes.map((code) => ({ code, title: "", sections: found.filter((section) => section.division === code) }));
}

/** Returns the places of all requirements of a result. */
export function placesOf(divisions: Division[]): Item[] {
  return divisions.flatMap((division) => division.sections.flatMap((section) => section.requirements.flatMap((one) => one.places)));
}

function sectionOf(fields: Fields, id: string): Section {
  return {
    code: textOf(fields["section_code"]),
    title: textOf(fields["section_title"]),
    division: textOf(fields["division_code"]),
    first: numberOf(fields["page_start"]),
    last: numberOf(fields["page_end"]),
    found: fields["found"] !== false,
    text: textOf(fields["text"]),
    requirements: Object.entries(fields).flatMap(([category, value]) => requirementsOf(category, value, `${id}/${category}`)),
  };
}

function requirementsOf(category: string, value: unknown, id: string): Requirement[] {
  if (!Array.isArray(value)) return [];
  return (value as Fields[])
    .filter((one) => REQUIREMENT.every((name) => name in one))
    .map((one, at) => {
      const text = textOf(one["text"]);
      const places = placesIn(one["places"], `${id}/${at}`, category, text);
      return { category, text, article: textOf(one["article"]), page: numberOf(one["page"]), places };
    });
}

/** Returns a box around a requirement's lines on each page that has some. */
function placesIn(value: unknown, id: string, category: string, label: string): Item[] {
  const lines = Array.isArray(value) ? (value as { page: number; bbox: Box }[]) : [];
  const pages = [...new Set(lines.map((line) => line.page))];
  return pages.map((page) => ({
    id: `${id}/${page}`,
    list: category,
    page,
    box: extentOf(lines.filter((line) => line.page === page).flatMap((line) => cornersOf(line.bbox))),
    kind: category,
    confidence: undefined,
    polygon: undefined,
    label,
    reviewable: false,
  }));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
