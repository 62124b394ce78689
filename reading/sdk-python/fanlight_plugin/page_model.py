"""A model that reads one page at a time and lists what it finds, such as a detector."""

import json
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, make_dataclass
from typing import Any, ClassVar

from componentize_py_types import Err
from wit_world import exports
from wit_world.exports.model import (
    Description,
    Failure_Internal,
    Failure_PdfCorrupt,
    Failure_Unsupported,
    Granularity,
    Request,
)
from wit_world.imports import job, pdf

from .boxes import Box, identifier
from .paths import Path, Segment, paths_of, segments_of
from .schema import described, schema_of, value_of
from .words import Word, words_of


class Unsupported(Exception):
    """The document is valid, but this model can't work on it. Clients read `UNSUPPORTED_DOCUMENT`."""


@dataclass
class NoParameters:
    """The parameters of a model that has none."""


@dataclass
class PageItems:
    """The result of a model that has no other: its items, and their number. The schema has the model's item."""

    items: list[Any]
    items_found: int
    pages_analyzed: int


@dataclass
class Page:
    """A page of the job's document."""

    number: int
    """The page, 1-based."""
    content: pdf.Page
    """Geometry, text runs, paths, images and rasters: `wit/deps/fanlight/pdf.wit`."""
    document_sha256: str = field(repr=False)

    def words(self) -> list[Word]:
        """Returns the words of the page, in the order of its content."""
        return words_of(self.content.text().runs)

    def paths(self) -> Iterator[Path]:
        """Yields the painted paths of the page, in drawing order."""
        return paths_of(self.content.paths())

    def segments(self) -> Iterator[Segment]:
        """Yields what the page draws visibly as straight segments, in drawing order. A dense sheet has 300,000."""
        return segments_of(self.paths())

    def identifier(self, prefix: str, box: Box) -> str:
        """Returns the same identifier for the same box of this page in each run."""
        return identifier(prefix, self.document_sha256, self.number, box)


class PageModel:
    """A model. The host divides the pages of a job into runs, and makes a value of this class for each."""

    name: ClassVar[str]
    """The name in the API, in kebab-case, the same as in `plugin.toml`."""
    version: ClassVar[str]
    """The version, the same as in `plugin.toml`."""
    summary: ClassVar[str]
    """One sentence for people."""
    parameters: ClassVar[type] = NoParameters
    """A dataclass: what a client may set. Each field has a default."""
    item: ClassVar[type]
    """A dataclass: one thing that the model finds. With `page` and `bbox`, it is drawn into annotated PDFs."""
    result: ClassVar[type | None] = None
    """A dataclass: what `conclude` returns. None for the list of all items."""
    max_pages: ClassVar[int | None] = None
    """Most pages of one job."""

    def analyze_page(self, page: Page, parameters: Any) -> list[Any]:
        """Returns the items of a page."""
        raise NotImplementedError

    def conclude(self, items: list[Any], pages: list[int]) -> Any:
        """Returns the result of a job from the items of all its pages, in page order."""
        return PageItems(items, len(items), len(pages))


def export(model: type[PageModel]) -> type[exports.Model]:
    """Returns the class that componentize-py exports. Assign it to `Model` in the module that it builds."""

    # Now, so that a type without a schema fails the build and the unit tests.
    parameters = json.dumps(schema_of(model.parameters))
    partial = json.dumps(schema_of(list[model.item]))
    result = json.dumps(schema_of(model.result or _items_of(model.item)))

    class Model(exports.Model):
        def describe(self) -> Description:
            return Description(
                name=model.name,
                version=model.version,
                summary=model.summary,
                parameters=parameters,
                partial=partial,
                result=result,
                granularity=Granularity.PAGE,
                max_pages=model.max_pages,
                presents=False,
            )

        def analyze(self, request: Request) -> str:
            parameters = value_of(model.parameters, json.loads(request.parameters))
            reader = model()
            items = []
            with _opened() as document:
                for done, number in enumerate(request.pages):
                    job.progress(done, len(request.pages), f"Analyzing page {done + 1} of {len(request.pages)}")
                    with document.page(number) as content:
                        page = Page(number, content, request.document_sha256)
                        items.extend(_items(reader, page, parameters))
            return json.dumps([asdict(item) for item in items])

        def conclude(self, request: Request, partials: list[str]) -> str:
            items = [value_of(model.item, item) for partial in partials for item in json.loads(partial)]
            with _explained():
                return json.dumps(asdict(model().conclude(items, request.pages)))

        def present(self, stored: str) -> str:
            return stored

    return Model


def _items_of(item: type) -> type:
    """Returns the type of the result that lists items of this type."""
    fields = [
        ("items", list[item], described("In page order.")),
        ("items_found", int, described("Number of `items`.")),
        ("pages_analyzed", int, described("Number of pages that were analyzed.")),
    ]
    return make_dataclass("Result", fields)


def _opened() -> pdf.Document:
    """Opens the document of the job."""
    try:
        return pdf.Document.open()
    except Err as error:
        raise Err(Failure_PdfCorrupt(str(error.value))) from error


def _items(reader: PageModel, page: Page, parameters: Any) -> list[Any]:
    with _explained():
        return reader.analyze_page(page, parameters)


@contextmanager
def _explained() -> Iterator[None]:
    """Turns what a model raises into a failure. That of a defect has the traceback, for the log."""
    try:
        yield
    except Unsupported as error:
        raise Err(Failure_Unsupported(str(error))) from error
    except Exception as error:
        raise Err(Failure_Internal(traceback.format_exc())) from error
