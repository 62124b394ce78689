"""Trains, tests and exports view segmentation. See README.md.

The sheets come from `training-sheets`. Seeds are fixed. Runs on a GPU if there is one, otherwise on one CPU thread.
"""

import argparse
import csv
import json
import math
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn
from torch.nn import functional

from network import Block, Budget, Graph, autocast, doubled, folded, set_files, epoch_batches, best_device

# The same as in `reading/sheet/src/view_segmentation.rs`.
WIDTH, HEIGHT, CELL, OUTPUTS = 1024, 768, 4, 16
COLUMNS, ROWS = WIDTH // CELL, HEIGHT // CELL
CLASSES = ["nothing", "interior elevation", "other view", "title", "notes", "table"]
INTERIOR = 1
# Labels of `training-sheets`: a cell that is not an interior elevation but otherwise unknown, and an unknown cell.
NOT_INTERIOR, UNKNOWN = 254, 255
# Class weights of the loss: titles and notes are small.
WEIGHTS = [0.6, 1.2, 1.2, 3.0, 2.0, 1.0]
# The bias of unused outputs, which makes them improbable.
UNUSED = -30.0


class Segmenter(nn.Module):
    """A U-Net from a sixty-fourth of the resolution, where it sees whole views, up to a quarter."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(Block(1, 16, 2))
        self.quarter = nn.Sequential(Block(16, 32, 2))
        self.eighth = nn.Sequential(Block(32, 48, 2), Block(48, 48), Block(48, 48))
        self.sixteenth = nn.Sequential(Block(48, 48, 2), Block(48, 48))
        self.thirty_second = nn.Sequential(Block(48, 64, 2), Block(64, 64))
        self.sixty_fourth = nn.Sequential(Block(64, 64, 2))
        self.to_sixteenth, self.to_quarter = nn.Conv2d(64, 48, 1), nn.Conv2d(48, 32, 1)
        self.thirty_second_again, self.sixteenth_again = Block(64, 64), Block(48, 48)
        self.eighth_again, self.quarter_again = Block(48, 48), Block(32, 32)
        self.head = nn.Conv2d(32, OUTPUTS, 1)

    def forward(self, sheets):
        quarter = self.quarter(self.stem(sheets))
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        thirty_second = self.thirty_second(sixteenth)
        deep = self.thirty_second_again(thirty_second + doubled(self.sixty_fourth(thirty_second)))
        deep = self.sixteenth_again(sixteenth + doubled(self.to_sixteenth(deep)))
        deep = self.eighth_again(eighth + doubled(deep))
        return self.head(self.quarter_again(quarter + doubled(self.to_quarter(deep))))


def export(model, path):
    graph = Graph(model)
    quarter = graph.blocks(model.quarter, graph.blocks(model.stem, "sheet"))
    eighth = graph.blocks(model.eighth, quarter)
    sixteenth = graph.blocks(model.sixteenth, eighth)
    thirty_second = graph.blocks(model.thirty_second, sixteenth)
    deep = graph.doubled(graph.blocks(model.sixty_fourth, thirty_second))
    deep = graph.blocks([model.thirty_second_again], graph.add("Add", [thirty_second, deep]))
    deep = graph.doubled(graph.conv(model.to_sixteenth, deep))
    deep = graph.doubled(graph.blocks([model.sixteenth_again], graph.add("Add", [sixteenth, deep])))
    deep = graph.blocks([model.eighth_again], graph.add("Add", [eighth, deep]))
    deep = graph.doubled(graph.conv(model.to_quarter, deep))
    graph.conv(model.head, graph.blocks([model.quarter_again], graph.add("Add", [quarter, deep])), "map")
    return graph.save(path, [("sheet", [1, 1, HEIGHT, WIDTH])], ("map", [1, OUTPUTS, ROWS, COLUMNS]))


class Sheets:
    """Sheets of one or several files of `training-sheets` on a device."""

    def __init__(self, paths, device):
        length = WIDTH * HEIGHT + COLUMNS * ROWS
        whole = [np.fromfile(path.with_suffix(".bin"), np.uint8).reshape(-1, length) for path in paths]
        self.bytes, self.lines = torch.from_numpy(np.concatenate(whole)).to(device), []
        for path in paths:
            with open(path.with_suffix(".csv"), newline="") as file:
                self.lines += list(csv.DictReader(file))
        assert len(self.lines) == len(self.bytes)

    def ink(self, index):
        """Returns a sheet's ink, 0 to 255."""
        return self.bytes[index, :WIDTH * HEIGHT]

    def sheet(self, index):
        """Returns a sheet's ink, 0 to 1, and the classes of its cells."""
        classes = self.bytes[index, WIDTH * HEIGHT:]
        return self.ink(index).view(1, 1, HEIGHT, WIDTH).float() / 255, classes.view(1, 1, ROWS, COLUMNS).float()


