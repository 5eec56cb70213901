//! Reaching the server of some calls, and starting it where there is none.

use std::{
    io::{self, BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    path::PathBuf,
    process::{Command, Stdio},
    sync::mpsc,
    time::Duration,
};

use cicerone_mcp::{CallError, Caller, LONGEST_SILENCE};

use super::socket_path::{NoPlace, SocketPath};
use crate::config::Flags;

/// How long a server may take to start. It does not start its browser yet.
const START: Duration = Duration::from_secs(20);

/// How often a server is started for one call.
const STARTS: u32 = 3;

/// How long a server may take to end, with its browser.
const END: Duration = Duration::from_secs(20);

/// What the server writes when it can be connected to.
pub(super) const READY: &str = "ready";

/// Why no server can be reached.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoServer {
    #[error(transparent)]
    SocketPath(#[from] NoPlace),
    #[error("{action}: {source}")]
    Io { action: &'static str, source: io::Error },
    #[error("the option {0} is not UTF-8 text")]
    NoText(String),
    #[error("the server did not start{}", said(.log))]
    Failed { log: String },
    #[error("the server did not start: timed out after {START:?}")]
    TooLate,
    #[error("the server exited right after it started")]
    Gone,
    #[error("{0}\nHint: end that server with `cicerone call --end`")]
    Greeting(CallError),
    #[error("the server did not end: timed out after {END:?}; its log is {}", .log.display())]
    NotEnded { log: PathBuf },
}

fn said(log: &str) -> String {
    if log.is_empty() { String::new() } else { format!("; it said: {log}") }
}

fn io_error(action: &'static str) -> impl Fn(io::Error) -> NoServer {
    move |source| NoServer::Io { action, source }
}

/// A connection to the server of this place, which is started where it is missing.
pub(super) fn connect(place: &SocketPath, flags: &Flags) -> Result<Caller<UnixStream>, NoServer> {
    if let Some(caller) = greet(place)? {
        return Ok(caller);
    }
    let _turn = place.turn_to_start(START)?;
    // Another call may have started it meanwhile; one that is done may have let it end again.
    for _ in 0..STARTS {
        if let Some(caller) = greet(place)? {
            return Ok(caller);
        }
        start(place, flags)?;
    }
    greet(place)?.ok_or(NoServer::Gone)
}

/// Ends the server of this place, and waits until its browser is gone; whether there was one.
pub(super) fn end(place: &SocketPath) -> Result<bool, NoServer> {
    // Open it first: later the file may be another server's.
    let log = std::fs::File::open(place.log());
    if reach(place)?.is_none() {
        return Ok(false);
    }
    remove_socket(place)?;
    let log = log.map_err(io_error("opening the server's log"))?;
    match place.wait_for_end(log, END) {
        Err(NoPlace::Held { path }) => Err(NoServer::NotEnded { log: path }),
        ended => ended.map(|()| true).map_err(Into::into),
    }
}

/// The socket, if a server listens on it.
fn reach(place: &SocketPath) -> Result<Option<UnixStream>, NoServer> {
    match UnixStream::connect(&place.socket) {
        Ok(stream) => Ok(Some(stream)),
        Err(error) if is_nobody(&error) => Ok(None),
        Err(error) => Err(io_error("connecting to the server")(error)),
    }
}

/// Whether no server listens: no socket, or that of a killed server.
fn is_nobody(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

fn greet(place: &SocketPath) -> Result<Option<Caller<UnixStream>>, NoServer> {
    let Some(stream) = reach(place)? else { return Ok(None) };
    let limited = stream
        .set_read_timeout(Some(LONGEST_SILENCE))
        .and_then(|()| stream.set_write_timeout(Some(LONGEST_SILENCE)));
    limited.map_err(io_error("connecting to the server"))?;
    match Caller::greet(stream) {
        Ok(caller) => Ok(Some(caller)),
        // It was about to end when we came.
        Err(CallError::Ended) => Ok(None),
        Err(error) => Err(NoServer::Greeting(error)),
    }
}

fn remove_socket(place: &SocketPath) -> Result<(), NoServer> {
    match std::fs::remove_file(&place.socket) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(io_error("removing the server's socket")(error))
        }
        _ => Ok(()),
    }
}

/// Starts a server, and waits until it can be connected to.
fn start(place: &SocketPath, flags: &Flags) -> Result<(), NoServer> {
    remove_socket(place)?;
    let options: Vec<&str> = flags
        .resolved
        .iter()
        .map(|flag| flag.to_str().ok_or_else(|| NoServer::NoText(flag.to_string_lossy().into_owned())))
        .collect::<Result<_, _>>()?;
    let program = std::env::current_exe().map_err(io_error("finding this program"))?;
    let mut server = Command::new(program)
        .arg("call-server")
        .arg(&place.socket)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(place.fresh_log()?)
        .spawn()
        .map_err(io_error("starting the server"))?;
    // Not as arguments, which everybody on the machine can read: a proxy has a password.
    if let Some(mut input) = server.stdin.take() {
        let options = serde_json::Value::from(options).to_string();
        input.write_all(options.as_bytes()).map_err(io_error("telling the server its options"))?;
    }
    let (tell, heard) = mpsc::channel();
    if let Some(output) = server.stdout.take() {
        std::thread::spawn(move || {
            let mut line = String::new();
            // An unreadable line does not mean that it is ready.
            let _ = BufReader::new(output).read_line(&mut line);
            tell.send(line)
        });
    }
    match heard.recv_timeout(START) {
        Ok(line) if line.trim() == READY => Ok(()),
        Ok(_) => {
            let log = std::fs::read_to_string(place.log()).unwrap_or_default();
            Err(NoServer::Failed { log: log.trim().to_owned() })
        }
        Err(_) => {
            let _ = server.kill();
            Err(NoServer::TooLate)
        }
    }
}
