"""Rendered plans with the outlines of their rooms, for the segmentation of rooms. See README.md.

A page is rendered once, a little finer than the network's scale. Synthetic plans say where each room's floor is. Of labelled
real pages only the boxes of rooms are known, so a room takes the outline that `room-detector` gave it where that fits its box,
and otherwise the box itself without the smaller rooms inside it. Labels of invented plans tell the outline.

As a program it writes all pages that may be trained on into one file.
"""

import argparse
import json
import lzma
import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

from detector import iou
from real_pages import INCHES_PER_METRE, PageFrame, is_open, labelled_pages, rendered, sheets_without_plans

# Pixels per metre of the building: of stored pages, and while they are rendered.
STORED, RENDERED = 32.0, 64.0
# Most pixels of a page while it is rendered.
MOST_PIXELS = 60e6
# Resolution of sheets that hold no plan, in points per metre: 1:100.
POINTS_PER_METRE = 72 / 2.54
# What a pixel shows.
NOTHING, FLOOR, EDGE, UNKNOWN = range(4)
# Width in metres of the band around a room that is its edge, inside and outside of the outline.
INSIDE, OUTSIDE = 0.06, 0.12
# Width of the band around rooms that may be wall, in metres.
MOST_WALL = 0.3
# A detected outline is a labelled room's if the intersection over union of their boxes is at least this.
SAME_BOX = 0.8
# A box is no room's outline if smaller rooms take more than this share of it.
MOST_TAKEN = 0.15


