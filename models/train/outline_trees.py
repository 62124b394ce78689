"""Fits the boosted trees that tell fixtures among the outlines of a plan. See README.md.

    outline_trees.py --tool training-outlines --labels models/labels/pages --pdfs CORPUS/wild --invented PLANS … --drafted PLANS \\
        --out reading/detection/src/symbols/fixtures/outlines.trees

PLANS are folders that `models/invented/draw` and `drafting plans` write. Real pages are those with an open licence. Each page is
measured at its own scale and at others, since a sheet does not always tell its scale. With `--calibrate` thirds of the real offices are
left out, and the slope and the intercept that calibrate the trees on them are printed.
"""

import argparse
import json
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from real_pages import INCHES_PER_METRE, invented_pdf, is_open, points_per_metre

# The classes, in the order of `KINDS` in reading/detection/src/symbols/fixtures.rs; 0 is no fixture, 7 another fixture.
CLASSES = {"wc": 1, "squat_wc": 1, "squat-wc": 1, "urinal": 2, "lavatory": 3, "sink": 4, "mop": 4, "bathtub": 5, "shower": 6}
OTHER, COUNT = 7, 8
# An outline is a labelled fixture from this intersection over union on, and counts neither way from the lower one on.
SAME, UNCLEAR = 0.5, 0.35
# How many times as large a page's scale is taken to be: of drafted sheets, and of others.
DRAFTED_SCALES, SCALES = (1.0, 0.9), (1.0, 0.87, 1.15)
# How much an outline of a real page counts, and the share of outlines that are no fixtures that is taken of other pages.
REAL, KEPT = 3.0, 0.3
# Drafted sheets with more fixtures are left out: their forms repeat.
MOST_FIXTURES = 150
# The trees: how many of each class, leaves, learning rate, outlines in a leaf.
TREES, LEAVES, RATE, LEAST = 120, 31, 0.08, 20
# Log-odds that calibration looks at: below, nearly all outlines are no fixtures.
LEAST_LOG_ODDS = -4.0
LEAF = 255


@dataclass
class Sheet:
    """A page with its labels of fixtures, and how many times as large its scale is taken to be."""

    pdf: Path
    number: int
    points_per_metre: float
    office: str
    is_real: bool
    fixtures: list
    scales: tuple


class Page:
    """A page at one scale: its outlines with their features, and what they are."""

    def __init__(self, sheet, is_true_scale, outlines):
        self.office, self.is_real, self.is_true_scale = sheet.office, sheet.is_real, is_true_scale
        fixtures = sheet.fixtures
        boxes, self.is_part, self.features = outlines[:, :4], outlines[:, 4] > 0, outlines[:, 5:]
        certain = [own for own in fixtures if not own.get("uncertain")]
        overlap = overlaps(boxes, [own["bbox"] for own in certain])
        classes = np.array([CLASSES.get(own["kind"], OTHER) for own in certain] + [0])
        best = np.where(overlap.max(1, initial=0) >= SAME, overlap.argmax(1) if certain else 0, len(certain))
        self.classes = classes[best]
        doubted = overlaps(boxes, [own["bbox"] for own in fixtures if own.get("uncertain")]).max(1, initial=0)
        self.is_known = (self.classes > 0) | ((overlap.max(1, initial=0) < UNCLEAR) & (doubted < UNCLEAR))


def overlaps(boxes, others):
    """Returns the intersection over union of each box with each of others."""
    others = np.array(others, np.float64).reshape(-1, 4)
    low, high = np.maximum(boxes[:, None, :2], others[None, :, :2]), np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    both = np.clip(high - low, 0, None).prod(2)
    area = lambda own: (own[:, 2:] - own[:, :2]).prod(1)
    return both / np.maximum(area(boxes)[:, None] + area(others)[None] - both, 1e-9)


def labelled_sheets(arguments):
    """Returns the pages that the trees may learn from."""
    sheets = []
    for file in sorted(arguments.labels.glob("*.json")):
        label = json.loads(file.read_text())
        if "fixtures" in label and is_open(label) and points_per_metre(label):
            pdf = arguments.pdfs / f"{file.stem}.pdf"
            sheets.append(Sheet(pdf, label["page"], points_per_metre(label), label["office"], True, label["fixtures"], SCALES))
    for file in sorted(file for folder in arguments.invented for file in (folder / "labels").glob("*.json")):
        label = json.loads(file.read_text())
        scale = points_per_metre(label)
        sheets.append(Sheet(invented_pdf(file), 1, scale, label["office"], False, label["fixtures"], SCALES))
    for file in sorted(arguments.drafted.glob("*.json")):
        truth = json.loads(file.read_text())
        scale = truth["views"][0]["points_per_inch"] * INCHES_PER_METRE
        if len(truth["fixtures"]) <= MOST_FIXTURES:
            sheets.append(Sheet(file.with_suffix(".pdf"), 1, scale, file.stem, False, truth["fixtures"], DRAFTED_SCALES))
    return sheets


