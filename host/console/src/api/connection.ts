// Whether the server can be reached. While it cannot, it is asked again and again.
import { Gate } from "./gate";

// Pause between two attempts, in milliseconds.
const PAUSE = 1500;

class Connection extends Gate {
  /** Sends a request that any answer satisfies. */
  probe: () => Promise<unknown> = () => Promise.resolve();
  #trying = false;

  lost(): void {
    this.set(false);
    if (!this.#trying) void this.#tryAgain();
  }

  found(): void {
    this.set(true);
  }

  back(signal?: AbortSignal): Promise<void> {
    return this.passed(signal);
  }

  async #tryAgain(): Promise<void> {
    this.#trying = true;
    while (!this.open) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      await this.probe().then(
        () => this.set(true),
        () => {},
      );
    }
    this.#trying = false;
  }
}

export const connection = new Connection();
