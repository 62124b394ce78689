"""Trains, measures and exports `view-classifier`: what a box of a sheet holds. See README.md.

The boxes come from `training-views`: of labelled real pages, of invented and of synthetic sheets. Seeds are fixed. Runs on a GPU
if there is one, otherwise on all processors.
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

from efficientnet import CHANNELS, Backbone
from network import Budget, Graph, autocast, averaging, best_device, exported_weights, half_of, set_files, with_varied_lines

# The same as in `reading/sheet/src/views/network_input.rs`.
SIDE, MARGIN, PLACE = 128, 1.24, 8
STORED, STORED_MARGIN = 160, 1.5
CLASSES = ["none", "plan", "site plan", "key plan", "interior elevation", "exterior elevation", "section", "detail",
           "opening types", "schedule", "legend", "notes", "title block", "rendering", "diagram"]
NONE, INTERIOR = 0, 4
# Width of the last hidden layer.
HIDDEN = 128
# The backbone's learning rate, as a share of the rest's.
BACKBONE_SHARE = 0.3
# The backbone's first stages, which like the stem come from a network in use and do not learn: they see lines, as everywhere.
HELD_STAGES = 2
# Where boxes come from, by how the names of their pages begin, with their shares in a step. Other pages are real.
SYNTHETIC, INVENTED, REAL = "synthetic", "invented", ""
SHARES = {REAL: 0.3, INVENTED: 0.55, SYNTHETIC: 0.15}
# Share of boxes in a step that may be views.
VIEW_SHARE = 0.6
# Most rectangles of a picture that are erased, the probability of each, and their sides in pixels.
ERASED, ERASED_CHANCE, ERASED_SIDES = 3, 0.4, (6, 35)
# How much of the weights' average each step keeps.
AVERAGED_OVER = 0.998
# The smallest share of the probability that goes to each class in the loss.
SMOOTHING = 0.02


class Classifier(nn.Module):
    """EfficientNet-Lite0's first stages, their mean, and a hidden layer that also knows where on the sheet the box is."""

    def __init__(self):
        super().__init__()
        self.backbone = Backbone()
        self.of_picture, self.of_place = nn.Conv2d(CHANNELS, HIDDEN, 1), nn.Conv2d(PLACE, HIDDEN, 1)
        self.head = nn.Conv2d(HIDDEN, len(CLASSES), 1)
        self.dropout = nn.Dropout(0.2)

    def forward(self, pictures, places):
        maps = functional.adaptive_avg_pool2d(self.backbone(pictures), 1)
        hidden = functional.relu(self.of_picture(maps) + self.of_place(places))
        return self.head(self.dropout(hidden))[:, :, 0, 0]


    def held(self):
        """Returns the convolutions that do not learn."""
        stages = self.backbone.stages[:HELD_STAGES]
        blocks = [block for stage in stages for block in stage]
        return [self.backbone.stem] + [own for block in blocks for own in (block.expand, block.depthwise, block.project) if own]

    def begin(self, served):
        """Begins with ImageNet's weights and, for what does not learn, with those of a network in use."""
        self.backbone.load_imagenet()
        with torch.no_grad():
            for own, other in zip(self.held(), served.held()):
                own.weight.copy_(other.weight)
                own.bias.copy_(other.bias)


class Ensemble(nn.Module):
    """The mean of the logits of networks that were trained apart (a deep ensemble, Lakshminarayanan et al. 2017)."""

    def __init__(self, members):
        super().__init__()
        self.members = nn.ModuleList(members)
        # The sum of the members' logits is their mean from here on.
        for member in self.members:
            for values in member.head.parameters():
                values.data /= len(self.members)

    def forward(self, pictures, places):
        return sum(member(pictures, places) for member in self.members)


def load(path):
    """Returns a network with weights that an earlier run has left."""
    model = Classifier()
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model


def members_of(path):
    """Returns the networks of an exported ensemble."""
    weights = exported_weights(path)
    count = len({name.split(".")[1] for name in weights})
    members = []
    for number in range(count):
        model = Classifier()
        model.load_state_dict({name: weights[f"members.{number}.{name}"] for name in model.state_dict()})
        for values in model.head.parameters():
            values.data *= count
        members.append(model)
    return members


