// What this tab proves its caller with: an API key, and for a person's session the token against forged requests.
import { Gate } from "./gate";

// The key of this tab. It is forgotten with the tab.
const KEY = "fanlight.key";

export const credentials = {
  csrf: "",
  get key(): string {
    return sessionStorage.getItem(KEY) ?? "";
  },
  set key(value: string) {
    if (value) sessionStorage.setItem(KEY, value);
    else sessionStorage.removeItem(KEY);
  },
};

/** Open while the server accepts this tab's key. */
class SignedIn extends Gate {
  /** Gets a new key without asking anybody; false if that is not possible. */
  renew: () => Promise<boolean> = () => Promise.resolve(false);
  #renewing: Promise<boolean> | undefined;

  /** Called when a request was refused. Returns once the next one may succeed. */
  async again(signal?: AbortSignal): Promise<void> {
    if (this.open) {
      this.#renewing ??= this.renew().finally(() => (this.#renewing = undefined));
      if (!(await this.#renewing)) this.set(false);
    }
    await this.passed(signal);
  }
}

export const signedIn = new SignedIn();
