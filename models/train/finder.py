"""Trains, calibrates, tests and exports the network that finds symbols in pictures of plans. See README.md.

The tiles come from `training-tiles`; nothing here draws or renders. One thread and fixed seeds.
"""

import argparse
import csv
import json
import time
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn
from torch.nn import functional

from network import Block, Graph, doubled, folded

# Of a tile that is trained on, and of one that the exported network takes, in pixels.
TRAINED, SIDE = 256, 512
# Pixels of a cell of the maps.
STRIDE = 4
CLASSES = ["swinging door", "double door", "sliding or other door", "water closet", "squat pan", "urinal", "lavatory",
           "sink", "bathtub", "shower", "other fixture"]
DOORS, TOILETS = [0, 1, 2], [3, 4, 5]
# The maps: a heat for each class, the centre's offset in cells, the logarithm of the box's sides in cells, one unused.
OFFSET, SIZE, OUTPUTS = len(CLASSES), len(CLASSES) + 2, 16
# What stands in place of a class where a symbol may be or not.
UNCLEAR = -1
# Cells around a symbol's centre that learn its box.
REACH = 1
# A symbol nearer to a tile's edge than this, in pixels, is another tile's to find.
MARGIN = 32


class Finder(nn.Module):
    """Down to a sixteenth and up to a quarter again: convolutions, ReLU, sums and nearest doubling only."""

    def __init__(self):
        super().__init__()
        self.quarter = nn.Sequential(Block(1, 16, 2), Block(16, 32, 2), Block(32, 32))
        self.eighth = nn.Sequential(Block(32, 64, 2), Block(64, 64), Block(64, 64))
        self.sixteenth = nn.Sequential(Block(64, 96, 2), Block(96, 96), Block(96, 96))
        self.to_eighth, self.to_quarter = nn.Conv2d(96, 64, 1), nn.Conv2d(64, 32, 1)
        self.eighth_again, self.quarter_again = Block(64, 64), Block(32, 32)
        self.head = nn.Sequential(Block(32, 48), nn.Conv2d(48, OUTPUTS, 1))
        with torch.no_grad():
            self.head[1].bias[:len(CLASSES)] = -4.0

    def forward(self, tiles):
        quarter = self.quarter(tiles)
        eighth = self.eighth(quarter)
        deep = self.to_eighth(self.sixteenth(eighth))
        eighth = self.eighth_again(eighth + doubled(deep))
        shallow = self.to_quarter(eighth)
        quarter = self.quarter_again(quarter + doubled(shallow))
        return self.head(quarter)


class Tiles:
    """Tiles of a file of `training-tiles`, with the boxes on each: class, left, top, right, bottom in pixels."""

    def __init__(self, path):
        self.pixels = np.memmap(path.with_suffix(".bin"), np.uint8, "r").reshape(-1, TRAINED, TRAINED)
        with open(path.with_suffix(".csv"), newline="") as file:
            self.lines = list(csv.DictReader(file))
        self.boxes = [np.zeros((0, 5), np.float32)] * len(self.lines)
        rows = np.loadtxt(path.with_suffix(".boxes.csv"), np.float32, delimiter=",", skiprows=1, ndmin=2)
        for start, end in zip(*self.runs(rows[:, 0])):
            self.boxes[int(rows[start, 0])] = rows[start:end, 1:]
        assert len(self.lines) == len(self.pixels)

    @staticmethod
    def runs(values):
        """Where runs of one value start and end."""
        starts = np.flatnonzero(np.r_[True, values[1:] != values[:-1]]) if len(values) else np.zeros(0, int)
        return starts, np.r_[starts[1:], len(values)] if len(values) else starts

    def batch(self, indices):
        return torch.from_numpy(self.pixels[np.sort(indices)]).float().div(255).unsqueeze(1)


def turned(boxes, quarters, mirrored):
    """Boxes of a tile that is mirrored left to right where asked, then turned counterclockwise by quarters."""
    boxes = boxes.copy()
    if mirrored:
        boxes[:, [1, 3]] = TRAINED - boxes[:, [3, 1]]
    for _ in range(quarters):
        kind, x1, y1, x2, y2 = boxes.T
        boxes = np.stack([kind, y1, TRAINED - x2, y2, TRAINED - x1], 1)
    return boxes


