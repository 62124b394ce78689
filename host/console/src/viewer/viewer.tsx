// The picture of a sheet with what was found on it.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Box, Page } from "../api/client";
import type { PageSource } from "../api/pages";
import { Problem } from "../parts/parts";
import type { Corner } from "../result/items";
import { withCornerAfter, withCornerMoved } from "../result/outline";
import type { ReviewedItem } from "../review/changes";
import { t } from "../text";
import { Camera } from "./camera";
import { boxToShown, boxToUser, placed, type Point, pointToUser, shownSize, toShown } from "./geometry";
import { contains, itemAt } from "./hit";
import { Outline } from "./outline";
import { usePicture } from "./picture";
import { between, dragged, HANDLES } from "./resize";
import { Shapes } from "./shapes";
import { Tiles } from "./tiles";
import { Tooltip, type Hovered } from "./tooltip";

// Zoom of one step of the keys and buttons.
const STEP = 1.25;
// Zoom of a wheel's step, per pixel that the browser reports.
const WHEEL = 0.0018;
// How far an arrow key moves the drawing, in pixels, and a selected box, in points.
const ARROW = 60;
const NUDGE = 1;
// A press that moves less is a click, in pixels.
const STILL = 4;
// A selected item that is narrower is enlarged, in pixels.
const SMALLEST_SHOWN = 24;
// Boxes are hit within this distance, in pixels.
const NEAR = 3;

interface Props {
  source: PageSource;
  page: Page;
  items: ReviewedItem[];
  colors: Map<string, number>;
  selected: ReviewedItem | undefined;
  editable: boolean;
  adding: boolean;
  /** The corner of the selected item's outline that keys move. */
  corner: number | undefined;
  onSelect: (id: string | undefined) => void;
  onMove: (id: string, box: Box) => void;
  onReshape: (id: string, outline: Corner[]) => void;
  onCorner: (corner: number) => void;
  onAdd: (box: Box) => void;
  onKey: (key: string) => boolean;
}

interface Drag {
  kind: "pan" | "box" | "add" | "corner";
  handle: string;
  from: Point;
  last: Point;
  box: Box;
  outline: Corner[];
  /** The corner of the outline that is dragged. */
  corner: number;
}

