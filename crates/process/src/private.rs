//! Directories that hold a person's cookies and logins are the person's alone. Firefox leaves its files readable to all, and
//! trusts the directory around them.

use std::{fs::DirBuilder, io, path::Path};

use tempfile::TempDir;

/// What only their owner may enter.
#[cfg(unix)]
const PRIVATE: u32 = 0o700;

/// Makes a directory that nobody else can enter, with those above it. One that is there stays as it is, unless it is empty.
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

/// Makes a temporary directory that nobody else can enter.
pub(crate) fn temporary(prefix: &str) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(PRIVATE));
    builder.prefix(prefix).tempdir()
}

/// Whether other users can enter a directory: it lets them, and so do all that it is in.
#[cfg(unix)]
pub fn others_can_enter(directory: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    /// To search a directory: of its group, and of all others.
    const SEARCH: u32 = 0o011;
    for directory in directory.canonicalize()?.ancestors() {
        if directory.metadata()?.mode() & SEARCH == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Other systems keep a person's directories apart by themselves.
#[cfg(not(unix))]
pub fn others_can_enter(_: &Path) -> io::Result<bool> {
    Ok(false)
}
