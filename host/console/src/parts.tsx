// Parts that several screens use.
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "./api";
import { t } from "./text";

/** Returns why something failed, for people. */
export function reason(error: unknown): string {
  if (error instanceof Refused) return error.code === "REVIEW_CHANGED" ? t("review_changed") : t("failed", { reason: error.message });
  return error instanceof TypeError ? t("no_connection") : t("failed", { reason: String(error) });
}

export function Problem({ error }: { error: unknown }) {
  return error ? (
    <p class="problem" role="alert">
      {reason(error)}
    </p>
  ) : null;
}

interface Loaded<T> {
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

/** A heading that takes the focus when its screen opens, so that screen readers say where one is. */
export function Title({ children }: { children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

/** A table that scrolls by itself on narrow screens. */
export function Table({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>{children}</table>
    </div>
  );
}

export function Loading() {
  return <p role="status">{t("loading")}</p>;
}
