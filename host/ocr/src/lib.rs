//! Reads words from pixels, by Tesseract in a confined process of its own. No wasm, no HTTP.
//!
//! [`Reader::find`] looks for the program once; [`Reader::read`] reads one picture. A picture is untrusted: what the
//! program makes of it, its crash included, is an [`OcrError`] and nothing else.
//!
//! | module | holds |
//! |---|---|
//! | `confinement` | what the program is given, and what is kept from it |
//! | `picture` | pixels, and how they are handed to the program |
//! | `language` | BCP 47 tags as the names of Tesseract's data |
//! | `words` | what the program answers |

mod confinement;
mod language;
mod picture;
mod words;

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

/// How a reader is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What confines the program and becomes it.
    pub launcher: Launcher,
    /// The program: a name that is looked up in the path, or a path.
    pub program: PathBuf,
    /// The folder of the program's language data; where none is given the program's own.
    pub language_data: Option<PathBuf>,
    /// Programs that run at the same time.
    pub parallel: usize,
    /// Longest time that one picture may take.
    pub time_limit: Duration,
    /// Most memory that the program may address, in MiB.
    pub memory_mb: u64,
}

impl Settings {
    /// `tesseract` with its own language data, one at a time, 60 s and 1 GiB for a picture.
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

/// How the text of a picture is laid out, so that the program doesn't look for columns in a table's cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A whole page, columns and all.
    Page,
    /// One block of lines.
    Block,
    /// One line.
    Line,
    /// One word.
    Word,
    /// Text strewn about, in no order.
    Sparse,
}

impl Layout {
    /// Tesseract's page segmentation mode (`tesseract --help-psm`).
    const fn segmentation(self) -> &'static str {
        match self {
            Self::Page => "3",
            Self::Block => "6",
            Self::Line => "7",
            Self::Word => "8",
            Self::Sparse => "11",
        }
    }
}

/// What to expect in a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// How its text is laid out.
    pub layout: Layout,
    /// BCP 47 tags of its languages, the likeliest first; empty is English.
    pub languages: Vec<String>,
    /// The only characters to expect; empty is all.
    pub characters: String,
}

/// Why nothing was read. Texts are for logs.
#[derive(Debug, Error)]
pub enum OcrError {
    /// The program isn't there, or none of the languages is.
    #[error("no OCR: {0}")]
    Unavailable(String),
    /// The picture isn't what it claims, or is larger than is read.
    #[error("the picture can't be read: {0}")]
    BadPicture(String),
    /// The program failed, took too long or answered what can't be understood.
    #[error("OCR failed: {0}")]
    Failed(String),
}

/// The program, found and ready. Pictures wait for their turn.
#[derive(Debug)]
pub struct Reader {
    settings: Settings,
    languages: BTreeSet<String>,
    turns: Semaphore,
}

/// Bytes that are read of what the program answers about one picture. The densest one has some 25,000 words (8 pt on
/// 72 million pixels at 300 an inch), of some 50 bytes each.
const ANSWER_BYTES: u64 = 4 * 1024 * 1024;
/// Bytes that are read of what it complains about.
const COMPLAINT_BYTES: u64 = 2000;
/// Bytes of a megabyte of memory.
const BYTES_OF_A_MEGABYTE: u64 = 1024 * 1024;
/// How long the program may take to say which languages it has.
const PATIENCE: Duration = Duration::from_secs(10);
/// What the program takes the picture's resolution to be: it reads best where capitals are some 30 pixels high, as at
/// 300 pixels an inch, and callers render so.
const DPI: &str = "300";
/// Characters that may be expected at most.
const CHARACTERS: usize = 512;

impl Reader {
    /// Looks for the program and for the languages it has data for.
    ///
    /// # Errors
    ///
    /// [`OcrError::Unavailable`] where it isn't installed, or has no language.
    pub async fn find(settings: Settings) -> Result<Self, OcrError> {
        let settings = located(settings)?;
        let listed = said(&settings, "--list-langs").await?;
        let languages: BTreeSet<String> = listed.lines().skip(1).map(|name| name.trim().to_owned()).collect();
        if languages.is_empty() {
            return Err(OcrError::Unavailable(format!("{}: there is no language data", settings.program.display())));
        }
        let turns = Semaphore::new(settings.parallel.max(1));
        Ok(Self { settings, languages, turns })
    }

