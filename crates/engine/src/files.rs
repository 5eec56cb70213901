//! File access: only below allowed directories, after resolving symbolic links.

use std::{
    collections::HashSet,
    io::{self, Write},
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use crate::{Error, FileError, Result};

/// The initial directories.
#[derive(Debug, Clone, Default)]
pub struct Directories {
    /// Base of relative paths. Allowed, unless too wide.
    pub working: PathBuf,
    /// The directory the server was started in, if different: read-only.
    pub read_only: Option<PathBuf>,
    /// For screenshots and downloads; relative to `working`.
    pub output: PathBuf,
    /// Explicitly allowed directories.
    pub allowed: Vec<PathBuf>,
    /// Whether every readable file may also be opened by a `file:` URL.
    pub file_urls: bool,
}

/// The allowed directories, and the output directory.
pub struct Files {
    working: PathBuf,
    read_only: Option<PathBuf>,
    output: PathBuf,
    /// Whether the client runs in the working directory, so that relative paths make sense to it.
    client_is_here: bool,
    /// Resolved when they were allowed.
    roots: RwLock<Vec<PathBuf>>,
    /// The client's MCP roots; it may change them.
    client_roots: RwLock<Vec<PathBuf>>,
    /// Whether every readable file may be opened by its URL; otherwise only files in the client's roots.
    file_urls: bool,
    /// Files written by this process: these may be overwritten.
    written: Mutex<HashSet<PathBuf>>,
}

impl Files {
    /// Directories that are too wide are not allowed implicitly; explicitly allowed ones always are.
    pub fn new(directories: Directories) -> Self {
        let working = resolved(&directories.working);
        let read_only = directories.read_only.as_deref().map(resolved);
        let output = working.join(directories.output);
        let mut roots = vec![working.clone()];
        roots.extend(read_only.clone());
        // Below the working directory it is allowed anyway, unless a link leads outside.
        if !normalized(&output).starts_with(&working) {
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

    /// Replaces the client's roots. Ignores and returns those that are too wide.
    pub fn set_client_roots(&self, directories: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
        let directories = directories.into_iter().map(|directory| resolved(&directory));
        let (too_wide, accepted): (Vec<_>, Vec<_>) =
            directories.partition(|directory| is_too_wide(directory));
        *self.client_roots.write().unwrap_or_else(PoisonError::into_inner) = accepted;
        too_wide
    }

    /// The real path of a file to read: it must exist and be allowed.
    pub fn to_read(&self, path: &Path) -> Result<PathBuf> {
        let path = self.read_path(path);
        let real = path.canonicalize().map_err(|error| self.read_error(&path, error))?;
        self.check(&path, &real)?;
        if real.is_dir() {
            return Err(file_error(&path, io::ErrorKind::IsADirectory.into()));
        }
        Ok(real)
    }

    /// The real path of a file to open by URL: its scripts must be allowed, too.
    pub fn to_open(&self, path: &Path) -> Result<PathBuf> {
        let real = self.to_read(path)?;
        let roots = self.client_roots.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.file_urls || roots.iter().any(|root| real.starts_with(root)) {
            return Ok(real);
        }
        Err(Error::File(FileError::UrlsOff(format!("file://{}", path.display()))))
    }

    /// Whether a file is in the output directory, where a site may have written it.
    pub fn is_output(&self, real: &Path) -> bool {
        real.starts_with(resolved(&self.output))
    }

    /// The path of a file to write; a bare name goes to the output directory. Creates its directory.
    pub fn to_write(&self, name: &Path) -> Result<PathBuf> {
        let bare =
            name.components().count() == 1 && matches!(name.components().next(), Some(Component::Normal(_)));
        let path = if bare { self.output.join(name) } else { self.working.join(name) };
        // Resolved from here on, so that nothing is created behind a link.
        let real = resolved(&path);
        // An output directory too wide to be allowed still takes bare names.
        let in_output = bare && is_too_wide(&self.output) && real.parent() == Some(&*resolved(&self.output));
        if !in_output {
            self.check(&path, &real)?;
        }
        let Some(directory) = real.parent() else { return Err(Error::File(FileError::Outside(path))) };
        if real.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")) {
            return Err(Error::File(FileError::Repository(path)));
        }
        std::fs::create_dir_all(directory).map_err(|error| file_error(directory, error))?;
        if real.is_symlink() {
            // A dangling link.
            return Err(Error::File(FileError::Outside(path)));
        }
        if real.is_dir() {
            return Err(file_error(&path, io::ErrorKind::IsADirectory.into()));
        }
        Ok(real)
    }

    /// Writes a file atomically. Overwrites only files of this process and in the output directory.
    pub fn write(&self, name: &Path, bytes: &[u8]) -> Result<PathBuf> {
        self.may_replace(&self.to_write(name)?)?;
        self.write_with(name, bytes, &std::fs::OpenOptions::new())
    }

    /// The files that were written here, sorted.
    pub fn written(&self) -> Vec<PathBuf> {
        let mut written: Vec<PathBuf> =
            self.written.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        written.sort();
        written
    }

    /// Whether a file may be overwritten: it does not exist, this process wrote it, or it is in the output
    /// directory.
    fn may_replace(&self, path: &Path) -> Result<()> {
        let output = resolved(&self.output);
        let in_output = output != self.working && !is_too_wide(&output) && path.starts_with(&output);
        let ours = self.written.lock().unwrap_or_else(PoisonError::into_inner).contains(path);
        if in_output || ours || !path.exists() {
            Ok(())
        } else {
            Err(Error::File(FileError::Exists(path.to_owned())))
        }
    }

    /// Like [`Self::write`], with mode 0600. Also overwrites a file whose content `replaces` accepts.
    pub fn write_private(
        &self,
        name: &Path,
        bytes: &[u8],
        replaces: impl FnOnce(&[u8]) -> bool,
    ) -> Result<PathBuf> {
        let path = self.to_write(name)?;
        if let Err(not_ours) = self.may_replace(&path) {
            let existing = std::fs::read(&path).map_err(|error| file_error(&path, error))?;
            if !replaces(&existing) {
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
        let partial = path.with_file_name(format!(
            ".{}.part",
            path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default()
        ));
        let write = || {
            // Never follow what an interrupted write left behind.
            match std::fs::remove_file(&partial) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let mut file = options.clone().write(true).create_new(true).open(&partial)?;
            file.write_all(bytes)?;
            std::fs::rename(&partial, &path)
        };
        if let Err(error) = write() {
            // Remove the partial file; the first error is the one to report.
            let _ = std::fs::remove_file(&partial);
            return Err(file_error(&path, error));
        }
        self.written.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone());
        Ok(path)
    }

    /// The file to read: below the working directory, else below the read-only one.
    fn read_path(&self, path: &Path) -> PathBuf {
        let default_path = self.working.join(path);
        let Some(directory) = self.read_only.as_ref().filter(|_| !default_path.exists()) else {
            return default_path;
        };
        let other = directory.join(path);
        if resolved(&other).starts_with(directory) && other.exists() { other } else { default_path }
    }

    /// The path to show to the client: relative if it runs in the working directory.
    pub fn shown(&self, path: &Path) -> PathBuf {
        match self.client_is_here {
            true => path.strip_prefix(&self.working).unwrap_or(path).to_owned(),
            false => path.to_owned(),
        }
    }

    fn check(&self, requested: &Path, real: &Path) -> Result<()> {
        let is_below = |roots: &RwLock<Vec<PathBuf>>| {
            roots.read().unwrap_or_else(PoisonError::into_inner).iter().any(|root| real.starts_with(root))
        };
        let allowed_path = is_below(&self.roots) || is_below(&self.client_roots);
        if allowed_path { Ok(()) } else { Err(Error::File(FileError::Outside(requested.to_owned()))) }
    }

    /// Do not disclose whether a file exists outside.
    fn read_error(&self, path: &Path, error: io::Error) -> Error {
        match self.check(path, &resolved(path)) {
            Err(outside) => outside,
            Ok(()) => file_error(path, error),
        }
    }
}

/// Whether a directory contains the home directory or the whole file system.
pub fn is_too_wide(directory: &Path) -> bool {
    let directory = resolved(directory);
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    directory.parent().is_none() || home.is_some_and(|home| resolved(&home).starts_with(&directory))
}

/// The real path of the part that exists, with the rest appended. Resolves links before `..`.
fn resolved(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            let rest = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
            return normalized(&real.join(rest));
        }
    }
    normalized(path)
}

/// Without `.` and `..`.
fn normalized(path: &Path) -> PathBuf {
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

fn file_error(path: &Path, error: io::Error) -> Error {
    Error::File(FileError::Io { path: path.to_owned(), reason: Arc::new(error) })
}
