//! The progress of a job, as a sentence for people.

use fanlight_sandbox::Progress;
use fanlight_store::{Job, JobStatus};

/// Returns the progress of a running job: the plugin's message, or the current page.
pub(crate) fn running(progress: &Progress) -> String {
    if !progress.message.is_empty() {
        return progress.message.clone();
    }
    let total = progress.total.max(1);
    format!("Analyzing page {} of {total}", progress.done.saturating_add(1).min(total))
}

/// Returns the progress of a job. `ahead` is the number of jobs that workers claim before it, if it is queued.
pub(crate) fn job(job: &Job, ahead: u64) -> String {
    match job.status {
        JobStatus::Queued if ahead == 0 => "Queued".to_owned(),
        JobStatus::Queued if ahead == 1 => "Queued, 1 job ahead".to_owned(),
        JobStatus::Queued => format!("Queued, {ahead} jobs ahead"),
        JobStatus::Processing => job.progress.clone().unwrap_or_else(|| "Starting".to_owned()),
        JobStatus::Complete => "Complete".to_owned(),
        JobStatus::Failed => "Failed".to_owned(),
        JobStatus::Cancelled => "Cancelled".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_the_plugins_message_or_else_the_page() {
        let cases = [
            (0, 12, "", "Analyzing page 1 of 12"),
            (3, 12, "", "Analyzing page 4 of 12"),
            (12, 12, "", "Analyzing page 12 of 12"),
            (0, 0, "", "Analyzing page 1 of 1"),
            (3, 12, "Reading contents", "Reading contents"),
        ];
        for (done, total, message, expected) in cases {
            let progress = Progress { done, total, message: message.to_owned() };
            assert_eq!(running(&progress), expected);
        }
    }
}
