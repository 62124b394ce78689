"""Fits and measures how `view-classifier` and the titles of a sheet are fused. See README.md.

    view_fusion.py fit BOXES FUSION.json WITHOUT_0.pt WITHOUT_1.pt   writes the weights of reading/sheet/src/views/fusion.rs
    view_fusion.py measure BOXES FUSION.json MODEL.onnx              prints F1 of each class with these weights

BOXES is a file of `training-views` without its suffix. `fit` asks two networks, each about the half of the offices that it has
not learnt from. `measure` asks all networks of an exported ensemble.
"""

import argparse
import collections
import csv
import json
from pathlib import Path

import numpy as np
import torch

import view_classifier
from network import half_of
from view_classifier import CLASSES, NONE

# Where titles that name classes stand, as `training-views` writes them.
PLACES = ("below", "above", "inside", "sheet")
# The weight of the ridge penalty.
RIDGE = 2.0
# The same as in `reading/sheet/src/views.rs`.
MIN_CONFIDENCE, MAX_COMMON = 0.5, 0.5
# The same as in `reading/sheet/src/views/context.rs`.
PRIOR_VIEWS = 0.5
# A box and a view with at least this intersection over union are the same; the corpus counts so.
SAME = 0.5


class Fusion(torch.nn.Module):
    """A log-linear model of the network's logits and the classes that titles name."""

    def __init__(self):
        super().__init__()
        self.network, self.none = torch.nn.Parameter(torch.ones(1)), torch.nn.Parameter(torch.zeros(1))
        self.named, self.unnamed = torch.nn.Parameter(torch.zeros(4)), torch.nn.Parameter(torch.zeros(4))

    def forward(self, logits, sets):
        named = ((sets[:, :, None] >> torch.arange(len(CLASSES))) & 1).float()
        unnamed = (sets > 0).float()[:, :, None] * (1 - named)
        unnamed[:, :, NONE] = 0
        none = torch.nn.functional.one_hot(torch.tensor(NONE), len(CLASSES)) * self.none
        scores = self.network * logits + (named * self.named[:, None]).sum(1) + (unnamed * self.unnamed[:, None]).sum(1) + none
        return scores.log_softmax(1)


def sets_of(path):
    """Returns the sets of classes that titles name for each box, as bits, and which boxes are candidates."""
    with open(path.with_suffix(".csv"), newline="") as file:
        lines = list(csv.DictReader(file))
    # A view that no candidate meets is listed as a box of its own, for training only.
    proposed = [not (float(line["overlap"]) > 0.999 and int(line["classes"]) > 1) for line in lines]
    return torch.tensor([[int(line[place]) for place in PLACES] for line in lines]), torch.tensor(proposed)


def fitted(logits, sets, classes):
    """Fits the weights by maximum likelihood with a ridge penalty."""
    allowed, counted = (classes[:, None] >> torch.arange(len(CLASSES))) & 1, classes != 0
    model = Fusion()
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=200)

    def closure():
        optimizer.zero_grad()
        logs = model(logits[counted], sets[counted]).masked_fill(allowed[counted] == 0, -1e4)
        loss = -torch.logsumexp(logs, 1).sum() + RIDGE * (model.named.square().sum() + model.unnamed.square().sum())
        loss.backward()
        return loss

    optimizer.step(closure)
    return model


def overlap(a, b):
    return max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))


def area(box):
    return (box[2] - box[0]) * (box[3] - box[1])


def overlaps(a, b):
    return overlap(a, b) >= MAX_COMMON * min(area(a), area(b))


def detected(boxes, confidences):
    """Returns the indices of the likeliest boxes that do not overlap."""
    kept = []
    for index in sorted(range(len(boxes)), key=lambda index: -confidences[index]):
        if confidences[index] < MIN_CONFIDENCE:
            break
        if not any(overlaps(boxes[index], boxes[other]) for other in kept):
            kept.append(index)
    return kept


def matches(found, views):
    """Returns the numbers of right and wrong boxes and of missed views, as the corpus counts."""
    def iou(a, b):
        return overlap(a, b) / max(area(a) + area(b) - overlap(a, b), 1)

    pairs = sorted(((iou(box, view), i, j) for i, box in enumerate(found) for j, view in enumerate(views)), reverse=True)
    used_found, used_views = set(), set()
    for share, i, j in pairs:
        if share >= SAME and i not in used_found and j not in used_views:
            used_found.add(i)
            used_views.add(j)
    return len(used_found), len(found) - len(used_found), len(views) - len(used_views)


