"""What the author of a Fanlight plugin in Python depends on.

A plugin is one model. Derive a class from `PageModel`, and export it as `Model` from the module that componentize-py
builds. The types of parameters and items are dataclasses: their JSON Schemas come from them.
"""

from .boxes import Box, identifier
from .page_model import Page, PageModel, Unsupported, export
from .schema import described, schema_of
from .words import Word, words_of

__all__ = [
    "Box",
    "Page",
    "PageModel",
    "Unsupported",
    "Word",
    "described",
    "export",
    "identifier",
    "schema_of",
    "words_of",
]
