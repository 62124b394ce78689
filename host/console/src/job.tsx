import { useEffect, useMemo, useState } from "preact/hooks";
import { answered, type Box, type Changes, client, type Job, type Model, type Review, save } from "./api";
import { isFinal, statusName, useFollowed } from "./document";
import { Loading, Problem, Table, Title, useLoaded } from "./parts";
import { type Division, divisionsOf, isDoubtful, itemsOf, kindsOf, LEAST, type ReviewedItem, type Schedule, schedulesOf, withReview } from "./result";
import { number, t, time, word } from "./text";
import { Viewer } from "./viewer";

// Colours of kinds in console.css.
const COLORS = 7;
// Most items that the list shows, so that it stays quick.
const LISTED = 300;
// How far a button moves a box, in points, and by how much one is enlarged.
const NUDGE = 4;

type Edit = Required<Changes>;

/** A job: how it ends, and then its result. */
export function JobScreen({ id }: { id: string }) {
  const job = useLoaded((signal) => answered(() => client.GET("/v1/jobs/{job_id}", { params: { path: { job_id: id } }, signal })), [id]);
  if (!job.value) return job.error ? <Problem error={job.error} /> : <Loading />;
  return <Followed job={job.value} onEnd={job.reload} />;
}

function Followed({ job, onEnd }: { job: Job; onEnd: () => void }) {
  const seen = useFollowed(job, onEnd);
  const result = job.result as Record<string, unknown> | null;
  return (
    <>
      <p>
        <a href={`#/documents/${job.document_id}`}>{t("back_to_document")}</a>
      </p>
      <Title>{word(job.model)}</Title>
      <p class="note">
        <span class={`status ${seen.status}`}>{t(statusName(seen.status))}</span> {job.model_version} · {time(job.queued_at)}
        {!isFinal(seen) && ` · ${seen.progress}`}
      </p>
      {seen.status === "failed" && (
        <div class="problem" role="alert">
          <p>
            {t("job_failed")} {job.error_message} {job.credits_charged === 0 && t("refunded")}
          </p>
          <p>
            <code>{job.error_code}</code>
          </p>
        </div>
      )}
      {job.warnings.map((warning) => (
        <p key={warning.code} class="note">
          {warning.message}
        </p>
      ))}
      {job.status === "complete" && result && <Result job={job} result={result} />}
    </>
  );
}

function Result({ job, result }: { job: Job; result: Record<string, unknown> }) {
  const [edit, setEdit] = useState<Edit>();
  const [stored, setStored] = useState<Review>();
  const [problem, setProblem] = useState<unknown>();
  const review = useLoaded((signal) => answered(() => client.GET("/v1/jobs/{job_id}/review", { params: { path: { job_id: job.id } }, signal })), [job.id]);
  const model = useLoaded((signal) => answered(() => client.GET("/v1/models/{name}", { params: { path: { name: job.model } }, signal })), [job.model]);
  useEffect(() => {
    if (review.value) setStored(review.value);
  }, [review.value]);
  const items = useMemo(() => itemsOf(result), [result]);
  const schedules = useMemo(() => schedulesOf(result), [result]);
  const divisions = useMemo(() => divisionsOf(result), [result]);
  if (!stored) return review.error ? <Problem error={review.error} /> : <Loading />;
  const own: Edit = { items: stored.items, added: stored.added, cells: stored.cells };
  const changes = edit ?? own;

  async function put() {
    if (!stored) return;
    setProblem(undefined);
    const params = { path: { job_id: job.id }, header: { "If-Match": `"${stored.version}"` } };
    try {
      setStored(await answered(() => client.PUT("/v1/jobs/{job_id}/review", { params, body: changes })));
      setEdit(undefined);
    } catch (error) {
      setProblem(error);
    }
  }
  const saveFile = (what: Parameters<typeof save>[1]) => void save(job.id, what).catch(setProblem);
  return (
    <>
      <div class="bar panel">
        <button type="button" class="main" disabled={!edit} onClick={() => void put()}>
          {t("save_review")}
        </button>
        <span role="status">
          {edit ? t("unsaved") : stored.reviewed_at ? t("saved", { name: stored.reviewed_by ?? "", time: time(stored.reviewed_at) }) : t("not_reviewed")}
        </span>
        <span class="bar end">
          <span>{t("export")}:</span>
          {items.length > 0 && (
            <button type="button" onClick={() => saveFile("annotated.pdf")}>
              {t("annotated_pdf")}
            </button>
          )}
          {schedules.length > 0 && (
            <>
              <button type="button" onClick={() => saveFile("tables.csv")}>
                CSV
              </button>
              <button type="button" onClick={() => saveFile("tables.xlsx")}>
                XLSX
              </button>
            </>
          )}
          <button type="button" onClick={() => saveFile("result")}>
            {t("result_json")}
          </button>
        </span>
      </div>
      <Problem error={problem} />
      {divisions.length > 0 ? (
        <Contents divisions={divisions} />
      ) : (
        <Sheets job={job} model={model.value} items={withReview(items, changes)} changes={changes} onChange={setEdit} hasLists={Object.values(result).some(Array.isArray)} />
      )}
      {schedules.map((schedule, position) => (
        <ScheduleTable key={position} schedule={schedule} position={position} changes={changes} onChange={setEdit} />
      ))}
      <details>
        <summary>{t("raw_result")}</summary>
        <Raw result={result} />
      </details>
    </>
  );
}

