"""Random plans of houses and flats as pictures, for the segmentation of rooms. See README.md.

`drafting` draws sheets as offices do, with exact symbols. These plans are coarser, but they need no renderer, and they show
what such sheets lack: rooms of several rectangles, openings without doors, walls of one line or of a grey, furniture that fills
a room, and grounds around the house.
"""

import os
from multiprocessing import Pool

import cv2
import numpy as np

from room_pages import STORED, Plan

# Pixels per metre while a plan is drawn.
DRAWN = 2 * STORED
# White around a house, in metres.
MARGIN = 3.0
NAMES = ("BEDROOM", "Kitchen", "LIVING", "Bath", "WC", "HALL", "Dining", "Zimmer", "Flur", "Küche", "SALA", "QUARTO", "Cuisine",
         "SEJOUR", "CAMERA", "BAGNO", "GARAGE", "Store", "Office", "12.4 m2", "101", "3.20 x 4.15", "10'-6\" x 12'")
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_PLAIN, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX)


def split(chance, box, least, rooms):
    """Splits a box into rooms at least `least` metres wide, and appends them."""
    x1, y1, x2, y2 = box
    wide, high = x2 - x1, y2 - y1
    along_x = wide > high if chance.random() < 0.8 else chance.random() < 0.5
    length = wide if along_x else high
    if length < 2 * least or (wide * high < 40 and chance.random() < 0.12):
        rooms.append(box)
        return
    at = chance.uniform(least, length - least)
    parts = ((x1, y1, x1 + at, y2), (x1 + at, y1, x2, y2)) if along_x else ((x1, y1, x2, y1 + at), (x1, y1 + at, x2, y2))
    for part in parts:
        split(chance, part, least * chance.uniform(0.8, 1.3), rooms)


def shared_wall(first, second):
    """Returns the segment that two boxes share, as x1, y1, x2, y2 with x1 = x2 or y1 = y2, or None."""
    for one, other in ((first, second), (second, first)):
        if abs(one[2] - other[0]) < 1e-6 and min(one[3], other[3]) - max(one[1], other[1]) > 0.9:
            return one[2], max(one[1], other[1]), one[2], min(one[3], other[3])
        if abs(one[3] - other[1]) < 1e-6 and min(one[2], other[2]) - max(one[0], other[0]) > 0.9:
            return max(one[0], other[0]), one[3], min(one[2], other[2]), one[3]
    return None