def disturbed(tiles, random):
    """Ink thicker or thinner, blurred, paler, blotched, speckled and cut by a scanner's lines, each in some tiles."""
    count = len(tiles)
    done = []
    for tile in tiles:
        tile = tile[None]
        chance = random.random()
        if chance < 0.12:
            tile = functional.max_pool2d(tile, 3, 1, 1) * float(random.uniform(0.6, 1.0))
        elif chance < 0.2:
            tile = (tile - float(random.uniform(0.05, 0.3))).clamp(0)
        elif chance < 0.35:
            tile = torch.lerp(tile, functional.avg_pool2d(tile, 3, 1, 1, count_include_pad=False),
                              float(random.uniform(0.3, 1.0)))
        if random.random() < 0.15:
            # Ink that comes and goes, as pencil's does.
            coarse = torch.from_numpy(random.uniform(0.1, 1.3, (1, 1, 24, 24)).astype(np.float32))
            tile = tile * functional.interpolate(coarse, size=tile.shape[2:], mode="bilinear").clamp(0, 1)
        if random.random() < 0.1:
            tile = tile * torch.from_numpy((random.random(tile.shape) > random.uniform(0.02, 0.4)).astype(np.float32))
        if random.random() < 0.06:
            rows = random.integers(0, TRAINED, int(random.integers(1, 6)))
            tile[:, :, rows] = float(random.choice([0.0, 1.0]))
        done.append(tile)
    tiles = torch.cat(done)
    strength = torch.from_numpy(random.uniform(0.5, 1.25, (count, 1, 1, 1)).astype(np.float32))
    paper = torch.from_numpy((random.uniform(0, 0.25, (count, 1, 1, 1)) * (random.random((count, 1, 1, 1)) < 0.15))
                             .astype(np.float32))
    noisy = torch.from_numpy((random.uniform(0, 0.12, (count, 1, 1, 1)) * (random.random((count, 1, 1, 1)) < 0.25))
                             .astype(np.float32))
    noise = torch.from_numpy(random.standard_normal(tiles.shape, np.float32))
    return (tiles * strength + paper + noise * noisy).clamp(0, 1)


def targets(boxes):
    """Maps of what a tile's boxes ask for: heat, where heat counts, offset and size with their weights."""
    cells = TRAINED // STRIDE
    heat = np.zeros((len(CLASSES), cells, cells), np.float32)
    counts = np.ones((cells, cells), np.float32)
    box = np.zeros((4, cells, cells), np.float32)
    weight = np.zeros((cells, cells), np.float32)
    ys, xs = np.mgrid[:cells, :cells].astype(np.float32)
    for kind, *corners in boxes:
        x1, y1, x2, y2 = np.array(corners) / STRIDE
        if kind == UNCLEAR:
            low, high = lambda side: max(int(np.floor(side)), 0), lambda side: max(int(np.ceil(side)), 0)
            counts[low(y1):high(y2), low(x1):high(x2)] = 0
            continue
        x, y = (x1 + x2) / 2 - 0.5, (y1 + y2) / 2 - 0.5
        wide, high = max(x2 - x1, 0.5), max(y2 - y1, 0.5)
        column, row = int(round(x)), int(round(y))
        if not (0 <= column < cells and 0 <= row < cells):
            continue
        across, down = np.clip(0.12 * wide, 0.5, 1.3), np.clip(0.12 * high, 0.5, 1.3)
        near = np.exp(-((xs - column) ** 2 / across ** 2 + (ys - row) ** 2 / down ** 2) / 2)
        heat[int(kind)] = np.maximum(heat[int(kind)], near)
        part = np.s_[max(row - REACH, 0):row + REACH + 1, max(column - REACH, 0):column + REACH + 1]
        stronger = near[part] > weight[part]
        weight[part] = np.where(stronger, near[part], weight[part])
        own = np.stack([x - xs[part], y - ys[part], np.full(stronger.shape, np.log(wide)),
                        np.full(stronger.shape, np.log(high))])
        box[(slice(None), *part)] = np.where(stronger, own, box[(slice(None), *part)])
    return heat, counts, box, weight


