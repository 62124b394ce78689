"""Trains, calibrates, tests and exports the detector of symbols on scans. See README.md.

The tiles come from `training-tiles` and, with `--real`, from labelled real pages. Seeds are fixed. Runs on a GPU if there is one, otherwise on all processors.
"""

import argparse
import csv
import json
import random
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

import real_pages
from network import (Block, Budget, Graph, autocast, averaging, best_device, doubled, epoch_batches, folded, half_of, random_mask,
                     random_uniform, run_folder, set_files, with_exported_weights, with_varied_lines)

# Side of a tile in training, and of the exported network's input, in pixels.
TRAINED, SIDE = 256, 512
# Side of a map's cell, in pixels.
STRIDE = 4
CLASSES = ["swinging door", "double door", "sliding or other door", "water closet", "squat pan", "urinal", "lavatory",
           "sink", "bathtub", "shower", "other fixture"]
DOORS, TOILETS = [0, 1, 2], [3, 4, 5]
# The maps: a heat map for each class, the centre's offset in cells, the logarithms of the box's sides in cells, one unused.
OFFSET, SIZE, OUTPUTS = len(CLASSES), len(CLASSES) + 2, 16
# Batches of real tiles that each process draws ahead.
PREFETCHED = 8
# Seeds of the tiles of real pages, and how many are calibrated on.
TRAINING_SEED, CALIBRATION_SEED, CALIBRATION_TILES = 20261123, 20261124, 2000
# The class of a box that counts neither way.
UNCERTAIN = -1
# The class of a padding row.
NO_BOX = -2
# Distance in cells around a symbol's centre within which cells learn its box.
REACH = 1
# A symbol nearer to a tile's edge than this, in pixels, belongs to another tile.
MARGIN = 32


class Detector(nn.Module):
    """A CenterNet with a feature pyramid, from a thirty-second up to a quarter of the resolution. Uses convolutions, ReLU, sums
    and nearest-neighbour upsampling only. Most of its weights work at low resolution, where they cost little."""

    def __init__(self):
        super().__init__()
        self.quarter = nn.Sequential(Block(1, 24, 2), Block(24, 32, 2), Block(32, 32))
        self.eighth = nn.Sequential(Block(32, 80, 2), Block(80, 80), Block(80, 80))
        self.sixteenth = nn.Sequential(Block(80, 160, 2), *(Block(160, 160) for _ in range(4)))
        self.thirty_second = nn.Sequential(Block(160, 224, 2), *(Block(224, 224) for _ in range(3)))
        self.to_sixteenth, self.to_eighth = nn.Conv2d(224, 160, 1), nn.Conv2d(160, 80, 1)
        self.to_quarter = nn.Conv2d(80, 32, 1)
        self.sixteenth_again, self.eighth_again = Block(160, 160), Block(80, 80)
        self.quarter_again = Block(32, 32)
        self.head = nn.Sequential(Block(32, 48), nn.Conv2d(48, OUTPUTS, 1))
        with torch.no_grad():
            self.head[1].bias[:len(CLASSES)] = -4.0

    def forward(self, tiles):
        quarter = self.quarter(tiles)
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        deep = self.to_sixteenth(self.thirty_second(sixteenth))
        sixteenth = self.sixteenth_again(sixteenth + doubled(deep))
        eighth = self.eighth_again(eighth + doubled(self.to_eighth(sixteenth)))
        quarter = self.quarter_again(quarter + doubled(self.to_quarter(eighth)))
        return self.head(quarter)


