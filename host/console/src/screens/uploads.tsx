// Uploading files one after the other, with progress.
import { useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../api/client";
import { upload } from "../api/upload";
import { Progress, reason } from "../parts/parts";
import { size, percent, t } from "../text";

interface Upload {
  id: number;
  file: File;
  state: "waiting" | "sending" | "done" | "failed";
  part: number;
  document: string | undefined;
  reason: string;
  canRetry: boolean;
}

let last = 0;

export function Uploads({ onUploaded }: { onUploaded: () => void }) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [over, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const busy = uploads.some((one) => one.state === "sending");
  const waiting = uploads.find((one) => one.state === "waiting");
  const left = useRef(new AbortController());

  const change = (id: number, part: Partial<Upload>) => setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)));
  function add(files: Iterable<File> | null | undefined) {
    const chosen = [...(files ?? [])].map((file): Upload => {
      last += 1;
      return { id: last, file, state: "waiting", part: 0, document: undefined, reason: "", canRetry: false };
    });
    setUploads((all) => [...all.filter((one) => one.state !== "done"), ...chosen]);
  }
  async function send(one: Upload) {
    change(one.id, { state: "sending", part: 0 });
    try {
      const { document_id } = await upload(one.file, (part) => change(one.id, { part }), left.current.signal);
      change(one.id, { state: "done", document: document_id });
      onUploaded();
    } catch (error) {
      change(one.id, { state: "failed", reason: reason(error), canRetry: !(error instanceof Refused) || error.status >= 500 });
    }
  }
  useEffect(() => {
    if (waiting && !busy) void send(waiting);
  }, [waiting?.id, busy]);
  useEffect(() => () => left.current.abort(new DOMException("left", "AbortError")), []);
  useEffect(() => {
    // Files may be dropped anywhere on the screen: beside the box, a browser would open them instead.
    const drag = (event: DragEvent) => {
      event.preventDefault();
      setOver(event.type === "dragover");
    };
    const drop = (event: DragEvent) => {
      drag(event);
      add(event.dataTransfer?.files);
    };
    addEventListener("dragover", drag);
    addEventListener("dragleave", drag);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", drag);
      removeEventListener("dragleave", drag);
      removeEventListener("drop", drop);
    };
  }, []);

  return (
    <section aria-label={t("uploads")}>
      <button type="button" class={over ? "drop over" : "drop"} onClick={() => chooser.current?.click()}>
        <b>{t("drop")}</b>
        <span>{t("drop_or_choose")}</span>
      </button>
      <input
        ref={chooser}
        type="file"
        accept="application/pdf,.pdf"
        multiple
        hidden
        onChange={(event) => {
          add(event.currentTarget.files);
          event.currentTarget.value = "";
        }}
      />
      {uploads.length > 0 && (
        <ul class="uploads plain" aria-live="polite">
          {uploads.map((one) => (
            <li key={one.id} class={one.state}>
              <span class="name">{one.document ? <a href={`#/documents/${one.document}`}>{one.file.name}</a> : one.file.name}</span>
              <span class="note">{size(one.file.size)}</span>
              <State upload={one} />
              {one.canRetry && (
                <button type="button" onClick={() => change(one.id, { state: "waiting", canRetry: false })}>
                  {t("try_again")}
                </button>
              )}
              {one.state === "failed" && (
                <button type="button" class="quiet" aria-label={t("dismiss", { name: one.file.name })} onClick={() => setUploads((all) => all.filter((other) => other.id !== one.id))}>
                  ×
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function State({ upload }: { upload: Upload }) {
  const { state, part, file } = upload;
  if (state === "failed") return <span class="problem">{upload.reason}</span>;
  if (state !== "sending") return <span>{t(state === "done" ? "uploaded_file" : "waiting")}</span>;
  // All has been sent, and the server looks at the file.
  if (part >= 1) return <span>{t("checking")}</span>;
  return (
    <>
      <Progress label={t("uploading", { name: file.name })} part={part} />
      <span class="note">{percent(part)}</span>
    </>
  );
}
