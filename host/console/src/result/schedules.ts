// Schedules of a result, as tables.
import type { Fields } from "./items";

export interface Schedule {
  title: string;
  /** The page it is on, where the model says so. */
  page?: number;
  schedule_type?: string;
  headers: string[];
  rows: Record<string, string>[];
}

export function schedulesOf(result: Fields): Schedule[] {
  const value = result["schedules"];
  return Array.isArray(value) ? (value as Schedule[]).filter((one) => one.headers && one.rows) : [];
}
