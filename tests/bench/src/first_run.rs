//! Measures a first run: what the demo's build took, and how soon a server without machine code listens and works.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use drafting::manual::Style;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::report::Report;
use crate::service::{self, Client, Running};

/// Maximum seconds until a server without machine code listens.
const LISTENING: f64 = 2.0;
/// The limit for compiling all models.
const PATIENCE: Duration = Duration::from_mins(10);
/// The pause between two requests for the models that are still compiling.
const POLL: Duration = Duration::from_millis(50);

/// Measures a server's first start, and reports what `record` holds on the demo's first build.
pub(crate) async fn measure(release: &Path, folder: &Path, record: &Path, report: &mut Report) -> Result<()> {
    let build = "CPU time of the demo's build from nothing, without that of `cargo xtask` itself";
    match first_build(record) {
        Some(seconds) => report.note(build, format!("{seconds:.0} s")),
        None => report.note(build, "not measured: the demo was not the first to build here"),
    }
    let first = folder.join("first-run");
    let (plugins, data) = (first.join("plugins"), first.join("data"));
    fs::create_dir_all(&plugins).context("can't make a folder of plugins")?;
    for package in fs::read_dir(release.join("plugins")).context("no plugins are laid out")? {
        let package = package?.path();
        let name = package.file_name().unwrap_or_default().to_owned();
        // The name of the machine code's folder starts with a dot.
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        let copy = plugins.join(name);
        fs::create_dir_all(&copy).context("can't lay out a plugin")?;
        for file in ["plugin.wasm", "plugin.toml"] {
            fs::copy(package.join(file), copy.join(file)).context("can't lay out a plugin")?;
        }
    }
    let pdf = first.join("manual.pdf");
    fs::write(&pdf, drafting::manual::generate(&Style::default(), 1).pdf).context("can't write the manual")?;

    let started = Instant::now();
    let mut command = Command::new(release.join(format!("fanlight{}", std::env::consts::EXE_SUFFIX)));
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(&data);
    let server =
        Running::start(command.env("FANLIGHT_PLUGINS", &plugins).env("FANLIGHT_CACHE", first.join("cache")), None)?;
    report.below("time until a server without machine code listens", started.elapsed().as_secs_f64(), LISTENING, "s");
    let client = Client { address: server.address, secret: service::key(release, &data)? };
    let working = timeout(PATIENCE, async {
        let document = client.upload(&pdf, None).await?;
        let job = client.submit(&document).await?;
        client.finished(&job).await?;
        let first_job = started.elapsed();
        while !compiling(&client).await?.is_empty() {
            sleep(POLL).await;
        }
        anyhow::Ok((first_job, started.elapsed()))
    });
    let (first_job, all) = working.await.context("the models were not compiled in time")??;
    report.note("time until its first job is complete", format!("{:.1} s", first_job.as_secs_f64()));
    report.note("time until all its models are compiled", format!("{:.1} s", all.as_secs_f64()));
    report.note("its CPU time by then", format!("{:.1} s", server.processor_seconds()?));
    Ok(())
}

/// Reports what the demo's first build took, if it left a record.
fn first_build(record: &Path) -> Option<f64> {
    let record: Value = serde_json::from_str(&fs::read_to_string(record).ok()?).ok()?;
    record["cpu_seconds"].as_f64()
}

/// Returns the names of the models that a server is still compiling.
async fn compiling(client: &Client) -> Result<Vec<String>> {
    let answer: Value = serde_json::from_str(&client.get("/v1/models").await?)?;
    let models = answer["models"].as_array().context("the models are no list")?;
    let compiling = models.iter().filter(|model| model["compiling"] == json!(true));
    Ok(compiling.map(|model| model["name"].to_string()).collect())
}
