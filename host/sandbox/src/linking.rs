//! The linker for guests, and the host functions behind it.

use fanlight_language::Error;
use wasmtime::component::{HasSelf, Linker};
use wasmtime::{Engine, Result};

use crate::bindings::composed::fanlight::plugin::{job, language, ocr, source};
use crate::bindings::composed::wasi::nn::{errors, graph, inference, tensor};
use crate::document::Document;
use crate::guest::{Guest, Progress, sanitized};
use crate::warning::Warning;

/// Most bytes of a document per call, as documented in `wit/source.wit`.
const READ_BYTES: usize = 4 * 1024 * 1024;
/// Most bytes that are stored of a progress message, as documented in `wit/job.wit`.
const MESSAGE_BYTES: usize = 200;

/// Creates a linker with every import of the contract. `capability` decides beforehand which of them a plugin may
/// use.
pub(crate) fn linker(engine: &Engine) -> Result<Linker<Guest>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    source::add_to_linker::<_, HasSelf<_>>(&mut linker, |guest| guest)?;
    job::add_to_linker::<_, HasSelf<_>>(&mut linker, |guest| guest)?;
    language::add_to_linker::<_, HasSelf<_>>(&mut linker, |guest| guest)?;
    ocr::add_to_linker::<_, HasSelf<_>>(&mut linker, |guest| guest)?;
    tensor::add_to_linker::<_, HasSelf<_>>(&mut linker, |guest| guest)?;
    graph::add_to_linker::<_, HasSelf<_>>(&mut linker, |guest| guest)?;
    inference::add_to_linker::<_, HasSelf<_>>(&mut linker, |guest| guest)?;
    errors::add_to_linker::<_, HasSelf<_>>(&mut linker, |guest| guest)?;
    Ok(linker)
}

impl source::Host for Guest {
    fn size(&mut self) -> Result<u64> {
        Ok(self.document.as_ref().map_or(0, Document::size))
    }

    async fn read(&mut self, offset: u64, length: u32) -> Result<Result<Vec<u8>, String>> {
        let Some(document) = self.document.clone() else {
            return Ok(Err("this call has no document".to_owned()));
        };
        let length = (length as usize).min(READ_BYTES);
        let read = tokio::task::spawn_blocking(move || document.read(offset, length)).await;
        Ok(match read {
            Ok(Ok(bytes)) => {
                self.count_host_call(bytes.len());
                Ok(bytes)
            }
            Ok(Err(error)) => {
                tracing::error!(error = %error, "can't read a document");
                Err("the document can't be read".to_owned())
            }
            Err(stopped) => Err(stopped.to_string()),
        })
    }
}

impl job::Host for Guest {
    fn progress(&mut self, done: u32, total: u32, message: String) -> Result<()> {
        self.count_host_call(message.len());
        let Some(progress) = &self.progress else {
            return Ok(());
        };
        let message = sanitized(&message, MESSAGE_BYTES);
        progress.board.send_if_modified(|shards| {
            let Some(shard) = shards.get_mut(progress.shard) else { return false };
            *shard = Progress { done: done.min(total), total, message };
            true
        });
        Ok(())
    }

    fn asked_for(&mut self) -> Result<Option<Vec<u32>>> {
        Ok(self.asked_for.as_deref().map(<[u32]>::to_vec))
    }
}

impl language::Host for Guest {
    /// Waits for the provider without blocking the worker. The call's deadline or cancellation ends the wait.
    async fn complete(
        &mut self,
        prompts: Vec<language::Prompt>,
        schema: String,
    ) -> Result<Vec<Result<String, language::LanguageError>>> {
        let Some(session) = self.language.clone() else {
            if !prompts.is_empty() {
                self.warnings.note(Warning::LanguageModelUnavailable);
            }
            return Ok(prompts.iter().map(|_| Err(language::LanguageError::Unavailable)).collect());
        };
        let prompts: Vec<fanlight_language::Prompt> = prompts.into_iter().map(Into::into).collect();
        let most_bytes = self.most_answer_bytes();
        let held = session.bytes(&prompts, &schema, most_bytes);
        self.charge(held)?;
        self.count_host_call(held);
        let answers = session.complete(&prompts, &schema, self.deadline.last_quarter(), most_bytes).await;
        self.release(held);
        let errors = answers.iter().filter_map(|answer| answer.as_ref().err());
        for warning in errors.filter_map(Warning::from_language_error) {
            self.warnings.note(warning);
        }
        Ok(answers.into_iter().map(|answer| answer.map_err(Into::into)).collect())
    }
}

impl From<language::Prompt> for fanlight_language::Prompt {
    fn from(prompt: language::Prompt) -> Self {
        Self { instructions: prompt.instructions, material: prompt.material, max_tokens: prompt.max_tokens }
    }
}

impl From<Error> for language::LanguageError {
    fn from(error: Error) -> Self {
        match error {
            Error::BadRequest(detail) => Self::BadRequest(detail),
            Error::BudgetUsedUp(_) => Self::BudgetExhausted,
            Error::Refused => Self::Refused,
            Error::InvalidJson | Error::SchemaViolation(_) | Error::CutOff => Self::InvalidAnswer(error.to_string()),
            Error::RateLimited
            | Error::AccountUsedUp
            | Error::TimedOut
            | Error::Truncated
            | Error::TooLarge(_)
            | Error::NotACompletion
            | Error::Unreachable
            | Error::Rejected(_) => Self::Failed(error.to_string()),
        }
    }
}
