// Loading what a screen shows.
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Gate } from "../api/gate";

export interface Loaded<T> {
  value: T | undefined;
  error: unknown;
  reload: () => void;
}

/** Loads a value when `dependencies` change, and again on `reload`. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, dependencies: unknown[]): Loaded<T> {
  const [state, setState] = useState<{ value: T | undefined; error: unknown }>({ value: undefined, error: undefined });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    load(ended.signal).then(
      (value) => ended.signal.aborted || setState({ value, error: undefined }),
      (error: unknown) => ended.signal.aborted || setState((state) => ({ ...state, error })),
    );
    return () => ended.abort(new DOMException("left", "AbortError"));
  }, [...dependencies, round]);
  const reload = useCallback(() => setRound((round) => round + 1), []);
  return { ...state, reload };
}

/** Whether a gate is open, now and after each change. */
export function useGate(gate: Gate): boolean {
  const [open, setOpen] = useState(gate.open);
  useEffect(() => {
    setOpen(gate.open);
    return gate.listen(() => setOpen(gate.open));
  }, [gate]);
  return open;
}
