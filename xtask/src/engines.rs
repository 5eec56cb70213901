//! `docs/engines.md`: which tool works in which engine. Generated from the golden listings, the drivers' powers, and
//! the expected failures (`tests/expectations.toml`).

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    path::Path,
};

use serde_json::Value;

use crate::{Failure, expectations::Expectations, root};

/// Its path.
pub(crate) const PAGE: &str = "docs/engines.md";

/// Engines with a driver: the crate's folder, and the name.
const ENGINES: [(&str, &str); 3] = [("chromium", "Chromium"), ("firefox", "Firefox"), ("webkit", "WebKit")];

/// A browser that somebody else started.
struct Running {
    /// Its heading in `tests/expectations.toml`.
    heading: &'static str,
    name: &'static str,
    /// The engine whose gaps it has too.
    engine: &'static str,
    /// The accessors of the powers that it lacks although its engine has them.
    lacks: &'static [&'static str],
    /// What else is different there.
    limits: &'static [Limit],
}

/// A limit of a browser that is not a power of the driver.
struct Limit {
    what: &'static str,
    tools: &'static [&'static str],
    /// Whether these tools do nothing there.
    never: bool,
}

const RUNNING: [Running; 3] = [
    Running {
        heading: "extension",
        name: "own Chrome",
        engine: "chromium",
        lacks: &["bookmarks", "history", "permissions", "origin_page"],
        limits: &[
            Limit {
                what: "all tabs are in the person's own context: chrome.debugger has no contexts to create",
                tools: &["browser_context_create"],
                never: true,
            },
            Limit {
                what: "cookies and storage are off until the person allows them in the popup",
                tools: &["auth_state", "browser_context_save_storage", "cookies", "request", "storage"],
                never: false,
            },
            Limit {
                what: "headers are without cookies until the person allows them in the popup",
                tools: &["capture", "route"],
                never: false,
            },
            Limit {
                what: "there is one session, `default`: another one would be a context, which cannot be created",
                tools: &[
                    "browser.click",
                    "browser.close",
                    "browser.evaluate",
                    "browser.fill",
                    "browser.navigate",
                    "browser.screenshot",
                    "browser.scroll",
                    "browser.snapshot",
                ],
                never: false,
            },
        ],
    },
    Running {
        heading: "endpoint",
        name: "running Chromium",
        engine: "chromium",
        lacks: &[],
        limits: &[Limit {
            what: "only with `--endpoint-context default`, and only where that browser is on this machine and loads an extension",
            tools: &["bookmarks", "history"],
            never: false,
        }],
    },
    Running {
        heading: "endpoint-firefox",
        name: "running Firefox",
        engine: "firefox",
        lacks: &["bookmarks", "history", "media", "permissions", "throttle"],
        limits: &[],
    },
];

/// Limits of an engine that are no power of its driver and have no test that fails.
const LIMITS: [(&str, Limit); 4] = [
    (
        "chromium",
        Limit {
            what: "a shared worker belongs to no tab: routes, captures and emulation of a tab do not reach it",
            tools: &["capture", "device", "emulate", "route"],
            never: false,
        },
    ),
    (
        "chromium",
        Limit {
            what: "a performance trace is delivered at its end only: it is lost with a browser that is killed",
            tools: &["capture"],
            never: false,
        },
    ),
    (
        "firefox",
        Limit {
            what: "a shared worker belongs to no tab: routes and captures of a tab do not reach it",
            tools: &["capture", "route"],
            never: false,
        },
    ),
    (
        "firefox",
        Limit {
            what: "popups are not paused until they have the settings of their opener: their first request may have the \
                   browser's own user agent",
            tools: &["device"],
            never: false,
        },
    ),
];

/// Powers: the accessor, its purpose, and the tools that need it. A tool with the accessor's name does nothing else.
const POWERS: [(&str, &str, &[&str]); 22] = [
    ("bodies", "bodies of requests and responses", &[]),
    ("bookmarks", "bookmarks", &["bookmarks"]),
    ("closed_shadow_roots", "closed shadow roots in snapshots", &[]),
    ("cookies", "cookies of a context", &["cookies", "auth_state", "browser_context_save_storage"]),
    ("crashing", "ending the process of a page that hangs", &[]),
    (
        "emulation",
        "emulation of location, locale, time zone, user agent, network state and scale factor",
        &[],
    ),
    ("extra_headers", "extra headers for one navigation", &["navigate"]),
    ("fetching", "uploads from a URL", &["upload"]),
    ("history", "browsing history", &["history"]),
    ("interception", "request interception: block, mock, modify", &[]),
    ("interruption", "interruption of a script without closing its page", &[]),
    ("layout_metrics", "page sizes from the browser's layout (otherwise the page is asked)", &[]),
    ("listeners", "detection of elements with event listeners", &[]),
    ("media", "emulation of media type, colour scheme, reduced motion and forced colours", &["emulate"]),
    ("network_capture", "capture of network traffic", &["capture"]),
    ("permissions", "permissions of a site", &["permissions"]),
    ("printing", "printing to PDF", &["browser_pdf_save"]),
    ("screencast", "a stream of frames (recordings poll pictures instead)", &["record"]),
    ("script_sandbox", "scripts in a world of their own", &["browser.evaluate"]),
    ("throttle", "network throttling", &["emulate"]),
    (
        "origin_page",
        "reading and writing the storage of an origin that no page shows",
        &["browser_context_save_storage", "auth_state"],
    ),
    ("tracing", "performance traces", &[]),
];

