//! The invariants of ARCHITECTURE.md that a program can check, as tests.

use std::{collections::BTreeSet, fs, path::Path};

use regex::Regex;

use crate::{
    root,
    tidy::{NOT_OURS, files},
};

/// The crates below `tools`.
const BELOW_TOOLS: &[&str] = &[
    "bridge",
    "chromium",
    "driver",
    "driver-kit",
    "endpoint",
    "engine",
    "firefox",
    "http",
    "media",
    "process",
    "relay",
    "webkit",
    "wire",
];

/// Below `tools`, the crates whose command lines are a browser's own.
const START_BROWSERS: &[&str] = &["chromium", "firefox", "webkit"];

/// Where `engine` names browsers as data: the user agents and schemes that pages see.
const BROWSER_NAMES_AS_DATA: &[&str] = &[
    "crates/engine/src/address.rs",
    "crates/engine/src/emulation/device.rs",
    "crates/engine/src/emulation/network.rs",
    "crates/engine/src/emulation/user_agent.rs",
];

/// Functions of the injected script that only its own tests call.
const FOR_ITS_OWN_TESTS: &[&str] = &["describe"];

fn name_of(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// The Rust sources of a crate, each with its text before its tests.
fn sources(of: &str) -> Vec<(String, String)> {
    let all = files(&root().join("crates").join(of).join("src"));
    let rust = all.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    rust.map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        (name_of(&path), text.split("#[cfg(test)]").next().unwrap_or_default().to_owned())
    })
    .collect()
}

