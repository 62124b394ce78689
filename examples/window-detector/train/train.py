"""Trains, measures and exports the network that tells windows from other parallel lines. See README.md.

    train.py --sheets FOLDER... --onnx ../networks/window-classifier.onnx     all offices; the card's network
    train.py --sheets FOLDER... --measure                                     each office by a network that has not seen it

A folder holds two files for each sheet:

    NAME.inputs.json   what `fanlight plugin run NAME.pdf --parameters '{"list": "candidates"}'` prints
    NAME.json          the truth: `office`, `source.licence`, and `windows` with `bbox` and perhaps `uncertain`, as in the
                       project's labels; or `openings` with `kind` and `bbox`, as its synthetic sheets have them
"""

import argparse
import collections
import hashlib
import json
import pathlib

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn
from torch.nn import functional

SIDE, CHANNELS, BLACK = 48, 2, 15
# The head has 16 outputs, which the fast path of a GPU needs. The first is the logit of a window, the others are 0.
OUTPUTS = 16
# A candidate is a window if it overlaps one by more than this, intersection over union of padded boxes.
SAME = 0.6
# Candidates that share more than this of the smaller box with a window, or with something uncertain, count neither way.
PART = 0.2
# A window whose middle is darker than this is hidden.
HIDDEN = 0.6
STEPS, BATCH, RATE, SEED = 1000, 128, 2e-3, 1
# As in `src/detection.rs`.
COVERED, SAME_ENDS, MAX_THICKNESS = 0.3, 0.85, 0.8
# Candidates with a lower logit are never detections.
FLOOR = 0.0
# Both boxes are padded by so many points before they are matched, since windows are thin; matched above this overlap.
PADDING, MATCH = 4.0, 0.5


class Sheet:
    """A sheet: its candidates with their inputs, and its windows."""

    def __init__(self, inputs):
        truth = json.loads(inputs.with_name(inputs.name.removesuffix(".inputs.json") + ".json").read_text())
        candidates = json.loads(inputs.read_text())["windows"]
        self.name = inputs.name.removesuffix(".inputs.json")
        self.is_drafted = "openings" in truth
        self.office = "drafted" if self.is_drafted else family(truth["office"])
        self.is_open = self.is_drafted or bool(truth["source"]["licence"])
        windows = truth["windows"] if "windows" in truth else [o for o in truth["openings"] if o["kind"] == "window"]
        self.boxes = np.array([[c["bbox"][key] for key in ("x1", "y1", "x2", "y2")] for c in candidates]).reshape(-1, 4)
        self.windows = np.array([w["bbox"] for w in windows if not w.get("uncertain")]).reshape(-1, 4)
        self.uncertain = np.array([w["bbox"] for w in windows if w.get("uncertain")]).reshape(-1, 4)
        digits = np.array(bytearray("".join(c["input"] for c in candidates), "ascii"), np.uint8)
        cells = np.where(digits >= ord("a"), digits - ord("a") + 10, digits - ord("0"))
        self.cells = cells.reshape(-1, CHANNELS, SIDE, SIDE).astype(np.uint8)
        best = overlap(self.boxes, self.windows, PADDING).max(1, initial=0)
        doubtful = inside(self.boxes, self.windows) | inside(self.boxes, self.uncertain)
        # 1 a window, 0 none, -1 neither.
        self.labels = np.where(best > SAME, 1, np.where(doubtful, -1, 0))
        # Some synthetic walls are thick strokes that hide their windows.
        hidden = self.cells[:, 0, 18:30, 12:36].mean((1, 2)) > HIDDEN * BLACK
        self.labels[hidden & (self.labels == 1)] = -1


def family(office):
    """Offices that drew the same building, or that are one office under several names, are left out together."""
    return next((name for name in ("polimi", "trn") if office.startswith(name)), {"grosberg": "trn"}.get(office, office))


def inside(boxes, others):
    """Returns which boxes share more than a part of themselves, or of it, with one of the others."""
    low, high = np.maximum(boxes[:, None, :2], others[None, :, :2]), np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    common = np.clip(high - low, 0, None).prod(2)
    area = lambda boxes: (boxes[:, 2:] - boxes[:, :2]).prod(1)
    return (common > PART * np.minimum(area(boxes)[:, None], area(others)[None])).any(1)


