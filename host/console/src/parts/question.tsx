// A question before something that cannot be undone.
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../text";

interface Asked {
  text: string;
  action: string;
  answer: (yes: boolean) => void;
}

let show: ((asked: Asked) => void) | undefined;

/** Asks, and returns whether the person agrees. */
export function agreed(text: string, action: string): Promise<boolean> {
  return new Promise((resolve) => (show ? show({ text, action, answer: resolve }) : resolve(confirm(text))));
}

/** The place where questions appear. */
export function Question() {
  const [asked, setAsked] = useState<Asked>();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    show = setAsked;
    return () => (show = undefined);
  }, []);
  useEffect(() => {
    if (asked) dialog.current?.showModal();
  }, [asked]);
  const close = (yes: boolean) => {
    asked?.answer(yes);
    dialog.current?.close();
    setAsked(undefined);
  };
  return (
    <dialog ref={dialog} class="question" aria-labelledby="question" onCancel={() => close(false)}>
      <p id="question">{asked?.text}</p>
      <div class="bar end">
        <button type="button" onClick={() => close(false)}>
          {t("keep")}
        </button>
        <button type="button" class="main bad" onClick={() => close(true)}>
          {asked?.action}
        </button>
      </div>
    </dialog>
  );
}
