"""What Schemathesis can't invent: PDFs, cursors that go on with a list, and links that this server signed."""

import os
import uuid
from dataclasses import replace
from urllib.parse import urlsplit

import schemathesis
from hypothesis import strategies

with open(os.environ["FANLIGHT_PDF"], "rb") as file:
    schemathesis.openapi.media_type("application/pdf", strategies.just(file.read()))

LINK = "/v1/files/"
IDEMPOTENCY = "Idempotency-Key"

# What the server has given out in this run.
cursors: dict[str, tuple] = {}
tokens: list[str] = []


@schemathesis.hook
def after_call(context, case, response) -> None:
    """Remembers what the server gives out."""
    if response.status_code >= 300 or "json" not in response.headers.get("content-type", [""])[0]:
        return
    answer = response.json()
    if cursor := answer.get("next_cursor"):
        cursors[cursor] = of_list(case)
    for name in ("download_url", "pdf_url"):
        if link := answer.get(name):
            tokens.append(urlsplit(link).path.removeprefix(LINK))


@schemathesis.hook
def before_call(context, case, kwargs) -> None:
    """Makes what is meant to be valid so, where its schema alone can't say what is."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # An idempotency key is good for one request.
    if IDEMPOTENCY in case.headers:
        case.headers[IDEMPOTENCY] = str(uuid.uuid4())
    # A cursor is good for the list that gave it.
    if "cursor" in case.query and cursors.get(case.query["cursor"]) != of_list(case):
        del case.query["cursor"]
    if "token" in case.path_parameters and tokens:
        case.path_parameters["token"] = tokens[-1]


@schemathesis.hook
def map_body(context, body):
    """Keeps a form to its file: names of further parts would have to be valid in headers, which no schema can say."""
    parts = getattr(body, "body", None)
    if not isinstance(parts, dict) or "file" not in parts:
        return body
    return replace(body, body={"file": parts["file"]})


def of_list(case) -> tuple:
    """The list that a cursor is good for: the path and the filters."""
    filters = {name: str(value) for name, value in case.query.items() if name not in ("cursor", "limit")}
    return case.operation.path, tuple(sorted(filters.items()))
