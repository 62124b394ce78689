"""Fits and measures how `view-classifier` and the titles of a sheet are fused. See README.md.

    view_fusion.py fit WEIGHTS.pt BOXES HALF     prints the weights of reading/sheet/src/views/fusion.rs
    view_fusion.py measure WEIGHTS.pt BOXES      prints F1 of each class, with the weights of `fit`

BOXES is a file of `training-views` without its suffix. `fit` uses the half of the offices that the network has not learnt from;
it writes the weights to `fusion.json` beside WEIGHTS.pt, where `measure` reads them.
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


def detected(boxes, confidences):
    """Returns the indices of the likeliest boxes that do not overlap."""
    kept = []
    for index in sorted(range(len(boxes)), key=lambda index: -confidences[index]):
        if confidences[index] < MIN_CONFIDENCE:
            break
        common = (overlap(boxes[index], boxes[other]) / max(min(area(boxes[index]), area(boxes[other])), 1) for other in kept)
        if all(share < MAX_COMMON for share in common):
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


def measure(boxes, proposed, probabilities):
    """Prints F1 of each class, pooled and as the mean over offices with at least three views of it."""
    on_page = collections.defaultdict(list)
    for index in torch.nonzero(proposed)[:, 0].tolist():
        on_page[boxes.page[index]].append(index)
    counts = collections.defaultdict(lambda: np.zeros(3, int))
    for page in set(on_page) | set(boxes.pages):
        own = on_page[page]
        shares = probabilities[own]
        kept = detected(boxes.boxes[own].tolist(), (1 - shares[:, NONE]).tolist())
        views, office = boxes.pages.get(page, []), boxes.office[own[0]] if own else boxes.pages[page][0]["office"]
        for number in range(1, len(CLASSES)):
            found = [boxes.boxes[own[at]].tolist() for at in kept if shares[at, 1:].argmax() + 1 == number]
            wanted = [[float(view[key]) for key in ("x1", "y1", "x2", "y2")] for view in views
                      if int(view["classes"]) == 1 << number]
            counts[number, office] += matches(found, wanted)
    for number in range(1, len(CLASSES)):
        offices = [own for (at, _), own in counts.items() if at == number]
        enough = [f1(own) for own in offices if own[0] + own[2] >= 3]
        right, wrong, missed = np.sum(offices, 0)
        print(f"{CLASSES[number]:20} right {right:4} wrong {wrong:4} missed {missed:4} F1 {f1((right, wrong, missed)):.3f}"
              f" mean over {len(enough)} offices {np.mean(enough or [0]):.3f}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("task", choices=("fit", "measure"))
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("boxes", type=Path)
    arguments.add_argument("--beside", type=Path, nargs="*", default=[], help="weights of other runs whose logits are averaged with these")
    arguments.add_argument("half", type=int, nargs="?", choices=(0, 1))
    arguments = arguments.parse_args()
    network = view_classifier.Ensemble(map(view_classifier.load, [arguments.weights, *arguments.beside]))
    boxes = view_classifier.Boxes([arguments.boxes])
    sets, proposed = sets_of(arguments.boxes)
    stored = arguments.weights.parent / "fusion.json"
    if arguments.task == "fit":
        unseen = torch.tensor([half_of(office) == arguments.half for office in boxes.office])
        index, logits = view_classifier.logits_of(network, boxes, proposed & unseen)
        model = fitted(logits, sets[index], boxes.classes[index])
        weights = {name: values.tolist() for name, values in model.state_dict().items()}
        stored.write_text(json.dumps(weights) + "\n")
        print(json.dumps(weights, indent=1))
        return
    model = Fusion()
    model.load_state_dict({name: torch.tensor(values) for name, values in json.loads(stored.read_text()).items()})
    index, logits = view_classifier.logits_of(network, boxes, proposed)
    for what, own in (("network alone", logits.softmax(1)), ("fused", model(logits, sets[index]).exp().detach())):
        probabilities = torch.zeros(len(boxes.page), len(CLASSES))
        probabilities[index] = own
        print(what)
        measure(boxes, proposed, probabilities)


if __name__ == "__main__":
    main()
