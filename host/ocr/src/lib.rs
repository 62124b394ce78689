//! Reads words from pixels with Tesseract, in a confined process of its own. No wasm, no HTTP.
//!
//! [`Reader::find`] locates the program once; [`Reader::read`] reads one picture. A picture is untrusted: whatever it
//! makes the program do, a crash included, is only an [`OcrError`].
//!
//! | module | holds |
//! |---|---|
//! | `confinement` | the start of the program with minimal rights |
//! | `picture` | pixels, their smoothing, and their transfer to the program |
//! | `language` | BCP 47 tags as names of Tesseract's data |
//! | `words` | the parser of the program's answer |

mod confinement;
mod language;
mod picture;
mod words;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tempfile::TempDir;
use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use confinement::Bounds;

pub use confinement::{ConfinementError, Launcher, become_confined};
pub use picture::{Picture, Pixels};
pub use words::Word;

/// Settings of a reader.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The launcher that confines the program.
    pub launcher: Launcher,
    /// The program: a name that is looked up in the path, or a path.
    pub program: PathBuf,
    /// The folder of the program's language data; the program's own if `None`.
    pub language_data: Option<PathBuf>,
    /// Programs that run at the same time.
    pub parallel: usize,
    /// Longest time of one picture.
    pub time_limit: Duration,
    /// Most address space of the program, in MiB.
    pub memory_mb: u64,
}

impl Settings {
    /// Runs `tesseract` with its own language data, one at a time, with 60 s and 1 GiB for a picture.
    pub fn new(launcher: Launcher) -> Self {
        Self {
            launcher,
            program: PathBuf::from("tesseract"),
            language_data: None,
            parallel: 1,
            time_limit: Duration::from_mins(1),
            memory_mb: 1024,
        }
    }
}

/// The layout of a picture's text, so that the program does not look for columns in a table's cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A whole page, possibly with columns.
    Page,
    /// One block of lines.
    Block,
    /// One line.
    Line,
    /// One word.
    Word,
    /// Scattered text in no order.
    Sparse,
}

impl Layout {
    /// Returns Tesseract's page segmentation mode (`tesseract --help-psm`).
    const fn segmentation(self) -> &'static str {
        match self {
            Self::Page => "3",
            Self::Block => "6",
            Self::Line => "7",
            Self::Word => "8",
            Self::Sparse => "11",
        }
    }

    /// Returns whether a grey picture of this layout is smoothed, because Tesseract takes the ragged edges of a photocopy's
    /// letters for strokes: contents of eight scans have F1 0.96 with it and 0.92 without. Lines, words and scattered text are
    /// parts of drawings, whose letters are too small for that.
    const fn is_smoothed(self) -> bool {
        matches!(self, Self::Page | Self::Block)
    }
}

/// The expected content of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The layout of its text.
    pub layout: Layout,
    /// BCP 47 tags of its languages, the likeliest first; empty means English.
    pub languages: Vec<String>,
    /// The only characters to expect; empty means all.
    pub characters: String,
}

/// Why a picture was not read. Messages are for logs.
#[derive(Debug, Error)]
pub enum OcrError {
    /// The program or all the languages are missing.
    #[error("no OCR: {0}")]
    Unavailable(String),
    /// The picture is not what it claims to be, or exceeds a limit.
    #[error("the picture can't be read: {0}")]
    BadPicture(String),
    /// The program failed, took too long or gave an invalid answer.
    #[error("OCR failed: {0}")]
    Failed(String),
}

/// The located program. Pictures wait for a permit.
#[derive(Debug)]
pub struct Reader {
    settings: Settings,
    languages: BTreeSet<String>,
    permits: Semaphore,
}

/// Most bytes of the program's answer about one picture. The densest one has about 25,000 words (8 pt on 72 million
/// pixels at 300 per inch) of about 50 bytes each.
const ANSWER_BYTES: u64 = 4 * 1024 * 1024;
/// Most bytes that are read from the program's standard error.
const STDERR_BYTES: u64 = 2000;
/// Bytes per MiB.
const BYTES_OF_A_MEGABYTE: u64 = 1024 * 1024;
/// Longest time in which the program must list its languages.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(10);
/// The resolution that the program assumes. It reads best where capitals are about 30 pixels high, as at 300 pixels
/// per inch, and callers render at that resolution.
const DPI: &str = "300";
/// Most expected characters.
const CHARACTERS: usize = 512;

impl Reader {
    /// Locates the program and its languages.
    ///
    /// # Errors
    ///
    /// [`OcrError::Unavailable`] if it is not installed or has no language data.
    pub async fn find(settings: Settings) -> Result<Self, OcrError> {
        let settings = located(settings)?;
        let listed = run_once(&settings, "--list-langs").await?;
        let languages: BTreeSet<String> = listed.lines().skip(1).map(|name| name.trim().to_owned()).collect();
        if languages.is_empty() {
            return Err(OcrError::Unavailable(format!("{}: there is no language data", settings.program.display())));
        }
        let permits = Semaphore::new(settings.parallel.max(1));
        Ok(Self { settings, languages, permits })
    }

