//! The server's process is killed while a job runs, and between any two steps from an upload to a delivery and a sweep.
//! Nothing is lost, charged twice or left over.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use deadline::PATIENCE;
use fanlight_store::Failpoint;
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Answer, Caller, Options, Server, answer, try_answer};
use fanlight_tests::{document, installed};
use language_provider::{Provider, Reply};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection, Row};
use standardwebhooks::Webhook;
use tempfile::TempDir;
use throwaway_postgres::Cluster;
use webhook_receiver::Receiver;

/// How often each failpoint ends a server on SQLite.
const ROUNDS_ON_SQLITE: usize = 3;
/// How often a server is killed while a job runs.
const KILLED_AT_WORK: usize = 10;

/// A data folder, a database and a webhook receiver that outlive their servers.
struct World {
    folder: TempDir,
    database: Option<String>,
    plugins: Plugins,
    settings: Vec<(&'static str, String)>,
    receiver: Receiver,
    client: Caller,
    /// The ids of accepted jobs, in order.
    accepted: Vec<String>,
    /// How many of them have expired, the oldest first.
    expired: usize,
    /// How many servers were killed.
    deaths: usize,
}

/// A job that a client wants, and its progress. After a crash the client repeats its requests with the same keys.
struct Order {
    number: usize,
    document: Option<String>,
    job: Option<String>,
}

impl World {
    async fn new(database: Option<String>, plugins: Plugins, mut settings: Vec<(&'static str, String)>) -> Self {
        let receiver = Receiver::start([]).await;
        settings.extend([
            ("WEBHOOKS__ALLOWED_HOSTS", format!("[{:?}]", receiver.host())),
            ("WEBHOOKS__CA_FILE", receiver.authority().display().to_string()),
            ("WEBHOOKS__RETRY_SECONDS", "[0, 0, 0]".to_owned()),
            ("RETENTION__GRACE_SECONDS", "0".to_owned()),
            ("RETENTION__SWEEP_SECONDS", "1".to_owned()),
        ]);
        let folder = tempfile::tempdir().unwrap();
        let options = options(&folder, database.as_ref(), &plugins, &settings);
        let client = Server::start_with(options).client("office", "developer");
        Self { folder, database, plugins, settings, receiver, client, accepted: Vec::new(), expired: 0, deaths: 0 }
    }

    fn start(&self) -> Server {
        Server::start_with(self.options())
    }

    fn start_to_end_at(&self, point: Failpoint) -> Server {
        Server::start_with(Options { failpoint: Some(point), ..self.options() })
    }

    fn options(&self) -> Options {
        options(&self.folder, self.database.as_ref(), &self.plugins, &self.settings)
    }

    /// Ends a server at this failpoint while it works for a client, and lets the next server continue.
    async fn end_at(&mut self, point: Failpoint) {
        // The server before this one was killed as well, perhaps within a sweep, whose lease it then still holds.
        self.let_time_pass().await;
        match point {
            Failpoint::SweepBegun
            | Failpoint::DocumentBlobDeleted
            | Failpoint::DocumentDeleted
            | Failpoint::RowsDeleted => self.let_the_oldest_expire().await,
            Failpoint::UploadBlobDeleted | Failpoint::UploadForgotten => self.abandon_an_upload().await,
            _ => {}
        }
        let mut order = Order { number: self.accepted.len(), document: None, job: None };
        let mut server = self.start_to_end_at(point);
        if server.listens() {
            let cut_off = order.press_on(&self.client.at(&server), &self.receiver).await;
            assert!(cut_off.is_ok() || cut_off.is_err_and(|error| !error.is_timeout()), "{point:?}");
        }
        self.has_ended(&mut server, point).await;

        let server = self.start();
        let client = self.client.at(&server);
        order.press_on(&client, &self.receiver).await.unwrap();
        self.accept(&client, order.job.unwrap()).await;
    }

    /// Starts an upload whose bytes and row a killed server leaves behind.
    async fn abandon_an_upload(&mut self) {
        let mut server = self.start_to_end_at(Failpoint::UploadWritten);
        let cut_off = self.client.at(&server).try_upload(document::titled("Abandoned", 1)).await;
        assert!(cut_off.is_err(), "{cut_off:?}");
        self.has_ended(&mut server, Failpoint::UploadWritten).await;
    }

    async fn has_ended(&mut self, server: &mut Server, point: Failpoint) {
        server.ended_at(point);
        self.deaths += 1;
        self.let_time_pass().await;
    }

    /// Checks that the job completes and is delivered.
    async fn accept(&mut self, client: &Caller, job: String) {
        let ended = client.finished(&job).await;
        assert_eq!(ended["status"], "complete", "{ended}");
        let path = format!("/v1/jobs/{job}/deliveries");
        deadline::until(PATIENCE, &format!("the delivery of job {job}"), async || {
            let list = client.get(&path).await;
            (list.body["deliveries"][0]["status"] == "delivered").then_some(())
        })
        .await;
        self.accepted.push(job);
    }

    /// Ends the leases of killed servers, and dates every upload back.
    async fn let_time_pass(&self) {
        self.execute("UPDATE jobs SET lease_until = 0 WHERE lease_until IS NOT NULL").await;
        self.execute("UPDATE webhook_deliveries SET lease_until = 0 WHERE lease_until IS NOT NULL").await;
        self.execute("UPDATE idempotent_requests SET lease_until = 0").await;
        self.execute("UPDATE watches SET until = 0").await;
        self.execute("UPDATE uploads SET started_at = 0").await;
    }

    async fn let_the_oldest_expire(&mut self) {
        let job = &self.accepted[self.expired];
        self.execute(&format!(
            "UPDATE documents SET expires_at = 1 WHERE id IN (SELECT document_id FROM jobs WHERE id = '{job}')"
        ))
        .await;
        self.execute(&format!("UPDATE jobs SET expires_at = 1 WHERE id = '{job}'")).await;
        self.expired += 1;
    }

    /// Checks the invariants after the last sweep, however often the server was killed.
    async fn check(&mut self) {
        self.let_time_pass().await;
        let server = self.start();
        deadline::until(PATIENCE, "the last sweep", async || {
            let left = "SELECT (SELECT COUNT(*) FROM uploads) + (SELECT COUNT(*) FROM documents WHERE expires_at = 1)
                        + (SELECT COUNT(*) FROM jobs WHERE expires_at = 1)";
            (self.number(left).await == 0).then_some(())
        })
        .await;

        let accepted: BTreeSet<String> = self.accepted.iter().cloned().collect();
        assert_eq!(accepted.len(), self.accepted.len(), "each order is one job");
        let kept: BTreeSet<String> = self.accepted[self.expired..].iter().cloned().collect();
        let complete = "SELECT id FROM jobs WHERE status = 'complete' AND result IS NOT NULL AND lease_until IS NULL";
        assert_eq!(self.texts(complete).await, kept, "every job ends complete");
        assert_eq!(self.number("SELECT COUNT(*) FROM jobs").await, i64::try_from(kept.len()).unwrap());

        assert_eq!(self.texts("SELECT job_id FROM credit_ledger WHERE kind = 'charge'").await, accepted);
        assert_eq!(
            self.number("SELECT COUNT(*) FROM credit_ledger").await,
            i64::try_from(accepted.len()).unwrap(),
            "charged once"
        );
        let charged = self.number("SELECT CAST(SUM(credits) AS BIGINT) FROM credit_ledger").await;
        assert_eq!(charged, i64::try_from(accepted.len()).unwrap(), "each costs one credit");
        assert_eq!(self.number("SELECT CAST(SUM(credits) AS BIGINT) FROM credits_used").await, charged);
        let apart = "SELECT COUNT(*) FROM jobs JOIN credit_ledger ON job_id = jobs.id WHERE credits_charged <> credits";
        assert_eq!(self.number(apart).await, 0, "the jobs' costs match the ledger");

        let blobs = self.folder.path().join("data").join("blobs");
        let files = server.stored_files();
        let files = files.iter().map(|file| file.strip_prefix(&blobs).unwrap().display().to_string()).collect();
        assert_eq!(
            self.texts("SELECT blob_key FROM documents").await,
            files,
            "every document has a blob and every blob a document"
        );
        let homeless =
            "SELECT COUNT(*) FROM webhook_attempts WHERE delivery_id NOT IN (SELECT id FROM webhook_deliveries)";
        assert_eq!(self.number(homeless).await, 0);

        let delivered = "SELECT job_id FROM webhook_deliveries WHERE status = 'delivered'";
        assert_eq!(self.texts(delivered).await, kept, "every job is delivered");
        assert_eq!(self.number("SELECT COUNT(*) FROM webhook_deliveries").await, i64::try_from(kept.len()).unwrap());
        self.check_messages();
    }

    /// Checks that every accepted job was posted under one id, once or more.
    fn check_messages(&mut self) {
        let webhook = Webhook::new(self.client.webhook_secret()).unwrap();
        let mut ids: HashMap<String, BTreeSet<String>> = HashMap::new();
        while let Some(received) = self.receiver.already_here() {
            // The messages waited since the round that sent them, which may be longer than a timestamp is accepted for.
            let sent: i64 = received.header("webhook-timestamp").parse().unwrap();
            let signature = webhook.sign(received.header("webhook-id"), sent, &received.body).unwrap();
            assert!(
                received.header("webhook-signature").split(' ').any(|own| own == signature),
                "{:?}",
                received.headers
            );
            let job: Value = serde_json::from_slice(&received.body).unwrap();
            assert_eq!(job["status"], "complete", "{job}");
            let job = job["id"].as_str().unwrap().to_owned();
            ids.entry(job).or_default().insert(received.header("webhook-id").to_owned());
        }
        assert!(ids.values().all(|ids| ids.len() == 1), "{ids:?}");
        let posted: BTreeSet<String> = ids.into_keys().collect();
        assert_eq!(posted, self.accepted.iter().cloned().collect());
    }

    async fn connection(&self) -> AnyConnection {
        sqlx::any::install_default_drivers();
        let sqlite = || format!("sqlite://{}", self.folder.path().join("data").join("fanlight.sqlite").display());
        AnyConnection::connect(&self.database.clone().unwrap_or_else(sqlite)).await.unwrap()
    }

    async fn execute(&self, statement: &str) {
        let mut connection = self.connection().await;
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    }

    async fn number(&self, question: &'static str) -> i64 {
        let mut connection = self.connection().await;
        let number = sqlx::query_scalar(question).fetch_one(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        number
    }

    /// Returns the first column of all rows.
    async fn texts(&self, question: &'static str) -> BTreeSet<String> {
        let mut connection = self.connection().await;
        let rows = sqlx::query(question).fetch_all(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }
}

fn options(
    folder: &TempDir,
    database: Option<&String>,
    plugins: &Plugins,
    settings: &[(&'static str, String)],
) -> Options {
    Options {
        data: Some(folder.path().join("data")),
        database: database.cloned(),
        plugins: Some(plugins.folder()),
        settings: settings.to_vec(),
        ..Options::default()
    }
}

impl Order {
    /// Repeats its requests until the job is accepted or the server has ended.
    async fn press_on(&mut self, client: &Caller, receiver: &Receiver) -> reqwest::Result<()> {
        let document = if let Some(document) = &self.document {
            document.clone()
        } else {
            let uploaded = client.try_upload(document::titled(&format!("Manual {}", self.number), 1)).await?;
            text(&uploaded, StatusCode::CREATED, "document_id")
        };
        self.document = Some(document.clone());
        let body = json!({ "document_id": document, "webhook_url": receiver.url("/hook") });
        let request = client.request(Method::POST, "/v1/specs/parse/document").json(&body);
        let submitted = try_answer(request.header("Idempotency-Key", format!("order-{}", self.number))).await?;
        self.job = Some(text(&submitted, StatusCode::ACCEPTED, "job_id"));
        Ok(())
    }
}

/// Returns a text of an answer that must have this status.
fn text(answer: &Answer, status: StatusCode, field: &str) -> String {
    assert_eq!(answer.status, status, "{}", answer.body);
    answer.body[field].as_str().unwrap().to_owned()
}

async fn nothing_is_lost_at_any_failpoint(database: Option<String>, rounds: usize) {
    let mut world = World::new(database, Plugins::default().with_stand_in("toc-parser"), Vec::new()).await;
    for _ in 0..rounds {
        for &point in Failpoint::ALL {
            world.end_at(point).await;
        }
    }
    assert!(world.deaths >= rounds * Failpoint::ALL.len());
    world.check().await;
}

/// Needs several threads: the receiver answers while the test waits for the end of a process.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_at_any_failpoint_on_sqlite() {
    nothing_is_lost_at_any_failpoint(None, ROUNDS_ON_SQLITE).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_at_any_failpoint_on_postgres() {
    let database = Cluster::shared().unwrap().create_database().unwrap();
    nothing_is_lost_at_any_failpoint(Some(database), 1).await;
}

/// Returns a manual of one section, about which a job asks a language model.
fn manual() -> Vec<u8> {
    document::typed(&[
        &["TABLE OF CONTENTS", "DIVISION 08 - OPENINGS", "08 71 00 DOOR HARDWARE"],
        &[
            "SECTION 08 71 00",
            "DOOR HARDWARE",
            "PART 1 - GENERAL",
            "1.1 SUBMITTALS",
            "A. Data: For each lock.",
            "END OF SECTION 08 71 00",
        ],
    ])
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_server_finishes_a_killed_servers_job() {
    // The model keeps a job waiting until its server is killed.
    let waits = Arc::new(AtomicBool::new(false));
    let asked = waits.clone();
    let provider =
        Provider::start(move |_| if asked.load(Ordering::SeqCst) { Reply::Stall } else { Reply::Refusal }).await;
    let settings = vec![
        ("GRANTS__CONTENT-EXTRACTOR", "[language]".to_owned()),
        ("LANGUAGE__BASE_URL", provider.base_url().to_owned()),
        ("LANGUAGE__MODEL", "small".to_owned()),
    ];
    let plugins = ["toc-parser", "content-extractor"]
        .into_iter()
        .fold(Plugins::default(), |plugins, name| plugins.with(name, &installed::plugin(name)));
    let mut world = World::new(None, plugins, settings).await;
    let mut server = world.start();
    let mut client = world.client.at(&server);
    let body = json!({ "document_id": client.document(manual()).await, "webhook_url": world.receiver.url("/hook") });
    let contents = answer(client.request(Method::POST, "/v1/specs/parse/document").json(&body)).await;
    let contents = text(&contents, StatusCode::ACCEPTED, "job_id");
    world.accept(&client, contents.clone()).await;
    let body = json!({
        "job_id": contents,
        "division_codes": ["08"],
        "no_cache": true,
        "webhook_url": world.receiver.url("/hook"),
    });

    for _ in 0..KILLED_AT_WORK {
        let asked_before = provider.asked().len();
        waits.store(true, Ordering::SeqCst);
        let submitted = answer(client.request(Method::POST, "/v1/specs/content-extract").json(&body)).await;
        let job = text(&submitted, StatusCode::ACCEPTED, "job_id");
        deadline::until(PATIENCE, "the job to ask the model", async || {
            (provider.asked().len() > asked_before).then_some(())
        })
        .await;
        assert_eq!(client.get(&format!("/v1/jobs/{job}")).await.body["status"], "processing");
        server.kill();
        world.let_time_pass().await;
        waits.store(false, Ordering::SeqCst);
        server = world.start();
        client = world.client.at(&server);
        world.accept(&client, job).await;
    }
    drop(server);
    world.check().await;
}
