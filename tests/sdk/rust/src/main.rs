//! Uses the API client that progenitor generates on live servers.
//!
//! Uploads, submits, polls, reads typed results, cancels, and provokes errors. Prints what it saw as one line of JSON.

use std::path::Path;
use std::{env, fs};

use anyhow::{Context, anyhow};
use fanlight::types::{Document, Error as Refusal, Job, JobResult, JobStatus};
use fanlight::{Client, Error};
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use uuid::Uuid;

/// The generated client.
#[allow(warnings, reason = "it is generated")]
mod fanlight {
    include!(concat!(env!("OUT_DIR"), "/client.rs"));
}

fn client(address: &str, key: &str) -> anyhow::Result<Client> {
    let key = HeaderMap::from_iter([("x-api-key".parse()?, HeaderValue::from_str(key)?)]);
    Ok(Client::new_with_client(address, reqwest::Client::builder().default_headers(key).build()?))
}

async fn upload(client: &Client, path: &Path) -> anyhow::Result<Document> {
    let upload = client.upload_document().filename("uploaded.pdf").body(fs::read(path)?);
    Ok(upload.send().await.map_err(shown)?.into_inner())
}

/// Submits a job on a manual and returns its id.
async fn parse(client: &Client, document: &Document) -> anyhow::Result<Uuid> {
    let submission = client.parse_spec_document().body_map(|request| request.document_id(document.document_id));
    Ok(submission.send().await.map_err(shown)?.job_id)
}

async fn finished(client: &Client, id: Uuid) -> anyhow::Result<Job> {
    loop {
        let job = client.get_job().job_id(id).wait(60_u32).send().await.map_err(shown)?.into_inner();
        if !matches!(job.status, JobStatus::Queued | JobStatus::Processing) {
            return Ok(job);
        }
    }
}

fn section(job: &Job) -> anyhow::Result<Value> {
    let JobResult::TocParserResult(contents) = &job.result else { return Err(anyhow!("no table of contents")) };
    let first = contents.divisions.first().and_then(|division| division.sections.first()).context("no section")?;
    Ok(json!({ "job": job.id, "code": first.section_code, "title": first.section_title }))
}

fn door(job: &Job) -> anyhow::Result<Value> {
    let JobResult::DoorDetectorResult(doors) = &job.result else { return Err(anyhow!("no doors")) };
    let first = doors.doors.first().context("no door")?;
    Ok(json!({ "job": job.id, "id": first.id, "page": first.page, "right": first.bbox.x2 }))
}

fn schedule(job: &Job) -> anyhow::Result<Value> {
    let JobResult::ScheduleExtractorResult(schedules) = &job.result else { return Err(anyhow!("no schedules")) };
    let first = schedules.schedules.first().context("no schedule")?;
    let header = first.headers.first().context("no header")?;
    let cell = first.rows.first().and_then(|row| row.get(header)).context("no cell")?;
    let (kind, pages) = (first.schedule_type.to_string(), schedules.pages_analyzed);
    Ok(json!({ "job": job.id, "type": kind, "pages": pages, "cell": cell }))
}

fn shown(error: Error<Refusal>) -> anyhow::Error {
    anyhow!("{error}")
}

/// Returns status and code of an answer that must be an error.
fn refused<T: std::fmt::Debug>(answer: Result<T, Error<Refusal>>) -> anyhow::Result<Value> {
    match answer {
        Err(Error::ErrorResponse(refusal)) => Ok(json!([refusal.status().as_u16(), refusal.error.code])),
        other => Err(anyhow!("not refused: {other:?}")),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [working, working_key, idle, idle_key, folder] = arguments.as_slice() else {
        return Err(anyhow!("usage: sdk URL KEY IDLE_URL IDLE_KEY FOLDER"));
    };
    let folder = Path::new(folder);

    let server = client(working, working_key)?;
    let document = upload(&server, &folder.join("manual.pdf")).await?;
    let job = finished(&server, parse(&server, &document).await?).await?;
    let plan = upload(&server, &folder.join("plan.pdf")).await?;
    let doors = server.detect_doors().body_map(|request| request.document_id(plan.document_id));
    let doors = finished(&server, doors.send().await.map_err(shown)?.job_id).await?;
    let sheet = upload(&server, &folder.join("schedules.pdf")).await?;
    let schedules = server.extract_schedules().body_map(|request| request.document_id(sheet.document_id));
    let schedules = finished(&server, schedules.send().await.map_err(shown)?.job_id).await?;

    let server = client(idle, idle_key)?;
    let waiting = parse(&server, &upload(&server, &folder.join("manual.pdf")).await?).await?;
    let cancelled = server.cancel_job().job_id(waiting).send().await.map_err(shown)?;

    let seen = json!({
        "pages": document.page_count,
        "status": job.status,
        "section": section(&job)?,
        "door": door(&doors)?,
        "schedule": schedule(&schedules)?,
        "cancelled": cancelled.status,
        "cancelled_again": refused(server.cancel_job().job_id(waiting).send().await)?,
        "unknown": refused(server.get_job().job_id(Uuid::nil()).send().await)?,
    });
    println!("{seen}");
    Ok(())
}
