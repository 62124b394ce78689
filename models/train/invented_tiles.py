"""Cuts tiles of invented plans for `detector.py`, in the format of `training-tiles`. See README.md.

    invented_tiles.py PLANS --real REAL.packed --out OUT

PLANS is a folder that `models/invented/draw` writes. Each tile comes with the boxes of the doors and fixtures on it. Some get further
symbols, of the catalogues that REAL.packed has. Seeds are fixed.
"""

import argparse
import random
from pathlib import Path

import numpy as np

from real_pages import Packed, RealTiles, invented_page

# Tiles of a page with symbols, and of one without.
TILES, TILES_WITHOUT = 40, 13
# The share of tiles with pasted symbols.
PASTED = 0.3


def tiles_of(page, pictures):
    """Returns tiles of a page, each with its boxes: class, left, top, right, bottom in pixels."""
    tiles = RealTiles([page], pictures, random.Random(page.label["id"]))
    # A page's own fixtures are not pasted onto it: only pages of other offices would bring other forms.
    tiles.cuttings = {}
    return [tiles.sample(PASTED) for _ in range(TILES if len(page.boxes) else TILES_WITHOUT)]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("plans", type=Path)
    arguments.add_argument("--real", type=Path, required=True, help="rendered real pages and symbols, written by real_pages.py")
    arguments.add_argument("--out", type=Path, required=True, help="writes OUT.bin, OUT.csv and OUT.boxes.csv")
    arguments = arguments.parse_args()
    _, pictures = Packed.read(arguments.real)
    count = 0
    with (open(arguments.out.with_suffix(".bin"), "wb") as pixels, open(arguments.out.with_suffix(".csv"), "w") as lines,
          open(arguments.out.with_suffix(".boxes.csv"), "w") as boxes):
        lines.write("tile,page\n")
        boxes.write("tile,class,x1,y1,x2,y2\n")
        for file in sorted((arguments.plans / "labels").glob("*.json")):
            page = invented_page(file)
            for ink, rows in tiles_of(page, pictures):
                pixels.write((ink * 255).round().astype(np.uint8).tobytes())
                lines.write(f"{count},invented\n")
                for kind, *sides in rows:
                    boxes.write(",".join([str(count), str(int(kind)), *(f"{side:.2f}" for side in sides)]) + "\n")
                count += 1
    print(count, "tiles")


if __name__ == "__main__":
    main()
