"""Words from the text runs of a page. A run is what one operator shows: a word, a line, or a single letter."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .boxes import Box

# Extents of a line of letters above and below its baseline, in ems, as most text fonts have them.
_ASCENT = 0.8
_DESCENT = 0.2
# The widest gap between two letters of a word, in ems. A space is 0.25 to 0.28 em in Times and Helvetica.
_LETTER_GAP = 0.18
# How far a letter may lie over the one before it, in ems, where a font is kerned.
_KERNING = 0.3
# How far the baselines of a word's parts may lie apart, in ems.
_BASELINE_OFFSET = 0.1
# The difference of angles of a word's parts, in degrees.
_ANGLE = 1.0


@dataclass(frozen=True)
class Word:
    """A word of a page."""

    text: str
    box: Box
    """In user space of the unrotated page: points, origin bottom-left."""
    size: float
    """Height of the em in points."""
    angle: float
    """Direction of the baseline in degrees counterclockwise from the x axis."""


@dataclass
class _Piece:
    """Letters without a space between them, along one baseline from `start` to `end` (points from the origin's foot)."""

    text: str
    start: float
    end: float
    baseline: float
    size: float
    angle: float

    def continues(self, other: "_Piece") -> bool:
        """Returns whether the piece goes on where another one ends."""
        em = other.size
        gap = self.start - other.end
        return (
            abs(self.angle - other.angle) <= _ANGLE
            and abs(self.baseline - other.baseline) <= _BASELINE_OFFSET * em
            and -_KERNING * em <= gap <= _LETTER_GAP * em
        )

    def word(self) -> Word:
        along, across = _directions(self.angle)
        bottom, top = self.baseline - _DESCENT * self.size, self.baseline + _ASCENT * self.size
        corners = [
            (position * along[0] + height * across[0], position * along[1] + height * across[1])
            for position in (self.start, self.end)
            for height in (bottom, top)
        ]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return Word(self.text, Box(min(xs), min(ys), max(xs), max(ys)), self.size, self.angle)


def words_of(runs: Iterable[Any]) -> list[Word]:
    """Returns the words of text runs, in the order in which they are shown. Parts of a word that are shown one after the
    other are joined."""
    words: list[_Piece] = []
    for run in runs:
        for piece, follows_space in _pieces(run):
            if words and not follows_space and piece.continues(words[-1]):
                words[-1].text += piece.text
                words[-1].end = piece.end
            else:
                words.append(piece)
    return [word.word() for word in words]


def _pieces(run: Any) -> Iterable[tuple[_Piece, bool]]:
    """Yields the pieces of a run between its spaces, and whether a space of the run stands before each."""
    along, across = _directions(run.angle)
    position = run.x * along[0] + run.y * along[1]
    baseline = run.x * across[0] + run.y * across[1]
    letters, start, follows_space = "", position, False
    encoded, at = run.text.encode(), 0
    for length, advance in zip(run.lengths, run.advances, strict=True):
        glyph = encoded[at : at + length].decode()
        at += length
        if glyph.isspace():
            if letters:
                yield _Piece(letters, start, position, baseline, run.size, run.angle), follows_space
            letters, follows_space = "", True
        else:
            if not letters:
                start = position
            letters += glyph
        position += advance
    if letters:
        yield _Piece(letters, start, position, baseline, run.size, run.angle), follows_space


def _directions(angle: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Returns the unit vectors along a baseline and across it."""
    radians = math.radians(angle)
    cos, sin = math.cos(radians), math.sin(radians)
    return (cos, sin), (-sin, cos)
