"""Uses the API client that openapi-python-client generates on live servers.

Uploads, submits, polls, reads typed results, cancels, and provokes errors. Prints what it saw as one line of JSON.
"""

import io
import json
import pathlib
import sys
import uuid

from fanlight_client import AuthenticatedClient
from fanlight_client.api.documents import upload_document
from fanlight_client.api.drawings import detect_doors, extract_schedules
from fanlight_client.api.jobs import cancel_job, get_job
from fanlight_client.api.specs import parse_spec_document
from fanlight_client.models import Acknowledgement, Document, Error, Job, JobStatus, PagesRequest
from fanlight_client.models import DoorDetectorResult, ParseSpecByDocumentRequest, ScheduleExtractorResult, TocParserResult
from fanlight_client.models import UploadDocumentFilesBody as Upload
from fanlight_client.types import File


def client(address: str, key: str) -> AuthenticatedClient:
    return AuthenticatedClient(address, key, prefix="", auth_header_name="X-API-Key", timeout=120)


def upload(server: AuthenticatedClient, path: pathlib.Path) -> Document:
    file = File(io.BytesIO(path.read_bytes()), file_name=path.name, mime_type="application/pdf")
    document = upload_document.sync(client=server, body=Upload(file=file))
    assert isinstance(document, Document), document
    return document


def parse(server: AuthenticatedClient, document: Document) -> Acknowledgement:
    request = ParseSpecByDocumentRequest(document_id=document.document_id)
    accepted = parse_spec_document.sync(client=server, body=request)
    assert isinstance(accepted, Acknowledgement), accepted
    return accepted


def run(server: AuthenticatedClient, operation, path: pathlib.Path) -> Job:
    document = upload(server, path)
    accepted = operation.sync(client=server, body=PagesRequest(document_id=document.document_id))
    assert isinstance(accepted, Acknowledgement), accepted
    return finished(server, accepted.job_id)


def finished(server: AuthenticatedClient, job_id: uuid.UUID) -> Job:
    while True:
        job = get_job.sync(job_id, client=server, wait=60)
        assert isinstance(job, Job), job
        if job.status not in (JobStatus.QUEUED, JobStatus.PROCESSING):
            return job


def refused(response) -> list:
    assert isinstance(response.parsed, Error), response
    return [response.status_code, response.parsed.error.code]


def section(job: Job) -> dict:
    assert isinstance(job.result, TocParserResult), job.result
    first = job.result.divisions[0].sections[0]
    return {"job": str(job.id), "code": first.section_code, "title": first.section_title}


def door(job: Job) -> dict:
    assert isinstance(job.result, DoorDetectorResult), job.result
    first = job.result.doors[0]
    return {"job": str(job.id), "id": first.id, "page": first.page, "right": first.bbox.x2}


def schedule(job: Job) -> dict:
    assert isinstance(job.result, ScheduleExtractorResult), job.result
    first = job.result.schedules[0]
    cell = first.rows[0][first.headers[0]]
    return {"job": str(job.id), "type": first.schedule_type.value, "pages": job.result.pages_analyzed, "cell": cell}


def main(working: str, working_key: str, idle: str, idle_key: str, folder: str) -> None:
    files = pathlib.Path(folder)

    server = client(working, working_key)
    document = upload(server, files / "manual.pdf")
    job = finished(server, parse(server, document).job_id)
    doors = run(server, detect_doors, files / "plan.pdf")
    schedules = run(server, extract_schedules, files / "schedules.pdf")

    server = client(idle, idle_key)
    waiting = parse(server, upload(server, files / "manual.pdf"))
    cancelled = cancel_job.sync(waiting.job_id, client=server)
    assert isinstance(cancelled, Job), cancelled

    seen = {
        "pages": document.page_count,
        "status": job.status.value,
        "section": section(job),
        "door": door(doors),
        "schedule": schedule(schedules),
        "cancelled": cancelled.status.value,
        "cancelled_again": refused(cancel_job.sync_detailed(waiting.job_id, client=server)),
        "unknown": refused(get_job.sync_detailed(uuid.UUID(int=0), client=server)),
    }
    print(json.dumps(seen))


main(*sys.argv[1:])