def export(ensemble, path):
    """Writes an ensemble as an ONNX file. Returns the file's hash."""
    graph = Graph(ensemble)
    first, *others = ensemble.members
    logits = add_member(graph, first, None if others else "logits")
    for member in others:
        logits = graph.add("Add", [logits, add_member(graph, member)], "logits" if member is others[-1] else None)
    return graph.save(path, [("picture", [1, 3, SIDE, SIDE]), ("place", [1, PLACE, 1, 1])],
                      ("logits", [1, len(CLASSES), 1, 1]))


def add_member(graph, model, output=None):
    """Adds a network to a graph. Returns the name of its logits."""
    maps = graph.add("Relu", [graph.conv(model.backbone.stem, "picture")])
    for stage in model.backbone.stages:
        for block in stage:
            inner = graph.add("Relu", [graph.conv(block.expand, maps)]) if block.expand else maps
            inner = graph.add("Relu", [graph.conv(block.depthwise, inner)])
            out = graph.conv(block.project, inner)
            maps = graph.add("Add", [maps, out]) if block.adds else out
    mean = graph.add("GlobalAveragePool", [maps])
    hidden = graph.add("Add", [graph.conv(model.of_picture, mean), graph.conv(model.of_place, "place")])
    return graph.conv(model.head, graph.add("Relu", [hidden]), output)


class Boxes:
    """Boxes of one or several files of `training-views`."""

    def __init__(self, paths):
        ink, lines, self.pages = [], [], {}
        for path in paths:
            ink.append(np.fromfile(path.with_suffix(".bin"), np.uint8).reshape(-1, STORED, STORED))
            with open(path.with_suffix(".csv"), newline="") as file:
                lines += list(csv.DictReader(file))
            with open(path.with_suffix(".pages.csv"), newline="") as file:
                for line in csv.DictReader(file):
                    self.pages.setdefault(line["page"], []).append(line)
        self.ink = torch.from_numpy(np.concatenate(ink))
        self.page, self.office = [line["page"] for line in lines], [line["office"] for line in lines]
        self.classes = torch.tensor([int(line["classes"]) for line in lines])
        self.boxes = torch.tensor([[float(line[key]) for key in ("x1", "y1", "x2", "y2")] for line in lines])
        self.places = torch.tensor([[float(line[f"p{index}"]) for index in range(PLACE)] for line in lines])
        self.source = [next(source for source in (SYNTHETIC, INVENTED, REAL) if page.startswith(source)) for page in self.page]
        assert len(lines) == len(self.ink)

    def allowed(self, index):
        """Returns which classes each box may have."""
        return (self.classes[index][:, None] >> torch.arange(len(CLASSES))) & 1

    def half_extents(self, index):
        """Returns half the width and height of each box, as shares of its stored square."""
        sides = self.boxes[index][:, 2:] - self.boxes[index][:, :2]
        return 0.5 * sides / (STORED_MARGIN * sides.amax(1, keepdim=True).clamp(min=1))


def pictures(boxes, index, theta):
    """Cuts the network's pictures. `theta` maps a place in the picture, -1 to 1, to its place in the stored square."""
    ink = boxes.ink[index][:, None].float() / 255
    grid = functional.affine_grid(theta, [len(index), 1, SIDE, SIDE], align_corners=False)
    shown = functional.grid_sample(ink, grid, "bilinear", "zeros", align_corners=False)
    half = 2 * boxes.half_extents(index)
    mask = ((grid[..., 0].abs() <= half[:, 0, None, None]) & (grid[..., 1].abs() <= half[:, 1, None, None])).float()[:, None]
    return shown, mask


def as_served(boxes, index):
    """Returns the pictures and places of boxes as they are served."""
    theta = torch.zeros(len(index), 2, 3)
    theta[:, 0, 0] = theta[:, 1, 1] = MARGIN / STORED_MARGIN
    ink, mask = pictures(boxes, index, theta)
    return torch.cat([ink, ink * mask, mask], 1), boxes.places[index][:, :, None, None]


