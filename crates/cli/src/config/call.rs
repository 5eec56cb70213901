//! The arguments of `cicerone call`.

use clap::Args;

use super::values::ReplyFormat;

#[derive(Args)]
#[command(after_help = "\
A value is read as the type of its parameter; a list is given item by item.
The browser stays open until no call came for --session-timeout.
Exit code: 0 done, 1 the tool failed, 2 wrong tool or arguments, 3 no answer.")]
pub(crate) struct CallFlags {
    /// The tool's name
    #[arg(required_unless_present = "end")]
    pub(crate) tool: Option<String>,
    /// Its arguments: key=value …, or one JSON object
    #[arg(value_name = "KEY=VALUE|JSON")]
    pub(crate) arguments: Vec<String>,
    /// text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    pub(crate) format: ReplyFormat,
    /// A running server: http://127.0.0.1:8931/mcp
    #[arg(long, value_name = "URL", value_parser = super::values::server_url)]
    pub(crate) server: Option<url::Url>,
    /// Close the browser and end its server
    #[arg(long, conflicts_with_all = ["tool", "arguments"])]
    pub(crate) end: bool,
}
