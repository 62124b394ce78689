//! The console in a real browser: `tests/console/drive.mjs` uses it as a person does.

use std::fs;
use std::path::Path;
use std::time::Duration;

use deadline::PATIENCE;
use drafting::plan::{generate, styles};
use fanlight_tests::identity_provider::IdentityProvider;
use fanlight_tests::installed;
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Options, Server};
use reqwest::header::{CONTENT_SECURITY_POLICY, ETAG, IF_NONE_MATCH};
use reqwest::{Method, StatusCode};
use test_programs::Node;

/// The folder of the program that drives the browser.
const DRIVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/console");
/// How long the whole visit may take. Each wait in it has a deadline of its own.
const VISIT: Duration = Duration::from_mins(6);

#[test]
fn a_person_uses_the_console() {
    let plugins = ["fixture-detector", "toc-parser", "pdf-annotator", "drawing-classifier"]
        .into_iter()
        .fold(Plugins::default(), |plugins, name| plugins.with(name, &installed::plugin(name)))
        .with_stand_in("acme-model");
    let mut server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    let link = server.announced();
    let client = server.client("office", "developer");
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.pdf");
    let style = styles().into_iter().find(|(name, _)| *name == "renovation").map(|(_, style)| style).unwrap();
    fs::write(&plan, generate(&style, 1).pdf).unwrap();

    let driver = driver();
    let program = driver.folder().join("drive.mjs");
    let mut drive = std::process::Command::new("node");
    drive.arg(&program).arg(server.base_url()).arg(&link).arg(&plan);
    if let Some(pictures) = std::env::var_os("CONSOLE_PICTURES") {
        drive.arg(pictures);
    }
    drive.env("API_KEY", client.secret());
    let output = deadline::output(&mut drive, VISIT);

    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_person_signs_in_with_a_provider() {
    let mut provider = IdentityProvider::start();
    let server = provider.console_server();
    let driver = driver();
    let mut sign_in = std::process::Command::new("node");
    sign_in.arg(driver.folder().join("provider.mjs")).arg(server.base_url()).arg(provider.issuer());
    run(&mut sign_in);
}

/// Lays out the programs that drive the browser where their packages are installed, so that Node finds them.
fn driver() -> Node {
    let driver = Node::with(Path::new(DRIVER));
    for file in ["drive.mjs", "provider.mjs", "pdf.mjs", "visitor.mjs"] {
        fs::copy(Path::new(DRIVER).join(file), driver.folder().join(file)).unwrap();
    }
    for folder in ["visits", "pictures"] {
        copy(&Path::new(DRIVER).join(folder), &driver.folder().join(folder));
    }
    driver
}

#[tokio::test]
async fn the_console_loads_nothing_from_elsewhere() {
    let server = Server::start_with(Options { role: Some("api"), ..Options::default() });
    let page = server.request(Method::GET, "/").send().await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    let policy = page.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let text = page.text().await.unwrap();
    assert!(text.contains("console/console.js") && !text.contains("http"), "{text}");
    for path in ["/console/console.js", "/console/console.css", "/console/icon.svg"] {
        let file = server.request(Method::GET, path).send().await.unwrap();
        let tag = file.headers()[ETAG].clone();
        assert_eq!(file.headers()["cache-control"], "no-cache", "{path}");
        let again = server.request(Method::GET, path).header(IF_NONE_MATCH, tag).send().await.unwrap();
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{path}");
    }
}

/// The server embeds `host/console/dist`, so that it can be built without Node. Its sources give the same files, and agree with
/// the description of the API.
#[test]
fn the_bundle_agrees_with_sources_and_api() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("host").join("console");
    let packages = Node::with(&sources);
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("console");
    copy(&sources.join("src"), &work.join("src"));
    for file in ["build.mjs", "package.json", "tsconfig.json"] {
        fs::copy(sources.join(file), work.join(file)).unwrap();
    }
    std::os::unix::fs::symlink(packages.folder().join("node_modules"), work.join("node_modules")).unwrap();
    let dist = folder.path().join("dist");
    run(std::process::Command::new("node").arg("build.mjs").arg(&dist).current_dir(&work));
    for file in ["index.html", "console.css", "console.js", "icon.svg", "licences.txt"] {
        let built = fs::read_to_string(dist.join(file)).unwrap();
        let kept = fs::read_to_string(sources.join("dist").join(file)).unwrap();
        assert!(
            built == kept,
            "host/console/dist/{file} is not current: run `npm ci` and `npm run build` in host/console"
        );
    }

    let description = sources.join("../../openapi/openapi.json");
    let schema = work.join("src").join("schema.d.ts");
    run(packages.program("openapi-typescript").arg(description).arg("--output").arg(schema));
    run(packages.program("tsc").arg("--project").arg(&work));
}

fn run(command: &mut std::process::Command) {
    let output = deadline::output(command, PATIENCE);
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{said}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
