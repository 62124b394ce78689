import unittest

from app import KeynoteCounter, Tag, is_framed, legend_text, outlines
from fanlight_plugin import Box, Close, LineTo, MoveTo, Path, Style, Word, segments_of


def word(text, x, y):
    return Word(text, Box(x, y, x + 5 * len(text), y + 10), 10, 0.0)


class Legends(unittest.TestCase):
    def test_words_beside_a_tag_are_its_text(self):
        tag = word("061000.A2", 0, 0)
        words = [tag, word("WOOD", 80, 0), word("BLOCKING", 105, 0.5), word("OTHER", 0, 20), word("FAR", 400, 0)]
        self.assertEqual(legend_text(tag, words), "WOOD BLOCKING")

    def test_one_word_beside_a_tag_is_no_legend(self):
        tag = word("061000.A2", 0, 0)
        self.assertIsNone(legend_text(tag, [tag, word("TYP.", 60, 0)]))


class Counts(unittest.TestCase):
    def test_tags_in_drawings_are_counted_and_the_legend_is_not(self):
        box = Box(0, 0, 1, 1)
        tags = [
            Tag("1.A", 1, box, None, True),
            Tag("1.A", 2, box, None, False),
            Tag("1.A", 2, box, "WOOD BLOCKING", False),
        ]
        result = KeynoteCounter().conclude(tags, [1, 2])
        [keynote] = result.keynotes
        self.assertEqual((keynote.id, keynote.text, keynote.count), ("1.A", "WOOD BLOCKING", 2))
        self.assertEqual(result.tags_found, 2)
        self.assertEqual([place.framed for place in keynote.places], [True, False])


def rectangle(x1, y1, x2, y2):
    style = Style(stroke=0, fill=None, opacity=1.0, width=0.5, dash=(), layer=None)
    return Path(0, [MoveTo((x1, y1)), LineTo((x2, y1)), LineTo((x2, y2)), LineTo((x1, y2)), Close()], style)


class Frames(unittest.TestCase):
    def test_an_outline_close_around_a_tag_is_its_frame(self):
        tag = word("1.A", 100, 100)
        self.assertTrue(is_framed(tag, outlines(segments_of([rectangle(95, 95, 130, 115)]))))
        self.assertFalse(is_framed(tag, outlines(segments_of([rectangle(105, 95, 130, 115)]))), "it crosses the tag")
        self.assertFalse(is_framed(tag, outlines(segments_of([rectangle(0, 0, 800, 600)]))), "the border of the sheet")
        self.assertFalse(is_framed(tag, []))