    /// Returns the languages that it has data for, by the program's own names.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().map(String::as_str)
    }

    /// Returns the words of a picture in reading order; none if it has none. Dropping the future ends the program.
    ///
    /// # Errors
    ///
    /// [`OcrError::BadPicture`] for an invalid request, [`OcrError::Unavailable`] if none of the languages has data
    /// or the program cannot start, else [`OcrError::Failed`].
    pub async fn read(&self, picture: &Picture<'_>, expected: &Expected) -> Result<Vec<Word>, OcrError> {
        let languages = language::names(&expected.languages, &self.languages)?;
        if expected.characters.chars().count() > CHARACTERS || expected.characters.chars().any(char::is_control) {
            return Err(OcrError::BadPicture("the expected characters are too many or no characters".to_owned()));
        }
        let header = picture.header()?;
        let permit = self.permits.acquire().await;
        let _permit = permit.map_err(|_closed| OcrError::Failed("the reader is closed".to_owned()))?;

        let pixels = if expected.layout.is_smoothed() && picture.pixels == Pixels::Grey {
            Cow::Owned(picture.smoothed().await?)
        } else {
            Cow::Borrowed(picture.bytes())
        };
        let folder = working_directory()?;
        let mut command = confined(&self.settings, folder.path());
        command.args(["stdin", "stdout", "-l", &languages, "--psm", expected.layout.segmentation()]);
        command.args(["--dpi", DPI]);
        if !expected.characters.is_empty() {
            command.arg("-c").arg(format!("tessedit_char_whitelist={}", expected.characters));
        }
        command.arg("tsv");
        let mut child = command.spawn().map_err(|error| OcrError::Unavailable(error.to_string()))?;
        let answered = timeout(self.settings.time_limit, exchange(&mut child, &header, &pixels)).await;
        // However the exchange ended, the program must not outlive it.
        let _ = child.kill().await;
        let answer = answered.map_err(|_elapsed| OcrError::Failed("it took too long".to_owned()))??;
        words::parse(&answer)
    }
}

/// Returns the settings with absolute paths, which hold in another working directory and without this process's
/// environment.
fn located(settings: Settings) -> Result<Settings, OcrError> {
    let unavailable = |path: &Path, detail: String| OcrError::Unavailable(format!("{}: {detail}", path.display()));
    let program = which::which(&settings.program).map_err(|error| unavailable(&settings.program, error.to_string()))?;
    let language_data = match &settings.language_data {
        Some(folder) => Some(std::path::absolute(folder).map_err(|error| unavailable(folder, error.to_string()))?),
        None => None,
    };
    Ok(Settings { program, language_data, ..settings })
}

/// Creates an empty folder for one run of the program. It is deleted with the value.
fn working_directory() -> Result<TempDir, OcrError> {
    tempfile::tempdir().map_err(|error| OcrError::Failed(format!("there is no working directory: {error}")))
}

/// Returns the command of the confined program: in this folder, with a minimal environment and three pipes.
fn confined(settings: &Settings, folder: &Path) -> Command {
    let bounds = Bounds {
        memory_bytes: settings.memory_mb.saturating_mul(BYTES_OF_A_MEGABYTE),
        processor_seconds: settings.time_limit.as_secs().max(1),
    };
    let mut command = settings.launcher.command(bounds, &settings.program);
    command.env_clear();
    // Several pictures are read at once, so threads of each would compete.
    command.env("OMP_THREAD_LIMIT", "1");
    if let Some(language_data) = &settings.language_data {
        command.env("TESSDATA_PREFIX", language_data);
    }
    command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

/// Runs the program with one argument and returns its output. Older versions write to standard error.
async fn run_once(settings: &Settings, argument: &str) -> Result<String, OcrError> {
    let folder = working_directory()?;
    let mut command = confined(settings, folder.path());
    let unavailable = |detail: String| OcrError::Unavailable(format!("{}: {detail}", settings.program.display()));
    let asked = timeout(STARTUP_TIMEOUT, command.arg(argument).stdin(Stdio::null()).output()).await;
    let output = asked.map_err(|_elapsed| unavailable("it does not answer".to_owned()))?;
    let output = output.map_err(|error| unavailable(error.to_string()))?;
    if !output.status.success() {
        return Err(unavailable(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Writes the picture and reads the answer at the same time, so that neither side blocks the other.
async fn exchange(child: &mut Child, header: &[u8], pixels: &[u8]) -> Result<String, OcrError> {
    let failed = |error: std::io::Error| OcrError::Failed(error.to_string());
    let (Some(mut stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(OcrError::Failed("the program has no standard streams".to_owned()));
    };
    let hand_over = async {
        let handed_over = async {
            stdin.write_all(header).await?;
            stdin.write_all(pixels).await?;
            stdin.shutdown().await
        };
        // A program that succeeds has read what it needs, so errors of the pipe are ignored.
        let _ = handed_over.await;
        drop(stdin);
        Ok(())
    };
    let answer = async {
        let mut text = String::new();
        stdout.take(ANSWER_BYTES + 1).read_to_string(&mut text).await.map_err(failed)?;
        if text.len() as u64 > ANSWER_BYTES {
            return Err(OcrError::Failed("it answers without end".to_owned()));
        }
        Ok(text)
    };
    let stderr_text = async {
        let mut text = Vec::new();
        stderr.take(STDERR_BYTES).read_to_end(&mut text).await.map_err(failed)?;
        Ok(text)
    };
    let ((), answer, stderr_text) = tokio::try_join!(hand_over, answer, stderr_text)?;
    let status = child.wait().await.map_err(failed)?;
    if !status.success() {
        let stderr_text = String::from_utf8_lossy(&stderr_text);
        return Err(OcrError::Failed(format!("{status}: {}", stderr_text.trim())));
    }
    Ok(answer)
}
