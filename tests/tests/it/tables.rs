//! Schedules as files for spreadsheet programs: `tables.csv`, `tables.xlsx` and `fanlight run --format`.

use std::fs;
use std::path::Path;
use std::process::Command;

use deadline::PATIENCE;
use drafting::schedule::{generate, styles};
use fanlight_tests::installed;
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Caller, Options, Server, answer};
use fanlight_tests::{document, document::Sheet};
use reqwest::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

const SHEET: Sheet = Sheet { media_box: [0, 0, 300, 200], crop_box: [0, 0, 300, 200], rotate: 0 };

fn server(role: Option<&'static str>) -> (Server, Plugins) {
    let plugins = Plugins::default().with_stand_in("acme-model");
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), role, ..Options::default() });
    (server, plugins)
}

/// Submits a job whose result has these fields, and returns its id.
async fn submit(client: &Caller, result: Value) -> String {
    let document = client.document(document::sheets(&[SHEET])).await;
    client.stand_in_job(&document, result).await
}

fn schedules() -> Value {
    let doors = json!({
        "title": "DOOR SCHEDULE",
        "headers": ["MARK", "WIDTH", "NOTE"],
        "rows": [{"MARK": "001", "WIDTH": "900", "NOTE": "=HYPERLINK(\"x\")"}, {"MARK": "002", "WIDTH": "1,010", "NOTE": ""}],
    });
    let windows = json!({"title": "Fenêtres", "headers": ["REPÈRE"], "rows": [{"REPÈRE": "F1"}]});
    json!({"schedules": [doors, windows]})
}

/// Has `LibreOffice` convert a worksheet of a workbook to CSV. The first worksheet has the number 1.
fn by_libreoffice(workbook: &Path, worksheet: u32) -> String {
    let folder = tempfile::tempdir().unwrap();
    // Comma, quotes, UTF-8, first line, no column formats, no language, texts as texts, and the worksheet's number:
    // LibreOffice's filter options for CSV.
    let filter = format!("csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,{worksheet}");
    let mut soffice = Command::new("soffice");
    soffice.arg(format!("-env:UserInstallation=file://{}/profile", folder.path().display()));
    soffice.args(["--headless", "--convert-to", &filter, "--outdir"]).arg(folder.path()).arg(workbook);
    let converted = deadline::output(&mut soffice, PATIENCE);
    assert!(converted.status.success(), "{}", String::from_utf8_lossy(&converted.stderr));
    let mut written = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let csv = written.find(|path| path.extension().is_some_and(|extension| extension == "csv"));
    // `soffice` reports success even where it wrote nothing, and says why on its standard error.
    let csv = csv.unwrap_or_else(|| panic!("nothing written: {}", String::from_utf8_lossy(&converted.stderr)));
    fs::read_to_string(csv).unwrap()
}

#[tokio::test]
async fn schedules_are_returned_as_csv() {
    let (server, _plugins) = server(None);
    let client = server.client("office", "developer");
    let job = submit(&client, schedules()).await;
    client.finished(&job).await;

    let response = client.request(Method::GET, &format!("/v1/jobs/{job}/tables.csv")).send().await.unwrap();

    assert_eq!(response.status(), StatusCode::OK);
    let headers = response.headers().clone();
    assert_eq!(headers[CONTENT_TYPE], "text/csv; charset=utf-8");
    assert!(headers[CACHE_CONTROL].to_str().unwrap().starts_with("private"));
    assert!(headers[CONTENT_DISPOSITION].to_str().unwrap().ends_with("schedules.csv"));
    let lines = [
        "DOOR SCHEDULE",
        "MARK,WIDTH,NOTE",
        "001,900,\"'=HYPERLINK(\"\"x\"\")\"",
        "002,\"1,010\",",
        "\"\"",
        "Fenêtres",
        "REPÈRE",
        "F1",
        "",
    ];
    assert_eq!(response.text().await.unwrap().split('\n').collect::<Vec<_>>(), lines);
}

#[tokio::test(flavor = "multi_thread")]
async fn libreoffice_opens_the_workbook_of_schedules() {
    let (server, _plugins) = server(None);
    let client = server.client("office", "developer");
    let job = submit(&client, schedules()).await;
    client.finished(&job).await;

    let response = client.request(Method::GET, &format!("/v1/jobs/{job}/tables.xlsx")).send().await.unwrap();

    assert_eq!(response.status(), StatusCode::OK);
    let folder = tempfile::tempdir().unwrap();
    let workbook = folder.path().join("doors.xlsx");
    fs::write(&workbook, response.bytes().await.unwrap()).unwrap();
    let doors = by_libreoffice(&workbook, 1);
    let lines = ["DOOR SCHEDULE,,", "MARK,WIDTH,NOTE", "001,900,\"=HYPERLINK(\"\"x\"\")\"", "002,\"1,010\","];
    assert_eq!(doors.lines().collect::<Vec<_>>(), lines);
    assert_eq!(by_libreoffice(&workbook, 2).lines().collect::<Vec<_>>(), ["Fenêtres", "REPÈRE", "F1"]);
}

#[tokio::test]
async fn results_without_schedules_have_no_tables() {
    let (server, _plugins) = server(None);
    let client = server.client("office", "developer");
    let job = submit(&client, json!({"doors": []})).await;
    client.finished(&job).await;
    for format in ["csv", "xlsx"] {
        let refused = answer(client.request(Method::GET, &format!("/v1/jobs/{job}/tables.{format}"))).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.body["error"]["code"], "NO_TABLES");
    }
}

#[tokio::test]
async fn jobs_that_are_not_complete_or_of_others_have_no_tables() {
    let (server, _plugins) = server(Some("api"));
    let client = server.client("office", "developer");
    let job = submit(&client, schedules()).await;
    let path = format!("/v1/jobs/{job}/tables.csv");
    let early = answer(client.request(Method::GET, &path)).await;
    assert_eq!(
        (early.status, &early.body["error"]["code"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("JOB_NOT_COMPLETE"))
    );
    let other = answer(server.client("others", "developer").request(Method::GET, &path)).await;
    assert_eq!((other.status, &other.body["error"]["code"]), (StatusCode::NOT_FOUND, &json!("JOB_NOT_FOUND")));
}

#[test]
fn the_command_line_writes_schedules_as_csv() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("schedules.pdf");
    let sheet = generate(&styles().swap_remove(0).1, 1);
    fs::write(&file, sheet.pdf).unwrap();
    let mut command = Command::new(installed::fanlight());
    command.args(["run", "schedule-extractor"]).arg(&file).args(["--format", "csv"]);
    command.env("FANLIGHT_CACHE", installed::cache());

    let output = deadline::output(&mut command, PATIENCE);

    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let csv = String::from_utf8(output.stdout).unwrap();
    for table in &sheet.truth.tables {
        assert!(csv.lines().any(|line| line == table.title), "no {:?} in {csv}", table.title);
    }
}