class Plan:
    """A page at STORED pixels per metre: its picture, and the outlines of its rooms in pixels.

    `unknown` are outlines of places where it is not known what a room is. `is_plan` says whether rooms may be there. `doors` are
    the boxes of all openings, if they and the outlines are exact."""

    def __init__(self, name, office, grey, rooms, unknown, is_plan=True, doors=None):
        self.name, self.office, self.grey, self.is_plan = name, office, grey, is_plan
        self.rooms, self.unknown, self.doors = rooms, unknown, doors

    def classes(self):
        """Returns a map of what each pixel shows."""
        shown = np.zeros(self.grey.shape, np.uint8)
        areas = [(cv2.contourArea(room.astype(np.float32)), room, known)
                 for group, known in ((self.rooms, True), (self.unknown, False)) for room in group]
        for _, room, known in sorted(areas, key=lambda own: -own[0]):
            corners = np.round(room * 16).astype(np.int32)
            if known:
                cv2.polylines(shown, [corners], True, EDGE, round(2 * OUTSIDE * STORED), shift=4)
            cv2.fillPoly(shown, [corners], FLOOR if known else UNKNOWN, shift=4)
            if known:
                cv2.polylines(shown, [corners], True, EDGE, max(1, round(2 * INSIDE * STORED)), shift=4)
        return shown

    def numbers(self):
        """Returns a map of which room or unknown place each pixel belongs to, from 1 on, or 0."""
        numbers = np.zeros(self.grey.shape, np.int16)
        outlines = sorted(self.rooms + self.unknown, key=lambda own: -cv2.contourArea(own.astype(np.float32)))
        for number, outline in enumerate(outlines, 1):
            cv2.fillPoly(numbers, [np.round(outline * 16).astype(np.int32)], number, shift=4)
        return numbers

    def is_door(self, grown=0.0):
        """Returns where the boxes of openings are, each grown by some metres."""
        found = np.zeros(self.grey.shape, np.uint8)
        for x1, y1, x2, y2 in np.array(self.doors or np.zeros((0, 4))) + np.array([-1, -1, 1, 1]) * grown * STORED:
            cv2.rectangle(found, (round(x1), round(y1)), (round(x2), round(y2)), 1, -1)
        return found > 0

    def part(self, side, chance):
        """Returns a part of at most `side` x `side` pixels in area around one of the rooms."""
        height, width = self.grey.shape
        if height * width <= side * side:
            return self
        middle = self.rooms[chance.integers(len(self.rooms))].mean(0) if self.rooms else np.array([width / 2, height / 2])
        high, wide = min(height, max(side, side * side // width)), min(width, max(side, side * side // height))
        left, top = (int(np.clip(own - length / 2, 0, most - length))
                     for own, length, most in ((middle[0], wide, width), (middle[1], high, height)))
        corner = np.array([left, top], np.float32)
        moved = [[own - corner for own in outlines if (own.max(0) > corner).all() and (own.min(0) < corner + (wide, high)).all()]
                 for outlines in (self.rooms, self.unknown)]
        doors = None if self.doors is None else [np.array(box) - np.tile(corner, 2) for box in self.doors]
        grey = np.ascontiguousarray(self.grey[top:top + high, left:left + wide])
        return Plan(self.name, self.office, grey, *moved, self.is_plan, doors)


def is_close(numbers):
    """Returns where no room is but one is so close that a wall may be there. `numbers` is a plan's map of numbers."""
    outside = (numbers == 0).astype(np.uint8)
    return (outside > 0) & (cv2.distanceTransform(outside, cv2.DIST_L2, 3) < MOST_WALL * STORED)


def stored(grey, factor):
    return cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)


def synthetic_plan(path):
    """Returns a plan of `drafting plans`."""
    truth = json.loads(path.read_text())
    left, bottom, right, top = truth["media_box"]
    main = truth["views"][0]["points_per_inch"]
    metre = main * INCHES_PER_METRE
    scale = min(RENDERED / metre, math.sqrt(MOST_PIXELS / ((right - left) * (top - bottom))))
    frame = PageFrame((left, bottom, right, top), truth["rotation"], STORED / metre)
    grey = rendered(path.with_suffix(".pdf"), 1, 72 * scale)
    grey = stored(grey, STORED / metre / scale)
    shown = lambda corners: np.array([frame.shown([x, y, x, y])[:2] for x, y in corners], np.float32)
    box = lambda own: shown([(own[0], own[1]), (own[2], own[1]), (own[2], own[3]), (own[0], own[3])])
    others = [view["bbox"] for view in truth["views"] if abs(view["points_per_inch"] / main - 1) > 0.05]
    within = lambda room: any(other[0] <= room["bbox"][0] and room["bbox"][2] <= other[2] and other[1] <= room["bbox"][1]
                              and room["bbox"][3] <= other[3] for other in others)
    rooms = [shown(room["polygon"]) for room in truth["rooms"] if not within(room)]
    unknown = [box(own) for own in others] + [box(own["bbox"]) for own in truth["ignore_regions"] if own["kind"] != "notes"]
    doors = [around(box(own["bbox"])) for own in truth["doors"] + truth["openings"]]
    return Plan(path.stem, path.stem, grey, rooms, unknown, doors=doors)


def sheet_without_plan(path):
    """Returns a synthetic sheet of elevations or schedules."""
    grey = rendered(path, 1, 72 * STORED / POINTS_PER_METRE * 2)
    return Plan(path.stem, path.stem, stored(grey, 0.5), [], [], is_plan=False)


def around(polygon):
    """Returns the box around a polygon."""
    xs, ys = zip(*polygon)
    return [min(xs), min(ys), max(xs), max(ys)]


def taken(box, others):
    """Returns the share of a box that smaller ones cover."""
    left, top, right, bottom = (round(float(side)) for side in box)
    covered = np.zeros((max(1, bottom - top), max(1, right - left)), bool)
    for other in others:
        x1, y1, x2, y2 = (round(float(side)) for side in other)
        covered[max(0, y1 - top):max(0, y2 - top), max(0, x1 - left):max(0, x2 - left)] = True
    return covered.mean()


def outline_on(page, polygon):
    """Returns a polygon of user space in pixels of a labelled page at STORED pixels per metre."""
    factor = STORED / page.pixels_per_metre
    return np.array([page.frame.shown([x, y, x, y])[:2] for x, y in polygon], np.float32) * factor


def labelled_plan(page, outlines):
    """Returns a labelled page. `outlines` are those that `room-detector` found, by the page's id."""
    factor = STORED / page.pixels_per_metre
    rooms, unknown = [], []
    pixels = lambda box: [side * factor for side in page.frame.shown(box)]
    labels = [(pixels(room["bbox"]), room) for room in page.label.get("rooms", [])]
    area = lambda box: (box[2] - box[0]) * (box[3] - box[1])
    for box, room in labels:
        x1, y1, x2, y2 = box
        corners = np.array([(x1, y1), (x2, y1), (x2, y2), (x1, y2)], np.float32)
        fitting = [(iou(room["bbox"], around(found["polygon"])), found) for found in outlines.get(page.label["id"], [])]
        best = max(fitting, key=lambda own: own[0], default=(0, None))
        smaller = [other for other, _ in labels if area(other) < area(box)]
        if room.get("uncertain"):
            unknown.append(corners)
        elif room.get("polygon"):
            rooms.append(outline_on(page, room["polygon"]))
        elif best[0] >= SAME_BOX:
            rooms.append(outline_on(page, best[1]["polygon"]))
        elif taken(box, smaller) > MOST_TAKEN:
            unknown.append(corners)
        else:
            rooms.append(corners)
    return Plan(page.label["id"], page.office, stored(page.grey, factor), rooms, unknown, page.is_plan)


def real_plans(labels, pdfs, outlines, wanted):
    """Returns the labelled pages with rooms that `wanted` accepts."""
    has_rooms = lambda label: label.get("rooms") and label.get("rooms_complete") and wanted(label)
    return [labelled_plan(page, outlines) for page in labelled_pages(labels, pdfs, has_rooms) if page.points_per_metre]


def write(path, plans):
    packed = [{**vars(plan), "grey": cv2.imencode(".webp", plan.grey, [cv2.IMWRITE_WEBP_QUALITY, 55])[1].tobytes()}
              for plan in plans if max(plan.grey.shape) < 16384]
    Path(path).write_bytes(lzma.compress(pickle.dumps(packed), preset=1))


def unpacked(own):
    grey = cv2.imdecode(np.frombuffer(own["grey"], np.uint8), cv2.IMREAD_GRAYSCALE)
    return Plan(**{**own, "grey": grey})


def read(path):
    with ThreadPoolExecutor() as threads:
        return list(threads.map(unpacked, pickle.loads(lzma.decompress(Path(path).read_bytes()))))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--plans", type=Path, required=True, help="the folder of `drafting plans`")
    arguments.add_argument("--others", type=Path, nargs="*", default=[], help="folders of synthetic sheets without plans")
    arguments.add_argument("--labels", type=Path, required=True, help="a folder of labels of real pages")
    arguments.add_argument("--pdfs", type=Path, required=True, help="the folder of their PDFs")
    arguments.add_argument("--outlines", type=Path, required=True,
                           help="a folder of rooms that were detected, as `room_pages` of models/eval prints them, ID.json")
    arguments.add_argument("--side", type=int, help="keeps a part of so many pixels squared of each larger synthetic sheet")
    arguments.add_argument("--out", type=Path, required=True, help="the folder that is written: synthetic and real")
    arguments = arguments.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    outlines = {path.stem: json.loads(path.read_text())["rooms"] for path in arguments.outlines.glob("*.json")}
    real = real_plans(arguments.labels, arguments.pdfs, outlines, is_open)
    for page in sheets_without_plans(arguments.pdfs, arguments.labels, lambda office: True):
        real.append(labelled_plan(page, {}))
    write(arguments.out / "real", real)
    print(len(real), "real pages,", sum(len(plan.rooms) for plan in real), "rooms", flush=True)
    with Pool() as pool:
        plans = pool.map(synthetic_plan, sorted(arguments.plans.glob("*.json")), 4)
        for folder in arguments.others:
            plans += pool.map(sheet_without_plan, sorted(folder.glob("*.pdf")), 4)
    if arguments.side:
        chance = np.random.default_rng(1)
        plans = [plan.part(arguments.side, chance) for plan in plans]
    write(arguments.out / "synthetic", plans)
    print(len(plans), "synthetic sheets,", sum(len(plan.rooms) for plan in plans), "rooms")


if __name__ == "__main__":
    main()
