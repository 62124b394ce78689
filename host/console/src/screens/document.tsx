import { useState } from "preact/hooks";
import { client, read } from "../api/client";
import { useLoaded } from "../parts/loaded";
import { Loading, Problem, Title } from "../parts/parts";
import { day, size, t, time } from "../text";
import { JobTable } from "./job-list";
import { Run } from "./run";
import { type Sheet, SheetCard, sheetsOf } from "./sheets";

/** A document: its sheets, the models that can run on them, and the jobs so far. */
export function DocumentScreen({ id }: { id: string }) {
  const params = { path: { document_id: id } };
  const document = useLoaded((signal) => read(() => client.GET("/v1/documents/{document_id}", { params, signal }), signal), [id]);
  const query = { document_id: id, limit: 50 };
  const jobs = useLoaded((signal) => read(() => client.GET("/v1/jobs", { params: { query }, signal }), signal), [id]);
  const models = useLoaded((signal) => read(() => client.GET("/v1/models", { signal }), signal), []);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const classified = jobs.value?.jobs.find((job) => job.model === "drawing-classifier" && job.status === "complete");
  const sheets = useLoaded(async (signal) => (classified ? sheetsOf(classified.id, signal) : new Map<number, Sheet>()), [classified?.id]);

  if (!document.value) return document.error ? <Problem error={document.error} /> : <Loading />;
  const { original_filename: name, page_count, file_size_bytes, uploaded_at, expires_at, download_url } = document.value;
  const pages = Array.from({ length: page_count }, (_, index) => index + 1);
  const choose = (page: number) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(page)) after.add(page);
      return after;
    });
  return (
    <>
      <nav class="path" aria-label={t("path")}>
        <a href="#/documents">{t("documents")}</a>
      </nav>
      <Title>{name}</Title>
      <p class="note">
        {t("sheets_count", { count: page_count })} · {size(file_size_bytes)} · {t("uploaded")} {time(uploaded_at)} · {t("kept_until")} {day(expires_at)} ·{" "}
        <a href={download_url}>{t("download")}</a>
      </p>
      <div class="document">
        <div class="stack">
          <Run id={id} pages={pages} chosen={chosen} models={models.value?.models} onRun={jobs.reload} />
          <Problem error={models.error ?? jobs.error} />
        </div>
        <div class="stack">
          <section aria-labelledby="history">
            <h2 id="history">{t("history")}</h2>
            {jobs.value?.jobs.length === 0 && <p class="empty">{t("no_jobs")}</p>}
            {(jobs.value?.jobs.length ?? 0) > 0 && <JobTable jobs={jobs.value?.jobs ?? []} label={t("history")} onChange={jobs.reload} />}
          </section>
          <section aria-labelledby="sheets">
            <div class="bar">
              <h2 id="sheets">{t("sheets")}</h2>
              <button type="button" class="quiet" onClick={() => setChosen(new Set(pages))}>
                {t("choose_all")}
              </button>
              <button type="button" class="quiet" disabled={chosen.size === 0} onClick={() => setChosen(new Set())}>
                {t("choose_none")}
              </button>
            </div>
            <ul class="sheets plain">
              {pages.map((page) => (
                <SheetCard key={page} document={id} page={page} sheet={sheets.value?.get(page)} chosen={chosen.has(page)} onChoose={() => choose(page)} />
              ))}
            </ul>
          </section>
        </div>
      </div>
    </>
  );
}
