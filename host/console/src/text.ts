// The texts of the console, one data file a language.
import de from "./languages/de.json";
import en from "./languages/en.json";
import es from "./languages/es.json";
import fr from "./languages/fr.json";

export type TextName = keyof typeof en.texts;

/** The languages, each under the name that it gives itself. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", fr: "Français" } as const;
export type Language = keyof typeof LANGUAGES;

type Text = string | { one: string; other: string };
interface Texts {
  texts: Record<TextName, Text>;
  errors: Record<string, string>;
  words: Record<string, string>;
}
const TEXTS: Record<Language, Texts> = { en, de, es, fr };
const CHOSEN = "fanlight.language";

function preferred(): Language {
  const wanted = [localStorage.getItem(CHOSEN), ...navigator.languages].map((tag) => tag?.slice(0, 2));
  return (wanted.find((tag) => tag !== undefined && tag in LANGUAGES) as Language | undefined) ?? "en";
}

export let language: Language = preferred();

export function choose(chosen: Language): void {
  language = chosen;
  localStorage.setItem(CHOSEN, chosen);
  document.documentElement.lang = chosen;
}

/** Returns a text, with the values of its places in braces. `count` chooses between singular and plural. */
export function t(name: TextName, values: Record<string, string | number> = {}): string {
  const text: Text = TEXTS[language].texts[name];
  const form = typeof text === "string" ? text : new Intl.PluralRules(language).select(Number(values["count"])) === "one" ? text.one : text.other;
  return form.replace(/\{(\w+)\}/g, (_, place: string) => shown(values[place]));
}

function shown(value: string | number | undefined): string {
  return typeof value === "number" ? number(value) : (value ?? "");
}

/** Returns what an error code of the API means, if this console has words for it. */
export function errorText(code: string): string | undefined {
  return TEXTS[language].errors[code];
}

/** Returns the person's own form of the language, for dates as written there. */
function locale(): string {
  return navigator.languages.find((tag) => tag.slice(0, 2) === language) ?? language;
}

export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

export function percent(value: number): string {
  return new Intl.NumberFormat(locale(), { style: "percent" }).format(value);
}

export function time(value: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(value));
}

export function day(value: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium" }).format(new Date(value));
}

export function seconds(milliseconds: number): string {
  const digits = milliseconds < 10_000 ? 1 : 0;
  const style = { style: "unit", unit: "second", unitDisplay: "short", maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(locale(), style).format(milliseconds / 1000);
}

/** Returns the size of a file. */
export function size(bytes: number): string {
  const large = bytes >= 1_000_000;
  const style = { style: "unit", unit: large ? "megabyte" : "kilobyte", unitDisplay: "short", maximumFractionDigits: large ? 1 : 0 } as const;
  return new Intl.NumberFormat(locale(), style).format(Math.max(bytes / (large ? 1_000_000 : 1000), bytes > 0 && !large ? 1 : 0));
}

/** Returns a word of a model's schema for people: translated if known, and else as the model has it. */
export function word(name: string): string {
  return TEXTS[language].words[name] ?? name.replaceAll(/[_-]/g, " ");
}

/** Returns a name of a model or of a kind as a heading. */
export function heading(name: string): string {
  const text = word(name);
  return text.slice(0, 1).toLocaleUpperCase(language) + text.slice(1);
}
