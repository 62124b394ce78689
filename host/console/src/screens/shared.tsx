// What a link shows to somebody without a key: one result as reviewed, over the pages of its document.
import { useMemo, useState } from "preact/hooks";
import { client, read } from "../api/client";
import { pagesOfLink } from "../api/pages";
import { useLoaded } from "../parts/loaded";
import { Loading, Problem, Title } from "../parts/parts";
import { SheetPicker } from "../parts/sheet-picker";
import { divisionsOf, placesOf } from "../result/contents";
import { ContentsTree } from "../result/contents-tree";
import { Counts } from "../result/counts";
import { Filters } from "../result/filters";
import { ItemList } from "../result/item-list";
import { type Fields, itemsOf } from "../result/items";
import { ScheduleTables } from "../result/schedule-tables";
import { schedulesOf } from "../result/schedules";
import { asReviewed, NO_CHANGES, type ReviewedItem } from "../review/changes";
import { day, heading, t } from "../text";
import { COLORS } from "../viewer/shapes";
import { Viewer } from "../viewer/viewer";

// Most pages that are described at once.
const PAGES = 1000;

export function Shared({ token }: { token: string }) {
  const path = { token };
  const about = useLoaded((signal) => read(() => client.GET("/v1/shared/{token}", { params: { path }, signal }), signal), [token]);
  const result = useLoaded((signal) => read(() => client.GET("/v1/shared/{token}/result", { params: { path }, signal }), signal), [token]);
  const pages = useLoaded((signal) => read(() => client.GET("/v1/shared/{token}/pages", { params: { path, query: { limit: PAGES } }, signal }), signal), [token]);
  const [page, setPage] = useState<number>();
  const [least, setLeast] = useState(0);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<string>();
  const source = useMemo(() => pagesOfLink(token), [token]);
  const fields = (result.value ?? {}) as Fields;
  const schedules = useMemo(() => schedulesOf(fields), [result.value]);
  const divisions = useMemo(() => divisionsOf(fields), [result.value]);
  const items = useMemo(() => asReviewed([...itemsOf(fields), ...placesOf(divisions)], fields), [result.value, divisions]);
  const kinds = useMemo(() => [...new Set(items.map((item) => item.kind))].sort(), [items]);
  const colors = useMemo(() => new Map(kinds.map((kind, at) => [kind, at % COLORS])), [kinds]);
  const error = about.error ?? result.error ?? pages.error;
  if (error) {
    return (
      <div class="stack narrow">
        <Title>{t("shared_gone")}</Title>
        <Problem error={error} />
      </div>
    );
  }
  if (!about.value || !result.value || !pages.value) return <Loading />;

  const count = pages.value.page_count;
  const current = page ?? items.find((item) => item.page !== undefined)?.page ?? 1;
  const pageOf = (item: ReviewedItem) => item.page ?? (count === 1 ? 1 : current);
  const nameOf = (page: number) => t("sheet", { page: String(page) });
  const sure = items.filter((item) => item.confidence === undefined || item.confidence >= least);
  const visible = sure.filter((item) => !hidden.has(item.kind));
  const here = visible.filter((item) => pageOf(item) === current);
  const described = pages.value.pages.find((one) => one.page_number === current);
  const turn = (page: number) => {
    setSelected(undefined);
    setPage(page);
  };
  const select = (id: string) => {
    setSelected(id);
    setPage(items.find((item) => item.id === id)?.page ?? current);
  };
  return (
    <div class="result">
      <div class="job-bar">
        <div class="job-head">
          <Title>{heading(about.value.model)}</Title>
          <span class="note">{about.value.filename}</span>
        </div>
        <span class="note end">{t("shared_note", { day: day(about.value.expires_at) })}</span>
      </div>
      <div class={schedules.length > 0 || divisions.length > 0 ? "workplace wide" : "workplace"}>
        <div class="drawing">
          <div class="bar toolbar">
            <SheetPicker current={current} count={count} nameOf={nameOf} onTurn={turn} />
          </div>
          {described && (
            <Viewer
              source={source}
              page={described}
              items={here}
              colors={colors}
              selected={here.find((item) => item.id === selected)}
              editable={false}
              adding={false}
              corner={undefined}
              onCorner={() => {}}
              onReshape={() => {}}
              onSelect={setSelected}
              onMove={() => {}}
              onAdd={() => {}}
              onKey={() => false}
            />
          )}
        </div>
        <aside aria-label={t("found")}>
          {schedules.length > 0 && (
            <ScheduleTables schedules={schedules} changes={NO_CHANGES} readOnly selected={selected} nameOf={count > 1 ? nameOf : undefined} onSelect={select} onChange={() => {}} />
          )}
          {divisions.length > 0 && <ContentsTree divisions={divisions} page={current} onPage={turn} selected={selected} onSelect={(place) => select(place.id)} />}
          {items.length > 0 && <Filters items={sure} kinds={kinds} colors={colors} least={least} hidden={hidden} onLeast={setLeast} onHidden={setHidden} />}
          {schedules.length === 0 && divisions.length === 0 && items.length > 0 && <ItemList items={here} colors={colors} selected={selected} onSelect={(item) => setSelected(item.id)} />}
          <Counts items={visible} kinds={kinds} pageOf={pageOf} nameOf={nameOf} onPage={turn} />
        </aside>
      </div>
    </div>
  );
}
