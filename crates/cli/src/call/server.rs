//! The server of some calls, in the background.

use std::{
    fs::File,
    io::Write,
    mem::ManuallyDrop,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use cicerone_mcp::serve_socket;
use tokio::net::UnixListener;
use tokio_util::sync::CancellationToken;
use tracing_subscriber::layer::Identity;

use super::{connect::READY, socket_path::SocketPath};
use crate::{Failure, config::Cli, logging, secrets, serve, stop};

/// Serves connections on a socket until it is idle for a while, the socket is removed, or a signal arrives. Reads the
/// options from standard input, and writes to standard output when it is ready.
pub(crate) fn serve(socket: &Path) -> Result<(), Failure> {
    // What is sent to the terminal's processes is not for us. It fails only where that is so already.
    let _ = rustix::process::setsid();
    let options: Vec<String> = serde_json::from_reader(std::io::stdin())?;
    let flags = Cli::from_flags(options.into_iter().map(Into::into))?;
    let secrets = Arc::new(secrets::read(flags.secrets.as_deref())?);
    logging::start(&flags, Arc::clone(&secrets), None::<Identity>)?;
    // Held until the process has ended: dropped at the end of this function, it would tell that too early.
    let alive = ManuallyDrop::new(File::open(SocketPath::at(socket).log())?);
    alive.lock_shared()?;

    let session = serve::session(&flags, secrets)?;
    let server = serve::server(&flags, &session);
    serve::runtime()?.block_on(async {
        let listener = UnixListener::bind(socket)?;
        let ours = Ours::at(socket)?;
        let stop = CancellationToken::new();
        stop::on_signals(stop.clone());
        stop_when_removed(ours.clone(), stop.clone())?;
        say_ready()?;
        serve_socket(&listener, server, flags.session_timeout, &stop).await;
        // Remove the socket before closing the listener: afterwards it may be the socket of a new server.
        if ours.is_there() {
            std::fs::remove_file(socket)?;
        }
        drop(listener);
        session.end().await;
        Ok(())
    })
}

/// A file that we created, as opposed to another one of the same name.
#[derive(Clone)]
pub(super) struct Ours {
    pub(super) path: PathBuf,
    identity: (u64, u64),
}

impl Ours {
    fn at(path: &Path) -> std::io::Result<Self> {
        let found = path.symlink_metadata()?;
        Ok(Self { path: path.to_owned(), identity: (found.dev(), found.ino()) })
    }

    pub(super) fn is_there(&self) -> bool {
        self.path.symlink_metadata().is_ok_and(|found| (found.dev(), found.ino()) == self.identity)
    }
}

/// Notifies the process that started us, and closes standard output.
fn say_ready() -> Result<(), Failure> {
    writeln!(std::io::stdout(), "{READY}")?;
    let nothing = File::options().write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdout(&nothing)?;
    Ok(())
}

#[cfg(target_os = "linux")]
fn stop_when_removed(ours: Ours, stop: CancellationToken) -> Result<(), Failure> {
    let removed = super::unlink_watch::watch(ours)?;
    tokio::spawn(async move {
        match removed.await {
            Ok(Ok(())) => stop.cancel(),
            Ok(Err(error)) => tracing::error!(%error, "the socket can no longer be watched"),
            Err(_) => tracing::error!("the socket can no longer be watched"),
        }
    });
    Ok(())
}

/// Without inotify, polls.
#[cfg(not(target_os = "linux"))]
fn stop_when_removed(ours: Ours, stop: CancellationToken) -> Result<(), Failure> {
    tokio::spawn(async move {
        let mut now_and_then = tokio::time::interval(std::time::Duration::from_secs(1));
        while ours.is_there() {
            now_and_then.tick().await;
        }
        stop.cancel();
    });
    Ok(())
}
