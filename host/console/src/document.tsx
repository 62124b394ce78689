import { useEffect, useRef, useState } from "preact/hooks";
import { answered, client, type Job, type JobSummary, type Model, pagePicture } from "./api";
import { Loading, Problem, Table, Title, useLoaded } from "./parts";
import { number, t, time, type TextName, word } from "./text";

// Width of a thumbnail in pixels, for screens of two pixels a point.
const THUMBNAIL = 320;
// The lowest resolution of page images, in dots per inch.
const LOWEST_DPI = 72;
// Models that the console cannot ask without knowing more than sheets.
const NEEDS_MORE = ["content-extractor", "similar-symbols"];
// Models whose requests name no pages.
const WHOLE_DOCUMENT = ["drawing-classifier", "toc-parser"];
// How long a request waits at the server for the end of a job, in seconds.
const WAIT = 20;

interface Sheet {
  number: string | undefined;
  title: string | undefined;
}

/** A document: its sheets, the models that can run on them, and the jobs so far. */
export function DocumentScreen({ id }: { id: string }) {
  const params = { path: { document_id: id } };
  const document = useLoaded((signal) => answered(() => client.GET("/v1/documents/{document_id}", { params, signal })), [id]);
  const jobs = useLoaded(
    (signal) => answered(() => client.GET("/v1/jobs", { params: { query: { document_id: id, limit: 50 } }, signal })),
    [id],
  );
  const models = useLoaded((signal) => answered(() => client.GET("/v1/models", { signal })), []);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const classified = jobs.value?.jobs.find((job) => job.model === "drawing-classifier" && job.status === "complete");
  const sheets = useLoaded(async (signal) => (classified ? sheetsOf(classified.id, signal) : new Map<number, Sheet>()), [classified?.id]);

  const pages = Array.from({ length: document.value?.page_count ?? 0 }, (_, index) => index + 1);
  const choose = (page: number) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(page)) after.add(page);
      return after;
    });
  if (!document.value) return document.error ? <Problem error={document.error} /> : <Loading />;
  return (
    <>
      <Title>{document.value.original_filename}</Title>
      <Run id={id} pages={pages} chosen={chosen} models={models.value?.models ?? []} onRun={jobs.reload} />
      <Problem error={models.error ?? jobs.error} />
      <History jobs={jobs.value?.jobs ?? []} onChange={jobs.reload} />
      <section aria-labelledby="sheets">
        <div class="bar">
          <h2 id="sheets">{t("sheets")}</h2>
          <button type="button" class="quiet" onClick={() => setChosen(new Set(pages))}>
            {t("choose_all")}
          </button>
          <button type="button" class="quiet" onClick={() => setChosen(new Set())}>
            {t("choose_none")}
          </button>
        </div>
        <ul class="sheets">
          {pages.map((page) => (
            <SheetCard key={page} document={id} page={page} sheet={sheets.value?.get(page)} chosen={chosen.has(page)} onChoose={() => choose(page)} />
          ))}
        </ul>
      </section>
    </>
  );
}

async function sheetsOf(job_id: string, signal: AbortSignal): Promise<Map<number, Sheet>> {
  const job = await answered(() => client.GET("/v1/jobs/{job_id}", { params: { path: { job_id } }, signal }));
  const pages = (job.result as { pages?: { page_number: number; drawing_number?: string | null; title?: string | null }[] } | null)?.pages;
  return new Map((pages ?? []).map((page) => [page.page_number, { number: page.drawing_number ?? undefined, title: page.title ?? undefined }]));
}

interface CardProps {
  document: string;
  page: number;
  sheet: Sheet | undefined;
  chosen: boolean;
  onChoose: () => void;
}

function SheetCard({ document, page, sheet, chosen, onChoose }: CardProps) {
  const card = useRef<HTMLLIElement>(null);
  const [picture, setPicture] = useState("");
  useEffect(() => {
    const ended = new AbortController();
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      thumbnail(document, page, ended.signal).then(setPicture, () => {});
    });
    if (card.current) seen.observe(card.current);
    return () => {
      seen.disconnect();
      ended.abort(new DOMException("left", "AbortError"));
    };
  }, [document, page]);
  useEffect(() => () => URL.revokeObjectURL(picture), [picture]);
  const name = sheet?.number ?? t("sheet", { page });
  return (
    <li ref={card}>
      <label class={chosen ? "card chosen" : "card"}>
        <span class="thumbnail">{picture && <img src={picture} alt="" />}</span>
        <span class="caption">
          <input type="checkbox" checked={chosen} onChange={onChoose} />
          <span>
            <b>{name}</b> {sheet?.title ?? ""}
          </span>
        </span>
      </label>
    </li>
  );
}

// Page images are large: they are drawn one after the other and kept small.
let drawing: Promise<unknown> = Promise.resolve();

