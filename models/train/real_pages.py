"""Labelled real pages and catalogue symbols as tiles for the detector. See README.md.

A page is rendered once at twice the network's scale. The scale follows from its labels: most doors' leaves are 0.87 m wide.
Tiles are cut at any place, scaled by chance, and get symbols pasted onto bare paper: of catalogues, and of the pages themselves.

As a program it renders the pages and symbols that may be trained on, once, into a file for `detector.py --real`: the machine
that trains needs neither poppler nor cairo, nor the drawings.
"""

import argparse
import csv
import json
import lzma
import math
import pickle
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

# Pixels per metre of the building: of stored pages, and of the network's input.
STORED, INPUT = 80.0, 40.0
# Most pixels of a stored page.
MOST_PIXELS = 90e6
# Side of a tile in training, in pixels.
TILE = 256
# Width of most doors with their frame side, in metres: the median of labelled single doors on pages of known scale.
DOOR = 0.87
# Longer sides of fixtures, in metres, for pages without doors.
FIXTURES = {"wc": 0.68, "lavatory": 0.5, "bathtub": 1.65, "sink": 0.75, "shower": 0.9, "squat_wc": 0.6}
# Resolution of pages whose labels tell no scale, in points per metre: 1:100.
POINTS_PER_METRE = 72 / 2.54
INCHES_PER_METRE = 39.37
# Classes of `detector.CLASSES` by the labels' kinds.
DOOR_CLASSES = {"single": 0, "stall": 0, "double": 1}
FIXTURE_CLASSES = {"wc": 3, "squat_wc": 4, "urinal": 5, "lavatory": 6, "sink": 7, "bathtub": 8, "shower": 9}
SYMBOL_CLASSES = {"wc": 3, "squat_pan": 4, "urinal": 5, "lavatory": 6, "sink": 7, "bathtub": 8, "shower": 9,
                  "other_fixture": 10, "bidet": 10, "door_single": 0, "door_double": 1, "door_sliding": 2, "door_folding": 2}
OTHER_DOOR, OTHER_FIXTURE, UNCERTAIN, DISTRACTOR = 2, 10, -1, -3
# Kinds of sheets, in a folder's index.csv, that hold no plan of a building.
KINDS_WITHOUT_PLANS = ("civil plan", "cover and index", "detail", "exterior elevation", "interior elevation", "schedule",
                       "section")
# Licences, by their beginnings or parts, that let a page be trained on.
OPEN_LICENCES = ("MIT", "GPL", "CC0", "Apache", "BSD")


def is_open(label):
    return any(name in (label["source"].get("licence") or "") for name in OPEN_LICENCES)


def points_per_metre(label):
    """Returns the points of paper per metre of the building, or None if the labels tell nothing. Labels of invented plans say it."""
    if "points_per_metre" in label:
        return label["points_per_metre"]

    def longer(item):
        x1, y1, x2, y2 = item["bbox"]
        return max(x2 - x1, y2 - y1)

    doors = [longer(door) / DOOR for door in label["doors"]
             if door.get("kind") in ("single", "stall") and not door.get("uncertain")]
    if len(doors) >= 2:
        return float(np.median(doors))
    others = [longer(own) / FIXTURES[own["kind"]] for own in label.get("fixtures", []) if own["kind"] in FIXTURES]
    return float(np.median(doors + others)) if doors + others else None


def whitened(grey):
    """Stretches greys so that paper becomes white, as `whiten` in reading/detection does. Negatives are inverted."""
    counts = np.convolve(np.bincount(grey.ravel(), minlength=256), np.ones(16, int), "valid")
    darkest = int(counts.argmax())
    brightest, grey = darkest + 15, grey.astype(np.float32)
    stretched = (255 - grey) / (255 - brightest) if darkest + brightest < 255 else grey / max(darkest, 1)
    return np.clip(255 * stretched, 0, 255).astype(np.uint8)