def overlap(a, b, padding=0.0):
    """Returns the intersection over union of each box of `a` with each of `b`."""
    a, b = (boxes + np.array([-padding, -padding, padding, padding]) for boxes in (a, b))
    low, high = np.maximum(a[:, None, :2], b[None, :, :2]), np.minimum(a[:, None, 2:], b[None, :, 2:])
    common = np.clip(high - low, 0, None).prod(2)
    area = lambda boxes: (boxes[:, 2:] - boxes[:, :2]).prod(1)
    return common / np.maximum(area(a)[:, None] + area(b)[None] - common, 1e-9)


class Classifier(nn.Sequential):
    """Convolutions, ReLU and 2 x 2 max pooling only, which every engine runs. 65,520 weights."""

    def __init__(self):
        layers = [nn.Conv2d(CHANNELS, 16, 3, 2, 1), nn.ReLU()]
        for inputs, outputs in ((16, 32), (32, 48), (48, 64)):
            layers += [nn.Conv2d(inputs, outputs, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2)]
        super().__init__(*layers, nn.Conv2d(64, 32, 3), nn.ReLU(), nn.Conv2d(32, OUTPUTS, 1))

    def logits(self, cells):
        return self(cells)[:, 0, 0, 0]


def augmented(cells):
    """Mirrors, shifts and scales inputs, draws others over them, erases parts, and varies how thick and dark lines are."""
    count = len(cells)
    chance = torch.rand(7, count)
    clutter = cells[torch.randperm(count)]
    erased = torch.rand(count, 1, 3, 3)
    erased = functional.interpolate((erased < 0.08).float(), SIDE, mode="nearest")
    clutter = clutter * functional.interpolate((torch.rand(count, 1, 4, 4) < 0.25).float(), SIDE, mode="nearest")
    # The middle of the stretched picture shows the candidate itself, and stays free.
    middle = torch.ones(1, CHANNELS, SIDE, SIDE)
    middle[:, 0, 12:36, 6:42] = 0.0
    middle[:, 1, 18:30, 12:36] = 0.0
    cells = torch.where((chance[0] < 0.5).view(-1, 1, 1, 1), torch.maximum(cells, clutter * middle), cells)
    cells = torch.where((chance[1] < 0.5).view(-1, 1, 1, 1), cells * (1.0 - erased * middle), cells)
    mirror_x = torch.where(chance[2] < 0.5, -1.0, 1.0) * (0.9 + 0.2 * chance[3])
    mirror_y = torch.where(chance[4] < 0.5, -1.0, 1.0) * (0.85 + 0.3 * chance[5])
    turn = torch.zeros(count, 2, 3)
    turn[:, 0, 0], turn[:, 1, 1], turn[:, :, 2] = mirror_x, mirror_y, 0.1 * (torch.rand(count, 2) - 0.5)
    cells = functional.grid_sample(cells, functional.affine_grid(turn, cells.shape, False), align_corners=False)
    thick = chance[6] < 0.15
    cells[thick] = functional.max_pool2d(cells[thick], 3, 1, 1) * 0.9
    thin = chance[6] > 0.85
    cells[thin] = (cells[thin] - 0.2).clamp(0)
    return torch.lerp(cells, cells ** 2, (torch.rand(count, 1, 1, 1) * 1.2 - 0.5)).clamp(0, 1)


def tensor(cells):
    return torch.from_numpy(cells).float() / BLACK


