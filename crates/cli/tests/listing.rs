//! What `tools/list` says is committed, so that every change of it is seen in review.

use std::{path::Path, process::Command};

use cicerone_trial::Client;
use serde_json::{Value, json};

#[test]
fn the_golden_listing_is_fresh() {
    let mut client = Client::start(&mut Command::new(env!("CARGO_BIN_EXE_cicerone"))).unwrap();
    let (listed, _) = client.ask("tools/list", &json!({})).unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/browser.tools.json");
    let committed: Value = std::fs::read_to_string(golden)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    assert!(listed == committed, "tests/golden/browser.tools.json is stale: run `cargo xtask docs`");
}