def loss_of(outputs, heat, counts, box, weight):
    logits = outputs[:, :len(CLASSES)]
    probability = logits.sigmoid()
    centre = (heat >= 0.999).float()
    found = -functional.logsigmoid(logits) * (1 - probability) ** 2 * centre
    claimed = -functional.logsigmoid(-logits) * probability ** 2 * (1 - heat) ** 4 * (1 - centre) * counts[:, None]
    symbols = centre.sum().clamp(min=1)
    difference = functional.smooth_l1_loss(outputs[:, OFFSET:OFFSET + 4], box, reduction="none", beta=0.1)
    boxes = (difference * weight[:, None]).sum() / weight.sum().clamp(min=1)
    return (found.sum() + claimed.sum()) / symbols + 0.7 * boxes


def train(model, tiles, steps, size, random):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=2e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps + 1, pct_start=0.15)
    started, total, order = time.time(), 0.0, np.zeros(0, int)
    model.train()
    for step in range(steps):
        if len(order) < size:
            order = random.permutation(len(tiles.lines))
        indices, order = np.sort(order[:size]), order[size:]
        pixels, asked = tiles.batch(indices), []
        for place, index in enumerate(indices):
            quarters, mirrored = int(random.integers(4)), random.random() < 0.5
            if mirrored:
                pixels[place] = pixels[place].flip(2)
            pixels[place] = torch.rot90(pixels[place], quarters, (1, 2))
            asked.append(targets(turned(tiles.boxes[index], quarters, mirrored)))
        wanted = [torch.from_numpy(np.stack(part)) for part in zip(*asked)]
        optimizer.zero_grad()
        loss = loss_of(model(disturbed(pixels, random).to(memory_format=torch.channels_last)), *wanted)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        schedule.step()
        total += loss.item()
        if (step + 1) % 100 == 0:
            print(f"step {step + 1}/{steps} loss {total / 100:.4f} {time.time() - started:.0f} s", flush=True)
            total = 0.0


def finds(outputs, least=-3.0):
    """Peaks of a tile's maps, the surest first: class, logit, left, top, right, bottom in pixels. One symbol has one peak:
    of boxes that have most in common, those of one kind of thing or of another, the surest stays."""
    heat = torch.from_numpy(outputs[None, :len(CLASSES)])
    peaks = (functional.max_pool2d(heat, 3, 1, 1) == heat) & (heat > least)
    kinds, rows, columns = np.nonzero(peaks[0].numpy())
    logits = outputs[kinds, rows, columns]
    dx, dy, wide, high = outputs[OFFSET:OFFSET + 4, rows, columns]
    x, y = (columns + 0.5 + dx) * STRIDE, (rows + 0.5 + dy) * STRIDE
    wide, high = np.exp(np.clip(wide, -2, 5)) * STRIDE / 2, np.exp(np.clip(high, -2, 5)) * STRIDE / 2
    found = np.stack([kinds, logits, x - wide, y - high, x + wide, y + high], 1)[np.argsort(-logits, kind="stable")]
    kept = []
    for one in found:
        door = one[0] in DOORS
        if all((other[0] in DOORS) != door or overlap(one[2:], other[2:]) < 0.4 for other in kept):
            kept.append(one)
    return np.array(kept, np.float32).reshape(-1, 6)


def overlap(a, b):
    """Intersection over union; thin boxes, as sliding doors have, are widened first, as a pixel would decide."""
    def grown(box):
        thin = min(box[2] - box[0], box[3] - box[1]) < 8
        return box + np.array([-3, -3, 3, 3]) * thin

    a, b = grown(np.asarray(a, float)), grown(np.asarray(b, float))
    area = lambda box: max(box[2] - box[0], 0) * max(box[3] - box[1], 0)
    both = area([max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])])
    return both / max(area(a) + area(b) - both, 1e-6)


