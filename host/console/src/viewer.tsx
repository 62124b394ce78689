// The picture of a sheet with what was found on it.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Box, type Page, pagePicture } from "./api";
import { boxToShown, boxToUser, type Point, shownSize, toShown } from "./geometry";
import { Problem } from "./parts";
import type { ReviewedItem } from "./result";
import { number, t, word } from "./text";

// Resolutions of the page's picture, in dots per inch: the first at once, the second when it is enlarged.
const [COARSE_DPI, FINE_DPI] = [100, 200];
const POINTS_PER_INCH = 72;
// Zoom of one step, and the largest zoom in pixels a point.
const STEP = 1.25;
const LARGEST_ZOOM = 12;
// How far an arrow key moves the drawing, in pixels.
const ARROW = 60;
// Size of a corner that is dragged, in pixels.
const HANDLE = 10;
// Part of the view that a selected item fills at most.
const ITEM_PART = 0.25;

interface View {
  zoom: number;
  x: number;
  y: number;
}

interface Props {
  document: string;
  page: Page;
  items: ReviewedItem[];
  colors: Map<string, number>;
  selected: string | undefined;
  adding: boolean;
  onSelect: (id: string | undefined) => void;
  onMove: (id: string, box: Box) => void;
  onAdd: (box: Box) => void;
  onKey: (key: string) => boolean;
}

interface Drag {
  kind: "pan" | "box" | "corner" | "add";
  from: Point;
  view: View;
  box: Box;
}

