import unittest
from dataclasses import dataclass

from fanlight_plugin.words import words_of


@dataclass
class Run:
    """A text run of 10 points whose letters are half an em wide."""

    text: str
    x: float
    y: float
    angle: float = 0.0
    size: float = 10.0

    @property
    def lengths(self):
        return [len(letter.encode()) for letter in self.text]

    @property
    def advances(self):
        return [5.0] * len(self.text)


def texts(*runs):
    return [word.text for word in words_of(runs)]


class Words(unittest.TestCase):
    def test_spaces_end_words(self):
        self.assertEqual(texts(Run("EXIT  SIGN é", 0, 0)), ["EXIT", "SIGN", "é"])

    def test_letters_shown_one_by_one_are_one_word(self):
        self.assertEqual(texts(Run("EX", 0, 0), Run("I", 10.5, 0), Run("T", 15, 0.4)), ["EXIT"])

    def test_a_gap_or_another_line_ends_a_word(self):
        self.assertEqual(texts(Run("A", 0, 0), Run("B", 8, 0)), ["A", "B"])
        self.assertEqual(texts(Run("A", 0, 0), Run("B", 5, 12)), ["A", "B"])
        self.assertEqual(texts(Run("A", 0, 0), Run(" B", 5, 0)), ["A", "B"])

    def test_the_box_of_an_upright_word_is_in_user_space(self):
        [word] = words_of([Run("AB", 100, 50, angle=90)])
        box = word.box.rounded()
        self.assertEqual((box.x1, box.y1, box.x2, box.y2), (92.0, 50.0, 102.0, 60.0))