/// Powers that are a part of another, or a required method.
#[cfg(test)]
const WITHOUT_ACCESSOR: [&str; 3] = ["media", "throttle", "origin_page"];

/// Accessors that are no row: how a browser gets what [`ASKED_FOR`] names.
#[cfg(test)]
const NO_ROW: [&str; 1] = ["restart"];

/// Powers that need a special launch option: the crate's folder, the option's name, and the accessors.
const ASKED_FOR: (&str, &str, [&str; 4]) =
    ("firefox", "with system access", ["bookmarks", "history", "media", "throttle"]);

/// What an engine lacks of a power that it has: the crate's folder, the accessor, and what remains.
const PARTLY: [(&str, &str, &str); 3] = [
    ("webkit", "emulation", "with whole scale factors only; an open WebSocket stays open offline"),
    ("webkit", "media", "without forced colours"),
    ("webkit", "throttle", "without WebSockets and redirects"),
];

/// The page.
pub(crate) fn render() -> Result<String, Failure> {
    let mut page = String::from(
        "<!-- Made by `cargo xtask docs`. -->\n\n# Engines\n\nA tool is `yes` where its suites pass; a number leads to \
         what is missing. WebKit is experimental: its column has the gaps of the\ndriver's own cases and of most suites; not all \
         suites were run there yet. *Own Chrome* is the person's, through `--extension`; *running* ones are at `--endpoint`,\nand \
         have the gaps of their engine too. There only the suites of tabs and of `companion` run for every change; \
         `cargo xtask running` runs those of\n`browser` too. Their columns say what is known to be missing.\n\n",
    );
    let mut notes: Vec<String> = Vec::new();
    let mut marks: BTreeMap<(&str, String), BTreeSet<usize>> = BTreeMap::new();
    let mut never: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (engine, name) in ENGINES {
        for gap in Expectations::of(engine)?.gaps.into_values() {
            let versions = gap.before.map(|before| format!(" before {before}")).unwrap_or_default();
            let number = numbered(&mut notes, format!("{name}{versions}: {}.", gap.reason));
            for tool in gap.tools {
                marks.entry((engine, tool)).or_default().insert(number);
            }
        }
        for (_, Limit { what, tools, .. }) in LIMITS.iter().filter(|(of, _)| *of == engine) {
            let number = numbered(&mut notes, format!("{name}: {what}."));
            for tool in *tools {
                marks.entry((engine, (*tool).to_owned())).or_default().insert(number);
            }
        }
        for (method, what, tools) in POWERS {
            if !has(engine, method)? {
                let number = numbered(&mut notes, format!("{name}: not available: {what}."));
                for tool in tools {
                    marks.entry((engine, (*tool).to_owned())).or_default().insert(number);
                    if *tool == method {
                        never.insert((engine, method));
                    }
                }
            }
        }
    }
    for Running { heading, name, engine, lacks, limits } in &RUNNING {
        for gap in Expectations::of(heading)?.gaps.into_values() {
            let number = numbered(&mut notes, format!("{}: {}.", capitalized(name), gap.reason));
            for tool in gap.tools {
                marks.entry((heading, tool)).or_default().insert(number);
            }
        }
        for (method, what, tools) in POWERS.iter().filter(|(method, ..)| lacks.contains(method)) {
            if has(engine, method)? {
                let number = numbered(&mut notes, format!("{}: not available: {what}.", capitalized(name)));
                for tool in *tools {
                    marks.entry((heading, (*tool).to_owned())).or_default().insert(number);
                    if tool == method {
                        never.insert((heading, method));
                    }
                }
            }
        }
        for Limit { what, tools, never: nothing } in *limits {
            let number = numbered(&mut notes, format!("{}: {what}.", capitalized(name)));
            for tool in *tools {
                marks.entry((heading, (*tool).to_owned())).or_default().insert(number);
                if *nothing {
                    never.insert((heading, tool));
                }
            }
        }
        let theirs: Vec<_> = marks.iter().filter(|((of, _), _)| of == engine).collect();
        let theirs: Vec<_> = theirs.into_iter().map(|((_, tool), of)| (tool.clone(), of.clone())).collect();
        for (tool, of) in theirs {
            marks.entry((heading, tool)).or_default().extend(of);
        }
    }
    let columns: Vec<(&str, &str)> =
        ENGINES.into_iter().chain(RUNNING.iter().map(|running| (running.heading, running.name))).collect();
    let names: Vec<_> = columns.iter().map(|(_, name)| *name).collect();
    let _ = writeln!(
        page,
        "| dialect | tool | {} |\n| --- | --- |{}",
        names.join(" | "),
        " --- |".repeat(names.len())
    );
    for (dialect, tools) in listings()? {
        for tool in tools {
            let _ = write!(page, "| {dialect} | `{tool}` |");
            for (column, _) in &columns {
                let found = marks.get(&(*column, tool.clone()));
                let found: Vec<_> =
                    found.into_iter().flatten().map(|note| format!("[{note}](#notes)")).collect();
                let found = match (found.is_empty(), never.contains(&(*column, tool.as_str()))) {
                    (true, _) => "yes".to_owned(),
                    (false, false) => format!("mostly, see {}", found.join(" ")),
                    (false, true) => format!("no, see {}", found.join(" ")),
                };
                let _ = write!(page, " {found} |");
            }
            page.push('\n');
        }
    }
    page.push_str("\n## Powers\n\nOptional features of a driver.\n\n");
    let _ = writeln!(page, "| power | {} |\n| --- |{}", names.join(" | "), " --- |".repeat(names.len()));
    for (method, what, _) in POWERS {
        let _ = write!(page, "| {what} |");
        for (engine, _) in ENGINES {
            let (of, access, methods) = ASKED_FOR;
            let partly = PARTLY.iter().find(|(of, power, _)| (*of, *power) == (engine, method));
            let has = match (has(engine, method)?, partly) {
                (false, _) => "no".to_owned(),
                (true, _) if engine == of && methods.contains(&method) => access.to_owned(),
                (true, Some((.., remains))) => format!("yes, {remains}"),
                (true, None) => "yes".to_owned(),
            };
            let _ = write!(page, " {has} |");
        }
        for Running { engine, lacks, .. } in &RUNNING {
            let has = has(engine, method)? && !lacks.contains(&method);
            let _ = write!(page, " {} |", if has { "yes" } else { "no" });
        }
        page.push('\n');
    }
    page.push_str("\n## Notes\n\n");
    for (at, note) in notes.iter().enumerate() {
        let _ = writeln!(page, "{}. {note}", at + 1);
    }
    Ok(page)
}

