//! The command line.

mod accounts;
mod keys;
mod openapi;
mod plugin;
mod run;
mod serve;

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

/// Document intelligence for construction documents, every model in a sandbox.
#[derive(Debug, Parser)]
#[command(name = "fanlight", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the REST API and run its jobs
    Serve {
        #[command(flatten)]
        data: DataFlags,
        /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8080]
        #[arg(long, value_name = "ADDRESS")]
        listen: Option<String>,
        /// What this process does: `api`, `worker` or `api,worker` [default: both]
        #[arg(long, value_name = "ROLES")]
        role: Option<String>,
        /// What runs networks: `auto`, `gpu` or `cpu` [default: auto]
        #[arg(long, value_name = "PROCESSOR")]
        inference: Option<String>,
    },
    /// Make, list and revoke API keys
    Keys {
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// List accounts and change their plans
    Accounts {
        #[command(subcommand)]
        command: AccountsCommand,
    },
    /// Print a link by which the owner of this server signs in once, at a browser
    SignIn {
        #[command(flatten)]
        data: DataFlags,
    },
    /// Run a model on a file, without a server, and print its result
    Run {
        /// The model's name
        model: String,
        /// The document
        file: PathBuf,
        /// Pages to work on, as in 1,4-6; all where none are given
        #[arg(long)]
        pages: Option<String>,
        /// The model's parameters, a JSON object
        #[arg(long, value_name = "JSON")]
        parameters: Option<String>,
        /// For content-extractor: `all` sections of the document's contents, or codes such as 081113,099100
        #[arg(long, value_name = "CODES")]
        sections: Option<String>,
        /// What runs networks: `auto`, `gpu` or `cpu` [default: auto]
        #[arg(long, value_name = "PROCESSOR")]
        inference: Option<String>,
        /// A configuration file
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// Look at the installed plugins, and compile them
    Plugin {
        #[command(subcommand)]
        command: PluginCommand,
        /// A configuration file
        #[arg(long, value_name = "FILE", global = true)]
        config: Option<PathBuf>,
    },
    /// Print the OpenAPI document of the REST API, from which clients in any language can be generated
    Openapi {
        /// Where the server is
        #[arg(long, value_name = "URL", default_value = openapi::SERVER)]
        server: String,
        /// Describe an upload as bytes alone, for client generators that know neither multipart nor application/pdf
        #[arg(long)]
        plain_uploads: bool,
    },
    /// Print the default configuration, which documents every key
    Config,
    /// Give up the network, descriptors and more, and become another program: for programs that the host starts
    #[command(name = CONFINED, hide = true)]
    Confined {
        /// What `fanlight_ocr::become_confined` takes
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
}

#[derive(Debug, Subcommand)]
enum PluginCommand {
    /// List the installed models
    List,
    /// Print what the installed models say of themselves, with JSON Schemas, as JSON
    Describe,
    /// Compile the installed plugins for this machine, so that servers need not
    Compile {
        /// Where to leave the machine code [default: the folder .machine-code beside the plugins]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
enum KeysCommand {
    /// Make a key and print its secret, which is never shown again
    Create {
        #[command(flatten)]
        data: DataFlags,
        /// Name of the account, which is made where there is none
        #[arg(long, value_name = "NAME")]
        account: String,
        /// Tier of the key: free, developer, pro or enterprise
        #[arg(long)]
        tier: Tier,
        /// What to call the key
        #[arg(long, default_value = "command line")]
        name: String,
    },
    /// List the keys of all accounts
    List {
        #[command(flatten)]
        data: DataFlags,
    },
    /// Revoke a key for good
    Revoke {
        #[command(flatten)]
        data: DataFlags,
        /// The key's id, as `keys list` shows it
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
    /// Change an account's plan; its keys above the plan act with the plan from the next request on
    SetPlan {
        #[command(flatten)]
        data: DataFlags,
        /// The account's id, as `accounts list` shows it, or the name of one that `keys create` made
        account: String,
        /// The plan: free, developer, pro or enterprise
        plan: Tier,
    },
}

/// Where the data is.
#[derive(Args, Debug)]
struct DataFlags {
    /// Folder of the database and the uploaded files
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// A configuration file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl DataFlags {
    fn flags(self) -> Flags {
        Flags { config: self.config, data: self.data, ..Flags::default() }
    }
}

/// Does what the command line says.
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
        Command::SignIn { data } => accounts::sign_in(&Configuration::load(&data.flags())?),
        Command::Run { model, file, pages, parameters, sections, inference, config } => {
            let configuration = Configuration::load(&Flags { config, inference, ..Flags::default() })?;
            run::run(&configuration, &run::Request { model, file, pages, parameters, sections })
        }
        Command::Plugin { command, config } => {
            let configuration = Configuration::load(&Flags { config, ..Flags::default() })?;
            match command {
                PluginCommand::List => plugin::list(&configuration),
                PluginCommand::Describe => plugin::describe(&configuration),
                PluginCommand::Compile { out } => plugin::compile(&configuration, out),
            }
        }
        Command::Openapi { server, plain_uploads } => {
            openapi::print(&server, if plain_uploads { Uploads::Octets } else { Uploads::Typed })
        }
        Command::Config => {
            print!("{DEFAULTS}");
            Ok(())
        }
        Command::Confined { arguments } => match become_confined(arguments)? {},
    }
}

/// Works on the database itself, beside a running server or without one.
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

/// A time, for people.
fn shown(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}
