//! The version reported by an executable.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Timeout of `--version`.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The first output line of `--version`; `None` if there is none in time. On Windows a browser would open a window
/// instead, so it is not run there.
pub(crate) fn reported_version(executable: &Path) -> Option<String> {
    if cfg!(windows) {
        return None;
    }
    let mut command = Command::new(executable);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let stdout = child.stdout.take()?;
    let (send, line) = mpsc::channel();
    thread::spawn(move || {
        let mut line = String::new();
        if BufReader::new(stdout).read_line(&mut line).is_ok() {
            // The receiver is gone if it came too late.
            let _ = send.send(line);
        }
    });
    let line = line.recv_timeout(TIMEOUT);
    // Both fail only if the child is gone already.
    let _ = child.kill();
    let _ = child.wait();
    line.ok().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
}