class PageFrame:
    """Where user space lies on the picture of a page: the crop box in points, the rotation in degrees, pixels per point."""

    def __init__(self, crop, rotation, scale):
        self.crop, self.rotation, self.scale = crop, rotation, scale

    def shown(self, box):
        """Returns a box of user space in pixels of the page as shown."""
        left, bottom, right, top = self.crop
        places = {0: lambda x, y: (x - left, top - y), 90: lambda x, y: (y - bottom, x - left),
                  180: lambda x, y: (right - x, y - bottom), 270: lambda x, y: (top - y, right - x)}
        xs, ys = zip(*(places[self.rotation](x, y) for x, y in (box[:2], box[2:])))
        return [value * self.scale for value in (min(xs), min(ys), max(xs), max(ys))]

    def user_space(self, box):
        """Returns a box in pixels of the page as shown in user space."""
        left, bottom, right, top = self.crop
        places = {0: lambda x, y: (left + x, top - y), 90: lambda x, y: (left + y, bottom + x),
                  180: lambda x, y: (right - x, bottom + y), 270: lambda x, y: (right - y, top - x)}
        xs, ys = zip(*(places[self.rotation](x / self.scale, y / self.scale) for x, y in (box[:2], box[2:])))
        return [min(xs), min(ys), max(xs), max(ys)]


def geometry(pdf, page):
    """Returns the crop box in points and the rotation in degrees, clockwise."""
    told = subprocess.run(["pdfinfo", "-box", "-f", str(page), "-l", str(page), pdf], capture_output=True, text=True,
                          check=True).stdout
    box = re.search(r"CropBox:(.*)", told).group(1).split()
    return [float(value) for value in box], int(re.search(r"rot:\s+(\d+)", told).group(1)) % 360


def rendered(pdf, page, dpi):
    """Returns the greys of a page."""
    with tempfile.TemporaryDirectory() as folder:
        root = str(Path(folder, "page"))
        subprocess.run(["pdftoppm", "-r", f"{dpi:.3f}", "-cropbox", "-f", str(page), "-l", str(page), "-singlefile",
                        "-gray", "-png", pdf, root], check=True)
        return cv2.imread(root + ".png", cv2.IMREAD_GRAYSCALE)


@dataclass
class LabelledPage:
    """A page at up to STORED pixels per metre, with its boxes: class, left, top, right, bottom in pixels.

    `label_file` is where its labels are from. A sheet that holds no plan has none of doors and fixtures."""

    label: dict
    office: str
    pdf: Path
    label_file: Path
    is_plan: bool
    frame: PageFrame
    points_per_metre: float | None
    pixels_per_metre: float
    grey: np.ndarray
    boxes: np.ndarray

    @classmethod
    def read(cls, label, pdf, label_file, is_plan=True):
        """Renders the page that a label describes."""
        crop, rotation = geometry(pdf, label["page"])
        known = points_per_metre(label)
        left, bottom, right, top = crop
        scale = min(STORED / (known or POINTS_PER_METRE), math.sqrt(MOST_PIXELS / ((right - left) * (top - bottom))))
        frame = PageFrame(crop, rotation, scale)
        doors = [(DOOR_CLASSES.get(own["kind"], OTHER_DOOR), own) for own in label["doors"]]
        fixtures = [(FIXTURE_CLASSES.get(own["kind"], OTHER_FIXTURE), own) for own in label["fixtures"]]
        rows = [[UNCERTAIN if own.get("uncertain") else kind, *frame.shown(own["bbox"])] for kind, own in doors + fixtures]
        return cls(label, label.get("office") or label["id"], pdf, label_file, is_plan, frame, known,
                   scale * (known or POINTS_PER_METRE), whitened(rendered(pdf, label["page"], 72 * scale)),
                   np.array(rows, np.float32).reshape(-1, 5))


def invented_pdf(label_file):
    """Returns the PDF of a label file of a folder that `models/invented/draw` writes."""
    return label_file.parent.parent / "pdf" / f"{label_file.stem}.pdf"


def invented_page(label_file):
    """Returns the page of a label file of a folder that `models/invented/draw` writes."""
    return LabelledPage.read(json.loads(label_file.read_text()), invented_pdf(label_file), label_file)


def labelled_pages(labels, pdfs, wanted):
    """Returns the pages of a folder of label files that `wanted` accepts. The PDFs are in another folder by the labels' ids or
    under the names that the labels give."""
    pages = []
    for path in sorted(Path(labels).glob("*.json")):
        label = json.loads(path.read_text())
        label.setdefault("id", path.stem)
        if "doors" in label and "fixtures" in label and wanted(label):
            pages.append(LabelledPage.read(label, Path(pdfs, label.get("pdf", label["id"] + ".pdf")), path))
    return pages


