"""What the author of a Fanlight plugin in Python depends on.

A plugin is one model. Derive a class from `PageModel`, and export it as `Model` from the module that componentize-py
builds. The types of parameters and items are dataclasses: their JSON Schemas come from them.
"""

from .boxes import Box, identifier
from .page_model import Page, PageModel, Unsupported, export
from .paths import Close, CurveTo, LineTo, MoveTo, Path, Segment, Style, paths_of, segments_of
from .schema import described, schema_of
from .words import Word, words_of

__all__ = [
    "Box",
    "Close",
    "CurveTo",
    "LineTo",
    "MoveTo",
    "Page",
    "PageModel",
    "Path",
    "Segment",
    "Style",
    "Unsupported",
    "Word",
    "described",
    "export",
    "identifier",
    "paths_of",
    "schema_of",
    "segments_of",
    "words_of",
]
