// A complete job's result: the drawing in the middle, and beside it what was found and what a person says of it.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type Box, client, type Job, read, write } from "../api/client";
import { pagesOfDocument } from "../api/pages";
import { useLoaded } from "../parts/loaded";
import { Loading, Problem } from "../parts/parts";
import { SheetPicker } from "../parts/sheet-picker";
import { divisionsOf, placesOf } from "../result/contents";
import { ContentsTree } from "../result/contents-tree";
import { Counts } from "../result/counts";
import { Downloads } from "../result/downloads";
import { Filters } from "../result/filters";
import { ItemList } from "../result/item-list";
import { type Fields, itemsOf } from "../result/items";
import { ReadSections } from "../result/read-sections";
import { ScheduleTables } from "../result/schedule-tables";
import { schedulesOf } from "../result/schedules";
import { cornersOf } from "../result/outline";
import { isOutlined, kindsOf, listsOf } from "../result/schema";
import { Share } from "../result/share";
import { classifiedOf, SheetList } from "../result/sheet-list";
import { asReviewed, isDoubtful, judged, NO_CHANGES, type ReviewedItem, type Verdict, withAdded, withReview } from "../review/changes";
import { Chosen } from "../review/chosen";
import { ReviewProblems, SaveBar } from "../review/save-bar";
import { useReview } from "../review/use-review";
import { t } from "../text";
import { COLORS } from "../viewer/shapes";
import { Viewer } from "../viewer/viewer";
import { sheetsOf } from "./sheets";

// Most pages that are described at once.
const PAGES = 1000;
const SIMILAR = "similar-symbols";

/** What is shown: the items with the marks of the review, the result as the model gave it, or as reviewed. */
type Mode = "marks" | "model" | "reviewed";
const MODES = ["marks", "model", "reviewed"] as const;

interface Props {
  job: Job;
  result: Fields;
  /** The beginning of names of saved files. */
  stem: string;
  head: ComponentChildren;
  about: ComponentChildren;
}

