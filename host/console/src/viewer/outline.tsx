// The outline of the selected item, with a handle on each corner and, to add one, on each edge.
import type { Page } from "../api/client";
import type { Corner } from "../result/items";
import { middleOf } from "../result/outline";
import { shownSize, toShown } from "./geometry";

interface Props {
  page: Page;
  outline: Corner[];
  /** The corner that keys and buttons move. */
  chosen: number | undefined;
}

export function Outline({ page, outline, chosen }: Props) {
  const { width, height } = shownSize(page);
  const shown = outline.map(([x, y]) => toShown(page, x, y));
  return (
    <>
      <svg class="shapes outline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <polygon points={shown.map(({ x, y }) => `${x},${y}`).join(" ")} />
      </svg>
      {outline.map((_, at) => (
        <Handle key={`edge-${at}`} page={page} place={middleOf(outline, at)} name="edge" at={at} />
      ))}
      {outline.map((corner, at) => (
        <Handle key={`corner-${at}`} page={page} place={corner} name={at === chosen ? "corner chosen" : "corner"} at={at} />
      ))}
    </>
  );
}

function Handle({ page, place, name, at }: { page: Page; place: Corner; name: string; at: number }) {
  const { width, height } = shownSize(page);
  const { x, y } = toShown(page, ...place);
  const style = { left: `${(x / width) * 100}%`, top: `${(y / height) * 100}%` };
  const marks = name === "edge" ? { "data-edge": at } : { "data-corner": at };
  return <span class={`handle ${name}`} style={style} {...marks} />;
}