def augmented(boxes, index):
    """Returns the pictures and places of boxes at random: shifted, scaled, mirrored, some turned; lines of other weights, noise."""
    count = len(index)
    scale = MARGIN / STORED_MARGIN * torch.empty(count, 2).uniform_(0.92, 1.1)
    mirror, turn = torch.rand(count) < 0.5, torch.rand(count) < 0.08
    sign = torch.where(mirror, -1.0, 1.0)
    theta = torch.zeros(count, 2, 3)
    theta[:, 0, 0], theta[:, 1, 1] = torch.where(turn, 0.0, scale[:, 0] * sign), torch.where(turn, 0.0, scale[:, 1])
    theta[:, 0, 1], theta[:, 1, 0] = torch.where(turn, scale[:, 0] * sign, 0.0), torch.where(turn, scale[:, 1], 0.0)
    theta[:, :, 2] = torch.empty(count, 2).uniform_(-0.04, 0.04)
    ink, mask = pictures(boxes, index, theta)
    places = boxes.places[index].clone()
    places[:, 2] = torch.where(mirror, 1 - places[:, 2], places[:, 2])
    places[turn] = places[turn][:, [1, 0, 3, 2, 4, 5, 6, 7]] * torch.tensor([1, 1, 1, 1, 1, -1, -1, 1.0])
    places = places + 0.02 * torch.randn_like(places)
    ink = with_varied_lines(ink, (0.2, 0.4, 0.6)) * torch.empty(count, 1, 1, 1).uniform_(0.6, 1.3)
    noisy = (torch.rand(count, 1, 1, 1) < 0.2).float()
    ink = (ink + 0.08 * noisy * torch.randn_like(ink)).clamp(0, 1)
    return torch.cat([ink, ink * mask, mask], 1), places[:, :, None, None]


def erase(pictures):
    """Erases the ink of random rectangles in place, so that no single part of a drawing decides (Zhong et al. 2020)."""
    least, most = ERASED_SIDES
    for picture in pictures:
        for _ in range(int(torch.randint(0, ERASED + 1, (1,)))):
            if torch.rand(1) < ERASED_CHANCE:
                width, height = torch.randint(least, most + 1, (2,)).tolist()
                left, top = int(torch.randint(0, SIDE - width, (1,))), int(torch.randint(0, SIDE - height, (1,)))
                picture[:2, top:top + height, left:left + width] = 0


class Sampler:
    """Draws boxes: those of each source, views and others; rarer classes more often than they occur."""

    def __init__(self, boxes, wanted):
        counted = (boxes.classes != 0) & wanted
        none = boxes.classes == 1 << NONE
        self.groups = []
        for source, share in SHARES.items():
            of_source = torch.tensor([own == source for own in boxes.source])
            for view, own in ((True, VIEW_SHARE), (False, 1 - VIEW_SHARE)):
                index = torch.nonzero(counted & of_source & (none != view))[:, 0]
                if len(index) == 0:
                    continue
                kinds, inverse, counts = torch.unique(boxes.classes[index], return_inverse=True, return_counts=True)
                weights = counts[inverse].float().pow(-0.5)
                self.groups.append((index, weights / weights.sum(), share * own))

    def draw(self, size):
        total = sum(share for _, _, share in self.groups)
        drawn = [index[torch.multinomial(weights, max(1, round(size * share / total)), replacement=True)]
                 for index, weights, share in self.groups]
        return torch.cat(drawn)


def loss_of(logits, allowed):
    """Returns the mean negative log of the probability of all allowed classes together, with label smoothing."""
    logs = logits.log_softmax(1)
    own = torch.logsumexp(logs.masked_fill(allowed == 0, -1e4), 1)
    return -((1 - SMOOTHING) * own + SMOOTHING * logs.mean(1)).mean()


def train(model, boxes, wanted, minutes, rate, size, device):
    """Trains a network for some minutes. Returns the average of its weights."""
    for own in model.held():
        own.requires_grad_(False)
    of_backbone = {id(parameter) for parameter in model.backbone.parameters()}
    slow = [parameter for parameter in model.backbone.parameters() if parameter.requires_grad]
    fast = [parameter for parameter in model.parameters() if id(parameter) not in of_backbone]
    optimizer = torch.optim.AdamW([{"params": fast, "share": 1.0}, {"params": slow, "share": BACKBONE_SHARE}], lr=rate,
                                  weight_decay=2e-2)
    sampler, budget, step, total = Sampler(boxes, wanted), Budget(minutes), 0, 0.0
    averaged = averaging(model, AVERAGED_OVER)
    model.train()
    while budget.is_left():
        for group in optimizer.param_groups:
            group["lr"] = budget.rate(rate) * group["share"]
        index = sampler.draw(size)
        shown, places = augmented(boxes, index)
        erase(shown)
        optimizer.zero_grad()
        with autocast(device):
            logits = model(shown.to(device, memory_format=torch.channels_last), places.to(device))
        loss = loss_of(logits.float(), boxes.allowed(index).to(device))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        averaged.update_parameters(model)
        step, total = step + 1, total + loss.item()
        if step % 50 == 0:
            print(f"step {step} loss {total / 50:.4f} {budget.spent():.0f} s", flush=True)
            total = 0.0
    print(f"{step} steps of {size}", flush=True)
    return averaged.module


