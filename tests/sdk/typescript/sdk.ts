// The REST API's client that @hey-api/openapi-ts generates, at work on live servers.
//
// Uploads, submits, polls, reads a result, cancels, and is refused; prints what it saw as one line of JSON.

import { readFile } from 'node:fs/promises';
import { createClient, type Client } from './client/client/index.js';
import { cancelJob, getJob, parseSpecDocument, uploadDocument } from './client/sdk.gen.js';
import type { Document, Error as Refusal, Job } from './client/types.gen.js';

function client(baseUrl: string, key: string): Client {
  return createClient({ baseUrl, auth: key });
}

/** Uploads the manual and submits a job on it: the document, and the job's id. */
async function submit(client: Client, manual: Blob): Promise<[Document, string]> {
  const file = new File([manual], 'manual.pdf', { type: 'application/pdf' });
  const { data: document } = await uploadDocument({ client, body: { file }, throwOnError: true });
  const body = { document_id: document.document_id };
  const { data: accepted } = await parseSpecDocument({ client, body, throwOnError: true });
  return [document, accepted.job_id];
}

async function finished(client: Client, job_id: string): Promise<Job> {
  for (;;) {
    const { data: job } = await getJob({ client, path: { job_id }, query: { wait: 60 }, throwOnError: true });
    if (job.status !== 'queued' && job.status !== 'processing') {
      return job;
    }
  }
}

function refused(answer: { error?: Refusal; response?: Response }): [number?, string?] {
  return [answer.response?.status, answer.error?.error.code];
}

const [workingUrl, workingKey, idleUrl, idleKey, path] = process.argv.slice(2) as [string, string, string, string, string];
const manual = new Blob([await readFile(path)]);

const working = client(workingUrl, workingKey);
const [document, job_id] = await submit(working, manual);
const job = await finished(working, job_id);

const idle = client(idleUrl, idleKey);
const [, waiting] = await submit(idle, manual);
const { data: cancelled } = await cancelJob({ client: idle, path: { job_id: waiting }, throwOnError: true });

console.log(
  JSON.stringify({
    pages: document.page_count,
    status: job.status,
    divisions: (job.result?.divisions as unknown[]).length,
    cancelled: cancelled.status,
    cancelled_again: refused(await cancelJob({ client: idle, path: { job_id: waiting } })),
    unknown: refused(await getJob({ client: idle, path: { job_id: '00000000-0000-0000-0000-000000000000' } })),
  }),
);