def sheets_without_plans(folder, labels, wanted):
    """Returns the pages of a folder with an index.csv that hold no plan and may be trained on, if `wanted` accepts their
    office. Nothing is to be detected on them. Their labels, which have their views, tell the office."""
    with open(Path(folder, "index.csv"), newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] in KINDS_WITHOUT_PLANS]
    pages = []
    for row in rows:
        name = Path(row["file"]).stem
        office = json.loads(Path(labels, f"{name}.json").read_text())["office"]
        label = {"id": name, "office": office, "source": {"licence": row["licence"]}, "page": 1,
                 "doors": [], "fixtures": []}
        if is_open(label) and wanted(office):
            pages.append(LabelledPage.read(label, Path(folder, row["file"]), Path(labels, f"{name}.json"), is_plan=False))
    return pages


class Catalogue:
    """The symbols of a catalogue that may be trained on, as pictures of ink at STORED pixels per metre, by class."""

    # Widths of their lines in pixels.
    LINES = (1.0, 1.8, 3.2)
    # Longer sides in millimetres that a symbol may have.
    SIDES = (150, 4000)

    def __init__(self, folder):
        self.pictures = {}
        with open(Path(folder, "index.csv"), newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["use"] in ("open", "copyleft")]
        for row in rows:
            is_distractor = row["class"].startswith("distractor")
            kind = SYMBOL_CLASSES.get(row["class"], DISTRACTOR if is_distractor else None)
            if kind is None or "schematic" in row["class"] or "elevation_view" in row["class"]:
                continue
            text = Path(folder, row["file"]).read_text()
            size = re.search(r'width="([\d.]+)mm" height="([\d.]+)mm" viewBox="0 0 [\d.]+ [\d.]+"', text)
            if not size or not self.SIDES[0] <= max(float(size[1]), float(size[2])) <= self.SIDES[1]:
                continue
            drawn = [self.drawn(text, float(size[1]), float(size[2]), width) for width in self.LINES]
            if drawn[0].max() > 60:
                self.pictures.setdefault(kind, []).append(drawn)

    @staticmethod
    def drawn(text, wide, high, width):
        """Returns a symbol's ink, drawn with lines of a width in pixels. Its sizes are in millimetres."""
        line = width / STORED * 1000
        text = re.sub(r'stroke-width="[\d.]+"', f'stroke-width="{line:.2f}"', text)
        frame = f'width="{wide + 2 * line:.2f}" height="{high + 2 * line:.2f}" ' \
                f'viewBox="{-line:.2f} {-line:.2f} {wide + 2 * line:.2f} {high + 2 * line:.2f}"'
        text = re.sub(r'width="[\d.]+mm" height="[\d.]+mm" viewBox="0 0 [\d.]+ [\d.]+"', frame, text)
        pixels = round((wide + 2 * line) / 1000 * STORED)
        # Only the machine that renders has cairo.
        import cairosvg
        png = cairosvg.svg2png(text.encode(), output_width=pixels, background_color="white")
        return 255 - cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)


def cuttings(pages):
    """Returns the certain fixtures of pages as pictures of ink at STORED pixels per metre, by class. Doors are not cut out:
    they belong to their walls."""
    pictures = {}
    for page in pages:
        zoom = STORED / page.pixels_per_metre
        for kind, *box in page.boxes:
            left, top, right, bottom = (round(float(side)) for side in box)
            ink = 255 - page.grey[max(0, top - 1):bottom + 1, max(0, left - 1):right + 1]
            if kind < min(FIXTURE_CLASSES.values()) or min(ink.shape) < 4 or not page.points_per_metre:
                continue
            if not 0.9 < zoom < 1.1:
                ink = cv2.resize(ink, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_LINEAR)
            pictures.setdefault(int(kind), []).append(np.ascontiguousarray(ink))
    return pictures


