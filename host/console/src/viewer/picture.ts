// The picture of a page: a coarse one at once, and finer ones when it is enlarged.
import { useEffect, useRef, useState } from "preact/hooks";
import { pagePicture } from "../api/files";

// Resolutions in dots per inch, coarse first. The server has none above 200.
const RESOLUTIONS = [100, 200];
const POINTS_PER_INCH = 72;
// A picture may be enlarged this far before a finer one is loaded.
const ENLARGED = 1.4;

export interface Picture {
  address: string;
  error: unknown;
}

/** Loads the picture of a page for a zoom in pixels a point of `user_unit` inches / 72. */
export function usePicture(document: string, page: number, zoom: number, userUnit: number): Picture {
  const [state, setState] = useState<Picture>({ address: "", error: undefined });
  const finest = useRef(0);
  const needed = ((zoom * devicePixelRatio) / userUnit) * POINTS_PER_INCH;
  const dpi = RESOLUTIONS.find((one) => one * ENLARGED >= needed) ?? RESOLUTIONS.at(-1) ?? 100;
  useEffect(() => {
    finest.current = 0;
    setState({ address: "", error: undefined });
  }, [document, page]);
  useEffect(() => {
    if (zoom === 0 || finest.current >= dpi) return;
    const ended = new AbortController();
    const wanted = finest.current === 0 ? (RESOLUTIONS[0] ?? dpi) : dpi;
    const load = async (resolution: number): Promise<void> => {
      const blob = await pagePicture(document, page, resolution, ended.signal);
      if (ended.signal.aborted) return;
      finest.current = resolution;
      setState({ address: URL.createObjectURL(blob), error: undefined });
      if (resolution < dpi) await load(dpi);
    };
    load(wanted).catch((error: unknown) => ended.signal.aborted || setState((state) => ({ ...state, error })));
    return () => ended.abort(new DOMException("left", "AbortError"));
  }, [document, page, dpi, zoom === 0]);
  useEffect(() => () => URL.revokeObjectURL(state.address), [state.address]);
  return state;
}
