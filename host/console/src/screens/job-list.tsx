// Jobs in a table, each followed until it ends.
import { useEffect, useState } from "preact/hooks";
import { client, type Job, type JobSummary, read, write } from "../api/client";
import { Progress, Table } from "../parts/parts";
import { heading, number, t, type TextName, time } from "../text";

// How long a request waits at the server for the end of a job, in seconds: short, so that progress is seen.
const WAIT = 1;

export function statusName(status: JobSummary["status"]): TextName {
  return status === "failed" ? "failed_job" : status;
}

export function isFinal(job: { status: Job["status"] }): boolean {
  return job.status !== "queued" && job.status !== "processing";
}

/** Returns how much of a job is done, 0 to 1, where its progress says "3 of 8". */
function partDone(progress: string): number | undefined {
  const found = /(\d+)\s*(?:of|\/)\s*(\d+)/.exec(progress);
  const [done, all] = [Number(found?.[1]), Number(found?.[2])];
  return all > 0 ? Math.min(done / all, 1) : undefined;
}

/** Follows a job until it ends. */
export function useFollowed(job: JobSummary, onEnd: () => void): JobSummary {
  const [seen, setSeen] = useState<JobSummary>(job);
  useEffect(() => {
    setSeen(job);
    if (isFinal(job)) return;
    const ended = new AbortController();
    const { signal } = ended;
    const follow = async () => {
      const params = { path: { job_id: job.id }, query: { wait: WAIT } };
      for (;;) {
        const now = await read(() => client.GET("/v1/jobs/{job_id}", { params, signal }), signal);
        setSeen(now);
        if (isFinal(now)) return onEnd();
      }
    };
    follow().catch(() => {});
    return () => ended.abort(new DOMException("left", "AbortError"));
  }, [job.id, job.status]);
  return seen;
}

export function JobState({ job }: { job: JobSummary }) {
  return (
    <span class="job-state">
      <span class={`status ${job.status}`}>{t(statusName(job.status))}</span>
      {job.status === "processing" && <Progress label={t("progress")} part={partDone(job.progress)} />}
      {job.status === "processing" && <span class="note">{job.progress}</span>}
    </span>
  );
}

interface Props {
  jobs: JobSummary[];
  label: string;
  /** Names of documents by ID, where jobs of several are listed. */
  documents?: Map<string, string>;
  onChange: () => void;
}

export function JobTable({ jobs, label, documents, onChange }: Props) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th>{t("model")}</th>
          {documents && <th>{t("document")}</th>}
          <th>{t("status")}</th>
          <th>{t("submitted")}</th>
          <th class="number">{t("credits")}</th>
        </tr>
      </thead>
      <tbody aria-live="polite">
        {jobs.map((job) => (
          <JobRow key={job.id} job={job} documents={documents} onChange={onChange} />
        ))}
      </tbody>
    </Table>
  );
}

function JobRow({ job, documents, onChange }: { job: JobSummary; documents: Map<string, string> | undefined; onChange: () => void }) {
  const seen = useFollowed(job, onChange);
  const params = { path: { job_id: job.id } };
  const cancel = () => void write(() => client.DELETE("/v1/jobs/{job_id}", { params })).then(onChange, onChange);
  return (
    <tr>
      <td class="first">
        <a href={`#/jobs/${job.id}`}>{heading(job.model)}</a>
      </td>
      {documents && (
        <td>
          <a href={`#/documents/${job.document_id}`}>{documents.get(job.document_id) ?? t("document")}</a>
        </td>
      )}
      <td>
        <JobState job={seen} />{" "}
        {seen.status === "queued" && (
          <button type="button" class="quiet" onClick={cancel}>
            {t("cancel")}
          </button>
        )}
      </td>
      <td>{time(seen.queued_at)}</td>
      <td class="number">{number(seen.credits_charged)}</td>
    </tr>
  );
}