class RealTiles:
    """Tiles of labelled pages with pasted symbols."""

    # How many symbols are pasted onto a tile, with their weights, and which.
    COUNTS, COUNT_WEIGHTS = (0, 1, 2, 3, 5), (35, 25, 20, 12, 8)
    PASTED = {3: 20, 4: 4, 5: 8, 6: 16, 7: 12, 8: 8, 9: 8, 10: 2, 0: 6, 1: 3, 2: 4, DISTRACTOR: 30}
    GREYS = (0, 0, 0, 40, 90, 130, 170)
    # The share of pasted fixtures that are cut out of other pages, and not drawn by a catalogue.
    CUT_OUT = 0.5
    # Multiples of the network's scale: of most tiles, of a tenth of them, and at which symbols are labelled or count neither way.
    USUAL, ANY, LABELLED, OPEN = (0.75, 1.33), (0.3, 3.0), (0.74, 1.36), (0.5, 2.0)
    # The same of tiles that are calibrated on.
    BARE = (0.9, 1.1)

    def __init__(self, pages, pictures, chance):
        """`pictures` are those of a catalogue."""
        self.pages, self.pictures, self.chance = pages, pictures, chance
        self.cuttings = cuttings(pages)
        self.weights = [math.sqrt(len(page.boxes) + 2) for page in pages]

    def sample(self, pasted=0.85):
        """Returns a tile of TILE x TILE ink from 0 to 1, and its boxes. It has pasted symbols by a chance."""
        low, high = self.ANY if self.chance.random() < 0.1 else self.USUAL
        return self.tile(math.exp(self.chance.uniform(math.log(low), math.log(high))), pasted)

    def bare(self):
        """Returns a tile as `sample` does, at about the network's scale and without pasted symbols."""
        low, high = self.BARE
        return self.tile(math.exp(self.chance.uniform(math.log(low), math.log(high))), 0.0)

    def tile(self, scale, pasted):
        """Returns a tile at a multiple of the network's scale, with pasted symbols by a chance."""
        page = self.chance.choices(self.pages, self.weights)[0]
        side = round(TILE / (INPUT * scale) * page.pixels_per_metre)
        left, top = self.place(page, side)
        window = np.full((side, side), 255, np.uint8)
        height, width = page.grey.shape
        x1, y1, x2, y2 = max(0, left), max(0, top), min(width, left + side), min(height, top + side)
        if x2 > x1 and y2 > y1:
            window[y1 - top:y2 - top, x1 - left:x2 - left] = page.grey[y1:y2, x1:x2]
        moved = page.boxes - np.array([0, left, top, left, top], np.float32)
        boxes = [box.tolist() for box in moved if box[3] > 0 and box[1] < side and box[4] > 0 and box[2] < side]
        if self.chance.random() < pasted:
            self.paste(window, page.pixels_per_metre, boxes)
        shrinks = side > TILE
        tile = cv2.resize(window, (TILE, TILE), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
        return np.sqrt(1 - tile.astype(np.float32) / 255), self.labelled(boxes, TILE / side, scale, page)

    def place(self, page, side):
        """Returns the upper left corner of a tile: near a symbol, or anywhere with ink."""
        if len(page.boxes) and self.chance.random() < 0.75:
            _, x1, y1, x2, y2 = page.boxes[self.chance.randrange(len(page.boxes))]
            x = (x1 + x2) / 2 + self.chance.uniform(-0.42, 0.42) * side
            y = (y1 + y2) / 2 + self.chance.uniform(-0.42, 0.42) * side
            return int(x - side / 2), int(y - side / 2)
        height, width = page.grey.shape
        for _ in range(8):
            left = int(self.chance.uniform(0, width) - side / 2)
            top = int(self.chance.uniform(0, height) - side / 2)
            seen = page.grey[max(0, top):max(0, top + side):6, max(0, left):max(0, left + side):6]
            if seen.size and (seen < 160).mean() > 0.01:
                break
        return left, top

    def paste(self, window, pixels_per_metre, boxes):
        """Pastes symbols where there is next to no ink, and adds their boxes."""
        side = window.shape[0]
        for _ in range(self.chance.choices(self.COUNTS, self.COUNT_WEIGHTS)[0]):
            kind = self.chance.choices(list(self.PASTED), list(self.PASTED.values()))[0]
            ink = self.symbol(kind)
            ink = np.rot90(ink[:, ::-1] if self.chance.random() < 0.5 else ink, self.chance.randrange(4))
            zoom = pixels_per_metre / STORED * self.chance.uniform(0.8, 1.2)
            high = max(3, int(ink.shape[0] * zoom))
            wide = max(3, int(ink.shape[1] * zoom * self.chance.uniform(0.92, 1.08)))
            if high >= side - 4 or wide >= side - 4:
                continue
            ink = cv2.resize(np.ascontiguousarray(ink), (wide, high),
                             interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR)
            for attempt in range(12):
                top, left = self.chance.randrange(2, side - high - 2), self.chance.randrange(2, side - wide - 2)
                part = window[top:top + high, left:left + wide]
                inked = (part < 200).mean()
                covers = any(left < box[3] and left + wide > box[1] and top < box[4] and top + high > box[2] for box in boxes)
                if covers or inked > (0.02 if attempt < 9 else 0.1):
                    continue
                share, grey = ink.astype(np.float32) / 255, self.chance.choice(self.GREYS)
                if self.chance.random() < 0.5:
                    part[...] = 255
                part[...] = (part * (1 - share) + np.minimum(part, grey) * share).astype(np.uint8)
                rows, columns = np.where(ink > 60)
                if kind != DISTRACTOR and len(rows):
                    boxes.append([kind, left + columns.min(), top + rows.min(), left + columns.max() + 1,
                                  top + rows.max() + 1])
                break

    def symbol(self, kind):
        """Returns the ink of a symbol of a class."""
        if kind in self.cuttings and self.chance.random() < self.CUT_OUT:
            return self.chance.choice(self.cuttings[kind])
        return self.chance.choice(self.chance.choice(self.pictures[kind]))

    def labelled(self, boxes, factor, scale, page):
        """Returns the boxes of a tile in its pixels. Symbols whose centre is outside count neither way if much of them shows."""
        rows = []
        for kind, *box in boxes:
            x1, y1, x2, y2 = (side * factor for side in box)
            if not (0 <= (x1 + x2) / 2 < TILE and 0 <= (y1 + y2) / 2 < TILE):
                shown = max(0, min(x2, TILE) - max(x1, 0)) * max(0, min(y2, TILE) - max(y1, 0))
                if shown < 0.3 * (x2 - x1) * (y2 - y1):
                    continue
                kind = UNCERTAIN
            if page.points_per_metre and not self.LABELLED[0] <= scale <= self.LABELLED[1]:
                if not self.OPEN[0] <= scale <= self.OPEN[1]:
                    continue
                kind = UNCERTAIN
            rows.append([kind, x1, y1, x2, y2])
        return rows


class Packed:
    """Rendered pages and catalogue symbols, as a file carries them to another machine."""

    @staticmethod
    def write(path, pages, catalogue):
        stored = [{**vars(page), "frame": vars(page.frame), "grey": Packed.lossless(page.grey)} for page in pages]
        Path(path).write_bytes(lzma.compress(pickle.dumps({"pages": stored, "symbols": catalogue.pictures})))

    @staticmethod
    def lossless(grey):
        """Returns a page's pixels as WebP, or as PNG if it is longer than WebP allows."""
        if max(grey.shape) < 16384:
            return cv2.imencode(".webp", grey, [cv2.IMWRITE_WEBP_QUALITY, 101])[1].tobytes()
        return cv2.imencode(".png", grey, [cv2.IMWRITE_PNG_COMPRESSION, 9])[1].tobytes()

    @staticmethod
    def read(path):
        """Returns the pages and the pictures of symbols."""
        stored = pickle.loads(lzma.decompress(Path(path).read_bytes()))
        pages = []
        for own in stored["pages"]:
            grey = cv2.imdecode(np.frombuffer(own["grey"], np.uint8), cv2.IMREAD_GRAYSCALE)
            pages.append(LabelledPage(**{**own, "frame": PageFrame(**own["frame"]), "grey": grey}))
        return pages, stored["symbols"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--labels", type=Path, required=True,
                           help="a folder of labels of real pages; those with an open licence are used")
    arguments.add_argument("--pdfs", type=Path, required=True, help="the folder of their PDFs")
    arguments.add_argument("--symbols", type=Path, required=True, help="the folder of symbol catalogues")
    arguments.add_argument("--out", type=Path, required=True, help="the file that is written")
    arguments.add_argument("--crops", type=Path, help="a file that lists the pages for training-crops, LABEL.json=FILE.pdf")
    arguments = arguments.parse_args()
    pages = labelled_pages(arguments.labels, arguments.pdfs, is_open)
    pages += sheets_without_plans(arguments.pdfs, arguments.labels, lambda office: True)
    if arguments.crops:
        arguments.crops.write_text("".join(f"{page.label_file}={page.pdf}\n" for page in pages))
    Packed.write(arguments.out, pages, Catalogue(arguments.symbols))
    print(len(pages), "pages,", sum(len(page.boxes) for page in pages), "symbols,", arguments.out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
