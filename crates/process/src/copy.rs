//! Copies a profile that another process is using.

use std::{fs, io, path::Path};

use crate::profile_lock::OUR_LOCK;

/// Caches, which a browser rebuilds and which can be most of a profile.
const CACHES: [&str; 20] = [
    "Cache",
    "Code Cache",
    "GPUCache",
    "ShaderCache",
    "GrShaderCache",
    "GraphiteDawnCache",
    "DawnCache",
    "DawnGraphiteCache",
    "DawnWebGPUCache",
    "CacheStorage",
    "ScriptCache",
    "Crashpad",
    "BrowserMetrics",
    "component_crx_cache",
    "extensions_crx_cache",
    "optimization_guide_model_store",
    "cache2",
    "startupCache",
    "shader-cache",
    "minidumps",
];

/// Copies the files of a profile, without caches and locks. Files that disappear meanwhile are skipped.
pub(crate) fn copy_profile(from: &Path, to: &Path) -> io::Result<()> {
    let Some(entries) = unless_gone(fs::read_dir(from))? else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let Some(kind) = unless_gone(entry.file_type())? else { continue };
        let (source, target) = (entry.path(), to.join(&name));
        if kind.is_dir() && !CACHES.iter().any(|cache| name == *cache) {
            fs::create_dir_all(&target)?;
            copy_profile(&source, &target)?;
        } else if kind.is_file() && !is_lock(&name.to_string_lossy()) {
            unless_gone(fs::copy(&source, &target))?;
        }
    }
    Ok(())
}

fn is_lock(name: &str) -> bool {
    name.starts_with("Singleton")
        || ["lockfile", "LOCK", "DevToolsActivePort", "lock", ".parentlock", "parent.lock", OUR_LOCK]
            .contains(&name)
}

fn unless_gone<T>(outcome: io::Result<T>) -> io::Result<Option<T>> {
    match outcome {
        Ok(there) => Ok(Some(there)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_what_counts_and_neither_caches_nor_locks() {
        let from = tempfile::tempdir().expect("a directory");
        let to = tempfile::tempdir().expect("a directory");
        for file in [
            "Local State",
            "SingletonSocket",
            "cicerone.lock",
            "Default/Cookies",
            "Default/Cache/Cache_Data/data_0",
            "Default/Local Storage/leveldb/000003.log",
            "Default/Service Worker/CacheStorage/x/index",
            "Default/Service Worker/Database/LOG",
        ] {
            let path = from.path().join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
            fs::write(path, file).expect("a file");
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("nowhere-1", from.path().join("SingletonLock")).expect("a link");

        copy_profile(from.path(), to.path()).expect("a copy");

        let there = |file: &str| to.path().join(file).exists();
        assert!(there("Local State") && there("Default/Cookies"));
        assert!(there("Default/Local Storage/leveldb/000003.log"));
        assert!(there("Default/Service Worker/Database/LOG"));
        assert!(!there("Default/Cache") && !there("Default/Service Worker/CacheStorage"));
        assert!(!there("cicerone.lock") && !there("SingletonSocket"));
        assert!(fs::symlink_metadata(to.path().join("SingletonLock")).is_err());
    }
}