export function Viewer({ document, page, items, colors, selected, adding, onSelect, onMove, onAdd, onKey }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ zoom: 0, x: 0, y: 0 });
  const [drawn, setDrawn] = useState<Box>();
  const drag = useRef<Drag | undefined>(undefined);
  const touches = useRef(new Map<number, Point>());
  const size = shownSize(page);
  const fine = view.zoom > (COARSE_DPI / POINTS_PER_INCH) * page.user_unit * 1.5;
  const picture = usePicture(document, page.page_number, fine);
  const chosen = items.find((item) => item.id === selected);

  function showAll() {
    const room = frame.current?.getBoundingClientRect();
    if (!room) return;
    const zoom = Math.min(room.width / size.width, room.height / size.height);
    setView({ zoom, x: (room.width - size.width * zoom) / 2, y: (room.height - size.height * zoom) / 2 });
  }
  function zoomAt(factor: number, at?: Point) {
    const room = frame.current?.getBoundingClientRect();
    if (!room) return;
    const { x, y } = at ?? { x: room.width / 2, y: room.height / 2 };
    setView((view) => {
      const zoom = Math.min(Math.max(view.zoom * factor, 0.02), LARGEST_ZOOM);
      const real = zoom / view.zoom;
      return { zoom, x: x - (x - view.x) * real, y: y - (y - view.y) * real };
    });
  }
  const pan = (x: number, y: number) => setView((view) => ({ ...view, x: view.x + x, y: view.y + y }));

  useLayoutEffect(showAll, [page]);
  useEffect(() => {
    const room = frame.current?.getBoundingClientRect();
    if (!room || !chosen) return;
    const box = boxToShown(page, chosen.box);
    const [width, height] = [box.x2 - box.x1, box.y2 - box.y1];
    setView((view) => {
      const most = Math.min((room.width * ITEM_PART) / width, (room.height * ITEM_PART) / height, LARGEST_ZOOM);
      const zoom = Math.max(view.zoom, Math.min(most, 2));
      return { zoom, x: room.width / 2 - (box.x1 + width / 2) * zoom, y: room.height / 2 - (box.y1 + height / 2) * zoom };
    });
    // Only when another item is selected: one that is being moved stays where it is.
  }, [selected, page]);
  useEffect(() => {
    const element = frame.current;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      zoomAt(event.deltaY < 0 ? STEP : 1 / STEP, inFrame(event));
    };
    element?.addEventListener("wheel", wheel, { passive: false });
    return () => element?.removeEventListener("wheel", wheel);
  }, []);

  function inFrame(event: { clientX: number; clientY: number }): Point {
    const room = frame.current?.getBoundingClientRect();
    return { x: event.clientX - (room?.left ?? 0), y: event.clientY - (room?.top ?? 0) };
  }
  const inPage = (point: Point): Point => ({ x: (point.x - view.x) / view.zoom, y: (point.y - view.y) / view.zoom });

  function down(event: PointerEvent) {
    const at = inFrame(event);
    touches.current.set(event.pointerId, at);
    if ((event.target as Element).closest("button")) return;
    frame.current?.setPointerCapture(event.pointerId);
    const part = (event.target as Element).getAttribute("data-part");
    const shown = chosen && boxToShown(page, chosen.box);
    const none = { x1: 0, y1: 0, x2: 0, y2: 0 };
    if (adding) drag.current = { kind: "add", from: at, view, box: none };
    else if (shown && part === "corner") drag.current = { kind: "corner", from: at, view, box: shown };
    else if (shown && part === "selected") drag.current = { kind: "box", from: at, view, box: shown };
    else drag.current = { kind: "pan", from: at, view, box: none };
  }

  function move(event: PointerEvent) {
    const known = touches.current.get(event.pointerId);
    if (!known) return;
    const at = inFrame(event);
    touches.current.set(event.pointerId, at);
    const others = [...touches.current.entries()].filter(([id]) => id !== event.pointerId);
    const other = others[0]?.[1];
    if (other) {
      const distance = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y);
      if (distance(known) > 0) zoomAt(distance(at) / distance(known), { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
      drag.current = undefined;
      return;
    }
    const began = drag.current;
    if (!began) return;
    const [x, y] = [(at.x - began.from.x) / view.zoom, (at.y - began.from.y) / view.zoom];
    const { box } = began;
    if (began.kind === "pan") setView({ ...began.view, x: began.view.x + at.x - began.from.x, y: began.view.y + at.y - began.from.y });
    else if (began.kind === "box") setDrawn({ x1: box.x1 + x, y1: box.y1 + y, x2: box.x2 + x, y2: box.y2 + y });
    else if (began.kind === "corner") setDrawn({ ...box, x2: Math.max(box.x2 + x, box.x1 + 1), y2: Math.max(box.y2 + y, box.y1 + 1) });
    else {
      const [from, to] = [inPage(began.from), inPage(at)];
      setDrawn({ x1: Math.min(from.x, to.x), y1: Math.min(from.y, to.y), x2: Math.max(from.x, to.x), y2: Math.max(from.y, to.y) });
    }
  }

  function up(event: PointerEvent) {
    touches.current.delete(event.pointerId);
    const began = drag.current;
    drag.current = undefined;
    setDrawn(undefined);
    if (!began) return;
    const at = inFrame(event);
    const still = Math.hypot(at.x - began.from.x, at.y - began.from.y) < 4;
    if (still && began.kind !== "add") {
      const hit = window.document.elementsFromPoint(event.clientX, event.clientY).find((element) => element.hasAttribute("data-id"));
      onSelect(hit?.getAttribute("data-id") ?? undefined);
    } else if (drawn && began.kind === "add") onAdd(boxToUser(page, drawn));
    else if (drawn && chosen && began.kind !== "pan") onMove(chosen.id, boxToUser(page, drawn));
  }

  function press(event: KeyboardEvent) {
    if (event.target !== frame.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows: Record<string, [number, number]> = { ArrowLeft: [ARROW, 0], ArrowRight: [-ARROW, 0], ArrowUp: [0, ARROW], ArrowDown: [0, -ARROW] };
    const arrow = arrows[event.key];
    if (arrow) pan(...arrow);
    else if (event.key === "+" || event.key === "=") zoomAt(STEP);
    else if (event.key === "-") zoomAt(1 / STEP);
    else if (event.key === "0") showAll();
    else if (event.key === "Enter" && adding) addInMiddle();
    else if (!onKey(event.key)) return;
    event.preventDefault();
  }

  function addInMiddle() {
    const room = frame.current?.getBoundingClientRect();
    if (!room) return;
    const middle = inPage({ x: room.width / 2, y: room.height / 2 });
    const half = Math.min(room.width, room.height) / view.zoom / 12;
    onAdd(boxToUser(page, { x1: middle.x - half, y1: middle.y - half, x2: middle.x + half, y2: middle.y + half }));
  }

  return (
    <div class="viewer">
      <div
        ref={frame}
        class={adding ? "frame adding" : "frame"}
        tabIndex={0}
        role="application"
        aria-label={t("drawing", { page: page.page_number })}
        aria-describedby="viewer-keys"
        onKeyDown={press}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={(event) => touches.current.delete(event.pointerId)}
      >
        <div class="layer" style={{ width: size.width, height: size.height, transform: `translate(${view.x}px, ${view.y}px) scale(${view.zoom})` }}>
          {picture.address && <img src={picture.address} alt="" draggable={false} />}
          <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
            {items.map((item) => (
              <Shape key={item.id} item={item} page={page} color={colors.get(item.kind) ?? 0} selected={item.id === selected} drawn={item.id === selected ? drawn : undefined} />
            ))}
            {adding && drawn && <rect class="drawn" x={drawn.x1} y={drawn.y1} width={drawn.x2 - drawn.x1} height={drawn.y2 - drawn.y1} />}
            {chosen && <Corner box={drawn ?? boxToShown(page, chosen.box)} zoom={view.zoom} />}
          </svg>
        </div>
      </div>
      <p id="viewer-keys" class="hidden">
        {t("viewer_keys")}
      </p>
      <div class="zoom">
        <button type="button" aria-label={t("zoom_in")} title={t("zoom_in")} onClick={() => zoomAt(STEP)}>
          +
        </button>
        <button type="button" aria-label={t("zoom_out")} title={t("zoom_out")} onClick={() => zoomAt(1 / STEP)}>
          −
        </button>
        <button type="button" onClick={showAll}>
          {t("show_all")}
        </button>
      </div>
      <Problem error={picture.error} />
    </div>
  );
}

function Shape({ item, page, color, selected, drawn }: { item: ReviewedItem; page: Page; color: number; selected: boolean; drawn: Box | undefined }) {
  const box = drawn ?? boxToShown(page, item.box);
  const classes = `shape c${color} ${item.state}${selected ? " selected" : ""}`;
  const sure = item.confidence === undefined ? "" : ` ${number(item.confidence, 2)}`;
  const corners = item.polygon?.map(([x, y]) => toShown(page, x, y));
  return (
    <g class={classes}>
      {corners && !drawn && <polygon points={corners.map(({ x, y }) => `${x},${y}`).join(" ")} />}
      <rect data-id={item.id} data-part={selected ? "selected" : undefined} x={box.x1} y={box.y1} width={box.x2 - box.x1} height={box.y2 - box.y1}>
        <title>{`${word(item.kind)}${sure} ${item.label}`}</title>
      </rect>
    </g>
  );
}

function Corner({ box, zoom }: { box: Box; zoom: number }) {
  const side = HANDLE / (zoom || 1);
  return <rect class="corner" data-part="corner" x={box.x2 - side / 2} y={box.y2 - side / 2} width={side} height={side} />;
}

/** Loads the picture of a page: the coarse one at once, and a fine one when it is wanted. */
function usePicture(document: string, page: number, fine: boolean): { address: string; error: unknown } {
  const [state, setState] = useState<{ address: string; error: unknown }>({ address: "", error: undefined });
  const finest = useRef(0);
  useEffect(() => {
    finest.current = 0;
    setState({ address: "", error: undefined });
  }, [document, page]);
  useEffect(() => {
    const dpi = fine ? FINE_DPI : COARSE_DPI;
    if (finest.current >= dpi) return;
    const ended = new AbortController();
    pagePicture(document, page, dpi, ended.signal).then(
      (blob) => {
        if (ended.signal.aborted) return;
        finest.current = dpi;
        setState({ address: URL.createObjectURL(blob), error: undefined });
      },
      (error: unknown) => ended.signal.aborted || setState((state) => ({ ...state, error })),
    );
    return () => ended.abort(new DOMException("left", "AbortError"));
  }, [document, page, fine]);
  useEffect(() => () => URL.revokeObjectURL(state.address), [state.address]);
  return state;
}
