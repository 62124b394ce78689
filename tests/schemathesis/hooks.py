"""Supplies what Schemathesis can't invent: PDFs, cursors of real lists, and links that this server signed."""

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

# Cursors and link tokens that the server has returned in this run.
cursors: dict[str, tuple] = {}
tokens: list[str] = []


@schemathesis.hook
def after_call(context, case, response) -> None:
    """Records cursors and link tokens of an answer."""
    if response.status_code >= 300 or "json" not in response.headers.get("content-type", [""])[0]:
        return
    answer = response.json()
    if cursor := answer.get("next_cursor"):
        cursors[cursor] = list_of(case)
    for name in ("download_url", "pdf_url"):
        if link := answer.get(name):
            tokens.append(urlsplit(link).path.removeprefix(LINK))


@schemathesis.hook
def before_call(context, case, kwargs) -> None:
    """Makes a request that is meant to be valid so where the schema can't express it."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # An idempotency key is valid for one request.
    if IDEMPOTENCY in case.headers:
        case.headers[IDEMPOTENCY] = str(uuid.uuid4())
    # A cursor is valid for the list that returned it.
    if "cursor" in case.query and cursors.get(case.query["cursor"]) != list_of(case):
        del case.query["cursor"]
    if "token" in case.path_parameters and tokens:
        case.path_parameters["token"] = tokens[-1]


@schemathesis.hook
def map_body(context, body):
    """Reduces a form to its file: names of further parts would have to be valid in headers, which no schema expresses."""
    parts = getattr(body, "body", None)
    if not isinstance(parts, dict) or "file" not in parts:
        return body
    return replace(body, body={"file": parts["file"]})


def list_of(case) -> tuple:
    """Returns what identifies the list of a cursor: the path and the filters."""
    filters = {name: str(value) for name, value in case.query.items() if name not in ("cursor", "limit")}
    return case.operation.path, tuple(sorted(filters.items()))
