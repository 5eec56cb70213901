//! The version of a browser executable, without starting the browser.

use std::{path::Path, process::Stdio, time::Duration};

use tokio::process::Command;

use crate::inherit_little;

/// Timeout of `--version`.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The output of `--version`; `None` if the program does not answer. On Windows a browser would open a window instead,
/// so it is not run there.
pub async fn reported_version(program: &Path) -> Option<String> {
    if cfg!(windows) {
        return None;
    }
    let mut command = Command::new(program);
    inherit_little(command.as_std_mut());
    command.arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(TIMEOUT, command.output()).await.ok()?.ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
