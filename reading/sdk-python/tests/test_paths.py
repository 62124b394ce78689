import doctest
import math
import unittest
from dataclasses import dataclass, field

from fanlight_plugin import paths
from fanlight_plugin.paths import Close, CurveTo, LineTo, MoveTo, paths_of, segments_of


@dataclass
class PathStyle:
    """A style as the bindings of the contract have it."""

    stroke: int | None = 0
    fill: int | None = None
    opacity: float = 1.0
    width: float = 0.5
    dash: list[float] = field(default_factory=list)
    layer: int | None = None


@dataclass
class PagePaths:
    """Columns as the bindings of the contract have them."""

    ops: bytes
    coordinates: list[float]
    lengths: list[int]
    style_of: list[int] = field(default_factory=lambda: [0, 0])
    styles: list[PathStyle] = field(default_factory=lambda: [PathStyle()])
    layers: list[str] = field(default_factory=list)


def segments(ops, coordinates, **style):
    columns = PagePaths(bytes(ops), coordinates, [len(ops)], styles=[PathStyle(**style)])
    return list(segments_of(paths_of(columns)))


class Paths(unittest.TestCase):
    def test_each_path_takes_its_steps_and_its_style(self):
        styles = [PathStyle(layer=1, dash=[3.0, 1.0]), PathStyle(layer=7)]
        columns = PagePaths(bytes([0, 1, 0, 2, 3]), list(range(12)), [2, 3], [0, 1], styles, ["A", "A-WALL"])
        first, second = paths_of(columns)
        self.assertEqual(first.steps, [MoveTo((0, 1)), LineTo((2, 3))])
        self.assertEqual((first.number, first.style.layer, first.style.dash), (0, "A-WALL", (3.0, 1.0)))
        self.assertEqual(second.steps, [MoveTo((4, 5)), CurveTo(((6, 7), (8, 9)), (10, 11)), Close()])
        self.assertEqual((second.number, second.style.layer), (1, None))

    def test_columns_that_end_early_lose_their_last_path(self):
        whole = PagePaths(bytes([0, 1, 0, 1]), [0, 0, 1, 1, 2, 2, 3, 3], [2, 2])
        self.assertEqual(len(list(paths_of(whole))), 2)
        whole.coordinates.pop()
        self.assertEqual(len(list(paths_of(whole))), 1)
        whole.style_of = [9, 0]
        self.assertEqual(list(paths_of(whole)), [])


class Segments(unittest.TestCase):
    def test_a_closed_box_has_four_sides(self):
        found = segments([0, 1, 1, 1, 3], [10, 10, 20, 10, 20, 30, 10, 30])
        self.assertEqual([segment.is_horizontal for segment in found], [True, False, True, False])
        self.assertEqual([segment.is_vertical for segment in found], [False, True, False, True])
        self.assertEqual((found[3].start, found[3].end, found[3].length), ((10, 30), (10, 10), 20.0))

    def test_a_curve_is_six_chords_that_end_where_it_ends(self):
        found = segments([0, 2], [0, 0, 0, 10, 10, 20, 20, 20])
        self.assertEqual([segment.curved for segment in found], [True] * 6)
        self.assertEqual((found[0].start, found[-1].end), ((0, 0), (20, 20)))

    def test_what_is_not_visible_on_paper_is_left_out(self):
        line = ([0, 1], [0, 0, 50, 0])
        self.assertEqual(segments(*line, stroke=0xFFFFFF), [])
        self.assertEqual(segments(*line, stroke=None), [])
        self.assertEqual(segments(*line, opacity=0.01), [])
        [edge] = segments(*line, stroke=None, fill=0x808080)
        self.assertEqual((edge.filled, edge.width), (True, 0.0))
        [dashed] = segments(*line, dash=[2.0])
        self.assertTrue(dashed.dashed and not dashed.filled)

    def test_ends_must_be_finite_and_apart(self):
        self.assertEqual(segments([0, 1], [math.nan, 0, 50, 0]), [])
        self.assertEqual(segments([0, 1], [5, 5, 5, 5]), [])


def load_tests(_loader, tests, _pattern):
    tests.addTests(doctest.DocTestSuite(paths))
    return tests