    /// The languages that it has data for, by the program's own names.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().map(String::as_str)
    }

    /// The words of a picture in reading order; none where it holds none. Dropped, it ends the program.
    pub async fn read(&self, picture: &Picture<'_>, expected: &Expected) -> Result<Vec<Word>, OcrError> {
        let languages = language::names(&expected.languages, &self.languages)?;
        if expected.characters.chars().count() > CHARACTERS || expected.characters.chars().any(char::is_control) {
            return Err(OcrError::BadPicture("the expected characters are too many or no characters".to_owned()));
        }
        let header = picture.header()?;
        let turn = self.turns.acquire().await;
        let _turn = turn.map_err(|_closed| OcrError::Failed("the reader is closed".to_owned()))?;

        let folder = working_directory()?;
        let mut command = confined(&self.settings, folder.path());
        command.args(["stdin", "stdout", "-l", &languages, "--psm", expected.layout.segmentation()]);
        command.args(["--dpi", DPI]);
        if !expected.characters.is_empty() {
            command.arg("-c").arg(format!("tessedit_char_whitelist={}", expected.characters));
        }
        command.arg("tsv");
        let mut child = command.spawn().map_err(|error| OcrError::Unavailable(error.to_string()))?;
        let answered = timeout(self.settings.time_limit, converse(&mut child, &header, picture.bytes())).await;
        // However the conversation went, nothing of the program is left behind.
        let _ = child.kill().await;
        let answer = answered.map_err(|_elapsed| OcrError::Failed("it took too long".to_owned()))??;
        words::parse(&answer)
    }
}

/// The settings with paths that hold in another working directory and without this process's environment.
fn located(settings: Settings) -> Result<Settings, OcrError> {
    let unavailable = |path: &Path, detail: String| OcrError::Unavailable(format!("{}: {detail}", path.display()));
    let program = which::which(&settings.program).map_err(|error| unavailable(&settings.program, error.to_string()))?;
    let language_data = match &settings.language_data {
        Some(folder) => Some(std::path::absolute(folder).map_err(|error| unavailable(folder, error.to_string()))?),
        None => None,
    };
    Ok(Settings { program, language_data, ..settings })
}

/// An empty folder for one run of the program, deleted with the value.
fn working_directory() -> Result<TempDir, OcrError> {
    tempfile::tempdir().map_err(|error| OcrError::Failed(format!("there is no working directory: {error}")))
}

/// The program, confined: in this folder, with nothing in its environment but what it needs, and with three pipes.
fn confined(settings: &Settings, folder: &Path) -> Command {
    let bounds = Bounds {
        memory_bytes: settings.memory_mb.saturating_mul(BYTES_OF_A_MEGABYTE),
        processor_seconds: settings.time_limit.as_secs().max(1),
    };
    let mut command = settings.launcher.command(bounds, &settings.program);
    command.env_clear();
    // Several pictures are read at the same time; threads of each would only get in each other's way.
    command.env("OMP_THREAD_LIMIT", "1");
    if let Some(language_data) = &settings.language_data {
        command.env("TESSDATA_PREFIX", language_data);
    }
    command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

/// What the program says to one argument, on standard output or, as older ones do, on standard error.
async fn said(settings: &Settings, argument: &str) -> Result<String, OcrError> {
    let folder = working_directory()?;
    let mut command = confined(settings, folder.path());
    let unavailable = |detail: String| OcrError::Unavailable(format!("{}: {detail}", settings.program.display()));
    let asked = timeout(PATIENCE, command.arg(argument).stdin(Stdio::null()).output()).await;
    let output = asked.map_err(|_elapsed| unavailable("it does not answer".to_owned()))?;
    let output = output.map_err(|error| unavailable(error.to_string()))?;
    if !output.status.success() {
        return Err(unavailable(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Hands the picture over and takes the answer at the same time, so that neither waits for the other.
async fn converse(child: &mut Child, header: &[u8], pixels: &[u8]) -> Result<String, OcrError> {
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
        // A program that ends well has read what it needs, whatever the pipe says.
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
    let complaint = async {
        let mut text = Vec::new();
        stderr.take(COMPLAINT_BYTES).read_to_end(&mut text).await.map_err(failed)?;
        Ok(text)
    };
    let ((), answer, complaint) = tokio::try_join!(hand_over, answer, complaint)?;
    let status = child.wait().await.map_err(failed)?;
    if !status.success() {
        let complaint = String::from_utf8_lossy(&complaint);
        return Err(OcrError::Failed(format!("{status}: {}", complaint.trim())));
    }
    Ok(answer)
}
