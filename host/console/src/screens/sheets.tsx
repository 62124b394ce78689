// Sheets as small pictures, with number and title where drawing-classifier has read them.
import { useEffect, useRef, useState } from "preact/hooks";
import { client, read } from "../api/client";
import { pagesOfDocument } from "../api/pages";
import { t } from "../text";

// Width of a thumbnail in pixels, for screens of two pixels a point.
const THUMBNAIL = 360;
// The lowest resolution of page images, in dots per inch.
const LOWEST_DPI = 72;

export interface Sheet {
  number: string | undefined;
  title: string | undefined;
}

interface ClassifiedPage {
  page_number: number;
  drawing_number?: string | null;
  title?: string | null;
}

/** Returns number and title of each sheet, from a job of drawing-classifier. */
export async function sheetsOf(job_id: string, signal: AbortSignal): Promise<Map<number, Sheet>> {
  const job = await read(() => client.GET("/v1/jobs/{job_id}", { params: { path: { job_id } }, signal }), signal);
  const pages = (job.result as { pages?: ClassifiedPage[] } | null)?.pages ?? [];
  return new Map(pages.map((page) => [page.page_number, { number: page.drawing_number ?? undefined, title: page.title ?? undefined }]));
}

interface Props {
  document: string;
  page: number;
  sheet: Sheet | undefined;
  chosen: boolean;
  onChoose: () => void;
}

export function SheetCard({ document, page, sheet, chosen, onChoose }: Props) {
  const card = useRef<HTMLLIElement>(null);
  const [picture, setPicture] = useState("");
  useEffect(() => {
    const ended = new AbortController();
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      thumbnail(document, page, ended.signal).then(setPicture, () => {});
    });
    if (card.current) seen.observe(card.current);
    return () => {
      seen.disconnect();
      ended.abort(new DOMException("left", "AbortError"));
    };
  }, [document, page]);
  useEffect(() => () => URL.revokeObjectURL(picture), [picture]);
  return (
    <li ref={card}>
      <label class={chosen ? "card chosen" : "card"}>
        <span class="thumbnail">{picture && <img src={picture} alt="" />}</span>
        <span class="caption">
          <input type="checkbox" checked={chosen} onChange={onChoose} />
          <span>
            <b>{sheet?.number ?? t("sheet", { page: String(page) })}</b> {sheet?.title ?? ""}
          </span>
        </span>
      </label>
    </li>
  );
}

// Page images are large: they are drawn one after the other and kept small.
let drawing: Promise<unknown> = Promise.resolve();

function thumbnail(document: string, page: number, signal: AbortSignal): Promise<string> {
  const drawn = drawing
    .catch(() => {})
    .then(async () => {
      signal.throwIfAborted();
      const image = await createImageBitmap(await pagesOfDocument(document).picture(page, LOWEST_DPI, signal), {
        resizeWidth: THUMBNAIL,
        resizeQuality: "high",
      });
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      image.close();
      return URL.createObjectURL(await canvas.convertToBlob());
    });
  drawing = drawn;
  return drawn;
}