function thumbnail(document: string, page: number, signal: AbortSignal): Promise<string> {
  const drawn = drawing
    .catch(() => {})
    .then(async () => {
      signal.throwIfAborted();
      const image = await createImageBitmap(await pagePicture(document, page, LOWEST_DPI, signal), {
        resizeWidth: THUMBNAIL,
        resizeQuality: "medium",
      });
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      image.close();
      return URL.createObjectURL(await canvas.convertToBlob());
    });
  drawing = drawn;
  return drawn;
}

interface RunProps {
  id: string;
  pages: number[];
  chosen: ReadonlySet<number>;
  models: Model[];
  onRun: () => void;
}

/** Chooses a model and says what it costs before it runs. */
function Run({ id, pages, chosen, models, onRun }: RunProps) {
  const usable = models.filter((model) => model.installed && !NEEDS_MORE.includes(model.name));
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const model = usable.find((one) => one.name === name) ?? usable[0];
  if (!model) return null;
  const whole = WHOLE_DOCUMENT.includes(model.name);
  const selection = whole || chosen.size === 0 ? pages : pages.filter((page) => chosen.has(page));
  const price = model.credits_per === "page" ? model.credits * selection.length : model.credits;

  async function run() {
    if (!model) return;
    setBusy(true);
    setProblem(undefined);
    const named = selection.length === pages.length ? {} : { page_numbers: selection };
    const body = { document_id: id, no_cache: false, ...named };
    const params = { path: { name: model.name } };
    await answered(() => client.POST("/v1/models/{name}/jobs", { params, body })).then(onRun, setProblem);
    setBusy(false);
  }

  return (
    <section aria-labelledby="run" class="panel">
      <h2 id="run">{t("run")}</h2>
      <div class="bar">
        <label>
          {t("model")}{" "}
          <select value={model.name} onChange={(event) => setName(event.currentTarget.value)}>
            {usable.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <span>{whole ? t("whole_document") : t("chosen_sheets", { count: selection.length })}</span>
        <button type="button" class="main" disabled={busy} onClick={() => void run()}>
          {t("run_for", { credits: price })}
        </button>
      </div>
      <p class="note">{model.description}</p>
      <Problem error={problem} />
    </section>
  );
}

export function statusName(status: JobSummary["status"]): TextName {
  return status === "failed" ? "failed_job" : status;
}

/** The jobs of a document, each followed until it ends. */
function History({ jobs, onChange }: { jobs: JobSummary[]; onChange: () => void }) {
  return (
    <section aria-labelledby="history">
      <h2 id="history">{t("history")}</h2>
      {jobs.length === 0 ? (
        <p>{t("no_jobs")}</p>
      ) : (
        <Table label={t("history")}>
          <thead>
            <tr>
              <th>{t("model")}</th>
              <th>{t("status")}</th>
              <th>{t("submitted")}</th>
              <th class="number">{t("credits")}</th>
            </tr>
          </thead>
          <tbody aria-live="polite">
            {jobs.map((job) => (
              <JobRow key={job.id} job={job} onEnd={onChange} />
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}

export function isFinal(job: { status: Job["status"] }): boolean {
  return job.status !== "queued" && job.status !== "processing";
}

/** Follows a job until it ends. */
export function useFollowed(job: JobSummary, onEnd: () => void): JobSummary {
  const [seen, setSeen] = useState<JobSummary>(job);
  useEffect(() => {
    setSeen(job);
    if (isFinal(job)) return;
    const ended = new AbortController();
    const { signal } = ended;
    void (async () => {
      let wait = 1;
      for (;;) {
        const params = { path: { job_id: job.id }, query: { wait } };
        const now = await answered(() => client.GET("/v1/jobs/{job_id}", { params, signal }), signal);
        setSeen(now);
        if (isFinal(now)) break;
        wait = now.progress === seen.progress ? Math.min(wait * 2, WAIT) : 1;
      }
      onEnd();
    })().catch(() => {});
    return () => ended.abort(new DOMException("left", "AbortError"));
  }, [job.id, job.status]);
  return seen;
}

function JobRow({ job, onEnd }: { job: JobSummary; onEnd: () => void }) {
  const seen = useFollowed(job, onEnd);
  const cancel = () =>
    void answered(() => client.DELETE("/v1/jobs/{job_id}", { params: { path: { job_id: job.id } } })).then(onEnd, onEnd);
  return (
    <tr>
      <td>{seen.status === "complete" || seen.status === "failed" ? <a href={`#/jobs/${job.id}`}>{word(job.model)}</a> : job.model}</td>
      <td>
        <span class={`status ${seen.status}`}>{t(statusName(seen.status))}</span>{" "}
        {!isFinal(seen) && <span>{seen.progress}</span>}{" "}
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
