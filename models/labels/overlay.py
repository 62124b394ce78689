#!/usr/bin/env python3
"""Draws the labels of a page over its picture, to be checked by eye.

    overlay.py LABEL.json FILE.pdf OUT.png [--dpi 120] [--crop LEFT,TOP,RIGHT,BOTTOM]

Needs pdftoppm and the package pillow. The crop is in pixels of the whole picture. Doors are red, fixtures blue, windows violet,
views green; a question mark follows the kind of a label that is uncertain.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

from PIL import Image, ImageDraw

COLOURS = {"doors": (220, 0, 0), "fixtures": (0, 90, 220), "views": (0, 150, 0), "windows": (200, 0, 200)}


def to_pixels(point, label, dpi):
    """A point of user space (points, y up, unrotated page) in pixels of the page as a viewer shows it (y down)."""
    left, bottom, right, top = label["media_box"]
    width, height = right - left, top - bottom
    x, y = point[0] - left, point[1] - bottom
    shown = {0: (x, height - y), 90: (y, x), 180: (width - x, y), 270: (height - y, width - x)}[label["rotation"]]
    return tuple(value * dpi / 72 for value in shown)


def rendered(pdf, page, dpi):
    """The picture of a page."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "page")
        page = str(page)
        subprocess.run(["pdftoppm", "-r", str(dpi), "-f", page, "-l", page, "-singlefile", "-png", pdf, root], check=True)
        return Image.open(root.with_suffix(".png")).convert("RGB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("label", type=pathlib.Path)
    parser.add_argument("pdf")
    parser.add_argument("out")
    parser.add_argument("--dpi", type=int, default=120)
    parser.add_argument("--crop")
    arguments = parser.parse_args()

    label = json.loads(arguments.label.read_text())
    picture = rendered(arguments.pdf, label["page"], arguments.dpi)
    draw = ImageDraw.Draw(picture)
    for group, colour in COLOURS.items():
        for item in label.get(group, []):
            x1, y1, x2, y2 = item["bbox"]
            corners = [to_pixels(corner, label, arguments.dpi) for corner in ((x1, y1), (x2, y2))]
            (left, right), (top, bottom) = (sorted(values) for values in zip(*corners))
            draw.rectangle([left, top, right, bottom], outline=colour, width=2)
            mark = "?" if item.get("uncertain") else ""
            draw.text((left, bottom + 1), item["kind"] + mark, fill=colour)
    if arguments.crop:
        picture = picture.crop(tuple(int(value) for value in arguments.crop.split(",")))
    picture.save(arguments.out)


if __name__ == "__main__":
    main()