class Tiles:
    """Tiles of one or several files of `training-tiles` on a device, with their boxes: class, left, top, right, bottom in
    pixels."""

    def __init__(self, pixels, lines, boxes):
        self.pixels, self.lines, self.boxes = pixels, lines, boxes

    @classmethod
    def read(cls, paths, device):
        pixels = [np.fromfile(path.with_suffix(".bin"), np.uint8).reshape(-1, TRAINED, TRAINED) for path in paths]
        lines, boxes = [], []
        for path in paths:
            with open(path.with_suffix(".csv"), newline="") as file:
                own = list(csv.DictReader(file))
            of_file = [np.zeros((0, 5), np.float32)] * len(own)
            rows = np.loadtxt(path.with_suffix(".boxes.csv"), np.float32, delimiter=",", skiprows=1, ndmin=2)
            for start, end in zip(*cls.runs(rows[:, 0])):
                of_file[int(rows[start, 0])] = rows[start:end, 1:]
            lines += own
            boxes += of_file
        pixels = torch.from_numpy(np.concatenate(pixels)).to(device)
        assert len(lines) == len(pixels)
        return cls(pixels, lines, boxes)

    @classmethod
    def of_real_pages(cls, real, count, device):
        """Returns tiles of real pages as they are, without pasted symbols."""
        tiles, boxes = zip(*(real.bare() for _ in range(count)))
        pixels = torch.from_numpy((np.stack(tiles) * 255).round().astype(np.uint8)).to(device)
        lines = [{"page": "real"}] * count
        return cls(pixels, lines, [np.array(own, np.float32).reshape(-1, 5) for own in boxes])

    @staticmethod
    def runs(values):
        """Returns where runs of one value start and end."""
        starts = np.flatnonzero(np.r_[True, values[1:] != values[:-1]]) if len(values) else np.zeros(0, int)
        return starts, np.r_[starts[1:], len(values)] if len(values) else starts

    def batch(self, indices):
        return self.pixels[indices].float().div(255).unsqueeze(1)

    def padded(self):
        """Returns all boxes as one tensor, padded with rows of NO_BOX."""
        most = max(max(len(own) for own in self.boxes), 1)
        table = np.zeros((len(self.boxes), most, 5), np.float32)
        table[:, :, 0] = NO_BOX
        for own, row in zip(self.boxes, table):
            row[:len(own)] = own
        return torch.from_numpy(table).to(self.pixels.device)


def rotated(tiles, boxes):
    """Rotates and mirrors tiles and their boxes in eight ways, an eighth of them each: mirrored left to right or not, then
    rotated counterclockwise by multiples of 90 degrees."""
    turned_tiles, turned_boxes = [], []
    for way, (part, own) in enumerate(zip(tiles.chunk(8), boxes.chunk(8))):
        kind, x1, y1, x2, y2 = own.unbind(2)
        if way >= 4:
            part, (x1, x2) = torch.flip(part, (3,)), (TRAINED - x2, TRAINED - x1)
        for _ in range(way % 4):
            x1, y1, x2, y2 = y1, TRAINED - x2, y2, TRAINED - x1
        turned_tiles.append(torch.rot90(part, way % 4, (2, 3)))
        turned_boxes.append(torch.stack([kind, x1, y1, x2, y2], 2))
    return torch.cat(turned_tiles), torch.cat(turned_boxes)


def overlaid(tiles, boxes):
    """Overlays some tiles with a light one on which nothing is to be detected: on real sheets dimensions, hatches and notes run
    across symbols."""
    others = torch.randperm(len(tiles), device=tiles.device)
    empty = (boxes[others, :, 0] == NO_BOX).all(1) & (tiles[others].mean((1, 2, 3)) < 0.12)
    shown = random_mask(len(tiles), 0.25, tiles) * empty.float().view(-1, 1, 1, 1)
    return torch.maximum(tiles, tiles[others] * random_uniform(len(tiles), 0.4, 1.0, tiles) * shown)


def augmented(tiles):
    """Augments tiles: thicker, thinner or blurred lines, contrast, uneven ink, holes, a scanner's streaks and noise, each in
    some tiles."""
    tiles, count = with_varied_lines(tiles, (0.12, 0.2, 0.35)), len(tiles)
    # Uneven ink, as of a pencil.
    coarse = torch.rand(count, 1, 24, 24, device=tiles.device) * 1.2 + 0.1
    uneven = functional.interpolate(coarse, size=tiles.shape[2:], mode="bilinear").clamp(0, 1)
    tiles = tiles * torch.lerp(torch.ones_like(uneven), uneven, random_mask(count, 0.15, tiles))
    holes = (torch.rand_like(tiles) < random_uniform(count, 0.02, 0.4, tiles)).float() * random_mask(count, 0.1, tiles)
    tiles = tiles * (1 - holes)
    cut = (torch.rand(count, 1, TRAINED, 1, device=tiles.device) < 3 / TRAINED).float() * random_mask(count, 0.06, tiles)
    tiles = torch.lerp(tiles, random_mask(count, 0.5, tiles).expand_as(tiles), cut)
    paper = random_uniform(count, 0, 0.25, tiles) * random_mask(count, 0.15, tiles)
    noise = torch.randn_like(tiles) * random_uniform(count, 0, 0.12, tiles) * random_mask(count, 0.25, tiles)
    return (tiles * random_uniform(count, 0.5, 1.25, tiles) + paper + noise).clamp(0, 1)


