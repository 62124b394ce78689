//! The REST API's client that progenitor generates, at work on live servers.
//!
//! Uploads, submits, polls, reads a result, cancels, and is refused; prints what it saw as one line of JSON.

use std::{env, fs};

use anyhow::{Context, anyhow};
use fanlight::types::{Document, Error as Refusal, Job};
use fanlight::{Client, Error};
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use uuid::Uuid;

/// What progenitor generated.
#[allow(warnings, reason = "it is generated")]
mod fanlight {
    include!(concat!(env!("OUT_DIR"), "/client.rs"));
}

fn client(address: &str, key: &str) -> anyhow::Result<Client> {
    let key = HeaderMap::from_iter([("x-api-key".parse()?, HeaderValue::from_str(key)?)]);
    Ok(Client::new_with_client(address, reqwest::Client::builder().default_headers(key).build()?))
}

/// Uploads the manual and submits a job on it: the document, and the job's id.
async fn submit(client: &Client, manual: &[u8]) -> anyhow::Result<(Document, Uuid)> {
    let upload = client.upload_document().filename("manual.pdf").body(manual.to_vec());
    let document = upload.send().await.map_err(shown)?.into_inner();
    let submission = client.parse_spec_document().body_map(|request| request.document_id(document.document_id));
    let accepted = submission.send().await.map_err(shown)?;
    Ok((document, accepted.job_id))
}

async fn finished(client: &Client, id: Uuid) -> anyhow::Result<Job> {
    loop {
        let job = client.get_job().job_id(id).wait(60_u32).send().await.map_err(shown)?.into_inner();
        if !matches!(job.status.as_str(), "queued" | "processing") {
            return Ok(job);
        }
    }
}

fn shown(error: Error<Refusal>) -> anyhow::Error {
    anyhow!("{error}")
}

/// Status and code of an answer that is expected to be a refusal.
fn refused<T: std::fmt::Debug>(answer: Result<T, Error<Refusal>>) -> anyhow::Result<Value> {
    match answer {
        Err(Error::ErrorResponse(refusal)) => Ok(json!([refusal.status().as_u16(), refusal.error.code])),
        other => Err(anyhow!("not refused: {other:?}")),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [working, working_key, idle, idle_key, path] = arguments.as_slice() else {
        return Err(anyhow!("usage: sdk URL KEY IDLE_URL IDLE_KEY PDF"));
    };
    let manual = fs::read(path)?;

    let server = client(working, working_key)?;
    let (document, job) = submit(&server, &manual).await?;
    let job = finished(&server, job).await?;

    let server = client(idle, idle_key)?;
    let (_, waiting) = submit(&server, &manual).await?;
    let cancelled = server.cancel_job().job_id(waiting).send().await.map_err(shown)?;

    let seen = json!({
        "pages": document.page_count,
        "status": job.status,
        "divisions": job.result.context("no result")?["divisions"].as_array().map(Vec::len),
        "cancelled": cancelled.status,
        "cancelled_again": refused(server.cancel_job().job_id(waiting).send().await)?,
        "unknown": refused(server.get_job().job_id(Uuid::nil()).send().await)?,
    });
    println!("{seen}");
    Ok(())
}
