// The texts of the console, one data file a language.
import de from "./languages/de.json";
import en from "./languages/en.json";
import es from "./languages/es.json";
import fr from "./languages/fr.json";

export type TextName = keyof typeof en;

/** The languages, each under the name that it gives itself. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", fr: "Français" } as const;
export type Language = keyof typeof LANGUAGES;

const TEXTS: Record<Language, Record<TextName, string>> = { en, de, es, fr };
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

/** Returns a text, with the values of its places in braces. */
export function t(name: TextName, values: Record<string, string | number> = {}): string {
  return TEXTS[language][name].replace(/\{(\w+)\}/g, (_, place: string) => String(values[place] ?? ""));
}

export function number(value: number, digits = 0): string {
  return new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

export function time(value: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(value));
}

/** Returns a word of a model's schema for people. */
export function word(name: string): string {
  return name.replaceAll("_", " ");
}