def targets(boxes):
    """Returns the targets for boxes in the shape of `Tiles.padded`: heat, where heat counts, offset and size with their
    weights."""
    cells, device = TRAINED // STRIDE, boxes.device
    kind, x1, y1, x2, y2 = (side[:, :, None, None] for side in boxes.unbind(2))
    x1, y1, x2, y2 = (side / STRIDE for side in (x1, y1, x2, y2))
    ys = torch.arange(cells, device=device).float().view(1, 1, cells, 1)
    xs = torch.arange(cells, device=device).float().view(1, 1, 1, cells)
    uncertain = (kind == UNCERTAIN) & (xs >= x1.floor()) & (xs < x2.ceil()) & (ys >= y1.floor()) & (ys < y2.ceil())
    counts = (~uncertain.any(1)).float()
    x, y = (x1 + x2) / 2 - 0.5, (y1 + y2) / 2 - 0.5
    wide, high = (x2 - x1).clamp(min=0.5), (y2 - y1).clamp(min=0.5)
    column, row = x.round(), y.round()
    there = (kind >= 0) & (column >= 0) & (column < cells) & (row >= 0) & (row < cells)
    across, down = (0.12 * wide).clamp(0.5, 1.3), (0.12 * high).clamp(0.5, 1.3)
    near = torch.exp(-((xs - column) ** 2 / across ** 2 + (ys - row) ** 2 / down ** 2) / 2) * there
    heat = torch.zeros(len(boxes), len(CLASSES), cells, cells, device=device)
    place = kind.clamp(min=0).long().expand_as(near)
    heat = heat.scatter_reduce(1, place, near, "amax")
    within = ((xs - column).abs() <= REACH) & ((ys - row).abs() <= REACH)
    weight, nearest = (near * within).max(1)
    pick = lambda values: values.expand(-1, -1, cells, cells).gather(1, nearest[:, None])[:, 0]
    box = torch.stack([pick(x) - xs[:, 0], pick(y) - ys[:, 0], pick(wide.log()), pick(high.log())], 1)
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


def joined(pixels, boxes, real):
    """Appends real tiles, a batch of `RealBatches`, to a batch of tiles with padded boxes."""
    real_pixels, real_boxes = (own.to(pixels.device, non_blocking=True) for own in real)
    most = max(boxes.shape[1], real_boxes.shape[1])
    fill = lambda rows: functional.pad(rows, (0, 0, 0, most - rows.shape[1]), value=NO_BOX)
    order = torch.randperm(len(boxes) + len(real_boxes), device=pixels.device)
    return torch.cat([pixels, real_pixels.float().div(255)])[order], torch.cat([fill(boxes), fill(real_boxes)])[order]


class RealBatches(IterableDataset):
    """Endless batches of tiles of real pages: pixels as bytes, and padded boxes. Each process that makes them has a seed."""

    def __init__(self, pages, pictures, size):
        self.pages, self.pictures, self.size = pages, pictures, size

    def __iter__(self):
        worker = get_worker_info()
        seed = TRAINING_SEED + (worker.id if worker else 0)
        real = real_pages.RealTiles(self.pages, self.pictures, random.Random(seed))
        # Many processes draw tiles. Threads of their own would only get in their way.
        cv2.setNumThreads(0)
        while True:
            tiles, rows = zip(*(real.sample() for _ in range(self.size)))
            boxes = np.full((self.size, max(1, *map(len, rows)), 5), NO_BOX, np.float32)
            for own, row in zip(rows, boxes):
                row[:len(own)] = np.array(own, np.float32).reshape(-1, 5)
            pixels = (np.stack(tiles)[:, None] * 255).round().astype(np.uint8)
            yield torch.from_numpy(pixels), torch.from_numpy(boxes)


