// Uses the API client that @hey-api/openapi-ts generates on live servers.
//
// Uploads, submits, polls, reads typed results, cancels, and provokes errors. Prints what it saw as one line of JSON.

import { readFile } from 'node:fs/promises';
import { createClient, type Client } from './client/client/index.js';
import {
  cancelJob,
  detectDoors,
  extractSchedules,
  getJob,
  parseSpecDocument,
  uploadDocument,
} from './client/sdk.gen.js';
import type { Document, Error as Refusal, Job } from './client/types.gen.js';

function client(baseUrl: string, key: string): Client {
  return createClient({ baseUrl, auth: key });
}

async function upload(client: Client, path: string): Promise<Document> {
  const file = new File([await readFile(path)], 'uploaded.pdf', { type: 'application/pdf' });
  const { data: document } = await uploadDocument({ client, body: { file }, throwOnError: true });
  return document;
}

/** Submits a job on a manual and returns its id. */
async function parse(client: Client, { document_id }: Document): Promise<string> {
  const { data: accepted } = await parseSpecDocument({ client, body: { document_id }, throwOnError: true });
  return accepted.job_id;
}

async function finished(client: Client, job_id: string): Promise<Job> {
  for (;;) {
    const { data: job } = await getJob({ client, path: { job_id }, query: { wait: 60 }, throwOnError: true });
    if (job.status !== 'queued' && job.status !== 'processing') {
      return job;
    }
  }
}

/** Uploads a drawing, runs a job on it and returns the finished job. */
async function run(client: Client, operation: typeof detectDoors | typeof extractSchedules, path: string): Promise<Job> {
  const { document_id } = await upload(client, path);
  const { data: accepted } = await operation({ client, body: { document_id }, throwOnError: true });
  return finished(client, accepted.job_id);
}

function section({ id, result }: Job) {
  if (result === null || !('divisions' in result)) {
    throw new Error('the result is no table of contents');
  }
  const first = result.divisions[0]!.sections[0]!;
  return { job: id, code: first.section_code, title: first.section_title };
}

function door({ id, result }: Job) {
  if (result === null || !('doors' in result)) {
    throw new Error('the result holds no doors');
  }
  const first = result.doors[0]!;
  return { job: id, id: first.id, page: first.page, right: first.bbox.x2 };
}

function schedule({ id, result }: Job) {
  if (result === null || !('schedules' in result)) {
    throw new Error('the result holds no schedules');
  }
  const first = result.schedules[0]!;
  const cell = first.rows[0]![first.headers[0]!];
  return { job: id, type: first.schedule_type, pages: result.pages_analyzed ?? null, cell };
}

function refused(answer: { error?: Refusal; response?: Response }): [number?, string?] {
  return [answer.response?.status, answer.error?.error.code];
}

const [workingUrl, workingKey, idleUrl, idleKey, folder] = process.argv.slice(2) as [string, string, string, string, string];

const working = client(workingUrl, workingKey);
const document = await upload(working, `${folder}/manual.pdf`);
const job = await finished(working, await parse(working, document));
const doors = await run(working, detectDoors, `${folder}/plan.pdf`);
const schedules = await run(working, extractSchedules, `${folder}/schedules.pdf`);

const idle = client(idleUrl, idleKey);
const waiting = await parse(idle, await upload(idle, `${folder}/manual.pdf`));
const { data: cancelled } = await cancelJob({ client: idle, path: { job_id: waiting }, throwOnError: true });

console.log(
  JSON.stringify({
    pages: document.page_count,
    status: job.status,
    section: section(job),
    door: door(doors),
    schedule: schedule(schedules),
    cancelled: cancelled.status,
    cancelled_again: refused(await cancelJob({ client: idle, path: { job_id: waiting } })),
    unknown: refused(await getJob({ client: idle, path: { job_id: '00000000-0000-0000-0000-000000000000' } })),
  }),
);