class House:
    """A house while it is drawn: a picture with grey 255 for paper, and which room each pixel belongs to, from 1 on."""

    def __init__(self, seed):
        self.chance = np.random.default_rng(seed)
        chance = self.chance
        wide, high = chance.uniform(5, 22), chance.uniform(5, 16)
        self.size = (round((high + 2 * MARGIN) * DRAWN), round((wide + 2 * MARGIN) * DRAWN))
        self.grey = np.full(self.size, 255, np.uint8)
        self.rooms = np.zeros(self.size, np.uint8)
        self.house = np.zeros(self.size, np.uint8)
        self.line, self.dark = int(chance.integers(1, 5)), int(chance.choice([0, 0, 0, 60, 110, 150]))
        self.thin = max(1, self.line - int(chance.integers(0, 3)))
        self.pale = min(210, self.dark + int(chance.choice([0, 0, 60, 110])))
        self.outer = chance.uniform(0.08, 0.45)
        self.inner = 0.05 if chance.random() < 0.2 else chance.uniform(0.07, min(self.outer, 0.25) + 0.02)
        boxes = []
        split(chance, (0.0, 0.0, wide, high), chance.uniform(1.1, 3.0), boxes)
        self.boxes = boxes[:200]
        self.unknown = []

    def between(self, low, high):
        """Returns a random number from `low` to `high`, or `low` if that is more."""
        return self.chance.uniform(low, max(low, high))

    def pixels(self, *values):
        return tuple(round((value + MARGIN) * DRAWN) for value in values)

    def filled(self, picture, box, value):
        x1, y1, x2, y2 = self.pixels(*box)
        picture[max(0, y1):max(0, y2), max(0, x1):max(0, x2)] = value

    def lay_out(self):
        """Decides which box belongs to which room, and where walls and openings are."""
        chance, half = self.chance, self.inner / 2
        count = len(self.boxes)
        right, bottom = max(box[2] for box in self.boxes), max(box[3] for box in self.boxes)
        at_rim = [box[0] == 0 or box[1] == 0 or box[2] == right or box[3] == bottom for box in self.boxes]
        notched = chance.random() < 0.5
        outside = [notched and count > 4 and rim and chance.random() < 0.12 for rim in at_rim]
        own = list(range(1, count + 1))
        pairs = [(i, j, wall) for i in range(count) for j in range(i) if not outside[i] and not outside[j]
                 for wall in [shared_wall(self.boxes[i], self.boxes[j])] if wall]
        chance.shuffle(pairs)
        for (x1, y1, x2, y2), is_out in zip(self.boxes, outside):
            if not is_out:
                grown = self.outer - half
                self.filled(self.house, (x1 - grown, y1 - grown, x2 + grown, y2 + grown), 1)
        for (x1, y1, x2, y2), number, is_out in zip(self.boxes, own, outside):
            if not is_out:
                self.filled(self.rooms, (x1 + half, y1 + half, x2 - half, y2 - half), number)
        merged = chance.uniform(0, 0.2)
        self.openings, joined = [], list(range(count))
        for i, j, wall in pairs:
            x1, y1, x2, y2 = wall
            upright = x1 == x2
            if chance.random() < merged and own[i] == i + 1 and own[j] == j + 1:
                gap = (x1 - half, y1 + half, x2 + half, y2 - half) if upright else (x1 + half, y1 - half, x2 - half, y2 + half)
                self.rooms[self.rooms == own[j]] = own[i]
                own[j] = own[i]
                self.filled(self.rooms, gap, own[i])
            elif joined[i] != joined[j] or chance.random() < 0.15:
                self.open(wall, 0.22)
            joined = [joined[i] if number == joined[j] else number for number in joined]
        self.windows = []
        for (x1, y1, x2, y2), is_out in zip(self.boxes, outside):
            sides = [((x1, y1, x2, y1), y1 == 0), ((x1, y2, x2, y2), y2 == bottom), ((x1, y1, x1, y2), x1 == 0),
                     ((x2, y1, x2, y2), x2 == right)]
            for side, is_rim in sides:
                length = side[2] - side[0] + side[3] - side[1]
                if is_out or not is_rim or length < 1.4:
                    continue
                if chance.random() < 0.55:
                    self.windows.append(self.cut(side, chance.uniform(0.5, length - 0.7)))
                elif chance.random() < 0.15:
                    self.open(side, 0.1)

    def cut(self, wall, width):
        """Returns a part of a wall of some width, at least 0.2 m from its ends."""
        x1, y1, x2, y2 = wall
        length = x2 - x1 + y2 - y1
        width = min(width, length - 0.4)
        at = self.between(0.2, length - 0.2 - width)
        return (x1, y1 + at, x2, y1 + at + width) if x1 == x2 else (x1 + at, y1, x1 + at + width, y2)

    def open(self, wall, wide):
        """Adds an opening, with the chance `wide` of a wide one without a door."""
        is_wide = self.chance.random() < wide
        width = self.chance.uniform(1.0, 3.5) if is_wide else self.chance.uniform(0.6, 1.05)
        self.openings.append((self.cut(wall, width), not is_wide))

    def across(self, segment, depth):
        """Returns the box of a segment of a wall, `depth` metres to each side."""
        x1, y1, x2, y2 = segment
        return (x1 - depth, y1, x2 + depth, y2) if x1 == x2 else (x1, y1 - depth, x2, y2 + depth)

    def draw_floors(self):
        """Draws tiles, boards, hatches or greys in some rooms and on the ground, and furniture in all."""
        chance = self.chance
        share = chance.choice([0, 0, 0.3, 0.9])
        places = [self.rooms == number for number in np.unique(self.rooms) if number and chance.random() < share]
        if chance.random() < 0.25:
            places.append(self.house == 0)
        for place in places:
            picture = np.full(self.size, 255, np.uint8)
            if chance.random() < 0.4:
                picture[:] = chance.integers(90, 245)
            if chance.random() < 0.7:
                self.draw_pattern(picture)
            self.grey = np.where(place, np.minimum(self.grey, picture), self.grey)
        density = chance.choice([0.0, 0.4, 1.0, 1.8])
        self.is_filled = chance.random() < 0.25
        for box in self.boxes:
            for _ in range(chance.poisson(density * max(1.0, (box[2] - box[0]) * (box[3] - box[1]) / 7))):
                self.draw_furniture(box)

    def draw_pattern(self, picture):
        chance, (height, width) = self.chance, self.size
        pitch, line = chance.uniform(0.05, 0.7) * DRAWN, int(chance.integers(1, 3))
        grey, turn = int(chance.integers(self.dark, 220)), chance.choice([0, 0, np.pi / 4, chance.uniform(0, np.pi)])
        reach = width + height
        for direction in (turn, turn + np.pi / 2)[:int(chance.integers(1, 3))]:
            along, normal = np.array([np.cos(direction), np.sin(direction)]), np.array([-np.sin(direction), np.cos(direction)])
            for at in np.arange(-reach, reach, pitch):
                low, high = (tuple(np.round(normal * at + along * side).astype(int).tolist()) for side in (-reach, reach))
                cv2.line(picture, low, high, grey, line)

    def draw_furniture(self, box):
        """Draws an object in a box: a rectangle, a bed, a round table, a counter, steps, or chairs at a table."""
        chance, thin = self.chance, self.thin
        x1, y1, x2, y2 = box
        inner = self.inner
        wide, high = (min(chance.uniform(0.3, 2.2), side - 2 * inner) for side in (x2 - x1, y2 - y1))
        if min(wide, high) < 0.2:
            return
        left, top = self.between(x1 + inner, x2 - inner - wide), self.between(y1 + inner, y2 - inner - high)
        if chance.random() < 0.5:
            left = chance.choice([x1 + inner, x2 - inner - wide])
        corners = lambda own: (self.pixels(*own[:2]), self.pixels(*own[2:]))
        grey = int(chance.integers(20, 230))
        rectangle = lambda own: [cv2.rectangle(self.grey, *corners(own), value, width) for value, width in (
            [(grey, -1), (self.pale, thin)] if self.is_filled else [(self.pale, thin)])]
        kind = chance.integers(6)
        if kind == 2:
            centre, radius = self.pixels(left + wide / 2, top + high / 2), round(min(wide, high) / 2 * DRAWN)
            if self.is_filled:
                cv2.circle(self.grey, centre, radius, grey, -1)
            cv2.circle(self.grey, centre, radius, self.pale, thin)
            return
        if kind == 3:
            deep = min(0.6, high)
            rectangle((x1 + inner, y1 + inner, x2 - inner, y1 + inner + deep))
            cv2.ellipse(self.grey, self.pixels(left + wide / 2, y1 + inner + deep / 2), (round(0.2 * DRAWN), round(0.15 * DRAWN)),
                        0, 0, 360, self.pale, thin)
            return
        rectangle((left, top, left + wide, top + high))
        if kind == 1:
            for pillow in (0.1, 0.55):
                rectangle((left + pillow * wide, top + 0.05 * high, left + (pillow + 0.35) * wide, top + 0.25 * high))
            cv2.line(self.grey, *corners((left, top + 0.4 * high, left + wide, top + 0.4 * high)), self.pale, thin)
        elif kind == 4:
            for step in np.arange(left, left + wide, 0.27):
                cv2.line(self.grey, *corners((step, top, step, top + high)), self.pale, thin)
        elif kind == 5:
            for at in np.arange(left + 0.1, left + wide - 0.3, 0.6):
                for side in (top - 0.45, top + high + 0.05):
                    if y1 < side < y2 - 0.4:
                        rectangle((at, side, at + 0.4, side + 0.4))

    def draw_walls(self):
        chance = self.chance
        walls = ((self.house > 0) & (self.rooms == 0)).astype(np.uint8)
        for segment, _ in self.openings:
            self.filled(walls, self.across(segment, self.outer + 0.02), 0)
        for segment in self.windows:
            if chance.random() < 0.8:
                self.filled(walls, self.across(segment, self.outer + 0.02), 0)
        style = chance.choice(["line", "black", "grey", "hatched", "bare"], p=[0.35, 0.25, 0.2, 0.12, 0.08])
        self.grey[walls > 0] = 255
        picture = np.full(self.size, 255, np.uint8)
        if style == "hatched":
            self.draw_pattern(picture)
        else:
            picture[:] = {"line": 255, "black": self.dark}.get(style, int(chance.integers(60, 215)))
        self.grey = np.where(walls > 0, np.minimum(self.grey, picture), self.grey)
        if style != "bare":
            outlines = cv2.findContours(walls, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)[0]
            cv2.drawContours(self.grey, outlines, -1, self.dark, self.line)
        lines = int(chance.integers(1, 5))
        for segment in self.windows:
            x1, y1, x2, y2 = self.across(segment, self.outer - self.inner / 2)
            for share in np.linspace(0, 1, lines + 1):
                ends = (x1 + share * (x2 - x1), y1, x1 + share * (x2 - x1), y2) if segment[0] == segment[2] else \
                    (x1, y1 + share * (y2 - y1), x2, y1 + share * (y2 - y1))
                a, b, c, d = self.pixels(*ends)
                cv2.line(self.grey, (a, b), (c, d), self.pale, self.thin)

    def draw_doors(self):
        chance = self.chance
        usual = chance.choice(["swing", "swing", "swing", "line", "sliding", "none"])
        for (x1, y1, x2, y2), has_door in self.openings:
            kind = usual if chance.random() < 0.85 else "none"
            if not has_door or kind == "none":
                continue
            upright, width = x1 == x2, x2 - x1 + y2 - y1
            side = chance.choice([-1, 1])
            if kind == "sliding":
                a, b, c, d = self.pixels(*self.across((x1, y1, x2, y2), 0.03))
                cv2.rectangle(self.grey, (a, b), (c, d), self.pale, self.thin)
                continue
            hinge, end = ((x1, y1), (x2, y2)) if chance.random() < 0.5 else ((x2, y2), (x1, y1))
            opened = (side * width, 0) if upright else (0, side * width)
            tip = (hinge[0] + opened[0], hinge[1] + opened[1])
            to_pixels = lambda place: self.pixels(*place)
            cv2.line(self.grey, to_pixels(hinge), to_pixels(tip), self.pale, self.thin)
            if kind == "swing":
                turns = sorted(np.degrees(np.arctan2(place[1] - hinge[1], place[0] - hinge[0])) for place in (end, tip))
                if turns[1] - turns[0] > 180:
                    turns = [turns[1], turns[0] + 360]
                radius = round(width * DRAWN)
                cv2.ellipse(self.grey, to_pixels(hinge), (radius, radius), 0, *turns, self.pale, self.thin)

    def draw_notes(self):
        """Writes names, and draws dimension lines, grid lines and terraces."""
        chance = self.chance
        font, size = int(chance.choice(FONTS)), chance.uniform(0.5, 1.6)
        for x1, y1, x2, y2 in self.boxes:
            for row in range(int(chance.integers(0, 4))):
                x, y = self.pixels(x1 + (x2 - x1) * chance.uniform(0.05, 0.3), (y1 + y2) / 2)
                name = str(chance.choice(NAMES))
                fitting = min(size, 0.8 * (x2 - x1) * DRAWN / cv2.getTextSize(name, font, 1.0, 1)[0][0])
                if fitting > 0.25:
                    cv2.putText(self.grey, name, (x, y + round(30 * size * row)), font, fitting, self.dark,
                                max(1, round(self.thin * fitting)), cv2.LINE_AA)
        height, width = self.size
        if chance.random() < 0.6:
            for _ in range(int(chance.integers(1, 8))):
                at, is_across = chance.uniform(0.02, 0.98), chance.random() < 0.5
                ends = [(0, at * height), (width, at * height)] if is_across else [(at * width, 0), (at * width, height)]
                low, high = (tuple(round(float(side)) for side in end) for end in ends)
                cv2.line(self.grey, low, high, self.pale, self.thin)
        if chance.random() < 0.5:
            for x1, y1, x2, _ in self.boxes:
                y = y1 - 0.6 if y1 == 0 else y1 + 0.3 + chance.uniform(0, 0.5)
                (a, b), (c, d) = self.pixels(x1, y), self.pixels(x2, y)
                cv2.line(self.grey, (a, b), (c, d), self.pale, 1)
                for end in (a, c):
                    cv2.line(self.grey, (end - 6, b + 6), (end + 6, b - 6), self.pale, self.thin)
                cv2.putText(self.grey, f"{x2 - x1:.2f}", ((a + c) // 2 - 20, b - 4), font, size * 0.7, self.dark, 1, cv2.LINE_AA)
        if chance.random() < 0.3:
            top = min(y1 for _, y1, _, _ in self.boxes) - self.outer
            terrace = (chance.uniform(0, 3), top - chance.uniform(0.8, 2.2), chance.uniform(4, 5), top)
            a, b, c, d = self.pixels(*terrace)
            cv2.rectangle(self.grey, (a, b), (c, d), self.pale, self.thin)
            self.unknown.append(np.array([(a, b), (c, b), (c, d), (a, d)], np.float32) * (STORED / DRAWN))

    def outlines(self):
        """Returns the outlines of rooms in pixels of the plan."""
        found = []
        for number in np.unique(self.rooms):
            if number:
                contours = cv2.findContours((self.rooms == number).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
                found += [own[:, 0].astype(np.float32) * (STORED / DRAWN) for own in contours if cv2.contourArea(own) > 300]
        return found


def house_plan(seed):
    """Returns the plan of a random house."""
    cv2.setNumThreads(1)
    house = House(seed)
    house.lay_out()
    house.draw_floors()
    house.draw_walls()
    house.draw_doors()
    house.draw_notes()
    grey = cv2.resize(house.grey, None, fx=STORED / DRAWN, fy=STORED / DRAWN, interpolation=cv2.INTER_AREA)
    return Plan(f"house-{seed}", f"house-{seed}", grey, house.outlines(), house.unknown)


def house_plans(count):
    """Returns `count` plans of random houses, with the seeds from 0 on."""
    with Pool(min(8, os.cpu_count() or 1)) as pool:
        return pool.map(house_plan, range(count), 8)
