// Divisions and sections of a project manual, from a contents page or from the sections that were read.
import type { Fields } from "./items";

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
      sections: (division["sections"] as Fields[] | undefined)?.map(sectionOf) ?? [],
    }));
  }
  const found = Array.isArray(sections) ? (sections as Fields[]).filter((one) => "section_code" in one).map(sectionOf) : [];
  const codes = [...new Set(found.map((section) => section.division))];
  return codes.map((code) => ({ code, title: "", sections: found.filter((section) => section.division === code) }));
}

function sectionOf(fields: Fields): Section {
  return {
    code: textOf(fields["section_code"]),
    title: textOf(fields["section_title"]),
    division: textOf(fields["division_code"]),
    first: numberOf(fields["page_start"]),
    last: numberOf(fields["page_end"]),
    found: fields["found"] !== false,
    text: textOf(fields["text"]),
    requirements: Object.entries(fields).flatMap(([category, value]) => requirementsOf(category, value)),
  };
}

function requirementsOf(category: string, value: unknown): Requirement[] {
  if (!Array.isArray(value)) return [];
  return (value as Fields[])
    .filter((one) => REQUIREMENT.every((name) => name in one))
    .map((one) => ({ category, text: textOf(one["text"]), article: textOf(one["article"]), page: numberOf(one["page"]) }));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