/// The string literals of a source, without those in comments.
fn literals(text: &str) -> Vec<String> {
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let literal = Regex::new(r#""((?:[^"\\]|\\.)*)""#).unwrap();
    literal.captures_iter(&code.join("\n")).map(|found| found[1].to_owned()).collect()
}

/// Names of tools that cannot be ordinary words: those with an underscore or a dot.
fn tool_names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in files(&root().join("tests/golden")) {
        let listing: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let tools = listing.as_array().or_else(|| listing["tools"].as_array()).unwrap();
        names.extend(tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
    }
    assert!(names.len() > 50, "the golden listings have {} tools", names.len());
    names.retain(|name| name.contains(['_', '.']));
    names
}

/// The flags of the server, from the page that is generated from their declaration.
fn flags() -> BTreeSet<String> {
    let page = fs::read_to_string(root().join("docs/configuration.md")).unwrap();
    let row = Regex::new(r"(?m)^\| `(--[a-z-]+)").unwrap();
    let flags: BTreeSet<String> = row.captures_iter(&page).map(|row| row[1].to_owned()).collect();
    assert!(flags.len() > 20, "docs/configuration.md has {} options", flags.len());
    flags
}

fn mentions(literal: &str, name: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    literal.match_indices(name).any(|(at, _)| {
        !literal[..at].chars().next_back().is_some_and(inside)
            && !literal[at + name.len()..].chars().next().is_some_and(inside)
    })
}

#[test]
fn no_tool_name_and_no_flag_below_tools() {
    let (tools, flags) = (tool_names(), flags());
    let mut found = Vec::new();
    for of in BELOW_TOOLS {
        let own_flags = START_BROWSERS.contains(of);
        for (name, text) in sources(of) {
            for literal in literals(&text) {
                let flags = flags.iter().filter(|_| !own_flags);
                let named = tools.iter().chain(flags).filter(|word| mentions(&literal, word));
                found.extend(named.map(|word| format!("{name}: {word} in {literal:?}")));
            }
        }
    }
    assert!(found.is_empty(), "only `tools` and `cli` know tool names and flags: {found:#?}");
}

#[test]
fn engine_names_no_browser() {
    let browser = Regex::new(r"(?i)\b(chromium|chrome|edge|firefox|gecko|safari|webkit)\b").unwrap();
    let mut found = Vec::new();
    for (name, text) in sources("engine") {
        if BROWSER_NAMES_AS_DATA.contains(&name.as_str()) {
            continue;
        }
        for (number, line) in text.lines().enumerate().filter(|(_, line)| browser.is_match(line)) {
            found.push(format!("{name}:{}: {}", number + 1, line.trim()));
        }
    }
    assert!(found.is_empty(), "a difference between browsers is a power or a fact of the driver: {found:#?}");
}

/// Names of properties in errors, which are no sentences.
const PROPERTIES: &[&str] = &["time zone"];

/// A sentence given to an error: `Error::Unsupported("print pages")`.
fn sentences_in_errors(text: &str) -> Vec<String> {
    let given = Regex::new(r#"\b(?:\w*(?:Error|Failure|Misfit)::[A-Z]\w*|\w*(?:Unsupported|NeedsSystemAccess)|Bad\w+)\(\s*"[^"]*\s[^"]*""#).unwrap();
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let is_name = |found: &str| PROPERTIES.iter().any(|name| found.ends_with(&format!("\"{name}\"")));
    let code = code.join("\n");
    let found = given.find_iter(&code).map(|found| found.as_str().to_owned());
    found.filter(|found| !is_name(found)).collect()
}

#[test]
fn errors_below_tools_carry_facts_and_no_sentences() {
    for sentence in
        ["Error::Unsupported(\"print pages\")", "Unsupported(\"a b\")", "Err(BadTarget(\n  \"a b\"))"]
    {
        assert_eq!(sentences_in_errors(sentence).len(), 1, "{sentence}");
    }
    let mut found = Vec::new();
    for (name, text) in BELOW_TOOLS.iter().flat_map(|of| sources(of)) {
        found.extend(sentences_in_errors(&text).into_iter().map(|sentence| format!("{name}: {sentence}")));
    }
    assert!(found.is_empty(), "the words belong in crates/tools/src/message/: {found:#?}");
}

/// Where errors below `tools` have a sentence of their own, which a reply quotes as a fact, and what of.
const ERRORS_WITH_SENTENCES: &[(&str, &str)] = &[
    ("bridge/src", "the connection to the extension"),
    ("driver/src", "the start of a browser, and what it refused"),
    ("endpoint/src", "the address of a running browser"),
    ("firefox/src/remote_value.rs", "values of scripts that cannot be read"),
    ("http/src", "requests without a page"),
    ("media/src", "pictures that cannot be read"),
    ("relay/src", "proxies, names and the host policy"),
    ("wire/src", "the connection to a browser"),
];

#[test]
fn sentences_of_errors_below_tools_are_where_they_may_be() {
    let mut with: BTreeSet<&str> = BTreeSet::new();
    let mut elsewhere = Vec::new();
    for (name, text) in BELOW_TOOLS.iter().flat_map(|of| sources(of)) {
        if !text.contains("#[error(\"") {
            continue;
        }
        let place = ERRORS_WITH_SENTENCES
            .iter()
            .find(|(place, _)| name.strip_prefix("crates/").is_some_and(|name| name.starts_with(place)));
        match place {
            Some((place, _)) => drop(with.insert(place)),
            None => elsewhere.push(name),
        }
    }
    assert!(elsewhere.is_empty(), "the words belong in crates/tools/src/message/: {elsewhere:#?}");
    let listed: BTreeSet<&str> = ERRORS_WITH_SENTENCES.iter().map(|(place, _)| *place).collect();
    assert_eq!(with, listed, "a place without such errors is not listed");
}

/// What a path in the code of `protocol/` may begin with: itself, and the crate of messages.
fn strays_in_protocol(text: &str) -> Vec<String> {
    let own = Regex::new(r"\b(crate::(?:\w+|\{)|cicerone_\w+)").unwrap();
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let found = own.captures_iter(&code.join("\n")).map(|found| found[1].to_owned()).collect::<Vec<_>>();
    found.into_iter().filter(|path| !["crate::protocol", "cicerone_wire"].contains(&path.as_str())).collect()
}

#[test]
fn protocol_imports_nothing_of_the_driver() {
    assert_eq!(
        strays_in_protocol("use crate::{page::A};\nuse crate::page::A;\nuse cicerone_driver::B;").len(),
        3
    );
    let mut found = Vec::new();
    let mut files = 0;
    for (name, text) in ["chromium", "firefox", "webkit"].into_iter().flat_map(sources) {
        if name.contains("/src/protocol/") {
            files += 1;
            found.extend(strays_in_protocol(&text).into_iter().map(|path| format!("{name}: {path}")));
        }
    }
    assert!(files > 20, "only {files} files");
    assert!(found.is_empty(), "`protocol/` imports only itself and `wire`: {found:#?}");
}

/// `a/{b,c}.rs` as `a/b.rs` and `a/c.rs`.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((inside, after)) = rest.split_once('}') else { return vec![path.to_owned()] };
    inside.split(',').flat_map(|part| expanded(&format!("{before}{part}{after}"))).collect()
}

/// Where a path in a document may be: from the root, beside the document, or in a crate or the
/// injected script.
fn exists(path: &str, document: &Path) -> bool {
    let in_crate = path.split_once('/').map(|(name, rest)| format!("crates/{name}/src/{rest}"));
    let beside = document.parent().map(|folder| folder.join(path));
    root().join(path).exists()
        || beside.is_some_and(|beside| beside.exists())
        || root().join("crates").join(path).exists()
        || root().join("injected/src").join(path).exists()
        || in_crate.is_some_and(|path| root().join(path).exists())
}

/// Our folders at the root.
fn folders() -> Vec<String> {
    let all = fs::read_dir(root()).unwrap().flatten().filter(|entry| entry.path().is_dir());
    let names = all.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let names: Vec<String> =
        names.filter(|name| !name.starts_with('.') && !NOT_OURS.contains(&name.as_str())).collect();
    assert!(names.iter().any(|name| name == "extension"), "{names:?}");
    names
}

#[test]
fn every_path_in_a_document_exists() {
    // Code in backticks with a slash that ends like one of our files, or begins with one of our folders.
    let code = Regex::new(r"`([\w.{},/-]+)`").unwrap();
    let folders = folders().join("|");
    let ours = Regex::new(&format!(r"^({folders})/|/.*\.(html|js|json|md|mjs|rs|toml|ts)$")).unwrap();
    let link = Regex::new(r"\]\(([^)#:]+)(#[^)]*)?\)").unwrap();
    let mut missing = Vec::new();
    let documents =
        files(&root()).into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        let named = code.captures_iter(&text).map(|found| found[1].to_owned()).filter(|path| {
            path.contains('/') && ours.is_match(path) && !path.starts_with(['.', '/']) && !path.contains("//")
        });
        let linked = link.captures_iter(&text).map(|found| found[1].to_owned());
        let paths: BTreeSet<String> = named.chain(linked).flat_map(|path| expanded(&path)).collect();
        let gone = paths.into_iter().filter(|path| !exists(path, &document));
        missing.extend(gone.map(|path| format!("{}: {path}", name_of(&document))));
    }
    assert!(missing.is_empty(), "paths that do not exist: {missing:#?}");
}

