//! Which files may be touched: those below the allowed directories, wherever links lead.

use std::{
    collections::HashSet,
    io::{self, Write},
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use crate::{Error, Result};

/// The directories to begin with.
#[derive(Debug, Clone, Default)]
pub struct Directories {
    /// Where relative paths start. Allowed, unless it is too wide to be.
    pub working: PathBuf,
    /// Where the server was started, if that is another directory: files there can be read, but not written.
    pub read_only: Option<PathBuf>,
    /// Where screenshots and downloads go; relative to `working`.
    pub output: PathBuf,
    /// What else was explicitly allowed.
    pub allowed: Vec<PathBuf>,
    /// Whether all files that may be read may also be opened as documents, by `file:` URLs.
    pub file_urls: bool,
}

/// A directory that contains the whole home directory or the whole file system, and was not explicitly allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} contains the home directory or the whole file system", .0.display())]
pub struct TooWide(pub PathBuf);

/// The directories that may be used, and where output goes.
pub struct Files {
    working: PathBuf,
    read_only: Option<PathBuf>,
    output: PathBuf,
    /// Whether the client works in the working directory too, so that it understands relative paths.
    client_is_here: bool,
    /// Without links, as they were when they were allowed.
    roots: RwLock<Vec<PathBuf>>,
    /// Those that the client gave, and may withdraw.
    client_roots: RwLock<Vec<PathBuf>>,
    /// Whether every file that may be read may be opened by its URL; else only those in the client's own roots.
    file_urls: bool,
    /// The files that were written here: these may be replaced.
    written: Mutex<HashSet<PathBuf>>,
}

impl Files {
    /// The directories to begin with. Those that are too wide become no roots by themselves; what was explicitly
    /// allowed always does.
    pub fn new(directories: Directories) -> Self {
        let working = resolved(&directories.working);
        let read_only = directories.read_only.as_deref().map(resolved);
        let output = working.join(directories.output);
        let mut roots = vec![working.clone()];
        roots.extend(read_only.clone());
        // Below the working directory it is allowed anyway, unless a link there leads out.
        if !normal(&output).starts_with(&working) {
            roots.push(resolved(&output));
        }
        roots.retain(|root| !is_too_wide(root));
        roots.extend(directories.allowed.into_iter().map(|path| resolved(&working.join(path))));
        let started_in = std::env::current_dir().ok().map(|started_in| resolved(&started_in));
        let client_is_here = started_in.as_ref() == Some(&working);
        Self {
            working,
            read_only,
            output,
            client_is_here,
            roots: RwLock::new(roots),
            client_roots: RwLock::default(),
            file_urls: directories.file_urls,
            written: Mutex::default(),
        }
    }

    /// The client's roots, in place of those that it gave before. Those that are too wide are not used.
    pub fn set_client_roots(&self, directories: impl IntoIterator<Item = PathBuf>) -> Vec<TooWide> {
        let directories = directories.into_iter().map(|directory| resolved(&directory));
        let (too_wide, fine): (Vec<_>, Vec<_>) = directories.partition(|directory| is_too_wide(directory));
        *self.client_roots.write().unwrap_or_else(PoisonError::into_inner) = fine;
        too_wide.into_iter().map(TooWide).collect()
    }

    /// A file that is to be read: it must exist, and be allowed.
    pub fn to_read(&self, path: &Path) -> Result<PathBuf> {
        let path = self.to_look_at(path);
        let real = path.canonicalize().map_err(|error| self.unreadable(&path, error))?;
        self.check(&path, &real)?;
        if real.is_dir() {
            return Err(file(&path, io::ErrorKind::IsADirectory.into()));
        }
        Ok(real)
    }

    /// A file that is to be opened by its URL: it must exist, and not only its content but its scripts be allowed.
    pub fn to_open(&self, path: &Path) -> Result<PathBuf> {
        let real = self.to_read(path)?;
        let roots = self.client_roots.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.file_urls || roots.iter().any(|root| real.starts_with(root)) {
            return Ok(real);
        }
        Err(Error::FileUrlsOff(format!("file://{}", path.display())))
    }

    /// Whether a file is where downloads go, so that a site may have written it.
    pub fn is_output(&self, real: &Path) -> bool {
        real.starts_with(resolved(&self.output))
    }

    /// A file that is to be written, in the output directory unless the path says otherwise. Its directory is
    /// made where it does not exist.
    pub fn to_write(&self, name: &Path) -> Result<PathBuf> {
        let bare =
            name.components().count() == 1 && matches!(name.components().next(), Some(Component::Normal(_)));
        let path = if bare { self.output.join(name) } else { self.working.join(name) };
        // From here on without links, so that nothing is made where one of them leads.
        let real = resolved(&path);
        // An output directory that is too wide to be a root still takes files of its own.
        let in_output = bare && is_too_wide(&self.output) && real.parent() == Some(&*resolved(&self.output));
        if !in_output {
            self.check(&path, &real)?;
        }
        let Some(directory) = real.parent() else { return Err(Error::Outside(path)) };
        if real.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")) {
            return Err(Error::Repository(path));
        }
        std::fs::create_dir_all(directory).map_err(|error| file(directory, error))?;
        if real.is_symlink() {
            // One that leads nowhere yet.
            return Err(Error::Outside(path));
        }
        if real.is_dir() {
            return Err(file(&path, io::ErrorKind::IsADirectory.into()));
        }
        Ok(real)
    }

    /// Writes a file whole or not at all. Of the files that are there, only our own are replaced.
    pub fn write(&self, name: &Path, bytes: &[u8]) -> Result<PathBuf> {
        self.may_replace(&self.to_write(name)?)?;
        self.write_with(name, bytes, &std::fs::OpenOptions::new())
    }

    /// Whether a file is ours to replace: there is none yet, it was written here, or it is where all output goes.
    fn may_replace(&self, path: &Path) -> Result<()> {
        let output = resolved(&self.output);
        let in_output = output != self.working && !is_too_wide(&output) && path.starts_with(&output);
        let ours = self.written.lock().unwrap_or_else(PoisonError::into_inner).contains(path);
        if in_output || ours || !path.exists() { Ok(()) } else { Err(Error::Exists(path.to_owned())) }
    }

    /// The same, readable by nobody else. A file that `replaces` takes for an earlier one of ours is replaced too.
    pub fn write_private(
        &self,
        name: &Path,
        bytes: &[u8],
        replaces: impl FnOnce(&[u8]) -> bool,
    ) -> Result<PathBuf> {
        let path = self.to_write(name)?;
        if let Err(not_ours) = self.may_replace(&path) {
            let there = std::fs::read(&path).map_err(|error| file(&path, error))?;
            if !replaces(&there) {
                return Err(not_ours);
            }
        }
        let mut options = std::fs::OpenOptions::new();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        self.write_with(name, bytes, &options)
    }

    fn write_with(&self, name: &Path, bytes: &[u8], options: &std::fs::OpenOptions) -> Result<PathBuf> {
        let path = self.to_write(name)?;
        let half = path.with_file_name(format!(
            ".{}.part",
            path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default()
        ));
        let write = || {
            // One that was left by a write that was cut off is not followed, whatever it is.
            match std::fs::remove_file(&half) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let mut file = options.clone().write(true).create_new(true).open(&half)?;
            file.write_all(bytes)?;
            std::fs::rename(&half, &path)
        };
        if let Err(error) = write() {
            // Whatever there is of it must not stay; that it cannot be removed is told by the first error.
            let _ = std::fs::remove_file(&half);
            return Err(file(&path, error));
        }
        self.written.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone());
        Ok(path)
    }

    /// Where a file is read from: below the working directory, else below the one that can only be read.
    fn to_look_at(&self, path: &Path) -> PathBuf {
        let usual = self.working.join(path);
        let Some(directory) = self.read_only.as_ref().filter(|_| !usual.exists()) else { return usual };
        let other = directory.join(path);
        if resolved(&other).starts_with(directory) && other.exists() { other } else { usual }
    }

    /// A path as a client in the working directory would write it. Absolute where the client is not there.
    pub fn shown(&self, path: &Path) -> PathBuf {
        match self.client_is_here {
            true => path.strip_prefix(&self.working).unwrap_or(path).to_owned(),
            false => path.to_owned(),
        }
    }

    fn check(&self, asked: &Path, real: &Path) -> Result<()> {
        let among = |roots: &RwLock<Vec<PathBuf>>| {
            roots.read().unwrap_or_else(PoisonError::into_inner).iter().any(|root| real.starts_with(root))
        };
        let inside = among(&self.roots) || among(&self.client_roots);
        if inside { Ok(()) } else { Err(Error::Outside(asked.to_owned())) }
    }

    /// Whether a file exists outside is nobody's business.
    fn unreadable(&self, path: &Path, error: io::Error) -> Error {
        match self.check(path, &resolved(path)) {
            Err(outside) => outside,
            Ok(()) => file(path, error),
        }
    }
}

/// Whether a directory contains the home directory or the whole file system.
pub fn is_too_wide(directory: &Path) -> bool {
    let directory = resolved(directory);
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    directory.parent().is_none() || home.is_some_and(|home| resolved(&home).starts_with(&directory))
}

/// The real path of as much as exists, with the rest as it is written. Links are followed before `..` is.
fn resolved(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            let rest = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
            return normal(&real.join(rest));
        }
    }
    normal(path)
}

/// Without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

fn file(path: &Path, error: io::Error) -> Error {
    Error::File { path: path.to_owned(), reason: Arc::new(error) }
}
