//! `cargo xtask docs`: the pages and golden listings that the program itself makes.
//!
//! `cicerone reference` tells the files and what should be in them; a test of the command line compares them with
//! those that are committed.

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
    // The golden listings are among them, so this comes last.
    fs::write(root().join(engines::PAGE), engines::render()?)?;
    println!("{}", engines::PAGE);
    Ok(())
}
