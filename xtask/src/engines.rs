//! `docs/engines.md`: which tool works in which engine. It is made from the golden listings, from what the drivers have
//! of the powers that a driver may lack, and from what is expected to fail (`tests/expectations.toml`).

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    path::Path,
};

use serde_json::Value;

use crate::{Failure, expectations::Expectations, root};

/// Where it is.
pub(crate) const PAGE: &str = "docs/engines.md";

/// The engines that have a driver: the folder of its crate, and its name.
const ENGINES: [(&str, &str); 2] = [("chromium", "Chromium"), ("firefox", "Firefox")];

/// What a driver may lack: the method that gives it, what it is for, and the tools that need it.
const POWERS: [(&str, &str, &[&str]); 13] = [
    ("bodies", "bodies of requests and answers", &[]),
    ("bookmarks", "bookmarks", &["bookmarks"]),
    ("cookies", "cookies of a context", &["cookies", "auth_state", "browser_context_save_storage"]),
    ("emulation", "place, language, time zone, user agent, network and scale as wanted", &[]),
    ("extra_headers", "headers of one navigation", &["navigate"]),
    ("fetching", "files fetched from a URL", &["upload"]),
    ("history", "history of what was visited", &["history"]),
    ("interception", "requests blocked, answered and changed", &[]),
    ("media", "medium, colour scheme, reduced motion and forced colours as wanted", &[]),
    ("permissions", "permissions of a site", &[]),
    ("printing", "a page as a PDF", &["browser_pdf_save"]),
    ("throttle", "a slow network", &[]),
    ("visit", "storage of an origin without a page of it", &["browser_context_save_storage", "auth_state"]),
];

/// What a driver has only in a browser that was started for it: the folder of its crate, what that is called, and the methods.
const ASKED_FOR: (&str, &str, [&str; 4]) =
    ("firefox", "with system access", ["bookmarks", "history", "media", "throttle"]);

/// The page.
pub(crate) fn render() -> Result<String, Failure> {
    let mut page = String::from(
        "<!-- Made by `cargo xtask docs`. -->\n\n# Engines\n\nEvery suite is run on every engine. A tool is `yes` where all of \
         them pass; a number leads to what is missing. WebKit has no driver yet.\n\n",
    );
    let mut notes: Vec<String> = Vec::new();
    let mut marks: BTreeMap<(&str, String), BTreeSet<usize>> = BTreeMap::new();
    for (engine, name) in ENGINES {
        for gap in Expectations::of(engine)?.gaps.into_values() {
            let versions = gap.before.map(|before| format!(" before {before}")).unwrap_or_default();
            notes.push(format!("{name}{versions}: {}.", gap.reason));
            for tool in gap.tools {
                marks.entry((engine, tool)).or_default().insert(notes.len());
            }
        }
        for (method, what, tools) in POWERS {
            if !has(engine, method)? {
                notes.push(format!("{name}: this driver has no {what}."));
                for tool in tools {
                    marks.entry((engine, (*tool).to_owned())).or_default().insert(notes.len());
                }
            }
        }
    }
    let names: Vec<_> = ENGINES.iter().map(|(_, name)| *name).collect();
    let _ = writeln!(
        page,
        "| dialect | tool | {} |\n| --- | --- |{}",
        names.join(" | "),
        " --- |".repeat(names.len())
    );
    for (dialect, tools) in listings()? {
        for tool in tools {
            let _ = write!(page, "| {dialect} | `{tool}` |");
            for (engine, _) in ENGINES {
                let found = marks.get(&(engine, tool.clone()));
                let found: Vec<_> =
                    found.into_iter().flatten().map(|note| format!("[{note}](#notes)")).collect();
                let _ = write!(
                    page,
                    " {} |",
                    if found.is_empty() { "yes".into() } else { format!("mostly, see {}", found.join(" ")) }
                );
            }
            page.push('\n');
        }
    }
    page.push_str("\n## Powers\n\nWhat a driver may lack, and which has it.\n\n");
    let _ = writeln!(page, "| power | {} |\n| --- |{}", names.join(" | "), " --- |".repeat(names.len()));
    for (method, what, _) in POWERS {
        let _ = write!(page, "| {what} |");
        for (engine, _) in ENGINES {
            let (of, access, methods) = ASKED_FOR;
            let has = match has(engine, method)? {
                true if engine == of && methods.contains(&method) => access,
                true => "yes",
                false => "no",
            };
            let _ = write!(page, " {has} |");
        }
        page.push('\n');
    }
    page.push_str("\n## Notes\n\n");
    for (at, note) in notes.iter().enumerate() {
        let _ = writeln!(page, "{}. {note}", at + 1);
    }
    Ok(page)
}

/// The tools of each dialect.
fn listings() -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let mut dialects = BTreeMap::new();
    for entry in fs::read_dir(root().join("tests/golden"))? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let Some(dialect) = name.strip_suffix(".tools.json") else { continue };
        let listing: Value = serde_json::from_slice(&fs::read(&path)?)?;
        let tools = listing.as_array().or_else(|| listing["tools"].as_array()).ok_or("no listing")?;
        let tools = tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect();
        dialects.insert(dialect.to_owned(), tools);
    }
    Ok(dialects)
}

/// Whether a driver has a method of its own for a power.
fn has(engine: &str, method: &str) -> Result<bool, Failure> {
    let declaration = format!("fn {method}(");
    for entry in fs::read_dir(root().join("crates").join(engine).join("src"))? {
        let path = entry?.path();
        if is_rust(&path) && fs::read_to_string(&path)?.contains(&declaration) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_about_engines_is_fresh() {
        let written = fs::read_to_string(root().join(PAGE)).unwrap();
        assert_eq!(written, render().unwrap(), "run `cargo xtask docs`");
    }

    #[test]
    fn every_tool_of_a_gap_is_a_tool() {
        let known: BTreeSet<String> = listings().unwrap().into_values().flatten().collect();
        for (engine, _) in ENGINES {
            for (test, gap) in Expectations::of(engine).unwrap().gaps {
                for tool in gap.tools {
                    assert!(known.contains(&tool), "{test}: {tool}");
                }
            }
        }
    }
}
