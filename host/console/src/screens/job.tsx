import { useState } from "preact/hooks";
import { client, type Job, read, write } from "../api/client";
import { useLoaded } from "../parts/loaded";
import { Loading, Problem, Title } from "../parts/parts";
import type { Fields } from "../result/items";
import { heading, number, seconds, t, time } from "../text";
import { Deliveries } from "./deliveries";
import { isFinal, JobState, useFollowed } from "./job-list";
import { Result } from "./result";

/** A job: how it goes, how it ends, and then its result. */
export function JobScreen({ id }: { id: string }) {
  const job = useLoaded((signal) => read(() => client.GET("/v1/jobs/{job_id}", { params: { path: { job_id: id } }, signal }), signal), [id]);
  if (!job.value) return job.error ? <Problem error={job.error} /> : <Loading />;
  return <Followed job={job.value} onEnd={job.reload} />;
}

function Followed({ job, onEnd }: { job: Job; onEnd: () => void }) {
  const seen = useFollowed(job, onEnd);
  const params = { path: { document_id: job.document_id } };
  const document = useLoaded((signal) => read(() => client.GET("/v1/documents/{document_id}", { params, signal }), signal), [job.document_id]);
  const name = document.value?.original_filename;
  const head = (
    <div class="job-head">
      <nav class="path" aria-label={t("path")}>
        <a href={`#/documents/${job.document_id}`}>{name ?? t("document")}</a>
      </nav>
      <Title>{heading(job.model)}</Title>
      <JobState job={seen} />
    </div>
  );
  const about = (
    <>
      <Warnings job={job} />
      <Deliveries job={job.id} />
      <About job={job} />
    </>
  );
  if (job.status === "complete" && job.result) {
    return <Result job={job} result={job.result as Fields} stem={name?.replace(/\.pdf$/i, "") ?? job.model} head={head} about={about} />;
  }
  return (
    <div class="stack narrow">
      {head}
      {job.status === "failed" && <Failure job={job} />}
      {!isFinal(seen) && <Running job={job} queued={seen.status === "queued"} onCancelled={onEnd} />}
      {about}
    </div>
  );
}

function Failure({ job }: { job: Job }) {
  return (
    <div class="panel failure" role="alert">
      <h2>{t("job_failed")}</h2>
      <p>{job.error_message}</p>
      <p class="note">
        <code>{job.error_code}</code> {job.credits_charged === 0 && t("refunded_all")}
      </p>
      <a href={`#/documents/${job.document_id}`}>{t("try_another")}</a>
    </div>
  );
}

function Running({ job, queued, onCancelled }: { job: Job; queued: boolean; onCancelled: () => void }) {
  const params = { path: { job_id: job.id } };
  const cancel = () => void write(() => client.DELETE("/v1/jobs/{job_id}", { params })).then(onCancelled, onCancelled);
  return (
    <div class="panel" role="status">
      <p>{t(queued ? "job_queued" : "job_runs")}</p>
      {queued && (
        <button type="button" onClick={cancel}>
          {t("cancel")}
        </button>
      )}
    </div>
  );
}

function Warnings({ job }: { job: Job }) {
  return (
    <>
      {job.warnings.map((warning) => (
        <p key={warning.code} class="warning">
          {warning.message}
        </p>
      ))}
    </>
  );
}

function About({ job }: { job: Job }) {
  const [open, setOpen] = useState(false);
  const facts: [string, string | undefined | null][] = [
    [t("version"), job.model_version],
    [t("submitted"), time(job.queued_at)],
    [t("started"), job.processing_started_at && time(job.processing_started_at)],
    [t("ended"), job.completed_at && time(job.completed_at)],
    [t("took"), job.processing_time_ms == null ? undefined : seconds(job.processing_time_ms)],
    [t("credits"), number(job.credits_charged)],
    [t("from_cache"), t(job.cached ? "yes" : "no")],
    [t("kept_until"), time(job.expires_at)],
  ];
  return (
    <>
      <details class="panel">
        <summary>{t("about_job")}</summary>
        <dl class="facts">
          {facts.map(([name, fact]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{fact ?? "–"}</dd>
            </div>
          ))}
        </dl>
      </details>
      {job.result && (
        <details class="panel" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{t("raw_result")}</summary>
          {open && (
            <pre tabIndex={0} role="group" aria-label={t("raw_result")}>
              {JSON.stringify(job.result, null, 2)}
            </pre>
          )}
        </details>
      )}
    </>
  );
}
