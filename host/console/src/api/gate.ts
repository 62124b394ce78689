// Something that requests wait for: the connection, or a person who signs in.

/** Closed at times; whoever waits goes on when it opens. */
export class Gate {
  open = true;
  readonly #waiting = new Set<() => void>();
  readonly #listeners = new Set<() => void>();

  set(open: boolean): void {
    if (this.open === open) return;
    this.open = open;
    if (open) {
      for (const go of this.#waiting) go();
      this.#waiting.clear();
    }
    for (const listener of this.#listeners) listener();
  }

  passed(signal?: AbortSignal): Promise<void> {
    if (this.open) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.add(resolve);
      signal?.addEventListener("abort", () => {
        this.#waiting.delete(resolve);
        reject(signal.reason);
      });
    });
  }

  /** Calls the listener at each change until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
