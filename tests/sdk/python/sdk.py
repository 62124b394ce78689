"""The REST API's client that openapi-python-client generates, at work on live servers.

Uploads, submits, polls, reads a result, cancels, and is refused; prints what it saw as one line of JSON.
"""

import io
import json
import sys
import uuid

from fanlight_client import AuthenticatedClient
from fanlight_client.api.documents import upload_document
from fanlight_client.api.jobs import cancel_job, get_job
from fanlight_client.api.specs import parse_spec_document
from fanlight_client.models import Acknowledgement, Document, Error, Job, ParseSpecByDocumentRequest
from fanlight_client.models import UploadDocumentFilesBody as Upload
from fanlight_client.types import File


def client(address: str, key: str) -> AuthenticatedClient:
    return AuthenticatedClient(address, key, prefix="", auth_header_name="X-API-Key", timeout=120)


def submit(server: AuthenticatedClient, manual: bytes) -> tuple[Document, Acknowledgement]:
    file = File(io.BytesIO(manual), file_name="manual.pdf", mime_type="application/pdf")
    document = upload_document.sync(client=server, body=Upload(file=file))
    assert isinstance(document, Document), document
    request = ParseSpecByDocumentRequest(document_id=document.document_id)
    accepted = parse_spec_document.sync(client=server, body=request)
    assert isinstance(accepted, Acknowledgement), accepted
    return document, accepted


def finished(server: AuthenticatedClient, job_id: uuid.UUID) -> Job:
    while True:
        job = get_job.sync(job_id, client=server, wait=60)
        assert isinstance(job, Job), job
        if job.status not in ("queued", "processing"):
            return job


def refused(response) -> list:
    assert isinstance(response.parsed, Error), response
    return [response.status_code, response.parsed.error.code]


def main(working: str, working_key: str, idle: str, idle_key: str, path: str) -> None:
    with open(path, "rb") as file:
        manual = file.read()

    server = client(working, working_key)
    document, accepted = submit(server, manual)
    job = finished(server, accepted.job_id)

    server = client(idle, idle_key)
    _, waiting = submit(server, manual)
    cancelled = cancel_job.sync(waiting.job_id, client=server)
    assert isinstance(cancelled, Job), cancelled

    seen = {
        "pages": document.page_count,
        "status": job.status,
        "divisions": len(job.result["divisions"]),
        "cancelled": cancelled.status,
        "cancelled_again": refused(cancel_job.sync_detailed(waiting.job_id, client=server)),
        "unknown": refused(get_job.sync_detailed(uuid.UUID(int=0), client=server)),
    }
    print(json.dumps(seen))


main(*sys.argv[1:])
