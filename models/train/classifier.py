"""Trains, calibrates, tests and exports the classifier of symbols. See README.md.

The inputs come from `training-crops`: of synthetic sheets and, with --real, of labelled real pages. Seeds are fixed. Runs on a GPU if there is one, otherwise on one CPU thread.
"""

import argparse
import csv
import json
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn
from torch.nn import functional

from network import (Budget, Graph, autocast, averaging, best_device, epoch_batches, exported_weights, half_of, random_mask,
                     random_uniform, run_folder, set_files, with_varied_lines)

SIDE = 64
CLASSES = ["nothing", "swinging door", "double door", "sliding door", "other door", "water closet", "squat pan",
           "urinal", "lavatory", "sink", "bathtub", "shower", "other fixture"]
# A multiple of 16, which the GPU's fast path needs; the last three are unused.
OUTPUTS = 16
UNUSED = -30.0
# The share of a step's inputs that are of real pages.
REAL_SHARE = 0.35


class Classifier(nn.Module):
    """Convolutions, ReLU and 2 x 2 max pooling only; batch normalization is folded into the convolutions on export."""

    def __init__(self):
        super().__init__()

        def layer(inputs, outputs, kernel=3, padding=1, stride=1):
            return [nn.Conv2d(inputs, outputs, kernel, stride, padding), nn.BatchNorm2d(outputs), nn.ReLU()]

        self.features = nn.Sequential(
            *layer(1, 32, stride=2),
            *layer(32, 32), nn.MaxPool2d(2),
            *layer(32, 48),
            *layer(48, 48), nn.MaxPool2d(2),
            *layer(48, 96),
            *layer(96, 96), nn.MaxPool2d(2),
            *layer(96, 192, kernel=4, padding=0),
        )
        self.dropout = nn.Dropout(0.2)
        self.head = nn.Conv2d(192, len(CLASSES), 1)

    def forward(self, crops):
        return self.head(self.dropout(self.features(crops)))

    @classmethod
    def exported(cls, path):
        """Returns a network with the weights of an exported one. It has no batch normalization."""
        model, weights = cls(), list(exported_weights(path).values())
        model.features = nn.Sequential(*(own for own in model.features if not isinstance(own, nn.BatchNorm2d)))
        convolutions = [own for own in model.features if isinstance(own, nn.Conv2d)] + [model.head]
        with torch.no_grad():
            for convolution, weight, bias in zip(convolutions, weights[::2], weights[1::2], strict=True):
                # The exported head has unused outputs.
                convolution.weight.copy_(weight[:convolution.out_channels])
                convolution.bias.copy_(bias[:convolution.out_channels])
        return model


class Inputs:
    """Inputs of one or several files of `training-crops`, on a device."""

    def __init__(self, pixels, lines, device):
        self.pixels, self.lines = torch.from_numpy(pixels).to(device), lines
        self.labels = np.array([int(line["class"]) for line in self.lines])
        assert len(self.labels) == len(self.pixels)

    @classmethod
    def read(cls, paths, device, wanted=lambda line: True):
        """Reads the inputs whose lines `wanted` accepts."""
        pixels, lines = [], []
        for path in paths:
            with open(path.with_suffix(".csv"), newline="") as file:
                own = list(csv.DictReader(file))
            chosen = np.array([wanted(line) for line in own], bool)
            pixels.append(np.fromfile(path.with_suffix(".bin"), np.uint8).reshape(-1, SIDE, SIDE)[chosen])
            lines += [line for line, is_wanted in zip(own, chosen) if is_wanted]
        return cls(np.concatenate(pixels), lines, device)

    def batch(self, indices):
        return self.pixels[indices].float().div(255).unsqueeze(1)

    def run(self, at, size):
        """Returns at most `size` inputs from `at` on."""
        return self.batch(slice(at, at + size))


def rotated(crops):
    """Rotates and mirrors the inputs in eight ways, an eighth of them each."""
    eighths = []
    for way, part in enumerate(crops.chunk(8)):
        part = torch.rot90(part, way % 4, (2, 3))
        eighths.append(torch.flip(part, (3,)) if way >= 4 else part)
    return torch.cat(eighths)