/// The number of a note, which is told once.
fn numbered(notes: &mut Vec<String>, note: String) -> usize {
    match notes.iter().position(|known| *known == note) {
        Some(at) => at + 1,
        None => {
            notes.push(note);
            notes.len()
        }
    }
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
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

/// Whether a driver implements the accessor of a power.
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
    fn the_page_about_engines_has_every_power() {
        let folder = root().join("crates/driver/src");
        let texts = ["page.rs", "browser.rs"].map(|name| fs::read_to_string(folder.join(name)).unwrap());
        let accessors: BTreeSet<&str> = texts
            .iter()
            .flat_map(|text| text.lines())
            .filter(|line| line.contains("-> Option<&dyn "))
            .filter_map(|line| line.trim().strip_prefix("fn ")?.split('(').next())
            .collect();
        assert!(accessors.len() > 15, "{accessors:?}");
        let rows = POWERS.iter().map(|(accessor, ..)| *accessor);
        let rows: BTreeSet<&str> = rows.filter(|row| !WITHOUT_ACCESSOR.contains(row)).chain(NO_ROW).collect();
        assert_eq!(rows, accessors);
    }

    #[test]
    fn a_note_is_there_once_and_says_all() {
        let page = render().unwrap();
        let (_, notes) = page.split_once("## Notes").unwrap();
        let notes: Vec<&str> = notes.lines().filter_map(|line| Some(line.split_once(". ")?.1)).collect();
        let distinct: BTreeSet<&&str> = notes.iter().collect();
        assert_eq!(distinct.len(), notes.len());
        let dangling = notes.iter().find(|note| note.contains(": the same"));
        assert_eq!(dangling, None, "each stands alone");
    }

    #[test]
    fn every_tool_of_a_gap_is_a_tool() {
        let known: BTreeSet<String> = listings().unwrap().into_values().flatten().collect();
        let headings =
            ENGINES.iter().map(|(engine, _)| *engine).chain(RUNNING.map(|running| running.heading));
        for heading in headings {
            for (test, gap) in Expectations::of(heading).unwrap().gaps {
                for tool in gap.tools {
                    assert!(known.contains(&tool), "{test}: {tool}");
                }
            }
        }
        let of_engines = LIMITS.iter().map(|(_, limit)| limit);
        for Limit { what, tools, .. } in of_engines.chain(RUNNING.iter().flat_map(|running| running.limits)) {
            assert!(tools.iter().all(|tool| known.contains(*tool)), "{what}: {tools:?}");
        }
    }
}
