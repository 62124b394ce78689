// Small PDF files with black rectangles at known places.

/** Makes a file. A page has `media` and `crop` boxes, `rotate` in degrees, and `marks`, each `[x1, y1, x2, y2]`. */
export function pdf(pages) {
  const objects = ["<</Type/Catalog/Pages 2 0 R>>", ""];
  const kids = pages.map(({ media, crop = media, rotate = 0, marks = [] }) => {
    const content = marks.map(([x1, y1, x2, y2]) => `${x1} ${y1} ${x2 - x1} ${y2 - y1} re f`).join("\n");
    objects.push(`<</Length ${content.length}>>stream\n${content}\nendstream`);
    const page = `<</Type/Page/Parent 2 0 R/MediaBox[${media.join(" ")}]/CropBox[${crop.join(" ")}]/Rotate ${rotate}/Contents ${objects.length} 0 R>>`;
    objects.push(page);
    return `${objects.length} 0 R`;
  });
  objects[1] = `<</Type/Pages/Count ${kids.length}/Kids[${kids.join(" ")}]>>`;
  let text = "%PDF-1.4\n";
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj${object}endobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`);
}
