//! `cargo xtask docs`: generated pages and golden listings.
//!
//! `cicerone reference` lists the files and their content; a command line test compares them with the committed ones.

use std::{collections::BTreeMap, fs};

use crate::{
    Failure, engines, root,
    steps::{cargo, run},
};

/// Writes them.
pub(crate) fn write() -> Result<(), Failure> {
    run(&mut cargo(&["build", "--quiet", "--package", "cicerone"]))?;
    let made = cargo(&["run", "--quiet", "--package", "cicerone", "--", "reference"]).output()?;
    if !made.status.success() {
        return Err(format!("cicerone reference failed: {}", String::from_utf8_lossy(&made.stderr)).into());
    }
    let files: BTreeMap<String, String> = serde_json::from_slice(&made.stdout)?;
    for (name, text) in files {
        let path = root().join(&name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text)?;
        println!("{name}");
    }
    // It reads the golden listings, so it comes last.
    fs::write(root().join(engines::PAGE), engines::render()?)?;
    println!("{}", engines::PAGE);
    Ok(())
}
