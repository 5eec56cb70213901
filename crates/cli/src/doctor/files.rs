//! Files and directories: the configuration, the secrets, and where things are written.

use std::path::Path;

use super::{Finding, Patient};
use crate::{config::FILE_NAME, secrets as secrets_file, workspace};

pub(super) fn configuration(patient: &Patient<'_>) -> Option<Finding> {
    Some(Finding::fine(match &patient.flags.configured_by {
        // What is wrong in it ends the program before this.
        Some(path) => format!("{} is in use", path.display()),
        None => format!("no {FILE_NAME} here; flags and variables alone"),
    }))
}

pub(super) fn screenshots(patient: &Patient<'_>) -> Option<Finding> {
    let fix = "choose another directory with --screenshot-dir";
    let workspace = match workspace::of(patient.flags) {
        Ok(workspace) => workspace,
        Err(error) => return Some(Finding::bad(format!("no directory for output: {error}"), fix)),
    };
    let mut finding = writable(&workspace.output(), fix);
    if let Some(reason) = workspace.instead {
        finding.says = format!("{} ({reason})", finding.says);
    }
    Some(finding)
}

pub(super) fn temporary(_: &Patient<'_>) -> Option<Finding> {
    Some(writable(&std::env::temp_dir(), "set TMPDIR to a directory that can be written"))
}

/// Whether a file can be made in a directory, which is made when it is needed.
fn writable(directory: &Path, fix: &str) -> Finding {
    let nearest = directory.ancestors().find(|path| path.exists());
    // The last ancestor of a relative path is the working directory, and has no name.
    let nearest = nearest.unwrap_or(Path::new("."));
    match tempfile::tempfile_in(nearest) {
        Ok(_) if nearest == directory => Finding::fine(format!("{} can be written", directory.display())),
        Ok(_) => Finding::fine(format!("{} can be made", directory.display())),
        Err(error) => Finding::bad(format!("{} cannot be written: {error}", directory.display()), fix),
    }
}

pub(super) fn secrets(patient: &Patient<'_>) -> Option<Finding> {
    let path = patient.flags.secrets.as_deref()?;
    let secrets = match secrets_file::read(Some(path)) {
        Ok(secrets) => secrets,
        Err(error) => return Some(Finding::bad(error.to_string(), "correct the file, or name another one")),
    };
    if others_can_read(path) {
        let fix = format!("chmod 600 {}", path.display());
        return Some(Finding::bad(format!("others can read {}", path.display()), fix));
    }
    let short: Vec<&str> = secrets.too_short().collect();
    Some(match short.is_empty() {
        true => Finding::fine(format!("{} in {}", secrets.names().count(), path.display())),
        false => Finding::weak(
            format!("too short to be hidden in replies: {}", short.join(", ")),
            "use values of at least 3 characters",
        ),
    })
}

#[cfg(unix)]
fn others_can_read(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    path.metadata().is_ok_and(|file| file.mode() & 0o044 != 0)
}

#[cfg(not(unix))]
fn others_can_read(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Verdict;

    #[test]
    fn a_directory_may_be_there_or_made() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(writable(directory.path(), "").verdict, Verdict::Fine);
        assert!(writable(&directory.path().join("a/b"), "").says.ends_with("a/b can be made"));
        let file = directory.path().join("file");
        std::fs::write(&file, "").unwrap();
        let refused = writable(&file.join("below"), "another");
        assert_eq!((refused.verdict, refused.fix.as_deref()), (Verdict::Bad, Some("another")));
    }
}