def train(model, tiles, minutes, rate, size, device, real=None):
    """Trains for some minutes, and returns the model with the exponential moving average of the weights. Steps have `size` tiles
    of `tiles`, and a batch of `real` if there is one."""
    averaged = averaging(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=2e-2)
    boxes, step, total, order = tiles.padded(), 0, torch.zeros((), device=device), []
    budget = Budget(minutes)
    model.train()
    while budget.is_left():
        if not order:
            order = epoch_batches(len(boxes), size, device)
        indices = order.pop()
        pixels, asked = tiles.batch(indices), boxes[indices]
        if real is not None:
            pixels, asked = joined(pixels, asked, next(real))
        pixels, asked = rotated(overlaid(pixels, asked), asked)
        budget.set_rate(optimizer, rate)
        optimizer.zero_grad()
        with autocast(device):
            outputs = model(augmented(pixels).contiguous(memory_format=torch.channels_last))
        loss = loss_of(outputs.float(), *targets(asked))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        averaged.update_parameters(model)
        step, total = step + 1, total + loss.detach()
        if step % 200 == 0:
            print(f"step {step} loss {total.item() / 200:.4f} {budget.spent():.0f} s", flush=True)
            total.zero_()
    print(f"{step} steps, {step * size / len(boxes):.1f} passes", flush=True)
    return averaged.module


def detections(outputs, least=-3.0):
    """Returns the peaks of a tile's maps after non-maximum suppression among doors and among fixtures, the most confident
    first: class, logit, left, top, right, bottom in pixels."""
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
        if all((other[0] in DOORS) != door or padded_iou(one[2:], other[2:]) < 0.4 for other in kept):
            kept.append(one)
    return np.array(kept, np.float32).reshape(-1, 6)


def padded_iou(a, b):
    """Returns the intersection over union. Thin boxes, such as sliding doors, are padded first: one pixel would decide."""
    def grown(box):
        thin = min(box[2] - box[0], box[3] - box[1]) < 8
        return box + np.array([-3, -3, 3, 3]) * thin

    return iou(grown(np.asarray(a, float)), grown(np.asarray(b, float)))


def iou(a, b):
    """Returns the intersection over union of two boxes."""
    area = lambda box: max(box[2] - box[0], 0) * max(box[3] - box[1], 0)
    both = area([max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])])
    return both / max(area(a) + area(b) - both, 1e-6)


