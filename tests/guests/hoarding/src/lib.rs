//! A plugin that makes the host hold as much memory as possible, in the way that its parameters select.

use std::hint::black_box;
use std::net::{TcpStream, ToSocketAddrs, UdpSocket};

use fanlight_plugin::language::Prompt;
use fanlight_plugin::nn::bindings::wasi::nn::{errors, graph, tensor};
use fanlight_plugin::vocabulary::{PixelFormat, Raster};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job, language, ocr};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{AsRefStr, EnumIter};
use wasip2::clocks::monotonic_clock;
use wasip2::{cli, io, random};

/// The plugin.
pub struct Hoarding;

/// Selects what to do.
#[derive(Deserialize, JsonSchema)]
pub struct Parameters {
    deed: Deed,
}

/// Ways to make the host hold memory. Its `as_ref` returns the value of the parameter.
///
/// The plugin and its tests match on all deeds, so that one without a test does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, Deserialize, EnumIter, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Deed {
    /// Do nothing.
    Behave,
    /// Create tensors with long shapes and no values, without end.
    HoardDimensions,
    /// Create tensors with values, without end.
    HoardTensors,
    /// Keep the outputs of a network, without end.
    HoardOutputs,
    /// Keep errors about networks with long names, without end.
    HoardErrors,
    /// Load networks without end.
    HoardNetworks,
    /// Start timers without end.
    HoardTimers,
    /// Open standard output without end.
    HoardStreams,
    /// Poll one timer many times in one call.
    PollManyTimes,
    /// Run the network on inputs with long names.
    NameInputsAtLength,
    /// Run the network on an input with many dimensions.
    ShapeInputsAtLength,
    /// Write zeros to standard output in one large call.
    PrintZeros,
    /// Request more random bytes than the limit.
    DrawManyBytes,
    /// Open sockets and resolve addresses.
    ReachOut,
    /// Report progress with long messages.
    ReportAtLength,
    /// Request OCR with long names of languages.
    ExpectManyLanguages,
    /// Send many prompts to the language model.
    AskManyQuestions,
    /// Send long prompts whose JSON form is longer still.
    AskLongQuestions,
    /// Return a partial result that exceeds the limit.
    AnswerAtLength,
}

/// The outcome.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Told {
    /// The host's last answer.
    said: String,
}

/// Bytes of one call, below the package's `host_call_bytes`.
const CALL_BYTES: usize = 24 * 1024 * 1024;
/// Bytes of a tensor. The guest's memory limit holds only a few.
const TENSOR_BYTES: usize = 4 * 1024 * 1024;

impl Model for Hoarding {
    type Parameters = Parameters;
    type Partial = Told;
    type Outcome = Told;

    fn description() -> Description {
        Description {
            name: "hoarding",
            version: "1.0.0",
            summary: "Has the host hold as much as it can.",
            granularity: Granularity::Document,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Told, Failure> {
        let said = match request.parameters.deed {
            Deed::Behave => String::new(),
            Deed::HoardDimensions => {
                let dimensions = vec![1; TENSOR_BYTES / 4];
                hoard(|| tensor::Tensor::new(&dimensions, tensor::TensorType::U8, &[]))
            }
            Deed::HoardTensors => {
                let data = vec![1; TENSOR_BYTES];
                hoard(|| tensor::Tensor::new(&[TENSOR_BYTES as u32], tensor::TensorType::U8, &data))
            }
            Deed::HoardOutputs => {
                let data = vec![0; TENSOR_BYTES];
                hoard(|| doubled("x", &[TENSOR_BYTES as u32 / 4], &data))
            }
            Deed::HoardErrors => {
                let name = "n".repeat(CALL_BYTES);
                hoard(|| graph::load_by_name(&name).map_err(|error| (error.code(), error)))
            }
            Deed::HoardNetworks => hoard(|| graph::load_by_name("doubling")),
            Deed::HoardTimers => hoard(|| monotonic_clock::subscribe_duration(u64::MAX)),
            Deed::HoardStreams => hoard(cli::stdout::get_stdout),
            Deed::PollManyTimes => {
                let timer = monotonic_clock::subscribe_duration(0);
                io::poll::poll(&vec![&timer; 1_000_000]).len().to_string()
            }
            Deed::NameInputsAtLength => said(doubled(&"n".repeat(CALL_BYTES), &[1], &[0; 4])),
            Deed::ShapeInputsAtLength => said(doubled("x", &vec![1; CALL_BYTES / 4], &[0; 4])),
            Deed::PrintZeros => format!("{:?}", cli::stdout::get_stdout().write_zeroes(1 << 40)),
            Deed::DrawManyBytes => random::random::get_random_bytes(1 << 30).len().to_string(),
            Deed::ReachOut => reach_out(),
            Deed::ReportAtLength => {
                let message = "m".repeat(CALL_BYTES);
                (0..100).for_each(|done| job::progress(done, 100, &message));
                String::new()
            }
            Deed::ExpectManyLanguages => {
                let white = Raster::from_bytes(8, 8, PixelFormat::Grey, &[255; 64]);
                let languages = vec!["\u{7f}".repeat(CALL_BYTES / 8); 8];
                let options = ocr::Options { layout: ocr::Layout::Line, languages, characters: String::new() };
                format!("{:?}", ocr::recognize(&white, &options).map(|words| words.len()))
            }
            Deed::AskManyQuestions => asked(100_000, ""),
            Deed::AskLongQuestions => asked(16, &"\u{1}".repeat(1024 * 1024)),
            Deed::AnswerAtLength => "a".repeat(CALL_BYTES),
        };
        Ok(Told { said })
    }

    fn conclude(_: &Request<Parameters>, mut partials: Vec<Told>) -> Result<Told, Failure> {
        partials.pop().ok_or_else(|| Failure::Internal("there was no page".to_owned()))
    }
}

/// Creates values until the host ends the guest, and keeps them all.
fn hoard<T>(make: impl Fn() -> T) -> ! {
    let mut hoard = Vec::new();
    loop {
        hoard.push(make());
        black_box(&hoard);
    }
}

/// Runs the network on an input of this name, shape and data.
fn doubled(name: &str, shape: &[u32], data: &[u8]) -> Result<Vec<(String, tensor::Tensor)>, errors::Error> {
    let context = graph::load_by_name("doubling")?.init_execution_context()?;
    context.compute(vec![(name.to_owned(), tensor::Tensor::new(shape, tensor::TensorType::Fp32, data))])
}

/// Returns the error's text, or `taken`.
fn said<T>(given: Result<T, errors::Error>) -> String {
    given.map_or_else(|error| error.data(), |_| "taken".to_owned())
}

/// Counts how many of a thousand attempts to open sockets or resolve addresses succeed.
fn reach_out() -> String {
    let mut reached = 0;
    for _ in 0..1000 {
        reached += usize::from(TcpStream::connect("127.0.0.1:80").is_ok());
        reached += usize::from(UdpSocket::bind("127.0.0.1:0").is_ok());
        reached += usize::from("localhost:80".to_socket_addrs().is_ok());
    }
    format!("reached {reached}")
}

/// Sends this many equal prompts to the language model and returns the last answer.
fn asked(questions: usize, material: &str) -> String {
    const SCHEMA: &str = r#"{ "type": "object", "properties": {}, "required": [], "additionalProperties": false }"#;
    let question = Prompt { instructions: String::new(), material: material.to_owned(), max_tokens: 100 };
    let answers = language::complete(&vec![question; questions], SCHEMA);
    format!("{:?}", answers.last())
}

fanlight_plugin::export_model!(Hoarding);