def warped(crops):
    """Applies a small random affine map to some of the inputs."""
    count = len(crops)
    some = random_mask(count, 0.35, crops).view(count)
    angle = random_uniform(count, -0.12, 0.12, crops).view(count) * some
    wide, high = (1 + random_uniform(count, -0.1, 0.1, crops).view(count) * some for _ in range(2))
    right, down = (random_uniform(count, -0.06, 0.06, crops).view(count) * some for _ in range(2))
    cos, sin = torch.cos(angle), torch.sin(angle)
    theta = torch.stack([wide * cos, high * sin, right, -wide * sin, high * cos, down], 1).view(count, 2, 3)
    grid = functional.affine_grid(theta, list(crops.shape), align_corners=False)
    return functional.grid_sample(crops, grid, "bilinear", "border", align_corners=False)


def overlaid(crops, labels):
    """Overlays some of the inputs with a light input of the class "nothing": on real sheets dimensions, notes and tags
    run across symbols."""
    others = torch.randperm(len(crops), device=crops.device)
    sparse = (labels[others] == 0) & (crops[others].mean((1, 2, 3)) < 0.12)
    shown = random_mask(len(crops), 0.3, crops) * sparse.float().view(-1, 1, 1, 1)
    return torch.maximum(crops, crops[others] * random_uniform(len(crops), 0.5, 1.0, crops) * shown)


def augmented(crops, labels):
    """Augments inputs: rotates, mirrors and warps them, overlays some, varies their lines and contrast, adds noise."""
    crops = overlaid(warped(rotated(crops)), labels)
    crops, count = with_varied_lines(crops, (0.08, 0.16, 0.26)), len(crops)
    crops = (crops * random_uniform(count, 0.55, 1.25, crops)).clamp(0, 1)
    return (crops + 0.06 * torch.randn_like(crops) * random_mask(count, 0.15, crops)).clamp(0, 1)


def logits(model, crops, size=512):
    model.eval()
    with torch.no_grad():
        return torch.cat([model(crops.run(at, size)).flatten(1) for at in range(0, len(crops.labels), size)]).cpu()


def class_weights(labels, device):
    """Returns the weights of the classes: rare ones have larger weights, but less so than they are rare."""
    counts = np.bincount(labels, minlength=len(CLASSES))
    weights = torch.tensor((counts.mean() / np.maximum(counts, 1)) ** 0.4, dtype=torch.float32)
    return weights.clamp(0.4, 3.0).to(device)