def inside(box):
    """Whether a box's centre is the tile's own to find."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return MARGIN <= x < TRAINED - MARGIN and MARGIN <= y < TRAINED - MARGIN


def judged(found, boxes):
    """Whether each find is right, in class and place; None where it is unclear. And the boxes, each with whether it was
    found."""
    wanted = [box for box in boxes if box[0] != UNCLEAR and inside(box[1:])]
    others = [box for box in boxes if box[0] == UNCLEAR or not inside(box[1:])]
    met, rights = [False] * len(wanted), []
    for one in found:
        best = max(range(len(wanted)), key=lambda at: overlap(one[2:], wanted[at][1:]) * (not met[at]), default=None)
        right = best is not None and not met[best] and overlap(one[2:], wanted[best][1:]) >= 0.5
        right = right and (one[0] in DOORS) == (wanted[best][0] in DOORS)
        if right:
            met[best] = True
        x, y = (one[2] + one[4]) / 2, (one[3] + one[5]) / 2
        unclear = any(box[1] <= x <= box[3] and box[2] <= y <= box[4] for box in others) or not inside(one[2:])
        rights.append(True if right else None if unclear else False)
    return rights, list(zip(wanted, met))


def maps(model, tiles, size=32):
    model.eval()
    with torch.no_grad():
        for at in range(0, len(tiles.lines), size):
            indices = np.arange(at, min(at + size, len(tiles.lines)))
            yield from zip(indices, model(tiles.batch(indices)).numpy())


def calibrate(model, tiles):
    """For each class, what a logit is to be multiplied by and what added, so that it tells how often a find is right."""
    logits, rights, kinds = [], [], []
    for index, outputs in maps(model, tiles):
        found = finds(outputs)
        for one, right in zip(found, judged(found, tiles.boxes[index])[0]):
            if right is not None:
                logits.append(one[1]), rights.append(float(right)), kinds.append(int(one[0]))
    logits, rights = torch.tensor(logits, dtype=torch.float32), torch.tensor(rights, dtype=torch.float32)
    kinds = torch.tensor(kinds, dtype=torch.long)
    # Slopes in common for doors and for fixtures; a class's own level is held near its group's.
    slope = nn.Parameter(torch.ones(2))
    level, own = nn.Parameter(torch.zeros(2)), nn.Parameter(torch.zeros(len(CLASSES)))
    group = (kinds > DOORS[-1]).long()
    optimizer = torch.optim.LBFGS([slope, level, own], max_iter=200)

    def closure():
        optimizer.zero_grad()
        loss = functional.binary_cross_entropy_with_logits(logits * slope[group] + level[group] + own[kinds], rights)
        loss = loss + 1e-3 * own.square().mean()
        loss.backward()
        return loss

    optimizer.step(closure)
    groups = torch.tensor([int(kind > DOORS[-1]) for kind in range(len(CLASSES))])
    return slope.detach()[groups], (level[groups] + own).detach()


def calibrated(model, slope, level):
    """The network without batch normalisation, its last layer calibrated, in place."""
    last = folded(model).head[1]
    with torch.no_grad():
        last.weight[:len(CLASSES)] *= slope[:, None, None, None]
        last.bias[:len(CLASSES)] = last.bias[:len(CLASSES)] * slope + level
        last.weight[SIZE + 2:] = 0
        last.bias[SIZE + 2:] = 0
    return model


def export(model, path):
    graph = Graph()
    quarter = graph.blocks(model.quarter, "tile")
    eighth = graph.blocks(model.eighth, quarter)
    deep = graph.conv(model.to_eighth, graph.blocks(model.sixteenth, eighth))
    eighth = graph.blocks([model.eighth_again], graph.add("Add", [eighth, graph.doubled(deep)]))
    shallow = graph.conv(model.to_quarter, eighth)
    quarter = graph.blocks([model.quarter_again], graph.add("Add", [quarter, graph.doubled(shallow)]))
    graph.conv(model.head[1], graph.blocks(model.head[:1], quarter), "maps")
    return graph.save(path, ("tile", (1, 1, SIDE, SIDE)), ("maps", (1, OUTPUTS, SIDE // STRIDE, SIDE // STRIDE)))


def mosaics(tiles, count):
    """Tiles of the exported network's size, four of the trained size each."""
    for at in range(0, 4 * count, 4):
        four = tiles.pixels[at:at + 4]
        yield np.vstack([np.hstack(four[:2]), np.hstack(four[2:])])


