"""Renders invented plans with the outlines of their rooms for `room_segmenter.py`, in the format of `room_pages.py`. See README.md.

    invented_rooms.py --out OUT PLANS …

PLANS are folders that `models/invented/draw` writes. OUT is the file `invented` of the data.
"""

import argparse
from multiprocessing import Pool
from pathlib import Path

import room_pages
from real_pages import invented_page


def invented_plan(label_file):
    """Returns the plan that a label file of a folder of invented plans describes."""
    return room_pages.labelled_plan(invented_page(label_file), {})


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("plans", type=Path, nargs="+")
    arguments.add_argument("--out", type=Path, required=True)
    arguments = arguments.parse_args()
    label_files = sorted(file for folder in arguments.plans for file in (folder / "labels").glob("*.json"))
    with Pool() as pool:
        plans = pool.map(invented_plan, label_files, 4)
    room_pages.write(arguments.out, plans)
    print(len(plans), "invented plans,", sum(len(plan.rooms) for plan in plans), "rooms")


if __name__ == "__main__":
    main()