export function Viewer({ source, page, items, colors, selected, editable, adding, corner, onSelect, onMove, onReshape, onCorner, onAdd, onKey }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const camera = useRef<Camera | undefined>(undefined);
  const drag = useRef<Drag | undefined>(undefined);
  const pointedAt = useRef<string | undefined>(undefined);
  const touches = useRef(new Map<number, Point>());
  const [zoom, setZoom] = useState(0);
  const [seen, setSeen] = useState<Box>();
  const [drawn, setDrawn] = useState<Box>();
  const [reshaped, setReshaped] = useState<Corner[]>();
  const [hovered, setHovered] = useState<Hovered>();
  const size = shownSize(page);
  const picture = usePicture(source, page.page_number);
  const movable = editable && selected?.reviewable === true && selected.page !== undefined && selected.state !== "rejected";
  const chosenBox = selected && boxToShown(page, selected.box);
  const outline = movable ? selected.polygon : undefined;

  useLayoutEffect(() => {
    if (!frame.current || !layer.current) return;
    const made = new Camera(frame.current, layer.current, size, setZoom, setSeen);
    camera.current = made;
    made.showAll();
    const resized = new ResizeObserver(() => made.resized());
    resized.observe(frame.current);
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const pixels = event.deltaMode === 0 ? event.deltaY : event.deltaY * 40;
      made.zoomAt(Math.exp(-Math.min(Math.max(pixels, -400), 400) * WHEEL), inFrame(event));
    };
    const element = frame.current;
    element.addEventListener("wheel", wheel, { passive: false });
    return () => {
      made.leave();
      resized.disconnect();
      element.removeEventListener("wheel", wheel);
    };
  }, [page]);
  useEffect(() => {
    const box = selected && boxToShown(page, selected.box);
    // What a person has pointed at stays where it is.
    if (!box || selected?.id === pointedAt.current) return;
    const large = (box.x2 - box.x1) * (camera.current?.zoom ?? 0) >= SMALLEST_SHOWN;
    if (!large || !camera.current?.sees(box)) camera.current?.centre(box);
    // Only when another item is selected: one that is being moved stays where it is.
  }, [selected?.id, page]);

  function inFrame(event: { clientX: number; clientY: number }): Point {
    const room = frame.current?.getBoundingClientRect();
    return { x: event.clientX - (room?.left ?? 0), y: event.clientY - (room?.top ?? 0) };
  }
  const inPage = (at: Point) => camera.current?.inPage(at) ?? at;
  const near = () => NEAR / (camera.current?.zoom ?? 1);

  function down(event: PointerEvent) {
    const at = inFrame(event);
    touches.current.set(event.pointerId, at);
    frame.current?.setPointerCapture(event.pointerId);
    setHovered(undefined);
    const handle = (event.target as Element).getAttribute("data-handle");
    const none = { x1: 0, y1: 0, x2: 0, y2: 0 };
    const start = { handle: handle ?? "", from: at, last: at, outline: [], corner: 0 };
    const grip = outline && gripOf(event.target as Element, outline);
    if (grip) drag.current = { ...start, ...grip, kind: "corner", box: none };
    else if (adding) drag.current = { ...start, kind: "add", box: none };
    else if (movable && chosenBox && (handle || contains(chosenBox, inPage(at), near()))) drag.current = { ...start, kind: "box", box: chosenBox };
    else drag.current = { ...start, kind: "pan", box: none };
  }

  function move(event: PointerEvent) {
    const at = inFrame(event);
    const known = touches.current.get(event.pointerId);
    if (!known) return hover(at);
    touches.current.set(event.pointerId, at);
    const other = [...touches.current].find(([id]) => id !== event.pointerId)?.[1];
    if (other) return pinch(known, at, other);
    const began = drag.current;
    if (!began) return;
    const [from, to] = [inPage(began.from), inPage(at)];
    if (began.kind === "pan") camera.current?.pan(at.x - began.last.x, at.y - began.last.y);
    else if (began.kind === "add") setDrawn(between(from, to));
    else if (began.kind === "corner") setReshaped(withCornerMoved(began.outline, began.corner, pointToUser(page, to)));
    else if (!isStill(began, at)) setDrawn(dragged(began.box, began.handle, { x: to.x - from.x, y: to.y - from.y }));
    began.last = at;
  }

  function pinch(known: Point, at: Point, other: Point) {
    drag.current = undefined;
    setDrawn(undefined);
    setReshaped(undefined);
    const distance = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y);
    if (distance(known) > 0) camera.current?.zoomAt(distance(at) / distance(known), { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
    camera.current?.pan((at.x - known.x) / 2, (at.y - known.y) / 2);
  }

  function hover(at: Point) {
    const item = itemAt(items, page, inPage(at), near());
    setHovered(item && { item, at, box: boxToShown(page, item.box) });
  }

  function up(event: PointerEvent) {
    touches.current.delete(event.pointerId);
    const began = drag.current;
    drag.current = undefined;
    setDrawn(undefined);
    setReshaped(undefined);
    if (!began) return;
    const at = inFrame(event);
    if (began.kind === "add") {
      if (drawn) onAdd(boxToUser(page, drawn));
    } else if (began.kind === "corner") {
      onCorner(began.corner);
      if (reshaped && selected && !isStill(began, at)) onReshape(selected.id, reshaped);
    } else if (isStill(began, at)) {
      pointedAt.current = itemAt(items, page, inPage(at), near())?.id;
      onSelect(pointedAt.current);
    } else if (began.kind === "box" && drawn && selected) onMove(selected.id, boxToUser(page, drawn));
  }

  function press(event: KeyboardEvent) {
    if (event.target !== frame.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows: Record<string, Point> = { ArrowLeft: { x: -1, y: 0 }, ArrowRight: { x: 1, y: 0 }, ArrowUp: { x: 0, y: -1 }, ArrowDown: { x: 0, y: 1 } };
    const arrow = arrows[event.key];
    if (arrow && event.shiftKey && outline && corner !== undefined) nudgeCorner(outline, corner, arrow);
    else if (arrow && event.shiftKey && movable && chosenBox) {
      onMove(selected.id, boxToUser(page, dragged(chosenBox, "", { x: arrow.x * NUDGE, y: arrow.y * NUDGE })));
    } else if (arrow) camera.current?.pan(-arrow.x * ARROW, -arrow.y * ARROW);
    else if (event.key === "+" || event.key === "=") camera.current?.zoomAt(STEP);
    else if (event.key === "-") camera.current?.zoomAt(1 / STEP);
    else if (event.key === "0") camera.current?.showAll();
    else if (event.key === "Enter" && adding) addInMiddle();
    else if (!onKey(event.key)) return;
    event.preventDefault();
  }

  function nudgeCorner(outline: Corner[], corner: number, arrow: Point) {
    const [x, y] = outline[corner] ?? [0, 0];
    const place = toShown(page, x, y);
    const to = pointToUser(page, { x: place.x + arrow.x * NUDGE, y: place.y + arrow.y * NUDGE });
    if (selected) onReshape(selected.id, withCornerMoved(outline, corner, to));
  }

  function addInMiddle() {
    const element = frame.current;
    if (!element) return;
    const { clientWidth: width, clientHeight: height } = element;
    const half = Math.min(width, height) / 12;
    const [from, to] = [inPage({ x: width / 2 - half, y: height / 2 - half }), inPage({ x: width / 2 + half, y: height / 2 + half })];
    onAdd(boxToUser(page, between(from, to)));
  }

  const shapes = useMemo(() => <Shapes page={page} items={items} colors={colors} without={selected?.id} />, [page, items, colors, selected?.id]);
  const shown = drawn ?? (adding ? undefined : chosenBox);
  return (
    <div class="viewer">
      <div
        ref={frame}
        class={adding ? "frame adding" : "frame"}
        tabIndex={0}
        role="application"
        aria-label={t("drawing", { page: String(page.page_number) })}
        aria-describedby="viewer-keys"
        onKeyDown={press}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerLeave={() => setHovered(undefined)}
        onPointerCancel={(event) => {
          touches.current.delete(event.pointerId);
          drag.current = undefined;
          setDrawn(undefined);
          setReshaped(undefined);
        }}
      >
        <div ref={layer} class="layer">
          {picture.address && <img class="whole" src={picture.address} alt="" draggable={false} />}
          <Tiles source={source} page={page} seen={seen} zoom={zoom} />
          {shapes}
          {hovered && !shown && <div class="hover" style={placed(hovered.box, size)} />}
          {shown && (
            <div class={movable || drawn ? "selection movable" : "selection"} style={placed(shown, size)}>
              {movable && !outline && HANDLES.map((handle) => <span key={handle} class={`handle ${handle}`} data-handle={handle} />)}
            </div>
          )}
          {outline && !drawn && !adding && <Outline page={page} outline={reshaped ?? outline} chosen={corner} />}
        </div>
        {!picture.address && !picture.error && <p class="loading over">{t("loading_sheet")}</p>}
        {hovered && <Tooltip hovered={hovered} />}
      </div>
      <p id="viewer-keys" class="hidden">
        {t("viewer_keys")}
      </p>
      <div class="zoom" role="group" aria-label={t("zoom")}>
        <button type="button" aria-label={t("zoom_out")} title={t("zoom_out")} onClick={() => camera.current?.zoomAt(1 / STEP)}>
          −
        </button>
        <button type="button" aria-label={t("zoom_in")} title={t("zoom_in")} onClick={() => camera.current?.zoomAt(STEP)}>
          +
        </button>
        <button type="button" onClick={() => camera.current?.showAll()}>
          {t("show_all")}
        </button>
      </div>
      <Problem error={picture.error} />
    </div>
  );
}

/** Returns the corner that a press takes hold of, and the outline with it. A press on an edge's handle makes one. */
function gripOf(target: Element, outline: Corner[]): { outline: Corner[]; corner: number } | undefined {
  const [corner, edge] = [target.getAttribute("data-corner"), target.getAttribute("data-edge")];
  if (corner !== null) return { outline, corner: Number(corner) };
  if (edge === null) return undefined;
  const longer = withCornerAfter(outline, Number(edge));
  return longer === outline ? undefined : { outline: longer, corner: Number(edge) + 1 };
}

function isStill(began: Drag, at: Point): boolean {
  return Math.hypot(at.x - began.from.x, at.y - began.from.y) < STILL;
}
