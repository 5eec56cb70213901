//! What a browser's program reports as its version without being started.

use std::{path::Path, process::Stdio, time::Duration};

use tokio::process::Command;

use crate::inherit_little;

/// How long `--version` may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The output of `--version`; nothing where the program does not answer. On Windows a browser opens a window instead, so it
/// is not asked there.
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