def inside(box):
    """Whether a box belongs to the tile, by its centre."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return MARGIN <= x < TRAINED - MARGIN and MARGIN <= y < TRAINED - MARGIN


def matched(found, boxes):
    """Matches detections with boxes. Returns whether each detection is right in group and place, or None if it counts
    neither way, and the boxes, each with whether it was detected."""
    wanted = [box for box in boxes if box[0] != UNCERTAIN and inside(box[1:])]
    others = [box for box in boxes if box[0] == UNCERTAIN or not inside(box[1:])]
    met, rights = [False] * len(wanted), []
    for one in found:
        best = max(range(len(wanted)), key=lambda at: padded_iou(one[2:], wanted[at][1:]) * (not met[at]), default=None)
        right = best is not None and not met[best] and padded_iou(one[2:], wanted[best][1:]) >= 0.5
        right = right and (one[0] in DOORS) == (wanted[best][0] in DOORS)
        if right:
            met[best] = True
        x, y = (one[2] + one[4]) / 2, (one[3] + one[5]) / 2
        uncertain = any(box[1] <= x <= box[3] and box[2] <= y <= box[4] for box in others) or not inside(one[2:])
        rights.append(True if right else None if uncertain else False)
    return rights, list(zip(wanted, met))


def maps(model, tiles, size=32):
    model.eval()
    with torch.no_grad():
        for at in range(0, len(tiles.lines), size):
            indices = np.arange(at, min(at + size, len(tiles.lines)))
            yield from zip(indices, model(tiles.batch(indices)).cpu().numpy())


def calibrate(model, tiles):
    """Returns the factor and the offset of each class's logits that make its sigmoid the share of right detections (Platt
    scaling)."""
    logits, rights, kinds = [], [], []
    for index, outputs in maps(model, tiles):
        found = detections(outputs)
        for one, right in zip(found, matched(found, tiles.boxes[index])[0]):
            if right is not None:
                logits.append(one[1]), rights.append(float(right)), kinds.append(int(one[0]))
    logits, rights = torch.tensor(logits, dtype=torch.float32), torch.tensor(rights, dtype=torch.float32)
    kinds = torch.tensor(kinds, dtype=torch.long)
    # Doors share a slope, and so do fixtures; a class's offset is held near its group's.
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
    """Folds batch normalization into the convolutions and calibrates the last layer, in place."""
    last = folded(model).head[1]
    with torch.no_grad():
        last.weight[:len(CLASSES)] *= slope[:, None, None, None]
        last.bias[:len(CLASSES)] = last.bias[:len(CLASSES)] * slope + level
        last.weight[SIZE + 2:] = 0
        last.bias[SIZE + 2:] = 0
    return model


def export(model, path):
    graph = Graph(model)
    quarter = graph.blocks(model.quarter, "tile")
    eighth = graph.blocks(model.eighth, quarter)
    sixteenth = graph.blocks(model.sixteenth, eighth)
    deep = graph.blocks(model.thirty_second, sixteenth)
    deep = graph.pyramid(deep, [
        (sixteenth, model.to_sixteenth, model.sixteenth_again),
        (eighth, model.to_eighth, model.eighth_again),
        (quarter, model.to_quarter, model.quarter_again),
    ])
    graph.conv(model.head[1], graph.blocks(model.head[:1], deep), "maps")
    return graph.save(path, [("tile", (1, 1, SIDE, SIDE))], ("maps", (1, OUTPUTS, SIDE // STRIDE, SIDE // STRIDE)))


def mosaics(tiles, count):
    """Yields tiles of the exported network's size, four of the trained size each."""
    for at in range(0, 4 * count, 4):
        four = tiles.pixels[at:at + 4].cpu().numpy()
        yield np.vstack([np.hstack(four[:2]), np.hstack(four[2:])])