def parity(model, path, tiles, examples):
    """The largest difference of ONNX Runtime's outputs from PyTorch's. Writes one tile with PyTorch's outputs, for the
    tests of other engines: 512 x 512 bytes of ink and 16 x 128 x 128 little-endian floats."""
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    furthest = 0.0
    for at, mosaic in enumerate(mosaics(tiles, 8)):
        tile = torch.from_numpy(mosaic).float().div(255)[None, None]
        with torch.no_grad():
            own = model(tile).numpy()
        furthest = max(furthest, float(np.abs(own - session.run(None, {"tile": tile.numpy()})[0]).max()))
        if at == 0:
            examples.write_bytes(mosaic.tobytes() + own.astype("<f4").tobytes())
    return furthest


def report(model, tiles):
    """Precision, recall and F1 at even odds by class and by group, by what the page went through; and the calibration."""
    rows, boxes = [], []
    for index, outputs in maps(model, tiles):
        line, found = tiles.lines[index], finds(outputs)
        rights, wanted = judged(found, tiles.boxes[index])
        rows += [(int(one[0]), float(one[1]), right, line["page"]) for one, right in zip(found, rights) if right is not None]
        sure = judged(found[found[:, 1] > 0], tiles.boxes[index])[1]
        boxes += [(int(box[0]), met, line["page"]) for box, met in sure]

    def of(members, page=None):
        claims = [row for row in rows if row[0] in members and row[1] > 0 and page in (None, row[3])]
        there = [box for box in boxes if box[0] in members and page in (None, box[2])]
        hits, met = sum(row[2] for row in claims), sum(box[1] for box in there)
        precision, recall = hits / max(len(claims), 1), met / max(len(there), 1)
        return {"symbols": len(there), "precision": round(precision, 4), "recall": round(recall, 4),
                "f1": round(2 * precision * recall / max(precision + recall, 1e-9), 4)}

    fixtures = list(range(TOILETS[0], len(CLASSES)))
    groups = {"doors": DOORS, "toilets": TOILETS, "fixtures": fixtures}
    pages = sorted({line["page"] for line in tiles.lines})
    bins = []
    probability = 1 / (1 + np.exp(-np.array([row[1] for row in rows])))
    right = np.array([row[2] for row in rows], float)
    for low in np.arange(0.1, 1.0, 0.1):
        chosen = (probability > low) & (probability <= low + 0.1)
        if chosen.any():
            bins.append({"from": round(float(low), 1), "finds": int(chosen.sum()),
                         "sure": round(float(probability[chosen].mean()), 3), "right": round(float(right[chosen].mean()), 3)})
    return {
        "tiles": len(tiles.lines),
        "classes": {name: of([kind]) for kind, name in enumerate(CLASSES)},
        "groups": {name: of(members) for name, members in groups.items()},
        "by page": {page: {name: of(members, page)["f1"] for name, members in groups.items()} for page in pages},
        "calibration": bins,
    }


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True, help="folder with train, held and test of training-tiles")
    arguments.add_argument("--out", type=Path, required=True, help="folder of the model")
    arguments.add_argument("--steps", type=int, default=2000)
    arguments.add_argument("--size", type=int, default=16, help="tiles of a step")
    arguments = arguments.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(20261122)
    random = np.random.default_rng(20261122)
    trained = Tiles(arguments.data / "train")
    print(len(trained.lines), "tiles", flush=True)
    # The faster layout on a CPU.
    model = Finder().to(memory_format=torch.channels_last)
    print(sum(parameter.numel() for parameter in model.parameters()), "parameters", flush=True)
    train(model, trained, arguments.steps, arguments.size, random)
    torch.save(model.state_dict(), arguments.data / "weights.pt")
    slope, level = calibrate(model, Tiles(arguments.data / "held"))
    network = calibrated(model, slope, level)
    path = arguments.out / "model.onnx"
    digest = export(network, path)
    test = Tiles(arguments.data / "test")
    furthest = parity(network, path, test, arguments.out / "examples.bin")
    assert furthest < 1e-3, f"the file and the network differ by {furthest}"
    metrics = {"slope": slope.tolist(), "level": level.tolist(), "parity": furthest, "sha256": digest,
               "bytes": path.stat().st_size, "test": report(network, test)}
    (arguments.data / "metrics.json").write_text(json.dumps(metrics, indent=1) + "\n")
    print(json.dumps(metrics, indent=1))


if __name__ == "__main__":
    main()
