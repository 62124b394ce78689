// The client of the API. Its types are generated from openapi/openapi.json, and it is the only way to the server.
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "../schema";
import { connection } from "./connection";
import { credentials, signedIn } from "./credentials";

export type Schemas = components["schemas"];
export type Job = Schemas["Job"];
export type JobSummary = Schemas["JobSummary"];
export type Model = Schemas["Model"];
export type Page = Schemas["Page"];
export type Box = Schemas["Box"];
export type Review = Schemas["Review"];
export type Session = Schemas["Session"];
export type FanlightDocument = Schemas["Document"];

// Longest pause that a busy server may ask for before a request is given up, in seconds.
const LONGEST_PAUSE = 60;
// Statuses of a proxy that does not reach the server.
const UNREACHED = [502, 504];

/** An answer that is no success. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Whether the path belongs to the person at the browser, whom the session's cookie names, and not to a key. */
function ofPerson(path: string): boolean {
  return path.startsWith("/v1/keys") || path === "/v1/session";
}

const authentication: Middleware = {
  onRequest({ request, schemaPath }) {
    if (!ofPerson(schemaPath) && credentials.key) request.headers.set("X-API-Key", credentials.key);
    if (ofPerson(schemaPath) && credentials.csrf) request.headers.set("X-CSRF-Token", credentials.csrf);
    return request;
  },
};

export const client = createClient<paths>({
  baseUrl: new URL(".", document.baseURI).href.replace(/\/$/, ""),
  credentials: "same-origin",
});
client.use(authentication);
connection.probe = () => client.GET("/v1/session");

export interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Returns the body of a successful answer. Waits for a lost connection and repeats the request. */
export function read<T>(send: () => Promise<Answer<T>>, signal?: AbortSignal): Promise<T> {
  return answered(send, true, signal);
}

/** Returns the body of a successful answer to a request that changes something, and so is sent only once. */
export function write<T>(send: () => Promise<Answer<T>>): Promise<T> {
  return answered(send, false);
}

/** Repeats a request once the server has room for it, or knows the caller again. */
async function answered<T>(send: () => Promise<Answer<T>>, repeatable: boolean, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const answer = await attempt(send, repeatable, signal);
    if (!answer) continue;
    const { data, error, response } = answer;
    if (response.ok) return data as T;
    const body = error as { error?: { code?: string; message?: string } } | undefined;
    const code = body?.error?.code ?? "";
    const pause = Number(response.headers.get("Retry-After"));
    if ((code === "RATE_LIMITED" || code === "OVERLOADED") && pause > 0 && pause <= LONGEST_PAUSE) {
      await after(pause * 1000, signal);
      continue;
    }
    if (response.status === 401) {
      await signedIn.again(signal);
      continue;
    }
    throw new Refused(response.status, code, body?.error?.message ?? response.statusText);
  }
}

async function attempt<T>(send: () => Promise<Answer<T>>, repeatable: boolean, signal?: AbortSignal): Promise<Answer<T> | undefined> {
  try {
    const answer = await send();
    if (!UNREACHED.includes(answer.response.status)) {
      connection.found();
      return answer;
    }
    throw new TypeError(answer.response.statusText);
  } catch (error) {
    signal?.throwIfAborted();
    // A `TypeError` is what `fetch` throws for a server that it does not reach.
    if (!(error instanceof TypeError)) throw error;
    connection.lost();
    if (!repeatable) throw error;
    await connection.back(signal);
    return undefined;
  }
}

export function after(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