def parity(model, path, tiles, examples):
    """Returns the largest difference of ONNX Runtime's outputs from PyTorch's. Writes one tile with PyTorch's outputs, for the
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
    """Returns precision, recall and F1 at a confidence of 0.5 by class, group and scanner, and the calibration."""
    rows, boxes = [], []
    for index, outputs in maps(model, tiles):
        line, found = tiles.lines[index], detections(outputs)
        rights, wanted = matched(found, tiles.boxes[index])
        rows += [(int(one[0]), float(one[1]), right, line["page"]) for one, right in zip(found, rights) if right is not None]
        sure = matched(found[found[:, 1] > 0], tiles.boxes[index])[1]
        boxes += [(int(box[0]), met, line["page"]) for box, met in sure]

    def scores(members, page=None):
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
            bins.append({"from": round(float(low), 1), "detections": int(chosen.sum()),
                         "sure": round(float(probability[chosen].mean()), 3), "right": round(float(right[chosen].mean()), 3)})
    return {
        "tiles": len(tiles.lines),
        "classes": {name: scores([kind]) for kind, name in enumerate(CLASSES)},
        "groups": {name: scores(members) for name, members in groups.items()},
        "by page": {page: {name: scores(members, page)["f1"] for name, members in groups.items()} for page in pages},
        "calibration": bins,
    }


def real_parts(arguments, wanted):
    """Returns the real pages whose office `wanted` accepts, and the pictures of symbols, or None without --real."""
    if not arguments.real:
        return None
    pages, pictures = real_pages.Packed.read(arguments.real)
    pages = [page for page in pages if wanted(page.office)]
    print(len(pages), "real pages", sum(len(page.boxes) for page in pages), "symbols", flush=True)
    return pages, pictures


def real_batches(arguments, size):
    """Returns endless batches of `size` tiles of the real pages that are trained on, or None without --real."""
    parts = real_parts(arguments, lambda office: half_of(office) != arguments.leave_half)
    if not parts:
        return None
    dataset = RealBatches(*parts, size)
    ahead = PREFETCHED if arguments.workers else None
    return iter(DataLoader(dataset, batch_size=None, num_workers=arguments.workers, prefetch_factor=ahead))


def calibration(arguments, model, device):
    """Returns slopes and levels of the logits: fitted on the offices that were left out, otherwise as an earlier run with
    --leave-half fitted them, otherwise fitted on synthetic sheets."""
    if arguments.leave_half is not None:
        parts = real_parts(arguments, lambda office: half_of(office) == arguments.leave_half)
        real = real_pages.RealTiles(*parts, random.Random(CALIBRATION_SEED))
        left_out = [f"{page.label_file}={page.pdf}\n" for page in real.pages if page.is_plan]
        (run_folder(arguments) / "left-out.txt").write_text("".join(left_out))
        slope, level = calibrate(model, Tiles.of_real_pages(real, CALIBRATION_TILES, device))
        stored = {"slope": slope.tolist(), "level": level.tolist()}
        (run_folder(arguments) / "calibration.json").write_text(json.dumps(stored) + "\n")
        return slope, level
    if arguments.calibration:
        stored = json.loads(arguments.calibration.read_text())
        return torch.tensor(stored["slope"]), torch.tensor(stored["level"])
    return calibrate(model, Tiles.read(set_files(arguments.data, "held"), device))


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True, help="folder with train, held and test of training-tiles")
    arguments.add_argument("--out", type=Path, required=True, help="folder of the model")
    arguments.add_argument("--minutes", type=float, default=35.0)
    arguments.add_argument("--size", type=int, help="tiles of a step; without it 128 on a GPU and 16 else")
    arguments.add_argument("--rate", type=float, default=3e-3, help="the highest learning rate")
    arguments.add_argument("--weights", type=Path, help="weights.pt of an earlier run to begin with; --minutes 0 keeps them")
    arguments.add_argument("--network", type=Path, help="an exported network to begin with, instead of --weights")
    arguments.add_argument("--real", type=Path, help="rendered real pages and symbols, written by real_pages.py")
    arguments.add_argument("--real-share", type=float, default=0.75, help="the share of real pages in a step's tiles")
    arguments.add_argument("--workers", type=int, default=0, help="processes that cut tiles of real pages")
    arguments.add_argument("--leave-half", type=int, choices=(0, 1),
                           help="a half of the offices that is left out, and calibrated on")
    arguments.add_argument("--calibration", type=Path,
                           help="calibration.json of a run with --leave-half, which is taken over")
    arguments = arguments.parse_args()
    device = best_device()
    size = arguments.size or (128 if device.type == "cuda" else 16)
    torch.manual_seed(20261122)
    # Channels-last is the faster layout.
    model = with_exported_weights(Detector(), arguments.network) if arguments.network else Detector()
    model = model.to(device, memory_format=torch.channels_last)
    print(sum(parameter.numel() for parameter in model.parameters()), "parameters", device, flush=True)
    if arguments.weights:
        model.load_state_dict(torch.load(arguments.weights, map_location=device))
    if arguments.minutes > 0:
        trained = Tiles.read(set_files(arguments.data, "train"), device)
        print(len(trained.lines), "tiles", flush=True)
        of_real = int(size * arguments.real_share) if arguments.real else 0
        batches = real_batches(arguments, of_real)
        model = train(model, trained, arguments.minutes, arguments.rate, size - of_real, device, batches)
        torch.save(model.state_dict(), run_folder(arguments) / "weights.pt")
    slope, level = calibration(arguments, model, device)
    network = calibrated(model.cpu(), slope, level)
    path = arguments.out / "model.onnx"
    digest = export(network, path)
    test = Tiles.read(set_files(arguments.data, "test"), torch.device("cpu"))
    furthest = parity(network, path, test, arguments.out / "examples.bin")
    assert furthest < 1e-3, f"the file and the network differ by {furthest}"
    metrics = {"slope": slope.tolist(), "level": level.tolist(), "parity": furthest, "sha256": digest,
               "bytes": path.stat().st_size, "test": report(network, test)}
    (run_folder(arguments) / "metrics.json").write_text(json.dumps(metrics, indent=1) + "\n")
    print(json.dumps(metrics, indent=1))


if __name__ == "__main__":
    main()
