//! The commands of the program.

use std::path::PathBuf;

use cicerone_driver::Engine;
use clap::Subcommand;

use super::{CallFlags, ListFormat, ReportFormat, values};

/// What to do; without one, serve a client on standard input and output.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Find or install a browser
    Install {
        /// chromium, firefox or webkit
        #[arg(value_parser = values::engine(), default_value = "chromium", hide_possible_values = true)]
        engine: Engine,
    },
    /// Check what the server needs, with the fix for what is missing
    Doctor {
        /// text or json
        #[arg(long, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
        format: ReportFormat,
    },
    /// Print the tools that the server offers
    Tools {
        /// text, json or markdown
        #[arg(long, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
        format: ListFormat,
    },
    /// Call one tool, in a browser that stays open between calls
    Call(CallFlags),
    /// Use your own Chrome: install its extension, or print where it is
    Extension {
        #[command(subcommand)]
        command: ExtensionCommand,
    },
    /// Serve many clients over HTTP, at /mcp
    Serve,
    /// Print shell completions
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Show the server at work, and how to set up clients
    Demo,
    /// Print help, also for one command
    // One screen has no room for what `--help` says too.
    #[command(hide = true)]
    Help {
        /// Which one
        command: Option<String>,
    },
    /// Print what may come next in a call that is being typed, a line each
    #[command(hide = true)]
    Complete {
        /// What is typed so far, from the first word after the program
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Clean up after a server that was killed
    #[command(hide = true)]
    Janitor {
        /// The profile to remove
        profile: PathBuf,
    },
    /// Serve the calls of shells; its options come on standard input
    #[command(hide = true)]
    CallServer {
        /// The socket to listen on
        socket: PathBuf,
    },
    /// Print the generated files of this repository, as JSON
    #[command(hide = true)]
    Reference,
}

/// What can be done with the extension.
#[derive(Subcommand)]
pub(crate) enum ExtensionCommand {
    /// Write the extension's files, say how to load them, and wait until it connects
    Install,
    /// Print the directory of the extension
    Path,
}

impl Command {
    /// Whether it goes by what a person has configured.
    pub(super) fn is_configured(&self) -> bool {
        !matches!(
            self,
            Self::Janitor { .. }
                | Self::CallServer { .. }
                | Self::Reference
                | Self::Completions { .. }
                | Self::Extension { .. }
                | Self::Help { .. }
        )
    }
}
