// Tiles of a page at the server's finest resolution, over its coarse picture, where a person looks closely.
import { useEffect, useState } from "preact/hooks";
import type { Box, Page } from "../api/client";
import type { PageSource, TilePlace } from "../api/pages";
import { placed, shownSize } from "./geometry";
import { COARSE } from "./picture";

const POINTS_PER_INCH = 72;
// The zoom level of the tiles, its dots per inch, and the pixels of a tile's side, as the server has them.
const LEVEL = 3;
const FINE = 200;
const TILE = 512;
// The coarse picture may be enlarged this far before tiles are loaded.
const ENLARGED = 1.4;
// Points of a tile's side.
const SIDE = (TILE / FINE) * POINTS_PER_INCH;

interface Props {
  source: PageSource;
  page: Page;
  /** The part of the page that is seen, in points from its top left corner. */
  seen: Box | undefined;
  /** Pixels a point. */
  zoom: number;
}

export function Tiles({ source, page, seen, zoom }: Props) {
  const needed = ((zoom * devicePixelRatio) / page.user_unit) * POINTS_PER_INCH;
  if (!seen || needed <= COARSE * ENLARGED) return null;
  return (
    <>
      {placesIn(seen, shownSize(page)).map((place) => (
        <Tile key={`${source.key}/${page.page_number}/${place.column}/${place.row}`} source={source} page={page} place={place} />
      ))}
    </>
  );
}

/** Returns the places of the tiles that a part of a page shows. */
function placesIn(seen: Box, { width, height }: { width: number; height: number }): TilePlace[] {
  const range = (from: number, to: number, whole: number): number[] => {
    const first = Math.max(Math.floor(from / SIDE), 0);
    const end = Math.ceil(Math.min(to, whole) / SIDE);
    return Array.from({ length: Math.max(end - first, 0) }, (_, at) => first + at);
  };
  const columns = range(seen.x1, seen.x2, width);
  return range(seen.y1, seen.y2, height).flatMap((row) => columns.map((column) => ({ zoom: LEVEL, column, row })));
}

function Tile({ source, page, place }: { source: PageSource; page: Page; place: TilePlace }) {
  const [address, setAddress] = useState("");
  useEffect(() => {
    const ended = new AbortController();
    source.tile(page.page_number, place, ended.signal).then(
      (blob) => ended.signal.aborted || setAddress(URL.createObjectURL(blob)),
      // The coarse picture is still there.
      () => undefined,
    );
    return () => ended.abort(new DOMException("left", "AbortError"));
  }, []);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  if (!address) return null;
  const size = shownSize(page);
  const [left, top] = [place.column * SIDE, place.row * SIDE];
  const box = { x1: left, y1: top, x2: Math.min(left + SIDE, size.width), y2: Math.min(top + SIDE, size.height) };
  return <img class="tile" src={address} alt="" draggable={false} style={placed(box, size)} />;
}
