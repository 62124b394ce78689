"""Redraws tiles of plans on the GPU: floors, walls, doors and clutter, for the segmentation of rooms. See README.md.

What each pixel of a tile belongs to is known, so a tile can show a room tiled, hatched or dark, or another style of wall, and
still have the same truth. Darkness is from 0 (paper) to 1. Maps are batch x 1 x side x side.
"""

import math

import torch
from torch.nn import functional

from network import random_mask, random_uniform, with_varied_lines

# What a pixel's mark holds beside the number of its room: the walls whose style may change, all that is close to a room, and
# doors. A mark is an int16, so a page numbers at most 4095 rooms.
NUMBERS, WALL, CLOSE, DOOR = 4096, 4096, 8192, 16384
# Rooms of a tile that may have different floors.
FLOORS = 64
# Objects that clutter draws on a tile, at most.
SHAPES = 6


def marked(marks, bit):
    return (marks & bit > 0).float()


def log_uniform(shape, low, high, device):
    return torch.exp(torch.rand(shape, device=device) * math.log(high / low) + math.log(low))


def chosen(shape, share, device):
    """Returns 1 with the probability `share`, otherwise 0."""
    return (torch.rand(shape, device=device) < share).float()


def stripes(along, pitch, width):
    """Returns lines at each multiple of `pitch`, with smooth edges."""
    return (width / 2 + 0.5 - (torch.remainder(along, pitch) - pitch / 2).abs()).clamp(0, 1)


def coordinates(like):
    """Returns the columns and rows of a batch of maps from their middle, to be broadcast."""
    along = torch.arange(like.shape[-1], device=like.device, dtype=torch.float32) - like.shape[-1] / 2
    return along.view(1, 1, 1, -1), along.view(1, 1, -1, 1)


def turned(x, y, turn):
    return x * turn.cos() + y * turn.sin(), y * turn.cos() - x * turn.sin()


def with_floors(darkness, marks):
    """Draws tints, lines, tiles, boards, dots, speckles or checks on some floors, and now and then on the ground."""
    count, device = len(darkness), darkness.device
    numbers = (marks % NUMBERS).long()
    is_room = numbers > 0
    numbers = torch.where(is_room, 1 + numbers % (FLOORS - 1), numbers)
    shape, flat = (count, FLOORS), numbers.view(count, -1)
    at = lambda values: values.gather(1, flat).view_as(darkness)
    is_drawn = chosen(shape, 0.15 + 0.85 * torch.rand(count, 1, device=device), device)
    is_drawn[:, 0] = chosen(count, 0.15, device)
    askew = torch.rand(shape, device=device) * math.pi
    turn = torch.where(torch.rand(shape, device=device) < 0.6, 0.0, torch.where(askew < 1.5, math.pi / 4, askew))
    pitch, width = at(log_uniform(shape, 2.0, 36.0, device)), at(log_uniform(shape, 0.3, 2.5, device))
    u, v = turned(*coordinates(darkness), at(turn))
    first = stripes(u, pitch, width)
    second = stripes(v, pitch * at(log_uniform(shape, 1.0, 3.0, device)), width)
    row, column = torch.div(u, pitch, rounding_mode="floor"), torch.div(v, pitch, rounding_mode="floor")
    joints = stripes(v + row * pitch * 1.37, 4 * pitch, width)
    kind = at(torch.randint(8, shape, device=device).float())
    pattern = torch.zeros_like(darkness)
    for number, drawn in enumerate((first, torch.maximum(first, second), torch.maximum(first, joints), first * second,
                                    (torch.rand_like(darkness) < 0.3).float(), torch.remainder(row + column, 2))):
        pattern = torch.where(kind == number, drawn, pattern)
    tint = at(chosen(shape, 0.5, device) * torch.rand(shape, device=device) ** 1.5)
    floor = torch.maximum(pattern * at(torch.rand(shape, device=device)), tint) * at(is_drawn)
    floor = floor * (is_room.float() + (1 - marked(marks, CLOSE)) * (~is_room)).clamp(0, 1)
    is_negative = (at(chosen(shape, 0.4, device)) * floor > 0.4).float()
    return torch.lerp(darkness + floor - darkness * floor, floor * (1 - darkness), is_negative)


def with_walls(darkness, marks):
    """Draws walls again: filled, lighter, as two lines, as one bar, or hatched."""
    count = len(darkness)
    wall, room = marked(marks, WALL), (marks % NUMBERS > 0).float()
    grown = functional.max_pool2d(wall, 3, 1, 1)
    face = wall * functional.max_pool2d(room, 3, 1, 1)
    thick_face = wall * functional.max_pool2d(room, 5, 1, 2)
    grey = random_uniform(count, 0.15, 1.0, darkness)
    bare = darkness * (1 - grown)
    u, _ = turned(*coordinates(darkness), random_uniform(count, 0.0, math.pi, darkness))
    hatch = stripes(u, random_uniform(count, 2.5, 8.0, darkness), random_uniform(count, 0.4, 1.5, darkness))
    face = torch.where(random_mask(count, 0.5, darkness) > 0, face, thick_face)
    filled, lighter = torch.maximum(darkness, wall * grey), darkness * (1 - grown * (1 - 0.6 * grey))
    two_lines, bar, solid = bare + face * grey, bare + (wall - face) * grey, bare + wall * grey
    hatched = torch.maximum(two_lines, wall * hatch * grey)
    styles = (filled, filled, lighter, lighter, two_lines, two_lines, bar, bar, solid, hatched)
    chosen_style, drawn = torch.randint(len(styles), (count, 1, 1, 1), device=darkness.device), darkness
    for number, style in enumerate(styles):
        drawn = torch.where(chosen_style == number, style, drawn)
    return drawn


