//! What the program says of itself is committed, so that every change of it is seen in review.

use std::{collections::BTreeMap, path::Path, process::Command};

use cicerone_testkit::Client;
use serde_json::{Value, json};

fn committed(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(name)).unwrap_or_default()
}

#[test]
fn the_generated_files_are_fresh() {
    let made = Command::new(env!("CARGO_BIN_EXE_cicerone")).arg("reference").output().unwrap();
    let files: BTreeMap<String, String> = serde_json::from_slice(&made.stdout).unwrap();
    assert!(files.contains_key("docs/configuration.md") && files.contains_key("docs/tools/browser.md"));
    for (name, text) in files {
        assert!(text == committed(&name), "{name} is stale: run `cargo xtask docs`");
    }
}

#[test]
fn the_golden_listing_is_what_the_server_lists() {
    let mut client = Client::start(&mut Command::new(env!("CARGO_BIN_EXE_cicerone"))).unwrap();
    let (listed, _) = client.ask("tools/list", &json!({})).unwrap();
    let golden: Value = serde_json::from_str(&committed("tests/golden/browser.tools.json")).unwrap();
    assert!(listed == golden, "tests/golden/browser.tools.json is stale: run `cargo xtask docs`");
}
