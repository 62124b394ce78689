"""Measures the detector network alone on labelled real pages, at the scale that their labels tell.

    measure_detector.py NETWORK.onnx LABELS PDFS [LABELS PDFS ...] [--closed]

Prints F1 at several confidences, pooled and as the mean over offices with three symbols or more, and each office at 0.5. With
--closed only pages without an open licence count: no network has learnt from them. Vector pages and scans are treated alike.
"""

import argparse
from collections import defaultdict

import cv2
import numpy as np
import onnxruntime

from detector import SIDE, detections, iou, padded_iou
from real_pages import INPUT, is_open, labelled_pages

# Overlap of neighbouring tiles, half of it, in pixels.
MARGIN = 48
THRESHOLDS = (0.3, 0.4, 0.5, 0.6)
TOILETS = ("wc", "squat_wc", "urinal")
GROUPS = {
    "doors": (lambda kind: kind <= 2, lambda label: label["doors"]),
    "toilets": (lambda kind: 3 <= kind <= 5, lambda label: [own for own in label["fixtures"] if own["kind"] in TOILETS]),
    "fixtures": (lambda kind: kind >= 3, lambda label: label["fixtures"]),
}


def detected(session, page):
    """Returns the detections on a page: class, logit, left, top, right, bottom in its pixels."""
    factor = INPUT / page.pixels_per_metre
    ink = np.sqrt(1 - cv2.resize(page.grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA) / np.float32(255))
    found, (height, width), step = [], ink.shape, SIDE - 2 * MARGIN
    for top in range(-MARGIN, max(1, height - MARGIN), step):
        for left in range(-MARGIN, max(1, width - MARGIN), step):
            tile = np.zeros((SIDE, SIDE), np.float32)
            part = ink[max(0, top):top + SIDE, max(0, left):left + SIDE]
            tile[max(0, -top):max(0, -top) + part.shape[0], max(0, -left):max(0, -left) + part.shape[1]] = part
            if tile.mean() < 0.003:
                continue
            for one in detections(session.run(None, {"tile": tile[None, None]})[0][0]):
                x, y = (one[2] + one[4]) / 2, (one[3] + one[5]) / 2
                if MARGIN <= x < SIDE - MARGIN and MARGIN <= y < SIDE - MARGIN:
                    found.append(np.r_[one[:2], one[2:] + [left, top, left, top]])
    kept = []
    for one in sorted(found, key=lambda own: -own[1]):
        if all((own[0] <= 2) != (one[0] <= 2) or padded_iou(one[2:], own[2:]) < 0.35 for own in kept):
            kept.append(one)
    return [np.r_[one[:2], one[2:] / factor] for one in kept]


def counts(found, labels):
    """Returns right, wrong and missed detections, in user space. Uncertain labels count neither way."""
    def overlap(box, label):
        wanted = label["bbox"]
        padding = 4.0 if min(wanted[2] - wanted[0], wanted[3] - wanted[1]) < 12 else 0.0
        grown = lambda sides: np.asarray(sides, float) + [-padding, -padding, padding, padding]
        return iou(grown(box), grown(wanted))

    pairs = sorted(((overlap(box, label), i, j) for i, box in enumerate(found) for j, label in enumerate(labels)), reverse=True)
    boxes, met, right = set(), set(), 0
    for shared, i, j in pairs:
        if shared < 0.5:
            break
        if i not in boxes and j not in met:
            boxes.add(i), met.add(j)
            right += not labels[j].get("uncertain")
    missed = sum(j not in met and not label.get("uncertain") for j, label in enumerate(labels))
    return np.array([right, len(found) - len(boxes), missed])


def f1(three):
    return 2 * three[0] / max(2 * three[0] + three[1] + three[2], 1)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("network")
    arguments.add_argument("folders", nargs="+")
    arguments.add_argument("--closed", action="store_true")
    arguments = arguments.parse_args()
    session = onnxruntime.InferenceSession(arguments.network, providers=["CPUExecutionProvider"])
    wanted = lambda label: (label["doors"] or label["fixtures"]) and not (arguments.closed and is_open(label))
    pages = [page for labels, pdfs in zip(arguments.folders[::2], arguments.folders[1::2])
             for page in labelled_pages(labels, pdfs, wanted)]
    found = [(page, detected(session, page)) for page in pages]
    print(len(pages), "pages of", len({page.office for page in pages}), "offices")
    for group, (belongs, labels) in GROUPS.items():
        for threshold in THRESHOLDS:
            offices = defaultdict(lambda: np.zeros(3, int))
            for page, own in found:
                sure = [one for one in own if belongs(one[0]) and one[1] > np.log(threshold / (1 - threshold))]
                offices[page.office] += counts([page.frame.user_space(one[2:]) for one in sure], labels(page.label))
            scored = {office: f1(three) for office, three in offices.items() if three[0] + three[2] >= 3}
            mean = sum(scored.values()) / len(scored) if scored else float("nan")
            print(f"{group} {threshold}: F1 {f1(sum(offices.values())):.3f}, mean {mean:.3f}")
            if threshold == 0.5:
                print("   ", ", ".join(f"{name} {score:.2f}" for name, score in sorted(scored.items(), key=lambda own: own[1])))


if __name__ == "__main__":
    main()
