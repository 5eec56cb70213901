//! Rules that no compiler checks, as tests.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::{injected::fingerprint, root, steps::cargo};

/// Allowed dependencies between our crates. Crates not listed may depend on none.
const EDGES: &[(&str, &[&str])] = &[
    ("cicerone-process", &["cicerone-driver"]),
    ("cicerone-install", &["cicerone-driver"]),
    ("cicerone-driver-kit", &["cicerone-driver", "cicerone-wire"]),
    ("cicerone-driver-tests", &["cicerone-driver"]),
    ("cicerone-chromium", &["cicerone-driver", "cicerone-driver-kit", "cicerone-process", "cicerone-wire"]),
    ("cicerone-firefox", &["cicerone-driver", "cicerone-driver-kit", "cicerone-process", "cicerone-wire"]),
    ("cicerone-bridge", &["cicerone-chromium", "cicerone-driver", "cicerone-wire"]),
    (
        "cicerone-endpoint",
        &[
            "cicerone-chromium",
            "cicerone-driver",
            "cicerone-firefox",
            "cicerone-http",
            "cicerone-relay",
            "cicerone-wire",
        ],
    ),
    ("cicerone-webkit", &["cicerone-driver", "cicerone-driver-kit", "cicerone-process", "cicerone-wire"]),
    ("cicerone-http", &["cicerone-relay"]),
    ("cicerone-engine", &["cicerone-driver", "cicerone-http", "cicerone-media", "cicerone-relay"]),
    ("cicerone-tools", &["cicerone-engine"]),
    ("cicerone-mcp", &["cicerone-engine", "cicerone-tools"]),
    (
        "cicerone",
        &[
            "cicerone-bridge",
            "cicerone-chromium",
            "cicerone-driver",
            "cicerone-endpoint",
            "cicerone-engine",
            "cicerone-firefox",
            "cicerone-install",
            "cicerone-mcp",
            "cicerone-process",
            "cicerone-tools",
            "cicerone-testkit",
            "cicerone-webkit",
        ],
    ),
    ("cicerone-benches", &["cicerone-testkit"]),
    ("xtask", &["cicerone-install", "cicerone-testkit"]),
];

/// Longer files, without their tests, need a reason.
const LONGEST: usize = 400;

/// Accepted longer files, each with its reason.
const LONG_FOR_A_REASON: &[(&str, &str)] =
    &[("crates/tools/src/dialect/old_names.rs", "a table of names, with what each of them took")];

/// Folders that are not checked.
pub(crate) const NOT_OURS: [&str; 4] = ["target", "node_modules", "dist", ".git"];

/// All files below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        match path.is_dir() {
            true if NOT_OURS.iter().any(|not_ours| name == *not_ours) => {}
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found
}

/// The crates of this workspace, each with its dependencies on our crates, without dev-dependencies.
fn crates() -> BTreeMap<String, Vec<String>> {
    let output = cargo(&["metadata", "--no-deps", "--offline", "--format-version", "1"]).output().unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let name = |value: &Value| value["name"].as_str().unwrap().to_owned();
    let packages = metadata["packages"].as_array().unwrap();
    let ours: Vec<String> = packages.iter().map(name).collect();
    let edges = |package: &Value| {
        let all = package["dependencies"].as_array().unwrap().iter();
        all.filter(|edge| edge["kind"] != "dev").map(name).filter(|name| ours.contains(name)).collect()
    };
    packages.iter().map(|package| (name(package), edges(package))).collect()
}

#[test]
fn the_injected_bundle_is_fresh() {
    let written = fs::read_to_string(root().join("injected/dist/injected.sha256")).unwrap();
    let fresh = written.trim() == fingerprint::of_sources();
    assert!(fresh, "injected/dist does not belong to injected/src: run `cargo xtask injected`");
}

#[test]
fn crates_depend_only_on_what_is_below_them() {
    for (name, dependencies) in crates() {
        let allowed = EDGES.iter().find(|(from, _)| *from == name).map_or(&[][..], |(_, to)| to);
        for dependency in &dependencies {
            assert!(
                allowed.contains(&dependency.as_str()),
                "{name} must not depend on {dependency}; ARCHITECTURE.md says why, EDGES in xtask/src/tidy.rs what may"
            );
        }
    }
}

#[test]
fn files_are_short_or_have_a_reason() {
    let mut long = Vec::new();
    for path in files(&root()) {
        let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
        if !["rs", "ts", "mjs"].contains(&kind) {
            continue;
        }
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        // The length of a suite, a list of cases, does not matter.
        if name.starts_with("tests/") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().take_while(|line| *line != "#[cfg(test)]").count();
        if lines > LONGEST && !LONG_FOR_A_REASON.iter().any(|(allowed, _)| *allowed == name) {
            long.push(format!("{name}: {lines} lines"));
        }
    }
    assert!(long.is_empty(), "longer than {LONGEST} lines; find the second noun in them: {long:#?}");
}

#[test]
fn every_crate_opens_with_its_nouns() {
    for source in files(&root()) {
        let name = source.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        if ["src/lib.rs", "src/main.rs"].iter().any(|entry| name.ends_with(entry)) {
            let documented = fs::read_to_string(&source).unwrap().starts_with("//!");
            assert!(documented, "{name} has no module documentation");
        }
    }
}

#[test]
fn decisions_are_numbered_and_whole() {
    let mut decisions = files(&root().join("docs/decisions"));
    decisions.sort();
    for (index, path) in decisions.iter().enumerate() {
        let number = format!("{:04}", index + 1);
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(name.starts_with(&format!("{number}-")), "{name} should have the number {number}");
        let text = fs::read_to_string(path).unwrap();
        assert!(text.starts_with(&format!("# {number}: ")), "{name} should begin with its number and title");
        for part in ["## Context", "## Choice", "## Consequences"] {
            assert!(text.contains(part), "{name} has no part {part}");
        }
    }
}
