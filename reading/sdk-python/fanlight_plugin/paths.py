"""Paths of a page: what is stroked and filled on it, as steps or as straight segments.

    >>> from fanlight_plugin import MoveTo, LineTo, Path, Style, segments_of
    >>> thin = Style(stroke=0x000000, fill=None, opacity=1.0, width=0.5, dash=(), layer="A-WALL")
    >>> wall = Path(0, [MoveTo((72.0, 100.0)), LineTo((172.0, 100.0))], thin)
    >>> [(segment.start, segment.end, segment.length) for segment in segments_of([wall])]
    [((72.0, 100.0), (172.0, 100.0), 100.0)]

In a model, the paths come from the page: `for segment in page.segments(): …`.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

Point = tuple[float, float]
"""x and y in user space of the unrotated page: points, origin bottom-left."""

# Chords that stand for a Bézier curve. With 6, a quarter of a circle is off by a hundredth of its radius.
_CHORDS_PER_CURVE = 6
# Maximum slope of a segment that counts as horizontal or vertical, as rise over run.
_MAX_SLOPE = 0.01
# How far ends may be off because coordinates are rounded, in points.
_ROUNDING = 0.12
# Colors with this luma or more, of 255, are not visible on paper.
_INVISIBLE_LUMA = 246
# Paths with less opacity are not visible.
_MIN_OPACITY = 0.05


@dataclass(frozen=True, slots=True)
class MoveTo:
    """Begins a subpath at a point."""

    to: Point


@dataclass(frozen=True, slots=True)
class LineTo:
    """Draws a straight line to a point."""

    to: Point


@dataclass(frozen=True, slots=True)
class CurveTo:
    """Draws a cubic Bézier curve by way of two control points."""

    controls: tuple[Point, Point]
    to: Point


@dataclass(frozen=True, slots=True)
class Close:
    """Draws a straight line back to where the subpath began."""


Step = MoveTo | LineTo | CurveTo | Close


@dataclass(frozen=True, slots=True)
class Style:
    """The paint of a path. Paths that look the same share one."""

    stroke: int | None
    """Color of the stroke, 0xRRGGBB. None if the path is not stroked."""
    fill: int | None
    """Color of the fill, 0xRRGGBB. None if the path is not filled."""
    opacity: float
    """From 0 (transparent) to 1 (opaque)."""
    width: float
    """Width of the stroke in points. 0 is the thinnest line of a device."""
    dash: tuple[float, ...]
    """Lengths of dashes and gaps in points, alternating. Empty for a solid line."""
    layer: str | None
    """Name of the layer (optional content group) that the path is on, as in the file."""


@dataclass(frozen=True, slots=True)
class Path:
    """One painted path."""

    number: int
    """Index in drawing order, from 0."""
    steps: list[Step]
    """What it is made of, in drawing order."""
    style: Style
    """How it is painted."""


class Segment(NamedTuple):
    """A straight piece of what a page draws."""

    start: Point
    """One end."""
    end: Point
    """The other end."""
    width: float
    """Width of the stroke in points. 0 for the edge of a filled area and for a hairline."""
    filled: bool
    """Whether it is the edge of an area that is filled with something darker than paper and not stroked."""
    dashed: bool
    """Whether its stroke has a dash pattern."""
    curved: bool
    """Whether it is a chord of a curve."""
    path: Path
    """The path that it is a piece of."""

    @property
    def length(self) -> float:
        """The length in points."""
        return math.hypot(self.end[0] - self.start[0], self.end[1] - self.start[1])

    @property
    def is_horizontal(self) -> bool:
        """Whether it runs along the x axis, with a slope of at most 1 in 100."""
        across, along = abs(self.end[1] - self.start[1]), abs(self.end[0] - self.start[0])
        return across <= max(_MAX_SLOPE * along, _ROUNDING) and along > across

    @property
    def is_vertical(self) -> bool:
        """Whether it runs along the y axis, with a slope of at most 1 in 100."""
        across, along = abs(self.end[0] - self.start[0]), abs(self.end[1] - self.start[1])
        return across <= max(_MAX_SLOPE * along, _ROUNDING) and along > across


def paths_of(columns: Any) -> Iterator[Path]:
    """Yields the paths of a page in drawing order. `columns` is `page-paths` of the contract: `page.content.paths()`.

    Ends where the columns are shorter than they claim, and skips a path whose style is missing.
    """
    styles = [_style(style, columns.layers) for style in columns.styles]
    ops, points = iter(columns.ops), _points(columns.coordinates)
    for number, (length, style) in enumerate(zip(columns.lengths, columns.style_of)):
        try:
            steps = [_step(next(ops), points) for _ in range(length)]
        except StopIteration:
            return
        if style < len(styles):
            yield Path(number, steps, styles[style])


def segments_of(paths: Iterable[Path]) -> Iterator[Segment]:
    """Yields the straight segments of paths that are visible on paper, in drawing order. A curve is six chords.

    Leaves out segments without a length and those with an end that is not a finite number. A segment may lie beyond
    the page: the columns hold what the file says.
    """
    for path in paths:
        stroked, filled = _is_visible(path.style.stroke), _is_visible(path.style.fill)
        if not (stroked or filled) or path.style.opacity < _MIN_OPACITY:
            continue
        width = path.style.width if stroked and math.isfinite(path.style.width) else 0.0
        filled, dashed = filled and not stroked, stroked and bool(path.style.dash)
        for start, end, curved in _pieces(path.steps):
            if start != end and all(map(math.isfinite, (*start, *end))):
                yield Segment(start, end, width, filled, dashed, curved, path)


def _style(style: Any, layers: list[str]) -> Style:
    """Returns a style of the contract, with the name of its layer in place of an index."""
    layer = layers[style.layer] if style.layer is not None and style.layer < len(layers) else None
    return Style(style.stroke, style.fill, style.opacity, style.width, tuple(style.dash), layer)


def _points(coordinates: Iterable[float]) -> Iterator[Point]:
    """Yields points from x and y that alternate."""
    values = iter(coordinates)
    return zip(values, values)


def _step(op: int, points: Iterator[Point]) -> Step:
    """Returns the step of an op, which takes its points. Raises `StopIteration` if there are too few."""
    if op == 0:
        return MoveTo(next(points))
    if op == 1:
        return LineTo(next(points))
    if op == 2:
        return CurveTo((next(points), next(points)), next(points))
    return Close()


def _pieces(steps: Iterable[Step]) -> Iterator[tuple[Point, Point, bool]]:
    """Yields both ends of each straight piece of a path, and whether it is a chord of a curve."""
    first = last = (0.0, 0.0)
    for step in steps:
        match step:
            case MoveTo(to):
                first = last = to
            case LineTo(to):
                yield last, to, False
                last = to
            case CurveTo(controls, to):
                before = last
                for chord in range(1, _CHORDS_PER_CURVE + 1):
                    point = _point_on_curve((last, *controls, to), chord / _CHORDS_PER_CURVE)
                    yield before, point, True
                    before = point
                last = to
            case Close():
                yield last, first, False
                last = first


def _point_on_curve(points: tuple[Point, Point, Point, Point], t: float) -> Point:
    """Returns the point of a cubic Bézier curve at parameter `t`, by its Bernstein polynomials."""
    if t == 1.0:
        return points[3]
    s = 1.0 - t
    weights = (s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t)
    return (
        sum(weight * point[0] for weight, point in zip(weights, points, strict=True)),
        sum(weight * point[1] for weight, point in zip(weights, points, strict=True)),
    )


def _is_visible(color: int | None) -> bool:
    """Returns whether there is a color (0xRRGGBB) and it is dark enough to be seen on paper, by its luma (ITU-R BT.601)."""
    if color is None:
        return False
    red, green, blue = color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF
    return (299 * red + 587 * green + 114 * blue) // 1000 < _INVISIBLE_LUMA