def f1(counts):
    right, wrong, missed = counts
    return 2 * right / max(2 * right + wrong + missed, 1)


def in_context(boxes, scores):
    """Adds what the other views of a sheet say of each box, as `reading/sheet/src/views/context.rs` does."""
    probabilities = scores.softmax(1)
    kept = detected(boxes, (1 - probabilities[:, NONE]).tolist())
    added = scores.clone()
    for index, box in enumerate(boxes):
        counts = torch.full((len(CLASSES),), PRIOR_VIEWS)
        for other in kept:
            if not overlaps(box, boxes[other]):
                counts += probabilities[other]
        added[index, 1:] += torch.log(counts[1:] / counts[1:].mean())
    return added


def measure(boxes, proposed, scores):
    """Prints F1 of each class, pooled and as the mean over offices with at least three views of it; then of all classes, with the
    mean over offices and classes. The sheet's other views are counted in, as served."""
    on_page = collections.defaultdict(list)
    for index in torch.nonzero(proposed)[:, 0].tolist():
        on_page[boxes.page[index]].append(index)
    counts = collections.defaultdict(lambda: np.zeros(3, int))
    for page in set(on_page) | set(boxes.pages):
        own = on_page[page]
        found = boxes.boxes[own].tolist()
        shares = in_context(found, scores[own]).softmax(1)
        kept = detected(found, (1 - shares[:, NONE]).tolist())
        views, office = boxes.pages.get(page, []), boxes.office[own[0]] if own else boxes.pages[page][0]["office"]
        for number in range(1, len(CLASSES)):
            of_class = [found[at] for at in kept if shares[at, 1:].argmax() + 1 == number]
            wanted = [[float(view[key]) for key in ("x1", "y1", "x2", "y2")] for view in views
                      if int(view["classes"]) == 1 << number]
            counts[number, office] += matches(of_class, wanted)
    means, total = [], np.zeros(3, int)
    for number in range(1, len(CLASSES)):
        offices = [own for (at, _), own in counts.items() if at == number]
        enough, pooled = [f1(own) for own in offices if own[0] + own[2] >= 3], np.sum(offices, 0)
        means, total = means + enough, total + pooled
        show(CLASSES[number], pooled, enough)
    show("all", total, means)


def show(name, counts, of_offices):
    right, wrong, missed = counts
    print(f"{name:20} right {right:4} wrong {wrong:4} missed {missed:4} F1 {f1(counts):.3f}"
          f" mean of {len(of_offices)} {np.mean(of_offices or [0]):.3f}")


def fit(boxes, sets, proposed, weights):
    """Fits the weights of fusion to networks that have not learnt from the first and the second half of the offices."""
    halves, logits, index = torch.tensor([half_of(office) for office in boxes.office]), [], []
    for half, path in enumerate(weights):
        own, of_half = view_classifier.logits_of(view_classifier.load(path), boxes, proposed & (halves == half))
        index.append(own)
        logits.append(of_half)
    index = torch.cat(index)
    model = fitted(torch.cat(logits), sets[index], boxes.classes[index])
    return {name: values.tolist() for name, values in model.state_dict().items()}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("task", choices=("fit", "measure"))
    arguments.add_argument("boxes", type=Path)
    arguments.add_argument("fusion", type=Path)
    arguments.add_argument("networks", type=Path, nargs="+")
    arguments = arguments.parse_args()
    boxes = view_classifier.Boxes([arguments.boxes])
    sets, proposed = sets_of(arguments.boxes)
    if arguments.task == "fit":
        weights = fit(boxes, sets, proposed, arguments.networks)
        arguments.fusion.write_text(json.dumps(weights) + "\n")
        print(json.dumps(weights, indent=1))
        return
    network = view_classifier.Ensemble(view_classifier.members_of(arguments.networks[0]))
    model = Fusion()
    model.load_state_dict({name: torch.tensor(values) for name, values in json.loads(arguments.fusion.read_text()).items()})
    index, logits = view_classifier.logits_of(network, boxes, proposed)
    scores = torch.zeros(len(boxes.page), len(CLASSES))
    scores[index] = model(logits, sets[index]).detach()
    measure(boxes, proposed, scores)


if __name__ == "__main__":
    main()