def without_doors(darkness, marks):
    """Removes the doors that are drawn in rooms: their leaves, swings and tags."""
    return darkness * (1 - marked(marks, DOOR) * (marks % NUMBERS > 0))


def with_clutter(darkness, marks):
    """Draws lines, rectangles and circles, and fills some of them where a floor is. Wipes out small ones in a third of the
    tiles."""
    count, device = len(darkness), darkness.device
    shape, side = (count, 1, 1, 1), darkness.shape[-1]
    x, y = coordinates(darkness)
    room = (marks % NUMBERS > 0).float()
    is_wiped = random_mask(count, 0.33, darkness)
    for _ in range(SHAPES):
        turn = torch.where(torch.rand(shape, device=device) < 0.7, 0.0, torch.rand(shape, device=device) * math.pi)
        u, v = turned(x - (torch.rand(shape, device=device) - 0.5) * side, y - (torch.rand(shape, device=device) - 0.5) * side,
                      turn)
        wide, high = log_uniform(shape, 3.0, 40.0, device), log_uniform(shape, 3.0, 30.0, device)
        is_line = torch.rand(shape, device=device) < 0.35
        wide, high = torch.where(is_line, wide * 5, wide), torch.where(is_line, 0.0, high)
        is_round = ~is_line & (torch.rand(shape, device=device) < 0.25)
        far = torch.where(is_round, (u ** 2 + v ** 2).sqrt() - wide, torch.maximum(u.abs() - wide, v.abs() - high))
        outline = (log_uniform(shape, 0.4, 2.5, device) / 2 + 0.5 - far.abs()).clamp(0, 1)
        inside, grey = (far < 0).float(), random_uniform(count, 0.1, 1.0, darkness)
        filled = inside * room * random_mask(count, 0.3, darkness) * random_uniform(count, 0.0, 1.0, darkness)
        drawn = torch.maximum(outline * grey, filled)
        darkness = torch.maximum(darkness, drawn * random_mask(count, 0.6, darkness))
        is_small = ((wide < 12) & (high < 12) & ~is_line).float()
        darkness = darkness * (1 - inside * is_small * is_wiped)
    return darkness


# The shares of tiles that are redrawn, by what is drawn.
REDRAWN = ((with_floors, 0.6), (without_doors, 0.25), (with_walls, 0.65), (with_clutter, 0.4))


def redrawn(darkness, marks):
    """Returns tiles of which some have other floors or walls, no doors, or clutter."""
    darkness = darkness.clone()
    for draw, share in REDRAWN:
        some = torch.randperm(len(darkness), device=darkness.device)[:math.ceil(share * len(darkness))]
        darkness[some] = draw(darkness[some], marks[some])
    return darkness


def coarse(tiles, factor):
    """Returns tiles as a picture of a lower resolution shows them."""
    small = functional.avg_pool2d(tiles, factor)
    return functional.interpolate(small, size=tiles.shape[-2:], mode="bilinear", align_corners=False)


def scanned(tiles):
    """Varies lines, resolution, contrast and noise, and overlays some tiles with the lines of another. Tiles hold the square
    root of darkness, as the network takes it."""
    count = len(tiles)
    others = tiles[torch.randperm(count, device=tiles.device)]
    light = random_mask(count, 0.15, tiles) * (others.mean((1, 2, 3), keepdim=True) < 0.12).float()
    tiles = torch.maximum(tiles, others * light * random_uniform(count, 0.2, 0.7, tiles))
    tiles = with_varied_lines(tiles, (0.2, 0.4, 0.6))
    chance = torch.rand(count, 1, 1, 1, device=tiles.device)
    tiles = torch.where(chance < 0.1, coarse(tiles, 2), torch.where(chance < 0.15, coarse(tiles, 3), tiles))
    weakest = torch.where(random_mask(count, 0.25, tiles) > 0, 0.3, 0.6)
    tiles = tiles * (weakest + (1 - weakest) * random_uniform(count, 0.0, 1.0, tiles))
    x, y = coordinates(tiles)
    shade = turned(x, y, random_uniform(count, 0.0, 2 * math.pi, tiles))[0] / tiles.shape[-1] + 0.5
    shade = shade * random_mask(count, 0.1, tiles) * random_uniform(count, 0.0, 0.25, tiles)
    noise = torch.randn_like(tiles) * random_mask(count, 0.3, tiles) * random_uniform(count, 0.0, 0.12, tiles)
    raised = random_mask(count, 0.15, tiles) * random_uniform(count, 0.0, 0.15, tiles)
    return (tiles + noise + raised + shade).clamp(0, 1)
