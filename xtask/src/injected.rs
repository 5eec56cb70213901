//! The in-page agent's bundle: built, and checked to be fresh.

use std::{fs, path::PathBuf};

use crate::{
    Failure, needs, root,
    steps::{npm, run},
};

/// `cargo xtask agent`.
pub(crate) fn build() -> Result<(), Failure> {
    needs::node()?;
    packages()?;
    run(&mut npm(&["run", "--silent", "check"]))?;
    run(&mut npm(&["run", "--silent", "build"]))?;
    println!("agent/dist is fresh");
    Ok(())
}

/// What the agent is built and tested with; fetched only where it is missing or older than the lock file.
pub(crate) fn packages() -> Result<(), Failure> {
    let changed = |path: &str| fs::metadata(root().join("agent").join(path)).and_then(|file| file.modified());
    let fresh = match (changed("node_modules/.package-lock.json"), changed("package-lock.json")) {
        (Ok(installed), Ok(locked)) => installed >= locked,
        _ => false,
    };
    if fresh { Ok(()) } else { run(&mut npm(&["ci", "--no-fund", "--no-audit"])) }
}

/// Builds the bundle anew; an error when that makes another one than is committed.
pub(crate) fn rebuilt_unchanged() -> Result<(), Failure> {
    let committed = bundle()?;
    run(&mut npm(&["run", "--silent", "build"]))?;
    if bundle()? == committed {
        return Ok(());
    }
    Err("agent/dist was stale; it has been rebuilt now, commit it".into())
}

fn bundle() -> Result<Vec<Vec<u8>>, Failure> {
    let dist: PathBuf = root().join("agent/dist");
    let read = |name| Ok(fs::read(dist.join(name))?);
    ["agent.js", "sandbox.js", "agent.sha256"].into_iter().map(read).collect()
}

#[cfg(test)]
pub(crate) mod fingerprint {
    //! The fingerprint of the agent's sources, as `agent/build.mjs` computes it: so that a stale bundle fails a test
    //! that needs no Node.

    use sha2::{Digest, Sha256};

    use crate::{root, tidy::files};

    pub(crate) fn of_sources() -> String {
        let agent = root().join("agent");
        let mut sources: Vec<String> = files(&agent.join("src"))
            .iter()
            .filter_map(|path| path.strip_prefix(&agent).ok())
            .map(|path| path.to_string_lossy().replace('\\', "/"))
            .filter(|path| path.ends_with(".ts"))
            .collect();
        // By UTF-16 units, which for the ASCII names of sources is by bytes.
        sources.sort();
        let mut hash = Sha256::new();
        for path in sources.iter().map(String::as_str).chain(["package.json", "build.mjs"]) {
            hash.update(path);
            hash.update([0]);
            hash.update(std::fs::read(agent.join(path)).unwrap());
            hash.update([0]);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
