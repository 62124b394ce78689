"""keynote-counter counts keynote tags, such as 061000.A2, and gives each the text of the sheet's keynote legend."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from fanlight_plugin import Box, Page, PageModel, Segment, Unsupported, Word, described, export

# How far the words of a legend's line may stand apart, in ems. Legends set a tab between tag and text.
LEGEND_GAP = 6.0
# How far the baselines of a line's words may differ, in ems.
SAME_LINE = 0.3
# The highest frame of a tag, in ems. Offices draw boxes and hexagons of two to three ems.
FRAME_HEIGHT = 4.0


@dataclass
class Parameters:
    """What a client may set."""

    pattern: str = described(
        "Regular expression of a whole tag. The default is a section number, a dot, a letter and up to two digits.",
        r"[0-9]{5,6}\.[A-Z][0-9]{0,2}",
    )


@dataclass
class Tag:
    """A tag on a page: in the drawing, or in the legend with its text."""

    tag: str
    page: int
    bbox: Box
    text: str | None
    framed: bool


@dataclass
class Place:
    """Where a tag stands in a drawing."""

    page: int = described("The page, 1-based.")
    bbox: Box = described("In points of the unrotated page, origin bottom-left.")
    framed: bool = described("Whether an outline is drawn around the tag.")


@dataclass
class Keynote:
    """A keynote of the document."""

    id: str = described("The tag.")
    text: str | None = described("Its text in the legend; null if no legend has it.")
    count: int = described("How often it stands in drawings.")
    places: list[Place] = described("Where it stands, in page order.")


@dataclass
class Keynotes:
    """The keynotes of a document."""

    keynotes: list[Keynote] = described("Sorted by tag.")
    tags_found: int = described("Number of tags in drawings.")


class KeynoteCounter(PageModel):
    """The model."""

    name = "keynote-counter"
    version = "0.1.0"
    summary = "Counts keynote tags by text, with the texts of the keynote legend."
    parameters = Parameters
    item = Tag
    result = Keynotes

    def analyze_page(self, page: Page, parameters: Parameters) -> list[Tag]:
        try:
            pattern = re.compile(parameters.pattern)
        except re.error as error:
            raise Unsupported(f"the pattern is not a regular expression: {error}") from error
        words = page.words()
        tags = [word for word in words if pattern.fullmatch(word.text)]
        # Most sheets of a set have no tag, and reading what is drawn takes longest.
        drawn = outlines(page.segments()) if tags else []
        return [
            Tag(tag.text, page.number, tag.box.rounded(), legend_text(tag, words), is_framed(tag, drawn)) for tag in tags
        ]

    def conclude(self, items: list[Tag], pages: list[int]) -> Keynotes:
        places, texts = defaultdict(list), {}
        for tag in items:
            if tag.text is None:
                places[tag.tag].append(Place(tag.page, tag.bbox, tag.framed))
            else:
                texts.setdefault(tag.tag, tag.text)
        keynotes = [
            Keynote(tag, texts.get(tag), len(places[tag]), places[tag]) for tag in sorted(texts.keys() | places.keys())
        ]
        return Keynotes(keynotes, sum(keynote.count for keynote in keynotes))


def legend_text(tag: Word, words: list[Word]) -> str | None:
    """Returns the words to the right of a tag on its line. None if there are fewer than two: then it is no legend."""
    line = [word for word in words if word.angle == tag.angle == 0.0 and is_beside(tag, word)]
    line.sort(key=lambda word: word.box.x1)
    end, text = tag.box.x2, []
    for word in line:
        if word.box.x1 - end > LEGEND_GAP * tag.size:
            break
        text.append(word.text)
        end = word.box.x2
    return " ".join(text) if len(text) >= 2 else None


def is_beside(tag: Word, word: Word) -> bool:
    """Returns whether a word stands to the right of a tag on the same line."""
    return word.box.x1 >= tag.box.x2 and abs(word.box.y1 - tag.box.y1) <= SAME_LINE * tag.size


def outlines(segments: Iterable[Segment]) -> list[Box]:
    """Returns the box around each drawn path."""
    corners = {}
    for segment in segments:
        corners.setdefault(segment.path.number, []).extend((segment.start, segment.end))
    return [
        Box(min(x for x, _ in ends), min(y for _, y in ends), max(x for x, _ in ends), max(y for _, y in ends))
        for ends in corners.values()
    ]


def is_framed(tag: Word, drawn: list[Box]) -> bool:
    """Returns whether one of these boxes surrounds a tag closely."""
    return any(
        outline.x1 <= tag.box.x1
        and outline.y1 <= tag.box.y1
        and outline.x2 >= tag.box.x2
        and outline.y2 >= tag.box.y2
        and outline.y2 - outline.y1 <= FRAME_HEIGHT * tag.size
        for outline in drawn
    )


Model = export(KeynoteCounter)
