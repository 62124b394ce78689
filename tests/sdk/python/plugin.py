"""Uses the API client that openapi-python-client generates from the description of a running server.

Runs the model of a third party that is installed there. Prints what it saw as one line of JSON.
"""

import io
import json
import pathlib
import sys

from fanlight_client import AuthenticatedClient
from fanlight_client.api.documents import upload_document
from fanlight_client.api.jobs import get_job
from fanlight_client.api.models import submit_model_job
from fanlight_client.models import Acknowledgement, Document, Job, ModelJobRequest, TallyResult
from fanlight_client.models import UploadDocumentFilesBody as Upload
from fanlight_client.types import File


def main(address: str, key: str, pdf: str) -> None:
    server = AuthenticatedClient(address, key, prefix="", auth_header_name="X-API-Key", timeout=120)
    file = File(io.BytesIO(pathlib.Path(pdf).read_bytes()), file_name="sheets.pdf", mime_type="application/pdf")
    document = upload_document.sync(client=server, body=Upload(file=file))
    assert isinstance(document, Document), document
    request = ModelJobRequest(document_id=document.document_id, page_numbers=[2, 3])
    accepted = submit_model_job.sync("tally", client=server, body=request)
    assert isinstance(accepted, Acknowledgement), accepted
    job = get_job.sync(accepted.job_id, client=server, wait=60)
    assert isinstance(job, Job), job
    assert isinstance(job.result, TallyResult), job
    print(json.dumps({"pages": sorted(sum(job.result.shards, [])), "heights": job.result.heights}))


main(*sys.argv[1:])
