//! Runs an S3 server for the length of a test: `moto`, a Python package, on a free port of this machine.
//!
//! It keeps everything in memory and checks no signatures, so tests can look into buckets directly. It ends when its
//! [`S3`] is dropped or the test's process ends for any reason.
#![expect(clippy::missing_panics_doc, reason = "in a test a panic is the report")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use deadline::{Lines, PATIENCE};
use test_programs::Python;

/// The header that signs a request. The server requires a signature on some requests and accepts any.
const SIGNED: (&str, &str) = (
    "Authorization",
    "AWS4-HMAC-SHA256 Credential=tests/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0",
);

/// A running server. Dropping the value ends it.
#[derive(Debug)]
pub struct S3 {
    process: Child,
    address: String,
    buckets: AtomicU32,
}

/// A bucket.
#[derive(Clone, Debug)]
pub struct Bucket {
    /// The server: scheme, host and port.
    pub endpoint: String,
    /// The bucket's name.
    pub name: String,
}

impl S3 {
    /// Starts a new server.
    pub fn start() -> Self {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut python = Python::with(&here.join("requirements.txt")).python();
        // Cloud settings in the environment are not for this server.
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("AWS_")) {
            python.env_remove(name);
        }
        let started = python.arg(here.join("serve.py")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = started.unwrap_or_else(|error| panic!("can't start the S3 server: {error}"));
        let printed = Lines::read_from(process.stdout.take().unwrap());
        let address = printed.next(PATIENCE, "the S3 server to say where it listens").unwrap_or_default();
        assert!(address.starts_with("http://"), "the S3 server did not say where it listens: {address:?}");
        Self { process, address, buckets: AtomicU32::new(0) }
    }

    /// Returns the server that all tests of this process share. The first caller starts it.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<S3> = LazyLock::new(S3::start);
        &SHARED
    }

    /// Creates an empty bucket.
    pub fn create_bucket(&self) -> Bucket {
        let name = format!("a-bucket-of-tests-{}", self.buckets.fetch_add(1, Ordering::Relaxed));
        let bucket = Bucket { endpoint: self.address.clone(), name };
        ureq::put(bucket.url("")).header(SIGNED.0, SIGNED.1).send_empty().unwrap();
        bucket
    }
}

impl Drop for S3 {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = deadline::end_within(&mut self.process, PATIENCE);
    }
}

impl Bucket {
    /// Returns the keys of its objects.
    pub fn objects(&self) -> Vec<String> {
        texts(&self.listing("?list-type=2"), "Key")
    }

    /// Returns the keys of multipart uploads that are neither complete nor aborted.
    pub fn unfinished(&self) -> Vec<String> {
        texts(&self.listing("?uploads"), "Key")
    }

    /// Deletes an object without the server under test knowing.
    pub fn delete(&self, key: &str) {
        ureq::delete(self.url(&format!("/{key}"))).header(SIGNED.0, SIGNED.1).call().unwrap();
    }

    /// Deletes an empty bucket.
    pub fn remove(&self) {
        ureq::delete(self.url("")).header(SIGNED.0, SIGNED.1).call().unwrap();
    }

    fn listing(&self, query: &str) -> String {
        ureq::get(self.url(query)).header(SIGNED.0, SIGNED.1).call().unwrap().body_mut().read_to_string().unwrap()
    }

    fn url(&self, rest: &str) -> String {
        format!("{}/{}{rest}", self.endpoint, self.name)
    }
}

/// Returns the texts of all elements with this name.
fn texts(xml: &str, name: &str) -> Vec<String> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    xml.split(&open).skip(1).filter_map(|rest| rest.split(&close).next()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_lists_its_objects_and_ends_with_its_server() {
        let server = S3::start();
        let bucket = server.create_bucket();
        assert!(bucket.objects().is_empty() && bucket.unfinished().is_empty());
        ureq::put(bucket.url("/a/b")).header(SIGNED.0, SIGNED.1).send("text").unwrap();
        ureq::post(bucket.url("/c?uploads")).header(SIGNED.0, SIGNED.1).send_empty().unwrap();
        assert_eq!((bucket.objects(), bucket.unfinished()), (vec!["a/b".to_owned()], vec!["c".to_owned()]));
        bucket.delete("a/b");
        assert!(bucket.objects().is_empty());
        drop(server);
        assert!(ureq::get(bucket.url("")).call().is_err());
    }
}
