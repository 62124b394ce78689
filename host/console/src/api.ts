// The client of the API. Its types are generated from openapi/openapi.json, and it is the only way to the server.
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];
export type Job = Schemas["Job"];
export type JobSummary = Schemas["JobSummary"];
export type Model = Schemas["Model"];
export type Page = Schemas["Page"];
export type Box = Schemas["Box"];
export type Review = Schemas["Review"];
export type Changes = Schemas["ReviewRequest"];
export type Session = Schemas["Session"];
export type FanlightDocument = Schemas["Document"];

// The key of this tab. It is forgotten with the tab.
const KEY = "fanlight.key";
// Longest pause that a busy server may ask for before a request is given up, in seconds.
const LONGEST_PAUSE = 60;

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

export const credentials = {
  csrf: "",
  get key(): string {
    return sessionStorage.getItem(KEY) ?? "";
  },
  set key(value: string) {
    if (value) sessionStorage.setItem(KEY, value);
    else sessionStorage.removeItem(KEY);
  },
};

/** Called when the server no longer accepts the key. */
export const onSignedOut: { listener: () => void } = { listener: () => {} };

const authentication: Middleware = {
  onRequest({ request, schemaPath }) {
    const ofPerson = schemaPath.startsWith("/v1/keys") || schemaPath === "/v1/session";
    if (!ofPerson && credentials.key) request.headers.set("X-API-Key", credentials.key);
    if (ofPerson && credentials.csrf) request.headers.set("X-CSRF-Token", credentials.csrf);
    return request;
  },
};

export const client = createClient<paths>({
  baseUrl: new URL(".", document.baseURI).href.replace(/\/$/, ""),
  credentials: "same-origin",
});
client.use(authentication);

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Returns the body of a successful answer. Repeats a request once the server has room for it. */
export async function answered<T>(send: () => Promise<Answer<T>>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const { data, error, response } = await send();
    if (response.ok) return data as T;
    const body = error as { error?: { code?: string; message?: string } } | undefined;
    const code = body?.error?.code ?? "";
    const pause = Number(response.headers.get("Retry-After"));
    if ((code === "RATE_LIMITED" || code === "OVERLOADED") && pause > 0 && pause <= LONGEST_PAUSE) {
      await after(pause * 1000, signal);
      continue;
    }
    if (response.status === 401) {
      credentials.key = "";
      onSignedOut.listener();
    }
    throw new Refused(response.status, code, body?.error?.message ?? response.statusText);
  }
}

function after(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Returns the session of the browser's cookie, and gives this tab a key of it that ends with it. */
export async function beginWithSession(): Promise<Session | undefined> {
  const { data } = await client.GET("/v1/session");
  if (!data) return undefined;
  credentials.csrf = data.csrf_token;
  if (!credentials.key) {
    const body = { name: "Console", expires_at: data.expires_at };
    const made = await answered(() => client.POST("/v1/keys", { body }));
    credentials.key = made.secret;
  }
  return data;
}

/** Whether the server accepts this tab's key. */
export async function hasValidKey(): Promise<boolean> {
  if (!credentials.key) return false;
  const { response } = await client.GET("/v1/usage");
  return response.ok;
}

/** Revokes this tab's key and ends the session. */
export async function signOut(session: Session | undefined): Promise<void> {
  if (session) {
    const listed = await client.GET("/v1/keys", { params: { query: { limit: 100 } } });
    const own = listed.data?.keys.find((key) => credentials.key.startsWith(key.prefix.replace(/…$/, "")));
    if (own) await client.DELETE("/v1/keys/{key_id}", { params: { path: { key_id: own.id } } });
    await client.DELETE("/v1/session");
  }
  credentials.key = "";
  credentials.csrf = "";
}

/** Returns the picture of a page as an address within this page. */
export async function pagePicture(document_id: string, page: number, dpi: number, signal?: AbortSignal): Promise<Blob> {
  const params = { path: { document_id, page_file: `${page}.png` }, query: { dpi } };
  return answered(
    () =>
      client.GET("/v1/documents/{document_id}/pages/{page_file}", { params, parseAs: "blob", signal }) as Promise<
        Answer<Blob>
      >,
    signal,
  );
}

/** Saves a file of a job under a name. */
export async function save(job_id: string, what: "annotated.pdf" | "tables.csv" | "tables.xlsx" | "result"): Promise<void> {
  const path = { job_id };
  const parseAs = "blob" as const;
  const blob = await answered<unknown>(() => {
    switch (what) {
      case "annotated.pdf":
        return client.GET("/v1/jobs/{job_id}/annotated.pdf", { params: { path }, parseAs });
      case "tables.csv":
        return client.GET("/v1/jobs/{job_id}/tables.csv", { params: { path }, parseAs });
      case "tables.xlsx":
        return client.GET("/v1/jobs/{job_id}/tables.xlsx", { params: { path }, parseAs });
      case "result":
        return client.GET("/v1/jobs/{job_id}/result", { params: { path, query: { reviewed: true } }, parseAs });
    }
  });
  const address = URL.createObjectURL(blob as Blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = what === "result" ? "result.json" : what;
  link.click();
  URL.revokeObjectURL(address);
}
