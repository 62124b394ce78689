"""Trains and exports the network that separates the floors of rooms on the picture of a plan. See README.md.

The plans come from `room_pages.py` and `house_plans.py`, and `room_augmentation.py` redraws their tiles. Seeds are fixed. Runs on
a GPU if there is one, otherwise on all processors.
"""

import argparse
import json
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import nn
from torch.nn import functional

import room_augmentation
import room_pages
from house_plans import house_plans
from network import Block, Budget, Graph, autocast, averaging, best_device, doubled, folded, half_of, with_exported_weights
from room_pages import EDGE, FLOOR, STORED, UNKNOWN, Plan

# Pixels per metre of the building in the network's input.
INPUT = 25.0
# Side of a tile in training, and of the exported network's input, in pixels. A tile shows 15 m, so that the middle of a large room
# is not farther from its walls in training than in use.
TRAINED, SIDE = 384, 512
# Side of a map's cell, in pixels.
STRIDE = 2
# The maps: nothing, floor, edge, and one unused, since wonnx wants a multiple of four.
OUTPUTS = 4
# What a wrong cell costs, by what it shows: edges are few, and one that is missed makes one room of two.
COSTS = (1.0, 1.0, 2.0)
# How many times as much a wrong cell of an edge costs if nothing is drawn there, as in a doorway. No ink of a square of so many
# pixels is then stronger than this.
OPEN_COST, OPEN_SIDE, OPEN_INK = 2.5, 9, 0.35
# Pixels between two pages on the canvas.
APART = 160
# Places of a page that tiles are cut around.
PLACES = 2048
# The shares of tiles that are cut from real pages, from random houses and from invented plans; the others are from synthetic
# sheets.
SHARES = (0.4, 0.25, 0.0)
# How many random houses there are.
HOUSE_COUNT = 1200
# The share of the deepest maps that are left out at random in training.
DROPPED = 0.1
# How much of the average of the weights each step keeps: a run has some thousand steps.
AVERAGED_OVER = 0.998
# Steps after which what was learnt is printed and kept.
REPORTED = 200
# Tiles of held out pages that are scored.
HELD_OUT_TILES = 192


class Segmenter(nn.Module):
    """A U-Net with sums in place of concatenations, from a thirty-second up to half of the resolution (Ronneberger et al. 2015).
    Most of its weights work at low resolution, where they cost little."""

    def __init__(self):
        super().__init__()
        self.halved = nn.Sequential(Block(1, 16, 2), Block(16, 16))
        self.quarter = nn.Sequential(Block(16, 32, 2), Block(32, 32))
        self.eighth = nn.Sequential(Block(32, 64, 2), Block(64, 64), Block(64, 64))
        self.sixteenth = nn.Sequential(Block(64, 128, 2), *(Block(128, 128) for _ in range(3)))
        self.thirty_second = nn.Sequential(Block(128, 192, 2), *(Block(192, 192) for _ in range(3)))
        self.to_sixteenth, self.to_eighth = nn.Conv2d(192, 128, 1), nn.Conv2d(128, 64, 1)
        self.to_quarter, self.to_halved = nn.Conv2d(64, 32, 1), nn.Conv2d(32, 16, 1)
        self.sixteenth_again, self.eighth_again = Block(128, 128), Block(64, 64)
        self.quarter_again, self.halved_again = Block(32, 32), Block(16, 16)
        self.head = nn.Conv2d(16, OUTPUTS, 1)
        self.dropout = nn.Dropout2d(DROPPED)

    def forward(self, tiles):
        halved = self.halved(tiles)
        quarter = self.quarter(halved)
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        deep = self.dropout(self.thirty_second(sixteenth))
        deep = self.sixteenth_again(sixteenth + doubled(self.to_sixteenth(deep)))
        deep = self.eighth_again(eighth + doubled(self.to_eighth(deep)))
        deep = self.quarter_again(quarter + doubled(self.to_quarter(deep)))
        deep = self.halved_again(halved + doubled(self.to_halved(deep)))
        return self.head(deep)


