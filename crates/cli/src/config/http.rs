//! The options of `cicerone serve`, in addition to those of every server.

use std::path::PathBuf;

use clap::{ArgAction, Args};

use super::values;

/// The default address.
pub(crate) const ADDRESS: &str = "127.0.0.1:8931";

/// The variable that holds a token.
pub(crate) const TOKEN_VARIABLE: &str = "CICERONE_TOKEN";

/// What only `cicerone serve` takes.
pub(super) const SERVE_ONLY: [&str; 6] =
    ["http", "http-hosts", "token-file", "max-sessions", "browser-per-client", "conformance"];

#[derive(Args)]
pub(crate) struct HttpFlags {
    /// `serve`: the address to listen on, else 127.0.0.1:8931; a token is required off loopback
    #[arg(long, global = true, value_name = "HOST:PORT", value_parser = values::address, hide_short_help = true)]
    pub(crate) http: Option<String>,
    /// `serve`: names that clients may reach the server by, in addition to its address; comma list
    #[arg(long, global = true, value_name = "NAME", value_delimiter = ',', hide_short_help = true)]
    pub(crate) http_hosts: Vec<String>,
    /// `serve`: a file of bearer tokens, one on each line; also the variable CICERONE_TOKEN
    #[arg(long, global = true, value_name = "FILE", value_parser = values::path(), hide_short_help = true)]
    pub(crate) token_file: Option<PathBuf>,
    /// `serve`: how many sessions there may be at once
    #[arg(long, global = true, value_name = "N", default_value_t = 100, hide_short_help = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) max_sessions: u32,
    /// `serve`: a browser for each client, instead of one for all
    #[arg(long, global = true, value_parser = clap::builder::BoolishValueParser::new())]
    #[arg(num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    #[arg(action = ArgAction::Set, hide_possible_values = true, hide_default_value = true, value_name = "BOOL")]
    #[arg(hide_short_help = true)]
    pub(crate) browser_per_client: bool,
    /// `serve`: add the fixtures of the MCP conformance suite
    #[arg(long, global = true, value_parser = clap::builder::BoolishValueParser::new())]
    #[arg(num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    #[arg(action = ArgAction::Set, hide_possible_values = true, hide_default_value = true, value_name = "BOOL")]
    #[arg(hide_short_help = true)]
    pub(crate) conformance: bool,
}