/// The identifiers of a list such as `{ a, b: c, d }`.
fn members(list: &str) -> BTreeSet<String> {
    let names = list.split(',').map(|member| member.split(':').next().unwrap_or_default().trim().to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn rust_and_the_injected_script_agree_on_function_names() {
    let main = fs::read_to_string(root().join("injected/src/main.ts")).unwrap();
    let section = |pattern: &str| {
        let found =
            Regex::new(pattern).unwrap().captures(&main).unwrap_or_else(|| panic!("no {pattern} in main.ts"));
        members(&found[1])
    };
    let functions = section(r"(?s)Object\.entries\(\{(.*?)\}\)");
    let object = section(r"const injected = \{(.*?)\};");

    let text = |of: &str| -> String {
        let all = files(&root().join("crates").join(of).join("src"));
        all.iter().map(|path| fs::read_to_string(path).unwrap_or_default()).collect()
    };
    let engine = text("engine");
    let drivers = ["chromium", "firefox", "webkit"].map(text).concat();
    let all = |text: &str, pattern: &str| -> BTreeSet<String> {
        Regex::new(pattern).unwrap().captures_iter(text).map(|found| found[1].to_owned()).collect()
    };
    // The first literal after a call: `self.ask(&frame, "ready", …)`.
    let called = all(
        &engine,
        r#"\b(?:ask|ask_raw|ask_main|ask_storage|call)(?:::<[^"()]*>)?\(\s*[^"(){};]*(?:\(\)[^"(){};]*)?"([a-zA-Z]+)""#,
    );
    let literals = all(&[engine.as_str(), drivers.as_str()].concat(), r#""([a-z][a-zA-Z]*)""#);
    let unknown: Vec<_> = called.difference(&functions).collect();
    assert!(unknown.is_empty(), "Rust calls what injected/src/main.ts does not have: {unknown:?}");
    let unused: Vec<_> =
        functions.difference(&literals).filter(|name| !FOR_ITS_OWN_TESTS.contains(&name.as_str())).collect();
    assert!(unused.is_empty(), "injected/src/main.ts has what Rust never calls: {unused:?}");
    assert!(called.len() * 2 > functions.len(), "only these calls were recognised: {called:?}");

    let used = all(&drivers, r"(?m)(?:^|[^.\w])cicerone\.([a-zA-Z]+)\s*\(");
    assert_eq!(used, object, "members of the injected object, as used by the drivers and as in main.ts");
}