def trained(sheets, steps):
    """Returns a classifier. Half of each batch are windows; half of either half are from real sheets, if there are any; each
    sheet has the same share."""
    torch.manual_seed(SEED)
    chance = np.random.default_rng(SEED)
    model = Classifier()
    optimizer = torch.optim.AdamW(model.parameters(), RATE, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    pools = []
    for label in (1, 0):
        for is_drafted in (True, False):
            own = [(s, np.flatnonzero(s.labels == label)) for s in sheets if s.is_drafted == is_drafted]
            pools.append([(sheet, at) for sheet, at in own if len(at)])
    pools = [pool for pool in pools if pool]
    targets = torch.tensor([float(pool[0][0].labels[pool[0][1][0]]) for pool in pools for _ in range(BATCH // len(pools))])
    running = 0.0
    for step in range(steps):
        batch = []
        for pool in pools:
            for which in chance.integers(len(pool), size=BATCH // len(pools)):
                sheet, at = pool[which]
                batch.append(sheet.cells[at[chance.integers(len(at))]])
        loss = functional.binary_cross_entropy_with_logits(model.logits(augmented(tensor(np.stack(batch)))), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        running = 0.98 * running + 0.02 * loss.item()
        if step % 500 == 499:
            print(f"step {step + 1} loss {running:.4f}", flush=True)
    return model.eval()


@torch.no_grad()
def scores(model, sheet):
    parts = [model.logits(tensor(sheet.cells[at:at + 512])).numpy() for at in range(0, len(sheet.cells), 512)]
    return np.concatenate([np.zeros(0), *parts])


def detections(sheet, logits):
    """Returns boxes and logits, the best first, as `src/detection.rs` does."""
    boxes, kept = np.zeros((0, 4)), []
    area = lambda b: (b[..., 2:] - b[..., :2]).prod(-1)
    for at in np.argsort(-logits, kind="stable"):
        if logits[at] < FLOOR:
            break
        box = across_the_wall(sheet.boxes[at], sheet.boxes)
        low, high = np.maximum(boxes[:, :2], box[:2]), np.minimum(boxes[:, 2:], box[2:])
        if not (np.clip(high - low, 0, None).prod(1) > COVERED * np.minimum(area(boxes), area(box))).any():
            boxes = np.vstack([boxes, box])
            kept.append(at)
    return boxes, logits[kept]


def across_the_wall(own, boxes):
    """Returns a box with those that end together with it and touch it, as `src/detection.rs` does."""
    along = 0 if own[2] - own[0] >= own[3] - own[1] else 1
    across = 1 - along
    low, high = np.maximum(boxes[:, :2], own[:2]), np.minimum(boxes[:, 2:], own[2:])
    together = np.maximum(boxes[:, along + 2], own[along + 2]) - np.minimum(boxes[:, along], own[along])
    beside = (high - low)[:, along] >= SAME_ENDS * together
    beside = boxes[beside & ((high - low)[:, across] >= 0)]
    grown = own.copy()
    grown[[across, across + 2]] = beside[:, across].min(), beside[:, across + 2].max()
    is_thin = grown[across + 2] - grown[across] <= MAX_THICKNESS * (own[along + 2] - own[along])
    return grown if is_thin else own


def matched(sheet, boxes):
    """Returns for each detection, best first, 1 if it finds a window, 0 if it is false, -1 if it counts neither way."""
    same = overlap(boxes, sheet.windows, PADDING)
    doubtful = inside(boxes, sheet.uncertain)
    free, found = set(range(len(sheet.windows))), []
    for row, doubt in zip(same, doubtful):
        best = max(free, key=lambda window: row[window], default=None)
        if best is not None and row[best] >= MATCH:
            free.remove(best)
            found.append(1)
        else:
            found.append(-1 if doubt else 0)
    return np.array(found, int)


def f1(true, false, missed):
    return 2 * true / max(2 * true + false + missed, 1)


def report(results, threshold):
    """Prints true, false and missed windows of each office at a threshold, and the sums and means."""
    offices = collections.defaultdict(lambda: np.zeros(3, int))
    for sheet, found, logits in results:
        true, false = (found[logits >= threshold] == 1).sum(), (found[logits >= threshold] == 0).sum()
        offices[sheet.office] += [true, false, len(sheet.windows) - true]
    for office, counts in sorted(offices.items()):
        print(f"{office:28} found {counts[0]:3} false {counts[1]:3} missed {counts[2]:3}")
    true, false, missed = sum(offices.values())
    with_windows = [f1(*counts) for counts in offices.values() if counts[0] + counts[2]]
    print(f"threshold {threshold:.2f}: precision {true / max(true + false, 1):.2f} recall {true / max(true + missed, 1):.2f}"
          f" F1 {f1(true, false, missed):.2f} pooled, {np.mean(with_windows):.2f} mean of {len(with_windows)} offices")


def best_threshold(results):
    """Returns the logit above which F1, pooled over all sheets, is highest."""
    found = np.concatenate([found for _, found, _ in results])
    logits = np.concatenate([logits for _, _, logits in results])
    windows = sum(len(sheet.windows) for sheet, _, _ in results)
    candidates = np.quantile(logits, np.linspace(0, 1, 400))
    counts = lambda at: ((found[logits >= at] == 1).sum(), (found[logits >= at] == 0).sum())
    return max(candidates, key=lambda at: f1(*counts(at), windows - counts(at)[0]))


def result(model, sheet):
    boxes, logits = detections(sheet, scores(model, sheet))
    return sheet, matched(sheet, boxes), logits


def measure(sheets, folds, steps):
    """Measures each open office with a network that has not seen it, and those without a licence with one that saw all."""
    opened = [sheet for sheet in sheets if sheet.is_open]
    real = [sheet for sheet in opened if not sheet.is_drafted]
    offices = sorted({s.office for s in real}, key=lambda o: (-sum(len(s.windows) for s in real if s.office == o), o))
    results = []
    for fold in range(folds):
        left_out = set(offices[fold::folds])
        print(f"left out: {', '.join(sorted(left_out))}", flush=True)
        model = trained([sheet for sheet in opened if sheet.office not in left_out], steps)
        results += [result(model, sheet) for sheet in real if sheet.office in left_out]
    threshold = best_threshold(results)
    print("\nOffices with an open licence, each left out of training. The threshold is the best for them:")
    report(results, threshold)
    return threshold


def export(model, path):
    """Writes the network as ONNX with fixed shapes, compares it with PyTorch, and prints its SHA-256."""
    nodes, weights, name = [], [], "input"
    for at, layer in enumerate(model):
        output = "logits" if at == len(model) - 1 else f"t{at}"
        if isinstance(layer, nn.Conv2d):
            for kind, values in (("weight", layer.weight), ("bias", layer.bias)):
                weights.append(onnx.numpy_helper.from_array(values.detach().numpy(), f"{at}.{kind}"))
            attributes = {"kernel_shape": list(layer.kernel_size), "pads": 2 * list(layer.padding),
                          "strides": list(layer.stride)}
            attributes |= {"dilations": [1, 1], "group": 1}
            nodes.append(onnx.helper.make_node("Conv", [name, f"{at}.weight", f"{at}.bias"], [output], **attributes))
        elif isinstance(layer, nn.ReLU):
            nodes.append(onnx.helper.make_node("Relu", [name], [output]))
        else:
            attributes = {"kernel_shape": [2, 2], "strides": [2, 2], "pads": [0, 0, 0, 0]}
            nodes.append(onnx.helper.make_node("MaxPool", [name], [output], **attributes))
        name = output
    value = lambda name, shape: onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
    graph = onnx.helper.make_graph(nodes, path.stem, [value("input", [1, CHANNELS, SIDE, SIDE])],
                                   [value("logits", [1, OUTPUTS, 1, 1])], weights)
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8)
    # wonnx needs the shape of each tensor in the file.
    onnx.save(onnx.shape_inference.infer_shapes(made, strict_mode=True), path)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    inputs = torch.rand(64, 1, CHANNELS, SIDE, SIDE)
    difference = max(np.abs(session.run(None, {"input": one.numpy()})[0] - model(one).detach().numpy()).max() for one in inputs)
    print(f"{path}: {path.stat().st_size} bytes, sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}")
    print(f"largest difference from PyTorch: {difference:.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sheets", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--onnx", type=pathlib.Path)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--threshold", type=float, default=0.0, help="logit that becomes confidence 0.5, as measured")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    paths = sorted(path for folder in arguments.sheets for path in folder.glob("*.inputs.json"))
    sheets = [Sheet(path) for path in paths]
    for is_drafted, what in ((True, "synthetic"), (False, "real")):
        own = [sheet for sheet in sheets if sheet.is_drafted == is_drafted]
        print(f"{len(own)} {what} sheets, {sum(len(sheet.windows) for sheet in own)} windows,"
              f" {sum(len(sheet.boxes) for sheet in own)} candidates, {sum((sheet.labels == 1).sum() for sheet in own)} of windows")
    threshold = arguments.threshold
    if arguments.measure:
        threshold = measure(sheets, arguments.folds, arguments.steps)
    if arguments.onnx is None:
        return
    model = trained([sheet for sheet in sheets if sheet.is_open], arguments.steps)
    closed = [result(model, sheet) for sheet in sheets if not sheet.is_open]
    if closed:
        print("\nOffices without a licence, never trained on, at the same threshold:")
        report(closed, threshold)
    with torch.no_grad():
        head = model[-1]
        head.bias[0] -= threshold
        head.weight[1:], head.bias[1:] = 0.0, 0.0
    export(model, arguments.onnx)


if __name__ == "__main__":
    main()
