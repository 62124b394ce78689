// The picture of a whole page, coarse. Tiles lie over it where it is enlarged.
import { useEffect, useState } from "preact/hooks";
import type { PageSource } from "../api/pages";

/** Resolution of the picture in dots per inch. */
export const COARSE = 100;

export interface Picture {
  address: string;
  error: unknown;
}

/** Loads the picture of a page. */
export function usePicture(source: PageSource, page: number): Picture {
  const [state, setState] = useState<Picture>({ address: "", error: undefined });
  useEffect(() => {
    const ended = new AbortController();
    setState({ address: "", error: undefined });
    source.picture(page, COARSE, ended.signal).then(
      (blob) => ended.signal.aborted || setState({ address: URL.createObjectURL(blob), error: undefined }),
      (error: unknown) => ended.signal.aborted || setState({ address: "", error }),
    );
    return () => ended.abort(new DOMException("left", "AbortError"));
  }, [source.key, page]);
  useEffect(() => () => URL.revokeObjectURL(state.address), [state.address]);
  return state;
}
