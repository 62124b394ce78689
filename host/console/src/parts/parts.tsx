// Small parts that several screens use.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Refused } from "../api/client";
import { errorText, t } from "../text";

/** Returns why something failed, for people. */
export function reason(error: unknown): string {
  if (error instanceof Refused) {
    const text = errorText(error.code);
    // Only the server's sentence says what is invalid.
    return text && error.code === "VALIDATION_ERROR" ? `${text}: ${error.message}` : (text ?? error.message);
  }
  return error instanceof TypeError ? t("no_connection") : String(error);
}

export function Problem({ error }: { error: unknown }) {
  return error ? (
    <p class="problem" role="alert">
      {reason(error)}
    </p>
  ) : null;
}

/** A heading that takes the focus when its screen opens, so that screen readers say where one is. */
export function Title({ children }: { children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

/** A table that scrolls by itself on narrow screens. */
export function Table({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table>{children}</table>
    </div>
  );
}

export function Loading() {
  return (
    <p class="loading" role="status">
      {t("loading")}
    </p>
  );
}

/** A bar that fills. Without a part it is not known how far something is. */
export function Progress({ label, part }: { label: string; part?: number | undefined }) {
  return part === undefined ? <progress aria-label={label} /> : <progress aria-label={label} value={part} max={1} />;
}
