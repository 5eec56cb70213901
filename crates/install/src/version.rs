//! The version that an executable reports.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long `--version` may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The first line that an executable prints for `--version`; nothing where it prints none in time. On Windows a browser
/// opens a window instead, so it is not run there.
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
            // Nobody listens any more where it came too late.
            let _ = send.send(line);
        }
    });
    let line = line.recv_timeout(TIMEOUT);
    // Neither fails but where the child is gone, which is what is wanted.
    let _ = child.kill();
    let _ = child.wait();
    line.ok().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())
}