function Raw({ result }: { result: Record<string, unknown> }) {
  return (
    <pre tabIndex={0} role="region" aria-label={t("raw_result")}>
      {JSON.stringify(result, null, 2)}
    </pre>
  );
}

function Contents({ divisions }: { divisions: Division[] }) {
  return (
    <section aria-labelledby="contents">
      <h2 id="contents">{t("contents")}</h2>
      {divisions.map((division) => (
        <details key={division.division_code} open>
          <summary>
            <b>{division.division_code}</b> {division.division_title}
          </summary>
          <ul>
            {division.sections.map((section) => (
              <li key={section.section_code}>
                <code>{section.section_code}</code> {section.section_title}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}

interface SheetsProps {
  job: Job;
  model: Model | undefined;
  items: ReviewedItem[];
  changes: Edit;
  onChange: (changes: Edit) => void;
  hasLists: boolean;
}

/** The viewer beside the list of what was found. */
function Sheets({ job, model, items, changes, onChange, hasLists }: SheetsProps) {
  const pages = useLoaded(
    (signal) => answered(() => client.GET("/v1/documents/{document_id}/pages", { params: { path: { document_id: job.document_id }, query: { limit: 1000 } }, signal })),
    [job.document_id],
  );
  const [number_, setNumber] = useState<number>();
  const [least, setLeast] = useState(LEAST);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<string>();
  const [adding, setAdding] = useState(false);
  const kinds = useMemo(() => [...new Set(items.map((item) => item.kind))].sort(), [items]);
  const colors = useMemo(() => new Map(kinds.map((kind, position) => [kind, position % COLORS])), [kinds]);
  const only = pages.value?.page_count === 1 ? 1 : undefined;
  const pageOf = (item: ReviewedItem) => item.page ?? only;
  if (!hasLists || (items.length === 0 && model && !hasBoxes(model))) return null;
  if (!pages.value) return pages.error ? <Problem error={pages.error} /> : <Loading />;

  const current = number_ ?? items.map(pageOf).find((page) => page !== undefined) ?? 1;
  const page = pages.value.pages.find((one) => one.page_number === current);
  const sure = items.filter((item) => item.confidence === undefined || item.confidence >= least);
  const visible = sure.filter((item) => !hidden.has(item.kind));
  const here = visible.filter((item) => pageOf(item) === current);
  const doubtful = visible.filter(isDoubtful);
  const chosen = here.find((item) => item.id === selected);
  const lists = [...new Set([...items.map((item) => item.list), ...(model ? listsOf(model) : [])])].filter((list) => list !== "candidates");

  function select(item: ReviewedItem | undefined) {
    setSelected(item?.id);
    if (item) setNumber(pageOf(item) ?? current);
  }
  function nextDoubtful() {
    const order = [...doubtful].sort((a, b) => (pageOf(a) ?? 0) - (pageOf(b) ?? 0));
    const at = order.findIndex((item) => item.id === selected);
    select(order[(at + 1) % order.length]);
  }
  function change(item: ReviewedItem, part: { status?: "accepted" | "rejected"; bbox?: Box; kind?: string } | undefined) {
    if (item.state === "added") {
      const position = Number(item.id.replace("added_", "")) - 1;
      const added = changes.added.flatMap((one, at) => {
        if (at !== position) return [one];
        if (!part || part.status === "rejected") return [];
        return [{ ...one, bbox: part.bbox ?? one.bbox, ...(part.kind ? { kind: part.kind } : {}) }];
      });
      if (added.length < changes.added.length) setSelected(undefined);
      onChange({ ...changes, added });
      return;
    }
    const others = changes.items.filter((one) => one.id !== item.id);
    const before = changes.items.find((one) => one.id === item.id);
    if (!part) return onChange({ ...changes, items: others });
    const kept = before && part.status !== "rejected" ? before : { id: item.id };
    onChange({ ...changes, items: [...others, { ...kept, id: item.id, status: part.status ?? "accepted", ...part }] });
  }
  function add(box: Box) {
    setAdding(false);
    const list = chosen?.list ?? lists[0];
    if (!list || !page || box.x1 >= box.x2 || box.y1 >= box.y2) return;
    const kind = kindsOf(model, list)[0];
    const last = here.find((item) => item.list === list)?.kind;
    const allowed = kindsOf(model, list);
    const used = last && allowed.includes(last) ? last : kind;
    onChange({ ...changes, added: [...changes.added, { list, page: current, bbox: box, ...(used ? { kind: used } : {}) }] });
    setSelected(`added_${changes.added.length + 1}`);
  }
  function key(name: string): boolean {
    if (name === "n" || name === "N") nextDoubtful();
    else if (name === "Escape") {
      setSelected(undefined);
      setAdding(false);
    } else if (chosen && (name === "a" || name === "A")) change(chosen, { status: "accepted" });
    else if (chosen && (name === "r" || name === "R")) change(chosen, { status: "rejected" });
    else return false;
    return true;
  }
  const counts = new Map<number, number>();
  for (const item of visible) counts.set(pageOf(item) ?? 0, (counts.get(pageOf(item) ?? 0) ?? 0) + 1);

  return (
    <div class="sheets-and-items">
      <div>
        <div class="bar">
          <button type="button" disabled={current <= 1} onClick={() => setNumber(current - 1)}>
            {t("previous_sheet")}
          </button>
          <b>
            {t("sheet", { page: current })} / {pages.value.page_count}
          </b>
          <button type="button" disabled={current >= pages.value.page_count} onClick={() => setNumber(current + 1)}>
            {t("next_sheet")}
          </button>
          <button type="button" disabled={doubtful.length === 0} onClick={nextDoubtful}>
            {t("next_doubtful", { count: doubtful.length })}
          </button>
          {lists.length > 0 && (
            <button type="button" aria-pressed={adding} onClick={() => setAdding(!adding)}>
              {t("add")}
            </button>
          )}
        </div>
        <p role="status" class="note">
          {adding ? t("add_here") : ""}
        </p>
        {page && (
          <Viewer
            document={job.document_id}
            page={page}
            items={here}
            colors={colors}
            selected={selected}
            adding={adding}
            onSelect={setSelected}
            onMove={(id, bbox) => {
              const item = here.find((one) => one.id === id);
              if (item) change(item, { status: "accepted", bbox });
            }}
            onAdd={add}
            onKey={key}
          />
        )}
      </div>
      <aside aria-label={t("items")}>
        <label class="block">
          {t("least_confidence", { value: number(least, 2) })}
          <input type="range" min={0} max={1} step={0.01} value={least} onInput={(event) => setLeast(Number(event.currentTarget.value))} />
        </label>
        <fieldset>
          <legend>{t("kinds")}</legend>
          {kinds.map((kind) => (
            <label key={kind} class="kind">
              <input
                type="checkbox"
                checked={!hidden.has(kind)}
                onChange={() =>
                  setHidden((before) => {
                    const after = new Set(before);
                    if (!after.delete(kind)) after.add(kind);
                    return after;
                  })
                }
              />
              <span class={`swatch c${colors.get(kind)}`} aria-hidden="true" />
              {word(kind)}
              <span class="number">{number(sure.filter((item) => item.kind === kind && item.state !== "rejected").length)}</span>
            </label>
          ))}
        </fieldset>
        {counts.size > 1 && (
          <details>
            <summary>{t("by_sheet")}</summary>
            <ul class="plain">
              {[...counts].sort(([a], [b]) => a - b).map(([page, count]) => (
                <li key={page}>
                  <button type="button" class="quiet" onClick={() => setNumber(page)}>
                    {t("sheet", { page })}: {number(count)}
                  </button>
                </li>
              ))}
            </ul>
          </details>
        )}
        {chosen && <Chosen item={chosen} kinds={kindsFor(model, items, chosen.list)} onChange={(part) => change(chosen, part)} />}
        <h2>{t("items_of_sheet", { count: here.length })}</h2>
        {here.length === 0 && <p>{t("no_items")}</p>}
        {here.length > LISTED && <p class="note">{t("first_items", { count: LISTED })}</p>}
        <ul class="plain items">
          {here.slice(0, LISTED).map((item) => (
            <li key={item.id}>
              <button type="button" class={`item ${item.state}`} aria-pressed={item.id === selected} onClick={() => select(item)}>
                <span class={`swatch c${colors.get(item.kind)}`} aria-hidden="true" />
                <span>
                  {word(item.kind)} {item.label}
                </span>
                <span class="state">{item.state === "open" ? "" : t(item.state)}</span>
                <span class="number">{item.confidence === undefined ? "" : number(item.confidence, 2)}</span>
              </button>
            </li>
          ))}
        </ul>
      </aside>
    </div>
  );
}

function hasBoxes(model: Model): boolean {
  return listsOf(model).length > 0;
}

/** Returns the lists of a model's result whose items have boxes, by its schema. */
function listsOf(model: Model): string[] {
  const schema = model.result as { properties?: Record<string, { type?: unknown; items?: { $ref?: string; properties?: object } }>; $defs?: Record<string, { properties?: object }> } | null;
  return Object.entries(schema?.properties ?? {}).flatMap(([name, property]) => {
    if (property.type !== "array") return [];
    const item = property.items?.$ref ? schema?.$defs?.[property.items.$ref.split("/").pop() ?? ""] : property.items;
    const fields = Object.keys(item?.properties ?? {});
    return fields.includes("bbox") && fields.includes("page") ? [name] : [];
  });
}

function kindsFor(model: Model | undefined, items: ReviewedItem[], list: string): string[] {
  const allowed = kindsOf(model, list);
  // Without kinds in the schema, an item may get the kind of another one, as the server allows.
  const used = items.filter((item) => item.list === list && item.kind !== list.replace(/s$/, "")).map((item) => item.kind);
  return [...new Set([...allowed, ...used])];
}

interface ChosenProps {
  item: ReviewedItem;
  kinds: string[];
  onChange: (part: { status?: "accepted" | "rejected"; bbox?: Box; kind?: string } | undefined) => void;
}

/** What a person says of the selected item. */
function Chosen({ item, kinds, onChange }: ChosenProps) {
  const moved = (x: number, y: number, grow: number) => {
    const { x1, y1, x2, y2 } = item.box;
    const bbox = { x1: x1 + x - grow, y1: y1 + y - grow, x2: x2 + x + grow, y2: y2 + y + grow };
    if (bbox.x1 < bbox.x2 && bbox.y1 < bbox.y2) onChange({ status: "accepted", bbox });
  };
  return (
    <section class="panel" aria-labelledby="review">
      <h2 id="review">{t("review")}</h2>
      <p>
        {word(item.kind)} {item.label} <span class="state">{t(item.state === "open" ? "not_reviewed" : item.state)}</span>
        {item.confidence !== undefined && (
          <>
            <br />
            {t("confidence")}: {number(item.confidence, 2)}
          </>
        )}
      </p>
      <div class="bar">
        {item.state !== "added" && (
          <button type="button" class="main" onClick={() => onChange({ status: "accepted" })}>
            {t("accept")}
          </button>
        )}
        <button type="button" onClick={() => onChange({ status: "rejected" })}>
          {t("reject")}
        </button>
        {item.state !== "open" && (
          <button type="button" class="quiet" onClick={() => onChange(undefined)}>
            {t("reopen")}
          </button>
        )}
      </div>
      {kinds.length > 1 && item.state !== "rejected" && (
        <label class="block">
          {t("kind")}{" "}
          <select value={item.kind} onChange={(event) => onChange({ status: "accepted", kind: event.currentTarget.value })}>
            {[...new Set([item.kind, ...kinds])].map((kind) => (
              <option key={kind} value={kind}>
                {word(kind)}
              </option>
            ))}
          </select>
        </label>
      )}
      {item.state !== "rejected" && (
        <div class="bar nudge">
          {(
            [
              ["←", "move_left", -NUDGE, 0, 0],
              ["→", "move_right", NUDGE, 0, 0],
              ["↑", "move_up", 0, NUDGE, 0],
              ["↓", "move_down", 0, -NUDGE, 0],
              ["+", "larger", 0, 0, NUDGE / 2],
              ["−", "smaller", 0, 0, -NUDGE / 2],
            ] as const
          ).map(([sign, name, x, y, grow]) => (
            <button key={name} type="button" aria-label={t(name)} title={t(name)} onClick={() => moved(x, y, grow)}>
              {sign}
            </button>
          ))}
        </div>
      )}
    </section>
  );
}

interface ScheduleProps {
  schedule: Schedule;
  position: number;
  changes: Edit;
  onChange: (changes: Edit) => void;
}

/** A schedule whose cells can be corrected. */
function ScheduleTable({ schedule, position, changes, onChange }: ScheduleProps) {
  const title = schedule.title || t("schedule", { number: position + 1 });
  const corrected = new Map(changes.cells.filter((cell) => cell.schedule === position).map((cell) => [`${cell.row} ${cell.header}`, cell.text]));
  function correct(row: number, header: string, text: string) {
    const others = changes.cells.filter((cell) => cell.schedule !== position || cell.row !== row || cell.header !== header);
    const same = schedule.rows[row]?.[header] === text;
    onChange({ ...changes, cells: same ? others : [...others, { schedule: position, row, header, text }] });
  }
  return (
    <section aria-labelledby={`schedule-${position}`}>
      <h2 id={`schedule-${position}`}>{title}</h2>
      <Table label={title}>
        <thead>
          <tr>
            {schedule.headers.map((header) => (
              <th key={header}>{header}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {schedule.rows.map((row, at) => (
            <tr key={at}>
              {schedule.headers.map((header) => {
                const now = corrected.get(`${at} ${header}`);
                return (
                  <td key={header} class={now === undefined ? "cell" : "cell corrected"}>
                    <input
                      aria-label={t("cell", { header, row: at + 1 })}
                      value={now ?? row[header] ?? ""}
                      onChange={(event) => correct(at, header, event.currentTarget.value)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
