// Files of documents and jobs: what a person saves.
import { type Answer, client, read } from "./client";

export type Saved = "annotated.pdf" | "tables.csv" | "tables.xlsx" | "result" | "reviewed";

/** Saves a file of a job under a name that begins with the document's. */
export async function save(job_id: string, what: Saved, stem: string): Promise<void> {
  const address = URL.createObjectURL((await read(() => file(job_id, what))) as Blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = `${stem}-${NAMES[what]}`;
  link.click();
  URL.revokeObjectURL(address);
}

const NAMES: Record<Saved, string> = {
  "annotated.pdf": "annotated.pdf",
  "tables.csv": "tables.csv",
  "tables.xlsx": "tables.xlsx",
  result: "result.json",
  reviewed: "reviewed.json",
};

function file(job_id: string, what: Saved): Promise<Answer<unknown>> {
  const path = { job_id };
  const parseAs = "blob" as const;
  switch (what) {
    case "annotated.pdf":
      return client.GET("/v1/jobs/{job_id}/annotated.pdf", { params: { path }, parseAs });
    case "tables.csv":
      return client.GET("/v1/jobs/{job_id}/tables.csv", { params: { path }, parseAs });
    case "tables.xlsx":
      return client.GET("/v1/jobs/{job_id}/tables.xlsx", { params: { path }, parseAs });
    default:
      return client.GET("/v1/jobs/{job_id}/result", { params: { path, query: { reviewed: what === "reviewed" } }, parseAs });
  }
}
