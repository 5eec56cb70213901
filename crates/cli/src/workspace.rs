//! Where files are read and written: below the working directory, or below a directory of the user where that one will
//! not do. Desktop clients start their servers in `/` or in directories that cannot be written.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use cicerone_engine::{Directories, is_too_wide};

use crate::{
    config::{Flags, SCREENSHOT_DIR},
    serve::data_directory,
};

/// The directories, and why they are not those of the working directory.
pub(crate) struct Workspace {
    pub(crate) directories: Directories,
    pub(crate) instead: Option<Unusable>,
}

/// Why files are not saved below the working directory.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// There is none any more.
    Gone,
    /// It contains the home directory or the whole file system.
    TooWide(PathBuf),
    /// No file can be made there.
    ReadOnly(PathBuf),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone => f.write_str("the working directory no longer exists"),
            Self::TooWide(path) => {
                write!(f, "the working directory {} is too wide to be allowed", path.display())
            }
            Self::ReadOnly(path) => write!(f, "the working directory {} cannot be written", path.display()),
        }
    }
}

impl Workspace {
    /// Where screenshots and downloads go, as this process may write it.
    pub(crate) fn output(&self) -> PathBuf {
        match &self.directories {
            Directories { output, .. } if self.instead.is_none() => output.clone(),
            // Without the slash that joining nothing would add.
            Directories { working, output, .. } if output.as_os_str().is_empty() => working.clone(),
            Directories { working, output, .. } => working.join(output),
        }
    }
}

/// The directories for these options, from where the program was started.
pub(crate) fn of(flags: &Flags) -> io::Result<Workspace> {
    let started_in = std::env::current_dir();
    let instead = unusable(started_in.as_deref().ok());
    let allowed = flags.allow_path.iter().map(|path| match &started_in {
        Ok(directory) => directory.join(path),
        Err(_) => path.clone(),
    });
    let mut directories = Directories {
        output: flags.screenshot_dir.clone(),
        allowed: allowed.collect(),
        file_urls: flags.allow_file_urls,
        ..Directories::default()
    };
    match &instead {
        None => directories.working = started_in?,
        Some(reason) => {
            directories.working = of_user()?;
            if directories.output == Path::new(SCREENSHOT_DIR) {
                directories.output = PathBuf::new();
            }
            if let Unusable::ReadOnly(path) = reason {
                directories.read_only = Some(path.clone());
            }
        }
    }
    Ok(Workspace { directories, instead })
}

fn unusable(directory: Option<&Path>) -> Option<Unusable> {
    let Some(directory) = directory else { return Some(Unusable::Gone) };
    if is_too_wide(directory) {
        return Some(Unusable::TooWide(directory.to_owned()));
    }
    tempfile::tempfile_in(directory).is_err().then(|| Unusable::ReadOnly(directory.to_owned()))
}

/// The user's own directory for our files; a temporary one where the user has no directory for data.
fn of_user() -> io::Result<PathBuf> {
    match data_directory() {
        Some(data) => Ok(data.join("cicerone/files")),
        None => Ok(tempfile::Builder::new().prefix("cicerone-files-").tempdir()?.keep()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_worked_in() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(unusable(Some(directory.path())), None);
        assert_eq!(unusable(Some(Path::new("/"))), Some(Unusable::TooWide("/".into())));
        let home = std::env::home_dir().unwrap();
        assert_eq!(unusable(Some(&home)), Some(Unusable::TooWide(home)));
        assert_eq!(unusable(None), Some(Unusable::Gone));
        let gone = directory.path().join("gone");
        assert_eq!(unusable(Some(&gone)), Some(Unusable::ReadOnly(gone)));
    }
}
