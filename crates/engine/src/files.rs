//! Which files may be touched: those below the allowed directories, wherever links lead.

use std::{
    io::{self, Write},
    path::{Component, Path, PathBuf},
    sync::{Arc, RwLock},
};

use crate::{Error, Result};

/// The directories that may be used, and where output goes.
pub struct Files {
    working: PathBuf,
    output: PathBuf,
    /// Without links, as they were when they were allowed.
    roots: RwLock<Vec<PathBuf>>,
}

impl Files {
    /// The working directory, the directory for screenshots and downloads (relative to it), and what else is
    /// allowed.
    pub fn new(working: PathBuf, output: &Path, allowed: impl IntoIterator<Item = PathBuf>) -> Self {
        let working = resolved(&working);
        let output = working.join(output);
        let mut roots = vec![working.clone()];
        // Below the working directory it is allowed anyway, unless a link there leads out.
        if !normal(&output).starts_with(&working) {
            roots.push(resolved(&output));
        }
        roots.extend(allowed.into_iter().map(|path| resolved(&working.join(path))));
        Self { working, output, roots: RwLock::new(roots) }
    }

    /// Allows another directory, as a client's root.
    pub fn allow(&self, directory: PathBuf) {
        let directory = resolved(&directory);
        let mut roots = self.roots.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !roots.contains(&directory) {
            roots.push(directory);
        }
    }

    /// A file that is to be read: it must exist, and be allowed.
    pub fn to_read(&self, path: &Path) -> Result<PathBuf> {
        let path = self.working.join(path);
        let real = path.canonicalize().map_err(|error| self.unreadable(&path, error))?;
        self.check(&path, &real)?;
        if real.is_dir() {
            return Err(file(&path, io::ErrorKind::IsADirectory.into()));
        }
        Ok(real)
    }

    /// A file that is to be written, in the output directory unless the path says otherwise. Its directory is
    /// made where it does not exist.
    pub fn to_write(&self, name: &Path) -> Result<PathBuf> {
        let bare =
            name.components().count() == 1 && matches!(name.components().next(), Some(Component::Normal(_)));
        let path = if bare { self.output.join(name) } else { self.working.join(name) };
        // From here on without links, so that nothing is made where one of them leads.
        let real = resolved(&path);
        self.check(&path, &real)?;
        let Some(directory) = real.parent() else { return Err(Error::Outside(path)) };
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

    /// Writes a file whole or not at all.
    pub fn write(&self, name: &Path, bytes: &[u8]) -> Result<PathBuf> {
        self.write_with(name, bytes, &std::fs::OpenOptions::new())
    }

    /// The same, readable by nobody else.
    pub fn write_private(&self, name: &Path, bytes: &[u8]) -> Result<PathBuf> {
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
        Ok(path)
    }

    /// A path as a client in the working directory would write it.
    pub fn shown(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.working).unwrap_or(path).to_owned()
    }

    fn check(&self, asked: &Path, real: &Path) -> Result<()> {
        let roots = self.roots.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        let inside = roots.iter().any(|root| real.starts_with(root));
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