def train(model, crops, real, minutes, rate, size, device):
    """Trains for some minutes, and returns the model with the exponential moving average of the weights. A part of each step's
    inputs, REAL_SHARE, is of real pages if there are any: `real`, or None. Of those half are symbols."""
    loss_of = nn.CrossEntropyLoss(weight=class_weights(crops.labels, device), label_smoothing=0.03)
    labels = torch.from_numpy(crops.labels).to(device)
    of_real = int(size * REAL_SHARE) if real else 0
    if real:
        real_labels = torch.from_numpy(real.labels).to(device)
        is_symbol = (real_labels != 0).float()
        # Chances by which inputs of real pages are drawn.
        chances = is_symbol / is_symbol.sum() + (1 - is_symbol) / (1 - is_symbol).sum()
    averaged = averaging(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
    step, total, order, budget = 0, torch.zeros((), device=device), [], Budget(minutes)
    model.train()
    while budget.is_left():
        if not order:
            order = epoch_batches(len(labels), size - of_real, device)
        indices = order.pop()
        pixels, wanted = crops.batch(indices), labels[indices]
        if real:
            drawn = torch.multinomial(chances, of_real, replacement=True)
            pixels, wanted = torch.cat([pixels, real.batch(drawn)]), torch.cat([wanted, real_labels[drawn]])
            mixed = torch.randperm(size, device=device)
            pixels, wanted = pixels[mixed], wanted[mixed]
        budget.set_rate(optimizer, rate)
        optimizer.zero_grad()
        batch = augmented(pixels, wanted).to(memory_format=torch.channels_last)
        with autocast(device):
            outputs = model(batch).flatten(1)
        loss = loss_of(outputs.float(), wanted)
        loss.backward()
        optimizer.step()
        averaged.update_parameters(model)
        step, total = step + 1, total + loss.detach()
        if step % 500 == 0:
            print(f"step {step} loss {total.item() / 500:.4f} {budget.spent():.0f} s", flush=True)
            total.zero_()
    print(f"{step} steps of {size}, {step * (size - of_real) / len(labels):.1f} passes", flush=True)
    return averaged.module


def calibrate(model, crops):
    """Returns the temperature that maximizes the likelihood of held-out inputs (temperature scaling)."""
    outputs, labels = logits(model, crops), torch.from_numpy(crops.labels)
    temperatures = np.linspace(0.4, 3.0, 131)
    losses = [nn.functional.cross_entropy(outputs / temperature, labels).item() for temperature in temperatures]
    return float(temperatures[int(np.argmin(losses))])


def folded(model, temperature):
    """Returns the network with batch normalization folded in and its outputs divided by the temperature."""
    layers = []
    for module in model.features:
        if isinstance(module, nn.BatchNorm2d):
            layers[-1] = nn.utils.fuse_conv_bn_eval(layers[-1].eval(), module.eval())
        else:
            layers.append(module)
    head = nn.Conv2d(model.head.in_channels, OUTPUTS, 1)
    with torch.no_grad():
        head.weight.zero_()
        head.bias.fill_(UNUSED)
        head.weight[:len(CLASSES)] = model.head.weight / temperature
        head.bias[:len(CLASSES)] = model.head.bias / temperature
    return nn.Sequential(*layers, head).eval()


def export(network, path):
    graph, name = Graph(network), "crop"
    for module in network[:-1]:
        if isinstance(module, nn.Conv2d):
            name = graph.conv(module, name)
        elif isinstance(module, nn.ReLU):
            name = graph.add("Relu", [name])
        else:
            name = graph.add("MaxPool", [name], kernel_shape=[2, 2], strides=[2, 2], pads=[0, 0, 0, 0])
    graph.conv(network[-1], name, "logits")
    return graph.save(path, [("crop", (1, 1, SIDE, SIDE))], ("logits", (1, OUTPUTS, 1, 1)))


def outputs_of(path, crops):
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    rows = [session.run(None, {"crop": crops.run(at, 1).cpu().numpy()})[0].ravel() for at in range(len(crops.labels))]
    return np.stack(rows)


def examples(path, crops, rows):
    """Writes one input of each class with PyTorch's outputs, for the tests of other engines: 64 x 64 bytes of ink and 16
    little-endian floats each."""
    with open(path, "wb") as file:
        for index in range(len(CLASSES)):
            at = int(np.flatnonzero(crops.labels == index)[0])
            file.write(crops.pixels[at].cpu().numpy().tobytes())
            file.write(rows[at].astype("<f4").tobytes())


def probabilities(rows):
    rows = np.exp(rows - rows.max(1, keepdims=True))
    return rows / rows.sum(1, keepdims=True)


def by_class(labels, found):
    """Returns precision, recall and F1 of each class that occurs."""
    table = {}
    for index, name in enumerate(CLASSES):
        hits = int(((found == index) & (labels == index)).sum())
        claimed, there = int((found == index).sum()), int((labels == index).sum())
        if there:
            precision, recall = hits / max(claimed, 1), hits / there
            table[name] = {"crops": there, "precision": round(precision, 4), "recall": round(recall, 4),
                           "f1": round(2 * hits / max(claimed + there, 1), 4)}
    return table


def group_recall(labels, probability, members):
    """Returns precision and recall of a group of classes, at a threshold of 0.5 on its summed probability."""
    inside = np.isin(labels, members)
    claimed = probability[:, members].sum(1) > 0.5
    hits = int((inside & claimed).sum())
    return {"precision": round(hits / max(int(claimed.sum()), 1), 4), "recall": round(hits / max(int(inside.sum()), 1), 4)}


def calibration(labels, probability):
    """Returns how often the most probable class is right, by its probability, and the expected calibration error."""
    sure, right = probability.max(1), probability.argmax(1) == labels
    rows, error = [], 0.0
    for low in np.arange(0.2, 1.0, 0.1):
        chosen = (sure > low) & (sure <= low + 0.1)
        if chosen.any():
            rows.append({"from": round(float(low), 1), "crops": int(chosen.sum()),
                         "sure": round(float(sure[chosen].mean()), 3), "right": round(float(right[chosen].mean()), 3)})
            error += chosen.mean() * abs(sure[chosen].mean() - right[chosen].mean())
    return {"expected_error": round(float(error), 4), "bins": rows}


def report(crops, rows):
    probability, labels = probabilities(rows), crops.labels
    found = probability.argmax(1)
    per = lambda key: {value: {"crops": int(chosen.sum()), "right": round(float((found == labels)[chosen].mean()), 4)}
                       for value in sorted({key(line) for line in crops.lines})
                       if (chosen := np.array([key(line) == value for line in crops.lines])).any()}

    def scale(line):
        points = float(line["points_per_inch"])
        return "to 1:128" if points <= 0.5626 else "1:100 to 1:64" if points <= 1.13 else "1:50 and larger"

    doors, toilets, fixtures = [1, 2, 3, 4], [5, 6, 7], [5, 6, 7, 8, 9, 10, 11, 12]
    return {
        "crops": len(labels),
        "right": round(float((found == labels).mean()), 4),
        "classes": by_class(labels, found),
        "door or not": group_recall(labels, probability, doors),
        "toilet or not": group_recall(labels, probability, toilets),
        "fixture or not": group_recall(labels, probability, fixtures),
        "calibration": calibration(labels, probability),
        "by scale": per(scale),
        "by page": per(lambda line: "scan" if line["scanned"] == "1" else "vector"),
        "by style": per(lambda line: line["sheet"].rsplit("-", 1)[0]),
        "nothing, by what it is": {
            kind: value for kind, value in per(lambda line: line["kind"] if line["class"] == "0" else "").items() if kind},
    }


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True, help="folder with train, held and test of training-crops")
    arguments.add_argument("--out", type=Path, required=True, help="folder of the model")
    arguments.add_argument("--minutes", type=float, default=35.0)
    arguments.add_argument("--size", type=int, help="crops of a step; without it 1024 on a GPU and 128 else")
    arguments.add_argument("--rate", type=float, default=4e-3, help="the highest learning rate")
    arguments.add_argument("--weights", type=Path, help="weights.pt of an earlier run to begin with; --minutes 0 keeps them")
    arguments.add_argument("--network", type=Path, help="an exported network to begin with, instead of --weights")
    arguments.add_argument("--real", type=Path, help="a folder with the set `open` of labelled real pages")
    arguments.add_argument("--leave-half", type=int, choices=(0, 1), help="a half of the offices that is left out")
    arguments = arguments.parse_args()
    device = best_device()
    size = arguments.size or (1024 if device.type == "cuda" else 128)
    torch.manual_seed(20261121)
    # Channels-last is the faster layout.
    model = Classifier.exported(arguments.network) if arguments.network else Classifier()
    model = model.to(device, memory_format=torch.channels_last)
    print(sum(parameter.numel() for parameter in model.parameters()), "parameters", device, flush=True)
    if arguments.weights:
        model.load_state_dict(torch.load(arguments.weights, map_location=device))
    if arguments.minutes > 0:
        trained, real = Inputs.read(set_files(arguments.data, "train"), device), None
        print(len(trained.labels), "crops", np.bincount(trained.labels), flush=True)
        if arguments.real:
            is_trained_on = lambda line: half_of(line["sheet"]) != arguments.leave_half
            real = Inputs.read(set_files(arguments.real, "open"), device, is_trained_on)
            print(len(real.labels), "crops of real pages", np.bincount(real.labels), flush=True)
        model = train(model, trained, real, arguments.minutes, arguments.rate, size, device)
        torch.save(model.state_dict(), run_folder(arguments) / "weights.pt")
    crops = {name: Inputs.read(set_files(arguments.data, name), device) for name in ("held", "test")}
    temperature = calibrate(model, crops["held"])
    network = folded(model.cpu(), temperature)
    path = arguments.out / "model.onnx"
    digest = export(network, path)
    rows = outputs_of(path, crops["test"])
    with torch.no_grad():
        own = torch.cat([network(crops["test"].run(at, 512).cpu()).flatten(1)
                         for at in range(0, len(rows), 512)]).numpy()
    parity = float(np.abs(own - rows).max())
    assert parity < 1e-3, f"the file and the network differ by {parity}"
    examples(arguments.out / "examples.bin", crops["test"], own)
    metrics = {"temperature": temperature, "parity": parity, "sha256": digest, "bytes": path.stat().st_size,
               "test": report(crops["test"], rows[:, :len(CLASSES)])}
    (run_folder(arguments) / "metrics.json").write_text(json.dumps(metrics, indent=1) + "\n")
    print(json.dumps({key: value for key, value in metrics.items() if key != "test"}))
    print(json.dumps(metrics["test"], indent=1))


if __name__ == "__main__":
    main()