def warped(ink, classes, random):
    """Scales, skews, shifts and mirrors a sheet at random; outside the sheet is empty paper."""
    zoom, shape = random.uniform(0.6, 1.25), random.uniform(0.94, 1.06)
    angle = math.radians(random.normal(0, 0.5))
    mirror = -1.0 if random.random() < 0.3 else 1.0
    ratio = WIDTH / HEIGHT
    cos, sin = math.cos(angle), math.sin(angle)
    # Maps a place in the new sheet, -1 to 1 along each side, to its place in the old one.
    theta = torch.tensor([[[mirror * zoom * cos, mirror * zoom * sin / ratio, random.uniform(-0.3, 0.3)],
                           [-zoom * shape * sin * ratio, zoom * shape * cos, random.uniform(-0.3, 0.3)]]],
                         dtype=torch.float32, device=ink.device)
    place = lambda like: functional.affine_grid(theta, list(like.shape), align_corners=False)
    moved_ink = functional.grid_sample(ink, place(ink), "bilinear", "zeros", align_corners=False)
    moved_classes = functional.grid_sample(classes, place(classes), "nearest", "zeros", align_corners=False)
    return moved_ink, moved_classes


def augmented(ink, random):
    """Augments ink: blur, thicker lines, lost thin lines, contrast, specks and noise."""
    chance = random.random()
    if chance < 0.15:
        ink = functional.avg_pool2d(ink, 3, 1, 1)
    elif chance < 0.25:
        ink = torch.maximum(ink, 0.6 * functional.max_pool2d(ink, 3, 1, 1))
    elif chance < 0.45:
        ink = (ink - random.uniform(0.05, 0.3)).clamp(0, 1)
    ink = ink * random.uniform(0.6, 1.5)
    if random.random() < 0.25:
        specks = (torch.rand_like(ink) < random.uniform(0.0005, 0.006)).float()
        ink = torch.maximum(ink, specks * float(random.uniform(0.2, 0.8)))
    if random.random() < 0.15:
        ink = ink + 0.04 * torch.randn_like(ink)
    return ink.clamp(0, 1)


def loss_of(outputs, classes):
    """Returns the cross-entropy of cells with a known class, plus the loss of cells known not to be interior elevations."""
    logits = outputs[:, :len(CLASSES)]
    known = classes.clone()
    known[known >= len(CLASSES)] = -100
    own = functional.cross_entropy(logits, known, weight=torch.tensor(WEIGHTS, device=logits.device), ignore_index=-100)
    ruled_out = (classes == NOT_INTERIOR).float()
    likely = logits.softmax(1)[:, INTERIOR]
    other = -(torch.log1p(-likely.clamp(max=0.999)) * ruled_out).sum() / classes.numel()
    return own + other


def train(model, sheets, minutes, rate, size, random, device):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=2e-2)
    step, total, order, budget = 0, torch.zeros((), device=device), [], Budget(minutes)
    model.train()
    while budget.is_left():
        if not order:
            order = epoch_batches(len(sheets.lines), size, device)
        budget.set_rate(optimizer, rate)
        inks, classes = [], []
        for index in order.pop().tolist():
            ink, own = warped(*sheets.sheet(index), random)
            inks.append(augmented(ink, random))
            classes.append(own[:, 0].round().long())
        optimizer.zero_grad()
        with autocast(device):
            outputs = model(torch.cat(inks).to(memory_format=torch.channels_last))
        loss = loss_of(outputs.float(), torch.cat(classes))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        step, total = step + 1, total + loss.detach()
        if step % 50 == 0:
            print(f"step {step} loss {total.item() / 50:.4f} {budget.spent():.0f} s", flush=True)
            total.zero_()
    print(f"{step} steps, {step * size / len(sheets.lines):.1f} passes", flush=True)


def without_unused_classes(model):
    """Makes the unused outputs improbable."""
    with torch.no_grad():
        model.head.weight[len(CLASSES):] = 0
        model.head.bias[len(CLASSES):] = UNUSED
    return model


