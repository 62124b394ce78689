//! The metrics of a server, for Prometheus.
//!
//! Labels are methods, routes, statuses, models and endings. They never hold text that a client can choose, nor
//! anything about a document or an account.

use std::time::Duration;

use poem::http::{Method, StatusCode};
use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, IntGaugeVec, Opts, Registry, TextEncoder};

/// Upper bounds of the histogram of requests, in seconds. A request that waits for a job takes up to 60 s.
const REQUEST_SECONDS: [f64; 10] = [0.001, 0.005, 0.02, 0.1, 0.5, 1.0, 5.0, 20.0, 60.0, 300.0];
/// Upper bounds of the histogram of jobs, in seconds.
const JOB_SECONDS: [f64; 10] = [0.05, 0.2, 1.0, 5.0, 15.0, 60.0, 180.0, 600.0, 1800.0, 7200.0];

/// The route label of requests that match no route.
const NO_ROUTE: &str = "none";

/// The counters of one process.
pub(crate) struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    request_seconds: HistogramVec,
    jobs: IntCounterVec,
    job_seconds: HistogramVec,
    open_jobs: IntGaugeVec,
}

impl Metrics {
    /// Creates the registry with all counters at zero.
    ///
    /// # Errors
    ///
    /// Fails if a metric is not valid.
    pub(crate) fn new() -> Result<Self, prometheus::Error> {
        let requests = Opts::new("fanlight_requests_total", "Requests answered, by route and status");
        let request_seconds = HistogramOpts::new("fanlight_request_seconds", "How long requests took, by route");
        let jobs = Opts::new("fanlight_jobs_total", "Jobs that ended here, by model and ending");
        let job_seconds = HistogramOpts::new("fanlight_job_seconds", "How long jobs that ended here took, by model");
        let open_jobs = Opts::new("fanlight_open_jobs", "Jobs in the database that are not final, by status");
        let metrics = Self {
            registry: Registry::new(),
            requests: IntCounterVec::new(requests, &["method", "route", "status"])?,
            request_seconds: HistogramVec::new(
                request_seconds.buckets(REQUEST_SECONDS.to_vec()),
                &["method", "route"],
            )?,
            jobs: IntCounterVec::new(jobs, &["model", "ending"])?,
            job_seconds: HistogramVec::new(job_seconds.buckets(JOB_SECONDS.to_vec()), &["model"])?,
            open_jobs: IntGaugeVec::new(open_jobs, &["status"])?,
        };
        metrics.registry.register(Box::new(metrics.requests.clone()))?;
        metrics.registry.register(Box::new(metrics.request_seconds.clone()))?;
        metrics.registry.register(Box::new(metrics.jobs.clone()))?;
        metrics.registry.register(Box::new(metrics.job_seconds.clone()))?;
        metrics.registry.register(Box::new(metrics.open_jobs.clone()))?;
        Ok(metrics)
    }

    /// Counts an answered request. `route` is the pattern that its path matches, not the path itself.
    pub(crate) fn request(&self, method: &Method, route: Option<&str>, status: StatusCode, took: Duration) {
        let method = method_label(method);
        let route = route.unwrap_or(NO_ROUTE);
        self.requests.with_label_values(&[method, route, status.as_str()]).inc();
        self.request_seconds.with_label_values(&[method, route]).observe(took.as_secs_f64());
    }

    /// Counts a job that this process has finished or released.
    pub(crate) fn job(&self, model: &str, ending: &str, took: Duration) {
        self.jobs.with_label_values(&[model, ending]).inc();
        self.job_seconds.with_label_values(&[model]).observe(took.as_secs_f64());
    }

    /// Sets the number of open jobs of all processes with this status.
    pub(crate) fn open_jobs(&self, status: &str, jobs: u64) {
        self.open_jobs.with_label_values(&[status]).set(i64::try_from(jobs).unwrap_or(i64::MAX));
    }

    /// Removes the number of open jobs, which is unknown while the database does not answer.
    pub(crate) fn forget_open_jobs(&self) {
        self.open_jobs.reset();
    }

    /// Returns all metrics in the Prometheus text format.
    pub(crate) fn text(&self) -> Result<String, prometheus::Error> {
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }
}

/// Returns the label of a method. Unknown methods share one, since each label is kept until the process ends.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_jobs_are_counted_by_label() {
        let metrics = Metrics::new().unwrap();
        let unknown = Method::from_bytes(b"BREW").unwrap();
        metrics.request(&Method::GET, Some("/v1/jobs/{job_id}"), StatusCode::OK, Duration::from_millis(2));
        metrics.request(&unknown, None, StatusCode::NOT_FOUND, Duration::ZERO);
        metrics.job("toc-parser", "complete", Duration::from_secs(2));
        metrics.open_jobs("queued", 7);
        let text = metrics.text().unwrap();
        for line in [
            r#"fanlight_requests_total{method="GET",route="/v1/jobs/{job_id}",status="200"} 1"#,
            r#"fanlight_requests_total{method="other",route="none",status="404"} 1"#,
            r#"fanlight_request_seconds_bucket{method="GET",route="/v1/jobs/{job_id}",le="0.001"} 0"#,
            r#"fanlight_request_seconds_bucket{method="GET",route="/v1/jobs/{job_id}",le="0.005"} 1"#,
            r#"fanlight_jobs_total{ending="complete",model="toc-parser"} 1"#,
            r#"fanlight_job_seconds_sum{model="toc-parser"} 2"#,
            r#"fanlight_open_jobs{status="queued"} 7"#,
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