class Canvas:
    """All pages of a set beside each other on one canvas, with what their pixels show, and places that tiles are cut around."""

    WIDTH = 24000

    def __init__(self, plans, device, chance):
        plans = [plan for plan in plans if min(plan.grey.shape) > 32]
        order = sorted(plans, key=lambda plan: -plan.grey.shape[0])
        corners, x, y, high = [], 0, 0, 0
        for plan in order:
            height, width = plan.grey.shape
            if x and x + width > self.WIDTH:
                x, y, high = 0, y + high + APART, 0
            corners.append((x, y))
            x, high = x + width + APART, max(high, height)
        size = (y + high, max(x + plan.grey.shape[1] for plan, (x, _) in zip(order, corners)))
        grey, shown, marks = np.full(size, 255, np.uint8), np.zeros(size, np.uint8), np.zeros(size, np.int16)
        places = []
        with ThreadPoolExecutor() as threads:
            drawn = list(threads.map(lambda plan: (plan.classes(), marks_of(plan)), order))
        for plan, (own, own_marks), (x, y) in zip(order, drawn, corners):
            height, width = plan.grey.shape
            grey[y:y + height, x:x + width] = plan.grey
            shown[y:y + height, x:x + width] = own
            marks[y:y + height, x:x + width] = own_marks
            places.append(self.places(plan, chance) + np.array([x, y], np.float32))
        self.ink = torch.from_numpy(255 - grey).to(device)
        self.shown = torch.from_numpy(shown).to(device)
        self.marks = torch.from_numpy(marks).to(device)
        self.places = torch.from_numpy(np.stack(places)).to(device)
        weights = [math.sqrt(len(plan.rooms) + 6) if plan.is_plan else 2.0 for plan in order]
        self.weights = torch.tensor(weights, device=device)

    @staticmethod
    def places(plan, chance):
        """Returns places near the rooms of a page, some of them anywhere with ink."""
        height, width = plan.grey.shape
        rows, columns = np.nonzero(plan.grey[::8, ::8] < 160)
        if not len(rows):
            rows, columns = np.array([height // 16]), np.array([width // 16])
        inked = chance.integers(len(rows), size=PLACES)
        found = np.stack([columns[inked] * 8.0, rows[inked] * 8.0], 1)
        rooms = plan.rooms + plan.unknown
        if rooms:
            low, high = (np.array([side(room, 0) for room in rooms]) for side in (np.min, np.max))
            own = chance.integers(len(rooms), size=PLACES)
            near = chance.uniform(low[own], np.maximum(high, low + 1)[own]) + chance.normal(0, 60, (PLACES, 2))
            found = np.where(chance.random((PLACES, 1)) < 0.8, near, found)
        return np.clip(found, 0, [width, height]).astype(np.float32)

    def tiles(self, count):
        """Returns tiles of TRAINED x TRAINED darkness, mirrored, turned, and a little too large or too small, what each pixel
        belongs to, as in `room_augmentation`, and what each cell shows."""
        device = self.ink.device
        pages = torch.multinomial(self.weights, count, replacement=True)
        centres = self.places[pages, torch.randint(PLACES, (count,), device=device)]
        times = torch.exp((torch.rand(count, device=device) - 0.5) * 2 * math.log(1.35))
        quarter_turns = torch.randint(4, (count,), device=device) * (math.pi / 2)
        askew = torch.where(torch.rand(count, device=device) < 0.15, math.pi / 2, math.radians(1.5))
        turns = quarter_turns + (torch.rand(count, device=device) - 0.5) * askew
        mirrored = torch.where(torch.rand(count, device=device) < 0.5, -1.0, 1.0)
        step = STORED / INPUT / times
        ink = self.sampled(self.ink, centres, turns, mirrored, step, 2 * TRAINED, 0.5)
        darkness = functional.avg_pool2d(ink / 255, 2)
        shown = self.sampled(self.shown, centres, turns, mirrored, step, TRAINED // STRIDE, float(STRIDE), nearest=True)
        marks = self.sampled(self.marks, centres, turns, mirrored, step, TRAINED, 1.0, nearest=True)
        return darkness, marks.round().int(), shown[:, 0].round().long()

    @staticmethod
    def sampled(canvas, centres, turns, mirrored, step, side, spacing, nearest=False):
        """Samples squares of `side` cells, `spacing` pixels of a tile apart, around places of a canvas."""
        along = (torch.arange(side, device=canvas.device) - (side - 1) / 2) * spacing
        down, across = torch.meshgrid(along, along, indexing="ij")
        cos, sin = (torch.cos(turns) * step).view(-1, 1, 1), (torch.sin(turns) * step).view(-1, 1, 1)
        across = across * mirrored.view(-1, 1, 1)
        x = centres[:, 0].view(-1, 1, 1) + across * cos - down * sin
        y = centres[:, 1].view(-1, 1, 1) + across * sin + down * cos
        height, width = canvas.shape
        outside = (x < 0) | (y < 0) | (x > width - 2) | (y > height - 2)
        x, y = x.clamp(0, width - 2), y.clamp(0, height - 2)
        left, top = x.long(), y.long()
        at = top * width + left
        flat = canvas.view(-1)
        if nearest:
            values = flat[(y.round().long() * width + x.round().long())].float()
        else:
            dx, dy = x - left, y - top
            upper = torch.lerp(flat[at].float(), flat[at + 1].float(), dx)
            lower = torch.lerp(flat[at + width].float(), flat[at + width + 1].float(), dx)
            values = torch.lerp(upper, lower, dy)
        return torch.where(outside, torch.zeros_like(values), values).unsqueeze(1)


def marks_of(plan):
    """Returns what each pixel of a plan belongs to, as `room_augmentation` takes it."""
    marks = plan.numbers()
    close = room_pages.is_close(marks)
    marks += (room_augmentation.CLOSE * close).astype(np.int16)
    if plan.doors is not None:
        marks += (room_augmentation.WALL * (close & ~plan.is_door(grown=room_pages.MOST_WALL))).astype(np.int16)
        marks += (room_augmentation.DOOR * plan.is_door()).astype(np.int16)
    return marks


def cell_costs(tiles, shown, costs):
    """Returns what a wrong cell costs: edges more than others, and most where nothing is drawn."""
    ink = functional.max_pool2d(tiles, OPEN_SIDE, STRIDE, OPEN_SIDE // 2)[:, 0]
    is_open = (shown == EDGE) & (ink < OPEN_INK)
    return costs[shown] * torch.where(is_open, OPEN_COST, 1.0)


def loss_of(outputs, shown, weights):
    """Returns the weighted mean of the cross-entropy."""
    loss = functional.cross_entropy(outputs[:, :UNKNOWN].float(), shown, ignore_index=UNKNOWN, reduction="none")
    return (loss * weights).sum() / weights.sum().clamp(min=1.0)


@torch.no_grad()
def scores(model, darkness, shown, costs, device):
    """Returns the loss on tiles as they are, the intersection over union of floors, and the share of edges that are found."""
    losses, both, either, found, edges = [], 0, 0, 0, 0
    for tiles, own in zip(darkness.sqrt().split(32), shown.split(32)):
        with autocast(device):
            outputs = model(tiles.contiguous(memory_format=torch.channels_last))
        losses.append(loss_of(outputs, own, costs[own]).item())
        seen = outputs[:, :UNKNOWN].argmax(1).masked_fill(own == UNKNOWN, UNKNOWN)
        both += ((seen == FLOOR) & (own == FLOOR)).sum().item()
        either += ((seen == FLOOR) | (own == FLOOR)).sum().item()
        found += ((seen == EDGE) & (own == EDGE)).sum().item()
        edges += (own == EDGE).sum().item()
    return float(np.mean(losses)), both / max(1, either), found / max(1, edges)


def train(model, sets, minutes, rate, size, device, kept, held_out=None):
    """Trains for some minutes, and returns the model with the exponential moving average of the weights. They are written to
    `kept` now and then, so that a run that is cut short leaves what it has.

    `sets` are canvases and how many tiles of a step are cut from each. `held_out` is a canvas that is scored."""
    averaged = averaging(model, AVERAGED_OVER)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=5e-2)
    costs = torch.tensor((*COSTS, 0.0), device=device)
    scored = held_out and held_out.tiles(HELD_OUT_TILES)
    budget, step, total = Budget(minutes), 0, torch.zeros((), device=device)
    model.train()
    averaged.module.eval()
    while budget.is_left():
        with torch.no_grad():
            darkness, marks, shown = (torch.cat(own) for own in zip(*(canvas.tiles(count) for canvas, count in sets)))
            darkness = room_augmentation.redrawn(darkness, marks)
            tiles = room_augmentation.scanned(darkness.clamp(0, 1).sqrt())
            weights = cell_costs(tiles, shown, costs)
        budget.set_rate(optimizer, rate)
        optimizer.zero_grad()
        with autocast(device):
            outputs = model(tiles.contiguous(memory_format=torch.channels_last))
        loss = loss_of(outputs, shown, weights)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        averaged.update_parameters(model)
        step, total = step + 1, total + loss.detach()
        if step % REPORTED == 0:
            text = f"step {step} loss {total.item() / REPORTED:.4f} {budget.spent():.0f} s"
            if scored:
                text += " held out: loss {:.4f} floors {:.3f} edges {:.3f}".format(
                    *scores(averaged.module, scored[0], scored[2], costs, device))
            print(text, flush=True)
            total.zero_()
            torch.save(averaged.module.state_dict(), kept)
    print(f"{step} steps of {size}", flush=True)
    torch.save(averaged.module.state_dict(), kept)
    return averaged.module


def mixed(before, after, share):
    """Returns a network whose weights lie a share of the way between two: it keeps more of what the first one knew of other pages
    (Wortsman et al. 2022)."""
    own = after.state_dict()
    before.load_state_dict({name: torch.lerp(weight, own[name], share) for name, weight in before.state_dict().items()})
    return before


def export(model, path):
    graph = Graph(model)
    halved = graph.blocks(model.halved, "tile")
    quarter = graph.blocks(model.quarter, halved)
    eighth = graph.blocks(model.eighth, quarter)
    sixteenth = graph.blocks(model.sixteenth, eighth)
    deep = graph.blocks(model.thirty_second, sixteenth)
    deep = graph.pyramid(deep, [
        (sixteenth, model.to_sixteenth, model.sixteenth_again),
        (eighth, model.to_eighth, model.eighth_again),
        (quarter, model.to_quarter, model.quarter_again),
        (halved, model.to_halved, model.halved_again),
    ])
    graph.conv(model.head, deep, "maps")
    return graph.save(path, [("tile", (1, 1, SIDE, SIDE))], ("maps", (1, OUTPUTS, SIDE // STRIDE, SIDE // STRIDE)))


def parity(model, path, plan, examples):
    """Returns the largest difference of ONNX Runtime's outputs from PyTorch's. Writes one tile with PyTorch's outputs, for the
    tests of other engines: 512 x 512 bytes of ink and 4 x 256 x 256 little-endian floats."""
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    height, width = plan.grey.shape
    tile = np.zeros((SIDE, SIDE), np.uint8)
    part = 255 - plan.grey[height // 2 - SIDE // 2:, width // 2 - SIDE // 2:][:SIDE, :SIDE]
    tile[:part.shape[0], :part.shape[1]] = part
    given = torch.from_numpy(tile).float().div(255)[None, None]
    with torch.no_grad():
        own = model(given).numpy()
    examples.write_bytes(tile.tobytes() + own.astype("<f4").tobytes())
    return float(np.abs(own - session.run(None, {"tile": given.numpy()})[0]).max())


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, required=True, help="the folder that room_pages.py wrote")
    arguments.add_argument("--out", type=Path, help="the folder of the model; without it only the weights are written")
    arguments.add_argument("--minutes", type=float, default=35.0)
    arguments.add_argument("--size", type=int, help="tiles of a step; without it 56 on a GPU and 8 else")
    arguments.add_argument("--rate", type=float, default=4e-3, help="the highest learning rate")
    arguments.add_argument("--kept", type=Path, default="weights.pt", help="the file that the weights are written to")
    arguments.add_argument("--weights", type=Path, help="weights.pt of an earlier run to begin with; --minutes 0 keeps them")
    arguments.add_argument("--network", type=Path, help="an exported network to begin with")
    arguments.add_argument("--mix", type=float, default=1.0,
                           help="the share of the way from --network to what was trained at which the weights are taken")
    arguments.add_argument("--shares", type=float, nargs=3, default=SHARES, metavar=("REAL", "HOUSES", "INVENTED"),
                           help="the shares of tiles from real pages, random houses and invented plans (%(default)s)")
    arguments.add_argument("--leave-half", type=int, choices=(0, 1),
                           help="a half of the offices that is left out, and scored now and then")
    arguments.add_argument("--houses", type=int, default=HOUSE_COUNT, help="how many random houses are drawn")
    arguments = arguments.parse_args()
    device = best_device()
    size = arguments.size or (56 if device.type == "cuda" else 8)
    # Before anything has threads of its own, since processes are forked.
    houses = house_plans(arguments.houses) if arguments.minutes > 0 and arguments.houses else []
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(20261126)
    chance = np.random.default_rng(20261126)
    model = with_exported_weights(Segmenter(), arguments.network) if arguments.network else Segmenter()
    model = model.to(device, memory_format=torch.channels_last)
    print(sum(parameter.numel() for parameter in model.parameters()), "parameters", device, flush=True)
    if arguments.weights:
        model.load_state_dict(torch.load(arguments.weights, map_location=device))
    synthetic = room_pages.read(arguments.data / "synthetic")
    if arguments.minutes > 0:
        pages = room_pages.read(arguments.data / "real")
        is_left_out = lambda plan: arguments.leave_half is not None and half_of(plan.office) == arguments.leave_half
        real = [plan for plan in pages if not is_left_out(plan)]
        left_out = [plan for plan in pages if is_left_out(plan) and plan.is_plan]
        counts = [round(size * share) for share in arguments.shares]
        of_real, of_houses, of_invented = counts
        invented = room_pages.read(arguments.data / "invented") if of_invented else []
        print(len(synthetic), "synthetic,", len(houses), "random,", len(invented), "invented and", len(real), "real pages", flush=True)
        counted = [(synthetic, size - sum(counts)), (houses, of_houses), (invented, of_invented), (real, of_real)]
        sets = [(Canvas(plans, device, chance), count) for plans, count in counted if count]
        held_out = Canvas(left_out, device, chance) if left_out else None
        model = train(model, sets, arguments.minutes, arguments.rate, size, device, arguments.kept, held_out)
    if arguments.network and arguments.mix < 1:
        model = mixed(with_exported_weights(Segmenter(), arguments.network), model.cpu(), arguments.mix)
    if arguments.out:
        network = folded(model.cpu())
        digest = export(network, arguments.out / "model.onnx")
        furthest = parity(network, arguments.out / "model.onnx", synthetic[0], arguments.out / "examples.bin")
        assert furthest < 1e-3, f"the file and the network differ by {furthest}"
        print(json.dumps({"parity": furthest, "sha256": digest}))


if __name__ == "__main__":
    main()