def logits_of(model, boxes, wanted):
    """Returns the logits of the wanted boxes, as they are served."""
    index = torch.nonzero(wanted)[:, 0]
    model.eval()
    with torch.no_grad():
        return index, torch.cat([model(*as_served(boxes, part)) for part in index.split(64)])


def parity(model, path, boxes, examples):
    """Returns the largest difference of ONNX Runtime's outputs from PyTorch's over some boxes. Writes one box's picture, place
    and logits, for the tests of other engines: 3 x 128 x 128, 8 and 15 little-endian floats."""
    session, furthest = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]), 0.0
    for at in range(0, len(boxes.ink), max(1, len(boxes.ink) // 8)):
        shown, places = as_served(boxes, torch.tensor([at]))
        with torch.no_grad():
            own = model(shown, places).numpy()
        found = session.run(None, {"picture": shown.numpy(), "place": places.numpy()})[0].reshape(own.shape)
        furthest = max(furthest, float(np.abs(own - found).max()))
        if at == 0:
            examples.write_bytes(b"".join(values.astype("<f4").tobytes() for values in (shown.numpy(), places.numpy(), own)))
    return furthest


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True, help="folder with the files of training-views")
    arguments.add_argument("--out", type=Path, required=True, help="folder of the model")
    arguments.add_argument("--minutes", type=float, default=25.0)
    arguments.add_argument("--size", type=int, default=48, help="boxes of a step")
    arguments.add_argument("--rate", type=float, default=2e-3, help="the highest learning rate")
    arguments.add_argument("--weights", type=Path, help="weights of an earlier run, DATA/NAME.pt, to begin with; --minutes 0 keeps them")
    arguments.add_argument("--served", type=Path, default=Path("models/view-classifier/model.onnx"), help="the exported ensemble in use")
    arguments.add_argument("--member", type=int, default=0, help="which of its networks a new one takes its first stages from")
    arguments.add_argument("--beside", type=Path, nargs="*", default=[], help="weights of other runs whose logits are averaged with these")
    arguments.add_argument("--keep", type=int, nargs="*", default=[], help="networks of the ensemble in use that are averaged with these, too")
    arguments.add_argument("--seed", type=int, default=20261124)
    arguments.add_argument("--leave-half", type=int, choices=(0, 1), help="a half of the offices that is left out")
    arguments = arguments.parse_args()
    device = best_device()
    torch.manual_seed(arguments.seed)
    if arguments.weights:
        model = load(arguments.weights)
    else:
        model = Classifier()
        model.begin(members_of(arguments.served)[arguments.member])
    boxes = Boxes(set_files(arguments.data, "train"))
    left_out = torch.tensor([source == REAL and arguments.leave_half is not None and half_of(office) == arguments.leave_half
                             for source, office in zip(boxes.source, boxes.office)])
    print(sum(parameter.numel() for parameter in model.parameters()), "parameters,", len(boxes.ink), "boxes,",
          boxes.source.count(REAL), "real,", boxes.source.count(INVENTED), "invented,", int(left_out.sum()), "left out", flush=True)
    model = model.to(device, memory_format=torch.channels_last)
    if arguments.minutes > 0:
        model = train(model, boxes, ~left_out, arguments.minutes, arguments.rate, arguments.size, device)
        torch.save(model.state_dict(), arguments.data / f"{arguments.out.name}.pt")
    in_use = members_of(arguments.served) if arguments.keep else []
    model = Ensemble([model.cpu(), *map(load, arguments.beside), *(in_use[number] for number in arguments.keep)]).eval()
    path = arguments.out / "model.onnx"
    arguments.out.mkdir(parents=True, exist_ok=True)
    digest = export(model, path)
    furthest = parity(model, path, boxes, arguments.out / "examples.bin")
    assert furthest < 1e-3, f"the file and the network differ by {furthest}"
    print(json.dumps({"parity": furthest, "sha256": digest, "bytes": path.stat().st_size}, indent=1))


if __name__ == "__main__":
    main()