def measured(tool, sheets):
    """Returns the pages of sheets, each at all its scales."""
    scaled = [(sheet, factor) for sheet in sheets for factor in sheet.scales]
    lines = [f"{sheet.pdf}\t{sheet.number}\t{sheet.points_per_metre * factor}\n" for sheet, factor in scaled]
    told = subprocess.run([tool], input="".join(lines), capture_output=True, text=True, check=True).stdout
    rows = np.array([line.split() for line in told.splitlines()], np.float32)
    numbers = rows[:, 0].astype(int)
    starts = np.searchsorted(numbers, np.arange(len(scaled) + 1))
    return [Page(sheet, factor == 1.0, rows[start:end, 1:])
            for (sheet, factor), start, end in zip(scaled, starts, starts[1:]) if end > start]


def fitted(pages):
    """Fits the trees."""
    chance = np.random.default_rng(1)
    features, classes, counts = [], [], []
    for page in pages:
        is_nothing = page.classes == 0
        taken = page.is_known if page.is_real else page.is_known & (~is_nothing | (chance.random(len(is_nothing)) < KEPT))
        features.append(page.features[taken])
        classes.append(page.classes[taken])
        counts.append(np.where(page.is_real, REAL, np.where(is_nothing, 1 / KEPT, 1.0))[taken])
    trees = HistGradientBoostingClassifier(max_iter=TREES, max_leaf_nodes=LEAVES, learning_rate=RATE, min_samples_leaf=LEAST,
                                           l2_regularization=1.0, early_stopping=False, random_state=1)
    classes = np.concatenate(classes)
    print(len(classes), "outlines by class", np.bincount(classes), flush=True)
    return trees.fit(np.concatenate(features), classes, sample_weight=np.concatenate(counts))


def calibrate(pages):
    """Prints the slope and the intercept of log-odds on real offices that are left out, a third after the other."""
    offices = sorted({page.office for page in pages if page.is_real})
    log_odds, is_fixture = [], []
    for third in range(3):
        left_out = set(offices[third::3])
        trees = fitted([page for page in pages if page.office not in left_out])
        for page in pages:
            taken = page.is_known & ~page.is_part
            if page.office in left_out and page.is_true_scale and taken.any():
                nothing = np.clip(trees.predict_proba(page.features[taken])[:, 0], 1e-6, 1 - 1e-6)
                log_odds.extend(np.log(1 / nothing - 1))
                is_fixture.extend(page.classes[taken] > 0)
    log_odds, is_fixture = np.array(log_odds), np.array(is_fixture)
    seen = log_odds > LEAST_LOG_ODDS
    regression = LogisticRegression(C=100).fit(log_odds[seen, None], is_fixture[seen])
    print("slope", regression.coef_[0, 0], "intercept", regression.intercept_[0], "of", seen.sum(), "outlines")


def packed(trees):
    """Returns the file that `BoostedTrees::read` reads."""
    baselines = trees._baseline_prediction.ravel()
    file = struct.pack("<B", len(baselines)) + struct.pack(f"<{len(baselines)}f", *baselines)
    for round_of_trees in trees._predictors:
        for predictor in round_of_trees:
            file += tree(predictor.nodes)
    return file


def tree(nodes):
    """Returns a tree's nodes: each child for low values follows its parent."""
    order, places = [], {}

    def visit(index):
        places[index] = len(order)
        order.append(index)
        if not nodes[index]["is_leaf"]:
            visit(nodes[index]["left"])
            visit(nodes[index]["right"])

    visit(0)
    packed_nodes = [struct.pack("<BBf", LEAF, 0, own["value"]) if own["is_leaf"] else
                    struct.pack("<BBf", own["feature_idx"], places[own["right"]] - place, own["num_threshold"])
                    for place, own in enumerate(nodes[order])]
    return struct.pack("<B", len(order)) + b"".join(packed_nodes)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tool", required=True, help="the program training-outlines")
    arguments.add_argument("--labels", type=Path, required=True, help="a folder of labels of real pages")
    arguments.add_argument("--pdfs", type=Path, required=True, help="the folder of their PDFs")
    arguments.add_argument("--invented", type=Path, nargs="+", required=True)
    arguments.add_argument("--drafted", type=Path, required=True)
    arguments.add_argument("--calibrate", action="store_true")
    arguments.add_argument("--out", type=Path, required=True)
    arguments = arguments.parse_args()
    pages = measured(arguments.tool, labelled_sheets(arguments))
    print(len(pages), "pages", flush=True)
    if arguments.calibrate:
        calibrate(pages)
    arguments.out.write_bytes(packed(fitted(pages)))


if __name__ == "__main__":
    main()
