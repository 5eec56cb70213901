//! The injected script's bundle: built, and checked for staleness.

use std::{fs, path::PathBuf};

use crate::{
    Failure, needs, root,
    steps::{npm, run},
};

/// `cargo xtask injected`.
pub(crate) fn build() -> Result<(), Failure> {
    needs::node()?;
    packages()?;
    run(&mut npm(&["run", "--silent", "check"]))?;
    run(&mut npm(&["run", "--silent", "build"]))?;
    println!("injected/dist is fresh");
    Ok(())
}

/// Installs npm packages, only if missing or older than the lock file.
pub(crate) fn packages() -> Result<(), Failure> {
    let changed =
        |path: &str| fs::metadata(root().join("injected").join(path)).and_then(|file| file.modified());
    let fresh = match (changed("node_modules/.package-lock.json"), changed("package-lock.json")) {
        (Ok(installed), Ok(locked)) => installed >= locked,
        _ => false,
    };
    if fresh { Ok(()) } else { run(&mut npm(&["ci", "--no-fund", "--no-audit"])) }
}

/// Rebuilds the bundle; an error if it differs from the committed one.
pub(crate) fn rebuilt_unchanged() -> Result<(), Failure> {
    let committed = bundle()?;
    run(&mut npm(&["run", "--silent", "build"]))?;
    if bundle()? == committed {
        return Ok(());
    }
    Err("injected/dist was stale; it has been rebuilt now, commit it".into())
}

fn bundle() -> Result<Vec<Vec<u8>>, Failure> {
    let dist: PathBuf = root().join("injected/dist");
    let read = |name| Ok(fs::read(dist.join(name))?);
    let names = ["injected.js", "sandbox.js", "as_json.js", "as_json_by_syntax.js", "injected.sha256"];
    names.into_iter().map(read).collect()
}

#[cfg(test)]
pub(crate) mod fingerprint {
    //! The hash of the injected script's sources, as `injected/build.mjs` computes it: detects a stale bundle without
    //! Node.

    use sha2::{Digest, Sha256};

    use crate::{root, tidy::files};

    pub(crate) fn of_sources() -> String {
        let injected = root().join("injected");
        let mut sources: Vec<String> = files(&injected.join("src"))
            .iter()
            .filter_map(|path| path.strip_prefix(&injected).ok())
            .map(|path| path.to_string_lossy().replace('\\', "/"))
            .filter(|path| path.ends_with(".ts"))
            .collect();
        // By UTF-16 units, which for ASCII names is by bytes.
        sources.sort();
        let mut hash = Sha256::new();
        for path in sources.iter().map(String::as_str).chain(["package.json", "build.mjs"]) {
            hash.update(path);
            hash.update([0]);
            hash.update(std::fs::read(injected.join(path)).unwrap());
            hash.update([0]);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
