//! Directories with cookies and logins are private to their user. Firefox makes its files world-readable and relies on
//! the directory.

use std::{fs::DirBuilder, io, path::Path};

use tempfile::TempDir;

/// Access for the owner only.
#[cfg(unix)]
const PRIVATE: u32 = 0o700;

/// Creates a private directory and its parents. An existing one keeps its mode, unless it is empty.
pub(crate) fn make(directory: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, PRIVATE);
    builder.recursive(true).create(directory)?;
    #[cfg(unix)]
    if std::fs::read_dir(directory)?.next().is_none() {
        std::fs::set_permissions(directory, std::os::unix::fs::PermissionsExt::from_mode(PRIVATE))?;
    }
    Ok(())
}

/// Creates a private temporary directory.
pub(crate) fn temporary(prefix: &str) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(PRIVATE));
    builder.prefix(prefix).tempdir()
}

/// Whether other users can enter a directory: it and all its parents allow it.
#[cfg(unix)]
pub fn others_can_enter(directory: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    /// Search permission of group and others.
    const SEARCH: u32 = 0o011;
    for directory in directory.canonicalize()?.ancestors() {
        if directory.metadata()?.mode() & SEARCH == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Other systems separate users' directories themselves.
#[cfg(not(unix))]
pub fn others_can_enter(_: &Path) -> io::Result<bool> {
    Ok(false)
}
