//! `cicerone call`: one tool call from a shell, in a browser that stays open between calls.
//!
//! The browser belongs to a *server* in the background, which the first call starts. It listens on a socket at a [`place`]
//! that follows from the working directory and the options, serves all calls that come there, and ends when none has come for a
//! while. [`arguments`] parses the arguments, [`show`] prints the reply.

#[cfg(unix)]
mod arguments;
#[cfg(unix)]
mod connect;
#[cfg(unix)]
mod remote;
#[cfg(unix)]
mod server;
#[cfg(unix)]
mod show;
#[cfg(unix)]
mod socket_path;
#[cfg(target_os = "linux")]
mod unlink_watch;

use std::process::ExitCode;

#[cfg(unix)]
use cicerone_mcp::{Ask, CallError};

use crate::config::{CallFlags, Flags};

#[cfg(unix)]
pub(crate) use server::serve;

/// The tool says that it failed.
#[cfg(unix)]
const TOOL_FAILED: u8 = 1;
/// There is no such tool, or it does not take these arguments.
#[cfg(unix)]
const WRONG_CALL: u8 = 2;
/// The call could not be made, or was not answered.
const NO_ANSWER: u8 = 3;

/// Why a call has no result.
#[derive(Debug, thiserror::Error)]
enum NoResult {
    #[cfg(unix)]
    #[error(transparent)]
    Arguments(#[from] arguments::BadArgument),
    #[cfg(unix)]
    #[error(transparent)]
    Call(#[from] CallError),
    #[cfg(unix)]
    #[error(transparent)]
    NoServer(#[from] connect::NoServer),
    #[cfg(unix)]
    #[error(transparent)]
    NoRemote(#[from] remote::NoRemote),
    #[cfg(unix)]
    #[error(transparent)]
    Shown(#[from] show::NotShown),
    #[cfg(unix)]
    #[error("no directory for output: {0}")]
    NoOutput(std::io::Error),
    #[cfg(not(unix))]
    #[error("`cicerone call` is not supported on this system yet; use a client of the protocol")]
    Unsupported,
}

impl NoResult {
    fn code(&self) -> u8 {
        match self {
            #[cfg(unix)]
            Self::Arguments(_)
            | Self::Call(CallError::Refused { .. })
            | Self::NoRemote(remote::NoRemote::Call(CallError::Refused { .. })) => WRONG_CALL,
            _ => NO_ANSWER,
        }
    }
}

/// Makes the call and prints the reply.
pub(crate) fn run(call: &CallFlags, flags: &Flags) -> ExitCode {
    match make(call, flags) {
        Ok(code) => code,
        Err(none) => {
            eprintln!("cicerone: {none}");
            ExitCode::from(none.code())
        }
    }
}

#[cfg(unix)]
fn make(call: &CallFlags, flags: &Flags) -> Result<ExitCode, NoResult> {
    if let Some(url) = &call.server {
        let mut server = remote::Remote::at(url, flags)?;
        let Some(tool) = &call.tool else {
            let ended = if server.end()? { "Ended the session at" } else { "There is no session at" };
            eprintln!("{ended} {url}.");
            return Ok(ExitCode::SUCCESS);
        };
        return answer(&mut server, tool, call, flags);
    }
    let place = socket_path::SocketPath::of(flags).map_err(connect::NoServer::from)?;
    let Some(tool) = &call.tool else {
        let directory = std::env::current_dir().unwrap_or_default();
        let whose = format!("of these options in {}", directory.display());
        if connect::end(&place)? {
            eprintln!("Ended the server {whose}, and its browser ({}).", flags.browser);
        } else {
            eprintln!("No browser is open: no server runs {whose}.");
        }
        return Ok(ExitCode::SUCCESS);
    };
    let mut caller = connect::connect(&place, flags)?;
    answer(&mut caller, tool, call, flags)
}

/// Calls the tool and shows its result.
#[cfg(unix)]
fn answer<A: Ask>(asker: &mut A, tool: &str, call: &CallFlags, flags: &Flags) -> Result<ExitCode, NoResult>
where
    NoResult: From<A::Error>,
{
    let schema = asker.input_schema(tool)?;
    let arguments = arguments::read(&call.arguments, schema.as_ref())?;
    let result = asker.call(tool, &arguments)?;
    let workspace = crate::workspace::of(flags).map_err(NoResult::NoOutput)?;
    show::show(&result, call.format, &workspace.output())?;
    let failed = result["isError"].as_bool().unwrap_or_default();
    Ok(if failed { ExitCode::from(TOOL_FAILED) } else { ExitCode::SUCCESS })
}

#[cfg(not(unix))]
fn make(_: &CallFlags, _: &Flags) -> Result<ExitCode, NoResult> {
    Err(NoResult::Unsupported)
}

#[cfg(not(unix))]
pub(crate) fn serve(_: &std::path::Path) -> Result<(), crate::Failure> {
    Err(NoResult::Unsupported.into())
}