def parity(model, path, sheets, examples):
    """Returns the largest difference of ONNX Runtime's outputs from PyTorch's over some sheets. Writes one sheet's ink and
    its outputs at every eighth row and column, for the tests of other engines: 768 x 1024 bytes and 16 x 24 x 32
    little-endian floats."""
    session, furthest = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]), 0.0
    for index in range(8):
        ink, _ = sheets.sheet(index)
        with torch.no_grad():
            own = model(ink).numpy()
        furthest = max(furthest, float(np.abs(own - session.run(None, {"sheet": ink.numpy()})[0]).max()))
        if index == 0:
            examples.write_bytes(sheets.ink(0).numpy().tobytes() + own[..., ::8, ::8].astype("<f4").tobytes())
    return furthest


def report(model, sheets):
    """Returns precision, recall and intersection over union of each class over the cells with ink; by scanner and by style,
    the share of such cells that is right, and the intersection over union of interior elevations."""
    count = len(CLASSES)
    tables = {}
    for index, line in enumerate(sheets.lines):
        ink, classes = sheets.sheet(index)
        with torch.no_grad():
            found = model(ink)[0, :count].argmax(0)
        classes = classes[0, 0].long()
        counts = (functional.max_pool2d(ink, CELL)[0, 0] > 0.1) & (classes < count)
        table = torch.bincount(classes[counts] * count + found[counts], minlength=count * count).reshape(count, count)
        for key in ("all", line["scanner"], line["sheet"].rsplit("-", 1)[0]):
            tables[key] = tables.get(key, 0) + table.numpy()

    def rates(table, index):
        hits, claimed, there = int(table[index, index]), int(table[:, index].sum()), int(table[index].sum())
        return {"cells": there, "precision": round(hits / max(claimed, 1), 4), "recall": round(hits / max(there, 1), 4),
                "iou": round(hits / max(claimed + there - hits, 1), 4)}

    return {
        "sheets": len(sheets.lines),
        "classes": {name: rates(tables["all"], index) for index, name in enumerate(CLASSES)},
        "parts": {key: {"right": round(float(np.trace(table) / max(table.sum(), 1)), 4),
                        "interior": rates(table, INTERIOR)["iou"]} for key, table in sorted(tables.items())},
    }


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True, help="folder with train and test of training-sheets")
    arguments.add_argument("--out", type=Path, required=True, help="folder of the model")
    arguments.add_argument("--minutes", type=float, default=20.0)
    arguments.add_argument("--size", type=int, help="sheets of a step; without it 16 on a GPU and 2 else")
    arguments.add_argument("--rate", type=float, default=3e-3, help="the highest learning rate")
    arguments.add_argument("--weights", type=Path, help="weights.pt of an earlier run to begin with; --minutes 0 keeps them")
    arguments = arguments.parse_args()
    device = best_device()
    size = arguments.size or (16 if device.type == "cuda" else 2)
    torch.manual_seed(20261122)
    random = np.random.default_rng(20261122)
    # Channels-last is the faster layout.
    model = Segmenter().to(device, memory_format=torch.channels_last)
    parameters = sum(parameter.numel() for parameter in model.parameters())
    print(parameters, "parameters", device, flush=True)
    if arguments.weights:
        model.load_state_dict(torch.load(arguments.weights, map_location=device))
    if arguments.minutes > 0:
        trained = Sheets(set_files(arguments.data, "train"), device)
        print(len(trained.lines), "sheets", flush=True)
        train(model, trained, arguments.minutes, arguments.rate, size, random, device)
        torch.save(model.state_dict(), arguments.data / "weights.pt")
    network = without_unused_classes(folded(model.cpu()))
    test = Sheets(set_files(arguments.data, "test"), torch.device("cpu"))
    path = arguments.out / "model.onnx"
    digest = export(network, path)
    furthest = parity(network, path, test, arguments.out / "examples.bin")
    assert furthest < 1e-3, f"the file and the network differ by {furthest}"
    metrics = {"parameters": parameters, "parity": furthest, "sha256": digest,
               "bytes": path.stat().st_size, "test": report(network, test)}
    (arguments.data / "metrics.json").write_text(json.dumps(metrics, indent=1) + "\n")
    print(json.dumps(metrics, indent=1))


if __name__ == "__main__":
    main()
