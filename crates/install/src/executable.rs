//! Checks whether a path can be run, and searches `PATH`.

use std::path::{Path, PathBuf};

use crate::environment::Environment;

/// Why a path cannot be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It does not exist or is not visible.
    #[error("does not exist")]
    Absent,
    /// A directory or a device.
    #[error("is not a file")]
    NotAFile,
    /// No execute permission.
    #[error("is not executable")]
    NotExecutable,
}

/// Checks that a path is an executable file.
pub(crate) fn check(path: &Path) -> Result<(), Problem> {
    let metadata = std::fs::metadata(path).map_err(|_| Problem::Absent)?;
    if !metadata.is_file() {
        return Err(Problem::NotAFile);
    }
    if !has_execute_bit(&metadata) {
        return Err(Problem::NotExecutable);
    }
    Ok(())
}

/// Whether a path is an executable file.
pub(crate) fn runs(path: &Path) -> bool {
    check(path).is_ok()
}

/// The first executable of that name on the environment's `PATH`.
///
/// Relative entries are skipped: the content of the working directory is not installed software.
pub(crate) fn on_path(environment: &Environment, name: &str) -> Option<PathBuf> {
    let path = environment.get("PATH")?;
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(&file))
        .find(|candidate| runs(candidate))
}

#[cfg(unix)]
fn has_execute_bit(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn has_execute_bit(_: &std::fs::Metadata) -> bool {
    true
}
