//! The command line.

mod accounts;
mod keys;
mod labels;
mod local_file;
mod openapi;
mod output;
mod plugin;
mod run;
mod searchable;
mod serve;
mod text;

use std::ffi::OsString;
use std::path::PathBuf;

use chrono::{DateTime, SecondsFormat, Utc};
use clap::{Args, Parser, Subcommand};
use fanlight_ocr::become_confined;
use fanlight_store::{Store, Tier};
use tokio::runtime::Builder;
use uuid::Uuid;

use crate::api::Uploads;
use crate::configuration::{Configuration, DEFAULTS, Flags};
use crate::domain::service::open_store;
use crate::runtime::logging;
use crate::runtime::ocr::CONFINED;

pub(crate) use self::output::tell;

/// Document intelligence for construction documents, every model in a sandbox.
#[derive(Debug, Parser)]
#[command(name = "fanlight", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the REST API and run its jobs
    Serve {
        #[command(flatten)]
        data: DataFlags,
        /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8080]
        #[arg(long, value_name = "ADDRESS")]
        listen: Option<String>,
        /// Roles of this process: `api`, `worker` or `api,worker` [default: both]
        #[arg(long, value_name = "ROLES")]
        role: Option<String>,
        /// Processor for networks: `auto`, `gpu` or `cpu` [default: auto]
        #[arg(long, value_name = "PROCESSOR")]
        inference: Option<String>,
    },
    /// Create, list and revoke API keys
    Keys {
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// List accounts and change their plans
    Accounts {
        #[command(subcommand)]
        command: AccountsCommand,
    },
    /// Print a link with which the owner of this server signs in once, in a browser
    SignIn {
        #[command(flatten)]
        data: DataFlags,
    },
    /// Write what people have said of results, as labels that measure a model
    Labels {
        #[command(subcommand)]
        command: LabelsCommand,
    },
    /// Run a model on a file, without a server, and print its result
    Run {
        /// Name of the model
        model: String,
        /// PDF file to analyze
        file: PathBuf,
        /// Pages to analyze, such as 1,4-6 [default: all]
        #[arg(long)]
        pages: Option<String>,
        /// Parameters of the model, as a JSON object
        #[arg(long, value_name = "JSON")]
        parameters: Option<String>,
        /// Form of the result. `csv` and `xlsx` are for schedules
        #[arg(long, value_name = "FORMAT", default_value = "json")]
        format: run::OutputFormat,
        /// For content-extractor: `all` sections in the table of contents, or codes such as 081113,099100
        #[arg(long, value_name = "CODES")]
        sections: Option<String>,
        /// Processor for networks: `auto`, `gpu` or `cpu` [default: auto]
        #[arg(long, value_name = "PROCESSOR")]
        inference: Option<String>,
        /// Configuration file
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Print the lines of a file's pages in reading order, by OCR where a page has no text layer
    Text {
        /// PDF file to read
        file: PathBuf,
        /// Pages to read, such as 1,4-6 [default: all]
        #[arg(long)]
        pages: Option<String>,
        /// Which pages are read by OCR
        #[arg(long, value_name = "PAGES", default_value = "auto")]
        ocr: text::UseOcr,
        /// Print a JSON object a line: its page, text, box, source, direction, and confidence of OCR
        #[arg(long)]
        json: bool,
        /// Processor for networks: `auto`, `gpu` or `cpu` [default: auto]
        #[arg(long, value_name = "PROCESSOR")]
        inference: Option<String>,
        /// Configuration file
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Write a copy of a file in which a viewer finds and marks the words of pages without text
    Searchable {
        /// PDF file to read
        file: PathBuf,
        /// File to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Pages to read, such as 1,4-6 [default: all]
        #[arg(long)]
        pages: Option<String>,
        /// Which pages are read by OCR. With `always`, words are left out that a page's own text has at the same place
        #[arg(long, value_name = "PAGES", default_value = "auto", value_parser = ["auto", "always"])]
        ocr: String,
        /// Processor for networks: `auto`, `gpu` or `cpu` [default: auto]
        #[arg(long, value_name = "PROCESSOR")]
        inference: Option<String>,
        /// Configuration file
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Write, check, run, test, pack and install plugins; list, describe and compile the installed ones
    Plugin {
        #[command(subcommand)]
        command: PluginCommand,
        /// Configuration file
        #[arg(long, value_name = "FILE", global = true)]
        config: Option<PathBuf>,
    },
    /// Print the OpenAPI document of the REST API, from which clients can be generated
    Openapi {
        /// Address of the server
        #[arg(long, value_name = "URL", default_value = openapi::SERVER)]
        server: String,
        /// Describe uploads as application/octet-stream only, for client generators without multipart or
        /// application/pdf
        #[arg(long)]
        plain_uploads: bool,
    },
    /// Print the default configuration, which documents every key
    Config,
    /// Confine this process and become another program; for programs that the server starts
    #[command(name = CONFINED, hide = true)]
    Confined {
        /// Arguments of `fanlight_ocr::become_confined`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

#[derive(Debug, Subcommand)]
enum PluginCommand {
    #[command(flatten)]
    Author(plugin::AuthorCommand),
    #[command(flatten)]
    Packages(plugin::PackageCommand),
    /// Print the descriptions of the installed models as JSON, with their JSON Schemas
    Describe,
    /// Compile the installed plugins for this machine before a server starts
    Compile {
        /// Folder for the machine code [default: the folder .machine-code beside the plugins]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
enum KeysCommand {
    /// Create a key and print its secret, which is never shown again
    Create {
        #[command(flatten)]
        data: DataFlags,
        /// Name of the account, which is created if it does not exist
        #[arg(long, value_name = "NAME")]
        account: String,
        /// Tier of the key: free, developer, pro or enterprise
        #[arg(long)]
        tier: Tier,
        /// Name of the key
        #[arg(long, default_value = "command line")]
        name: String,
    },
    /// List the keys of all accounts
    List {
        #[command(flatten)]
        data: DataFlags,
    },
    /// Revoke a key permanently
    Revoke {
        #[command(flatten)]
        data: DataFlags,
        /// ID of the key, as `keys list` shows it
        id: Uuid,
    },
}

#[derive(Debug, Subcommand)]
enum AccountsCommand {
    /// List the accounts
    List {
        #[command(flatten)]
        data: DataFlags,
    },
    /// Change the plan of an account; keys of a higher tier get the plan's limits from the next request on
    SetPlan {
        #[command(flatten)]
        data: DataFlags,
        /// ID of the account, as `accounts list` shows it, or name of an account that `keys create` has created
        account: String,
        /// Plan: free, developer, pro or enterprise
        plan: Tier,
    },
}

#[derive(Debug, Subcommand)]
enum LabelsCommand {
    /// Write a folder for each reviewed model, with labels/ and pdf/, which `cargo xtask eval --reviewed` measures
    ///
    /// A page is written once every item on it that the model is sure of has been accepted, corrected or rejected. The
    /// folders hold the uploaded files: they belong to whoever has uploaded them.
    Export {
        #[command(flatten)]
        data: DataFlags,
        /// Folder to write; it must be new or empty
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Account, by the id that `accounts list` shows or by name [default: all]
        #[arg(long, value_name = "ACCOUNT")]
        account: Option<String>,
    },
}

/// Flags that select the data.
#[derive(Args, Debug)]
struct DataFlags {
    /// Folder of the database and the uploaded files
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Configuration file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl DataFlags {
    /// Returns the flags of the configuration.
    fn flags(self) -> Flags {
        Flags { config: self.config, data: self.data, ..Flags::default() }
    }
}

/// Runs the command on the command line.
pub(crate) fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Serve { data, listen, role, inference } => {
            serve::serve(&Configuration::load(&Flags { listen, role, inference, ..data.flags() })?)
        }
        Command::Keys { command: KeysCommand::Create { data, account, tier, name } } => {
            keys::create(&Configuration::load(&data.flags())?, &account, tier, name)
        }
        Command::Keys { command: KeysCommand::List { data } } => keys::list(&Configuration::load(&data.flags())?),
        Command::Keys { command: KeysCommand::Revoke { data, id } } => {
            keys::revoke(&Configuration::load(&data.flags())?, id)
        }
        Command::Accounts { command: AccountsCommand::List { data } } => {
            accounts::list(&Configuration::load(&data.flags())?)
        }
        Command::Accounts { command: AccountsCommand::SetPlan { data, account, plan } } => {
            accounts::set_plan(&Configuration::load(&data.flags())?, &account, plan)
        }
        Command::Labels { command: LabelsCommand::Export { data, out, account } } => {
            labels::export(&Configuration::load(&data.flags())?, &out, account.as_deref())
        }
        Command::SignIn { data } => accounts::sign_in(&Configuration::load(&data.flags())?),
        Command::Run { model, file, pages, parameters, format, sections, inference, config } => {
            let configuration = Configuration::load(&Flags { config, inference, ..Flags::default() })?;
            run::run(&configuration, &run::Request { model, file, pages, parameters, format, sections })
        }
        Command::Text { file, pages, ocr, json, inference, config } => {
            let configuration = Configuration::load(&Flags { config, inference, ..Flags::default() })?;
            text::run(&configuration, &text::Request { file, pages, ocr, json })
        }
        Command::Searchable { file, out, pages, ocr, inference, config } => {
            let configuration = Configuration::load(&Flags { config, inference, ..Flags::default() })?;
            let ocr = if ocr == "always" { text::UseOcr::Always } else { text::UseOcr::Auto };
            searchable::run(&configuration, &searchable::Request { file, out, pages, ocr })
        }
        Command::Plugin { command, config } => {
            let configuration = Configuration::load(&Flags { config, ..Flags::default() })?;
            match command {
                PluginCommand::Author(command) => plugin::author(&configuration, command),
                PluginCommand::Packages(command) => plugin::packages(&configuration, command),
                PluginCommand::Describe => plugin::describe(&configuration),
                PluginCommand::Compile { out } => plugin::compile(&configuration, out),
            }
        }
        Command::Openapi { server, plain_uploads } => {
            openapi::print(&server, if plain_uploads { Uploads::Octets } else { Uploads::Typed })
        }
        Command::Config => output::print(DEFAULTS),
        Command::Confined { arguments } => match become_confined(arguments)? {},
    }
}

/// Opens the database, whether a server is running or not, and does some work on it.
fn with_store(
    configuration: &Configuration,
    work: impl AsyncFnOnce(&Store) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    logging::start(&configuration.log, "warn")?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = open_store(configuration).await?;
        let done = work(&store).await;
        store.close().await;
        done
    })
}

/// Formats a time for people, in UTC to the second.
fn format_time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}
