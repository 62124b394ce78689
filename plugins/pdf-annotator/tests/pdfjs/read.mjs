// Prints what pdf.js reads of a document's annotations: on each page, where a viewer shows them.
import { readFile } from "node:fs/promises";

// Browsers have it; pdf.js needs it to paint, which isn't done here.
globalThis.DOMMatrix ??= class {};
const { getDocument, VerbosityLevel } = await import("pdfjs-dist/legacy/build/pdf.mjs");

const data = new Uint8Array(await readFile(process.argv[2]));
const document = await getDocument({ data, verbosity: VerbosityLevel.ERRORS }).promise;
const pages = [];
for (let number = 1; number <= document.numPages; number += 1) {
  const page = await document.getPage(number);
  const viewport = page.getViewport({ scale: 1 });
  const annotations = await page.getAnnotations();
  pages.push({
    size: [viewport.width, viewport.height],
    annotations: annotations.map(({ subtype, rect, titleObj, contentsObj, color, hasAppearance }) => ({
      kind: subtype,
      title: titleObj?.str,
      text: contentsObj?.str,
      color: Array.from(color ?? []),
      // Left, top, right, bottom from the top left of the page as it is shown.
      shown: shownAt(viewport, rect),
      hasAppearance,
    })),
  });
}
console.log(JSON.stringify(pages));
process.exit(0);

function shownAt(viewport, rect) {
  const [x1, y1] = viewport.convertToViewportPoint(rect[0], rect[1]);
  const [x2, y2] = viewport.convertToViewportPoint(rect[2], rect[3]);
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}