export function Result({ job, result, stem, head, about }: Props) {
  const review = useReview(job.id);
  const [mode, setMode] = useState<Mode>("marks");
  const [page, setPage] = useState<number>();
  const [least, setLeast] = useState(0);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<string>();
  const [corner, setCorner] = useState<number>();
  const [adding, setAdding] = useState(false);
  const [problem, setProblem] = useState<unknown>();

  const documentParams = { path: { document_id: job.document_id }, query: { limit: PAGES } };
  const pages = useLoaded((signal) => read(() => client.GET("/v1/documents/{document_id}/pages", { params: documentParams, signal }), signal), [job.document_id]);
  const model = useLoaded((signal) => read(() => client.GET("/v1/models/{name}", { params: { path: { name: job.model } }, signal }), signal), [job.model]);
  const similar = useLoaded((signal) => read(() => client.GET("/v1/models/{name}", { params: { path: { name: SIMILAR } }, signal }), signal), []);
  const version = review.stored?.version;
  const reviewed = useLoaded(
    async (signal) => {
      if (mode !== "reviewed") return undefined;
      const params = { path: { job_id: job.id }, query: { reviewed: true } };
      return (await read(() => client.GET("/v1/jobs/{job_id}/result", { params, signal }), signal)) as Fields;
    },
    [job.id, mode, version],
  );

  const changes = mode === "marks" ? (review.changes ?? NO_CHANGES) : NO_CHANGES;
  const shown = mode === "reviewed" ? (reviewed.value ?? result) : result;
  const divisions = useMemo(() => divisionsOf(result), [result]);
  const places = useMemo(() => placesOf(divisions), [divisions]);
  const found = useMemo(() => [...itemsOf(shown), ...places], [shown, places]);
  const items = useMemo(() => (mode === "reviewed" ? asReviewed(found, shown) : withReview(found, changes)), [found, changes, mode]);
  const schedules = useMemo(() => schedulesOf(shown), [shown]);
  const classified = useMemo(() => classifiedOf(result), [result]);
  const kinds = useMemo(() => [...new Set(items.map((item) => item.kind))].sort(), [items]);
  const own = useMemo(() => [...itemsOf(result), ...places].map((item) => item.kind).sort(), [result, places]);
  // Kinds of the model's result keep their colours when a review brings others.
  const colors = useMemo(() => new Map([...new Set([...own, ...kinds])].map((kind, at) => [kind, at % COLORS])), [own, kinds]);
  const names = useSheetNames(job.document_id);
  const source = useMemo(() => pagesOfDocument(job.document_id), [job.document_id]);

  const pageCount = pages.value?.page_count ?? 1;
  const firstPage = items.find((item) => item.page !== undefined)?.page ?? 1;
  const current = page ?? firstPage;
  const pageOf = (item: ReviewedItem) => item.page ?? (pageCount === 1 ? 1 : current);
  const sure = useMemo(() => items.filter((item) => item.confidence === undefined || item.confidence >= least), [items, least]);
  const visible = useMemo(() => sure.filter((item) => !hidden.has(item.kind)), [sure, hidden]);
  const here = useMemo(() => visible.filter((item) => pageOf(item) === current), [visible, current, pageCount]);
  const doubtful = visible.filter(isDoubtful);
  const chosen = here.find((item) => item.id === selected);
  const readOnly = mode !== "marks";
  // What the model doubts is judged one by one.
  const open = here.filter((item) => item.reviewable && item.state === "open" && !isDoubtful(item));
  const reviewable = found.some((item) => item.reviewable) || schedules.length > 0 || listsOf(model.value).length > 0;
  const lists = [...new Set([...found.filter((item) => item.reviewable && item.page !== undefined).map((item) => item.list), ...listsOf(model.value)])].filter((list) => list !== "candidates");
  const nameOf = (page: number) => names.get(page) ?? t("sheet", { page: String(page) });

  function select(item: ReviewedItem | undefined) {
    setSelected(item?.id);
    if (item) setPage(pageOf(item));
  }
  const selectById = (id: string) => {
    const item = items.find((one) => one.id === id);
    if (item) select(item);
    else setSelected(id);
  };
  function step(order: ReviewedItem[], by: number) {
    if (order.length === 0) return;
    const at = order.findIndex((item) => item.id === selected);
    select(order[(at < 0 && by < 0 ? order.length - 1 : at + by + order.length) % order.length]);
  }
  function nextDoubtful() {
    const order = [...doubtful].sort((a, b) => pageOf(a) - pageOf(b));
    // The selected one may just have been judged, and so have left the order.
    const at = chosen ? visible.indexOf(chosen) : -1;
    const next = order.find((item) => item.id !== selected && visible.indexOf(item) > at) ?? order.find((item) => item.id !== selected);
    select(next ?? order[0]);
  }
  const change = (item: ReviewedItem, verdict: Verdict | undefined) => {
    if (!readOnly && item.reviewable) review.change(judged(changes, item, verdict));
  };
  /** Accepts what nobody has judged on this sheet, so that the sheet can serve as a label. */
  function acceptRest() {
    review.change(open.reduce((all, item) => judged(all, item, { status: "accepted" }), changes));
  }
  function add(bbox: Box) {
    setAdding(false);
    const list = chosen?.list ?? lists[0];
    if (!list || bbox.x1 >= bbox.x2 || bbox.y1 >= bbox.y2) return;
    const allowed = kindsFor(list);
    const kind = chosen?.list === list && allowed.includes(chosen.kind) ? chosen.kind : allowed[0];
    const outlined = isOutlined(model.value, list) || found.some((item) => item.list === list && item.polygon);
    const added = withAdded(changes, { list, page: current, bbox, ...(kind && { kind }), ...(outlined && { polygon: cornersOf(bbox) }) });
    review.change(added.changes);
    setSelected(added.id);
  }
  /** Kinds that the server accepts: those of the schema, or those of the list's items. */
  function kindsFor(list: string): string[] {
    const allowed = kindsOf(model.value, list);
    if (allowed.length > 0) return allowed;
    return [...new Set(found.filter((item) => item.list === list && item.kind !== list.replace(/s$/, "")).map((item) => item.kind))];
  }
  async function findSimilar(item: ReviewedItem) {
    // The API's description leaves the parameters of each model open.
    const parameters = { page: current, bbox: item.box } as unknown as Record<string, undefined>;
    const body = { document_id: job.document_id, no_cache: false, parameters };
    try {
      const made = await write(() => client.POST("/v1/models/{name}/jobs", { params: { path: { name: SIMILAR } }, body }));
      location.hash = `#/jobs/${made.job_id}`;
    } catch (error) {
      setProblem(error);
    }
  }
  function key(name: string): boolean {
    const keys: Record<string, () => void> = {
      n: nextDoubtful,
      "[": () => step(here, -1),
      "]": () => step(here, 1),
      PageUp: () => current > 1 && turn(current - 1),
      PageDown: () => current < pageCount && turn(current + 1),
      Escape: () => {
        setSelected(undefined);
        setAdding(false);
      },
      ...(chosen && {
        a: () => change(chosen, { status: "accepted" }),
        r: () => change(chosen, { status: "rejected" }),
        Delete: () => change(chosen, { status: "rejected" }),
      }),
    };
    const action = keys[name.length === 1 ? name.toLowerCase() : name];
    action?.();
    return action !== undefined;
  }
  const turn = (page: number) => {
    setSelected(undefined);
    setPage(page);
  };
  useEffect(() => {
    const undo = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "z" && !(event.target instanceof HTMLInputElement)) {
        event.preventDefault();
        review.undo();
      }
    };
    addEventListener("keydown", undo);
    return () => removeEventListener("keydown", undo);
  }, [review.undo]);

  // A corner belongs to the item that is selected.
  useEffect(() => setCorner(undefined), [selected]);

  const described = pages.value?.pages.find((one) => one.page_number === current);
  const aboutChosen = chosen && (
      <Chosen
        item={chosen}
        kinds={kindsFor(chosen.list)}
        readOnly={readOnly}
        onChange={(verdict) => change(chosen, verdict)}
        corner={corner}
        onCorner={setCorner}
        similarFor={similar.value?.installed && chosen.page !== undefined ? similar.value.credits : undefined}
      onSimilar={() => void findSimilar(chosen)}
      />
  );
  const wide = schedules.length > 0 || divisions.length > 0 || classified.length > 0;
  return (
    <div class="result">
      <div class="job-bar">
        {head}
        <div class="bar end">
          {reviewable && !readOnly && <SaveBar review={review} />}
          <Share job={job.id} onProblem={setProblem} />
          <Downloads job={job.id} stem={stem} boxes={found.some((item) => item.reviewable)} tables={schedules.length > 0} reviewed={(version ?? 0) > 0} onProblem={setProblem} />
        </div>
      </div>
      <ReviewProblems review={review} />
      <Problem error={problem ?? pages.error} />
      <div class={wide ? "workplace wide" : "workplace"}>
        <div class="drawing">
          <div class="bar toolbar">
            <SheetPicker current={current} count={pageCount} nameOf={nameOf} named={names} onTurn={turn} />
            {items.some((item) => item.confidence !== undefined) && (
              <button type="button" aria-keyshortcuts="N" disabled={doubtful.length === 0} onClick={nextDoubtful}>
                {t("next_doubtful", { count: doubtful.length })} <kbd aria-hidden="true">N</kbd>
              </button>
            )}
            {reviewable && lists.length > 0 && !readOnly && (
              <button type="button" aria-pressed={adding} onClick={() => setAdding(!adding)}>
                {t("add")}
              </button>
            )}
            {open.length > 0 && !readOnly && (
              <button type="button" onClick={acceptRest}>
                {t("accept_rest", { count: open.length })}
              </button>
            )}
            {reviewable && (
              <select class="end" aria-label={t("show")} value={mode} onChange={(event) => setMode(MODES.find((one) => one === event.currentTarget.value) ?? "marks")}>
                <option value="marks">{t("mode_marks")}</option>
                <option value="model">{t("mode_model")}</option>
                <option value="reviewed">{t("mode_reviewed")}</option>
              </select>
            )}
          </div>
          <p role="status" class={adding ? "hint" : "hidden"}>
            {adding ? t("add_here") : ""}
          </p>
          {!described && !pages.error && <Loading />}
          {described && (
            <Viewer
              source={source}
              page={described}
              items={here}
              colors={colors}
              selected={chosen}
              editable={!readOnly}
              adding={adding}
              corner={corner}
              onCorner={setCorner}
              onReshape={(id, polygon) => {
                const item = here.find((one) => one.id === id);
                if (item) change(item, { polygon });
              }}
              onSelect={setSelected}
              onMove={(id, bbox) => {
                const item = here.find((one) => one.id === id);
                if (item) change(item, { bbox });
              }}
              onAdd={add}
              onKey={key}
            />
          )}
        </div>
        <aside aria-label={t("found")}>
          {schedules.length === 0 && divisions.length === 0 && aboutChosen}
          {schedules.length > 0 && (
            <ScheduleTables schedules={schedules} changes={changes} readOnly={readOnly} selected={selected} nameOf={pageCount > 1 ? nameOf : undefined} onSelect={selectById} onChange={review.change} />
          )}
          {schedules.length > 0 && aboutChosen}
          {divisions.length > 0 && <ContentsTree divisions={divisions} page={current} onPage={turn} selected={selected} onSelect={(place) => selectById(place.id)} />}
          {job.model === "toc-parser" && divisions.length > 0 && <ReadSections job={job} divisions={divisions} />}
          {classified.length > 0 && <SheetList sheets={classified} page={current} onPage={turn} />}
          {items.length > 0 && (
            <Filters items={sure} kinds={kinds} colors={colors} least={least} hidden={hidden} onLeast={setLeast} onHidden={setHidden} />
          )}
          {schedules.length === 0 && divisions.length === 0 && (items.length > 0 || reviewable) && <ItemList items={here} colors={colors} selected={selected} onSelect={select} />}
          <Counts items={visible} kinds={kinds} pageOf={pageOf} nameOf={nameOf} onPage={turn} />
          {about}
        </aside>
      </div>
    </div>
  );
}

/** Returns the numbers of a document's sheets, where drawing-classifier has read them. */
function useSheetNames(document_id: string): Map<number, string> {
  const query = { document_id, model: "drawing-classifier", status: "complete", limit: 1 } as const;
  const loaded = useLoaded(
    async (signal) => {
      const { jobs } = await read(() => client.GET("/v1/jobs", { params: { query }, signal }), signal);
      return jobs[0] ? sheetsOf(jobs[0].id, signal) : undefined;
    },
    [document_id],
  );
  return useMemo(() => new Map([...(loaded.value ?? [])].flatMap(([page, { number }]) => (number ? [[page, number]] : []))), [loaded.value]);
}
