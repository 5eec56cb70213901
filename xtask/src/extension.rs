//! The extension's files: built, and checked for staleness.

use std::{fs, process::Command};

use crate::{Failure, injected, needs, root, steps::run};

const BUILT: [&str; 5] = ["manifest.json", "popup.html", "popup.js", "worker.js", "extension.sha256"];

/// `cargo xtask extension`.
pub(crate) fn build() -> Result<(), Failure> {
    needs::node()?;
    injected::packages()?;
    check()?;
    bundle()?;
    println!("extension/dist is fresh");
    Ok(())
}

/// Checks the types, with the compiler of the injected script.
pub(crate) fn check() -> Result<(), Failure> {
    let compiler = root().join("injected/node_modules/typescript/bin/tsc");
    run(Command::new("node").arg(compiler).args(["--noEmit", "--project", "extension"]).current_dir(root()))
}

/// Rebuilds the files; an error if they differ from the committed ones.
pub(crate) fn rebuilt_unchanged() -> Result<(), Failure> {
    let committed = built()?;
    bundle()?;
    if built()? == committed {
        return Ok(());
    }
    Err("extension/dist was stale; it has been rebuilt now, commit it".into())
}

fn bundle() -> Result<(), Failure> {
    run(Command::new("node").arg("extension/build.mjs").current_dir(root()))
}

fn built() -> Result<Vec<Vec<u8>>, Failure> {
    let dist = root().join("extension/dist");
    BUILT.into_iter().map(|name| Ok(fs::read(dist.join(name))?)).collect()
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    /// As `extension/build.mjs` computes it: detects stale files without Node.
    #[test]
    fn the_extension_is_built_from_these_sources() {
        let extension = root().join("extension");
        let names = fs::read_dir(extension.join("src")).unwrap();
        let mut sources: Vec<String> =
            names.map(|entry| format!("src/{}", entry.unwrap().file_name().to_str().unwrap())).collect();
        sources.sort();
        let mut hash = Sha256::new();
        for path in sources.iter().map(String::as_str).chain(["manifest.json", "popup.html", "build.mjs"]) {
            hash.update(path);
            hash.update([0]);
            hash.update(fs::read(extension.join(path)).unwrap());
            hash.update([0]);
        }
        let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let built = fs::read_to_string(extension.join("dist/extension.sha256")).unwrap();
        assert_eq!(hash, built.trim(), "run `cargo xtask extension`");
    }
}
