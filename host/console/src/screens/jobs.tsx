import { useState } from "preact/hooks";
import { client, type JobSummary, read } from "../api/client";
import { useLoaded } from "../parts/loaded";
import { Loading, Problem, Title } from "../parts/parts";
import { t } from "../text";
import { JobTable, statusName } from "./job-list";

const STATUSES = ["queued", "processing", "complete", "failed", "cancelled"] as const;

/** All jobs of the account, newest first. */
export function Jobs() {
  const [status, setStatus] = useState<JobSummary["status"]>();
  const [older, setOlder] = useState<JobSummary[]>([]);
  const [cursor, setCursor] = useState<string | null>();
  const [problem, setProblem] = useState<unknown>();
  const query = { limit: 50, ...(status ? { status } : {}) };
  const listed = useLoaded(async (signal) => {
    const first = await read(() => client.GET("/v1/jobs", { params: { query }, signal }), signal);
    setOlder([]);
    setCursor(first.next_cursor);
    return first;
  }, [status]);
  const names = useLoaded(async (signal) => {
    const { documents } = await read(() => client.GET("/v1/documents", { params: { query: { limit: 100 } }, signal }), signal);
    return new Map(documents.map((one) => [one.document_id, one.original_filename]));
  }, []);
  async function more(cursor: string) {
    const page = await read(() => client.GET("/v1/jobs", { params: { query: { ...query, cursor } } }));
    setOlder((all) => [...all, ...page.jobs]);
    setCursor(page.next_cursor);
  }
  const all = [...(listed.value?.jobs ?? []), ...older];
  return (
    <>
      <Title>{t("jobs")}</Title>
      <label>
        {t("status")}{" "}
        <select value={status ?? ""} onChange={(event) => setStatus(STATUSES.find((one) => one === event.currentTarget.value))}>
          <option value="">{t("all")}</option>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {t(statusName(one))}
            </option>
          ))}
        </select>
      </label>
      <Problem error={problem ?? listed.error} />
      {!listed.value && !listed.error && <Loading />}
      {listed.value && all.length === 0 && <p class="empty">{t("no_jobs_at_all")}</p>}
      {all.length > 0 && <JobTable jobs={all} label={t("jobs")} documents={names.value ?? new Map()} onChange={listed.reload} />}
      {cursor && (
        <button type="button" onClick={() => void more(cursor).catch(setProblem)}>
          {t("more")}
        </button>
      )}
    </>
  );
}
