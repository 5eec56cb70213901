//! [`unpack`] writes an archive's entries below a directory, with their modes and symbolic links, and nothing anywhere
//! else. An [`UnpackError`] is what was wrong with the archive.
//!
//! Links are created last, after all files and directories: so nothing is ever written through one, and each is in a
//! real directory. A link may contain `..` only at its beginning, and not more often than its directory is deep.
//! Together this keeps every link inside, even through other links.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::InstallError;
use crate::progress::{Progress, Step, tell};

/// Maximum length of a link target.
const LINK_LIMIT: u64 = 4096;

const BLOCK: usize = 256 * 1024;

/// What was wrong with an archive.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnpackError {
    /// It cannot be read.
    #[error("the archive cannot be read: {cause}")]
    Unreadable {
        /// The reader's error.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// An entry would be written outside the directory.
    #[error("the archive's entry {name:?} is outside the target directory")]
    Escape {
        /// The entry.
        name: String,
    },
    /// Larger than any browser.
    #[error("the archive unpacks to more than {limit} bytes")]
    TooLarge { limit: u64 },
    /// The executable is missing.
    #[error("the archive has no executable {path:?}")]
    NoExecutable {
        /// Its expected path.
        path: &'static str,
    },
}

/// Writes an archive's entries below the directory `into`.
pub(crate) fn unpack(
    archive: &Path,
    into: &Path,
    limit: u64,
    progress: &dyn Progress,
) -> Result<(), InstallError> {
    let file = File::open(archive).map_err(InstallError::disk("open", archive))?;
    let mut archive = ZipArchive::new(io::BufReader::new(file)).map_err(UnpackError::zip)?;
    let mut links = Vec::new();
    let mut room = Room { left: limit, limit };
    for index in 0..archive.len() {
        tell(progress, Step::Unpacking)?;
        let mut entry = archive.by_index(index).map_err(UnpackError::zip)?;
        let escape = || UnpackError::Escape { name: String::from_utf8_lossy(entry.name_raw()).into_owned() };
        let name = entry.enclosed_name().ok_or_else(escape)?;
        let path = into.join(&name);
        if entry.is_dir() {
            create_directory(&path)?;
            continue;
        }
        create_directory(path.parent().unwrap_or(into))?;
        if entry.is_symlink() {
            links.push(Link::read(name, &mut entry)?);
        } else {
            let mode = entry.unix_mode();
            write_file(&mut entry, &path, &mut room, progress)?;
            set_mode(&path, mode).map_err(InstallError::disk("set the mode of", &path))?;
        }
    }
    links.iter().try_for_each(|link| link.create(into))
}

/// The remaining size limit.
struct Room {
    left: u64,
    limit: u64,
}

fn write_file(
    entry: &mut impl Read,
    path: &Path,
    room: &mut Room,
    progress: &dyn Progress,
) -> Result<(), InstallError> {
    let mut file = File::create_new(path).map_err(InstallError::disk("create", path))?;
    let mut block = vec![0; BLOCK];
    loop {
        let length = entry.read(&mut block).map_err(UnpackError::unreadable)?;
        if length == 0 {
            return Ok(());
        }
        let too_large = UnpackError::TooLarge { limit: room.limit };
        room.left = room.left.checked_sub(length as u64).ok_or(too_large)?;
        file.write_all(&block[..length]).map_err(InstallError::disk("write", path))?;
        tell(progress, Step::Unpacking)?;
    }
}

/// A symbolic link to create.
struct Link {
    /// Its path below the directory.
    name: PathBuf,
    target: PathBuf,
}

impl Link {
    fn read(name: PathBuf, entry: &mut impl Read) -> Result<Self, InstallError> {
        let mut target = String::new();
        entry.take(LINK_LIMIT).read_to_string(&mut target).map_err(UnpackError::unreadable)?;
        let link = Link { name, target: PathBuf::from(target) };
        if link.stays_inside() {
            Ok(link)
        } else {
            Err(UnpackError::Escape { name: link.name.display().to_string() }.into())
        }
    }

    fn stays_inside(&self) -> bool {
        let depth = self.name.components().count().saturating_sub(1);
        let up = self.target.components().take_while(|part| *part == Component::ParentDir).count();
        let down = |part| matches!(part, Component::Normal(_));
        up <= depth && self.target.components().skip(up).all(down)
    }

    fn create(&self, into: &Path) -> Result<(), InstallError> {
        let path = into.join(&self.name);
        symlink(&self.target, &path).map_err(InstallError::disk("link", &path))
    }
}

fn create_directory(path: &Path) -> Result<(), InstallError> {
    fs::create_dir_all(path).map_err(InstallError::disk("create", path))
}

/// Sets read, write and execute permissions; archives cannot set user or group ids.
#[cfg(unix)]
fn set_mode(path: &Path, mode: Option<u32>) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    match mode {
        Some(mode) => fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o777)),
        None => Ok(()),
    }
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: Option<u32>) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

/// Windows builds have no links.
#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

impl UnpackError {
    fn zip(error: ZipError) -> Self {
        UnpackError::Unreadable { cause: error.into() }
    }

    fn unreadable(error: io::Error) -> Self {
        UnpackError::Unreadable { cause: error.into() }
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        "the archive is not a usable build: check CICERONE_DOWNLOAD_BASE, or unset it and install again"
    }
}

#[cfg(test)]
mod tests {
    use super::Link;

    #[test]
    fn links_stay_inside() {
        let stays =
            |name: &str, target: &str| Link { name: name.into(), target: target.into() }.stays_inside();
        assert!(stays("app/Versions/Current", "142.0"));
        assert!(stays("app/Helpers", "Versions/Current/Helpers"));
        assert!(stays("app/bin/chrome", "../../chrome"));
        assert!(!stays("app/bin/chrome", "../../../chrome"));
        assert!(!stays("chrome", "/bin/sh"));
        assert!(!stays("a/b/c", "link/../../../out"));
    }
}
