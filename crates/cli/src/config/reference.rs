//! The page about the options, `docs/configuration.md`, made from their declaration.

use std::fmt::Write;

use clap::Arg;

use super::layers::{FILE_NAME, options, variable};

/// The page.
pub(crate) fn page() -> String {
    let mut page = format!(
        "<!-- Made by `cargo xtask docs`. -->\n\n# Configuration\n\n\
         Each option can be given as a flag, as an environment variable or as a key of `{FILE_NAME}`; the first one given wins, in \
         this order. The file is the one in the working directory, or the one that `--config FILE` names. A file that was \
         only found in the working directory may come from somebody else, so it can set appearance and limits only: programs, \
         paths, secrets and proxies need a flag, a variable, or `--config {FILE_NAME}`. Unknown names and invalid values are \
         errors at start.\n\n\
         ```toml\n# {FILE_NAME}\nheaded = true\nviewport = \"1600x900\"\nallow-path = [\"/srv/uploads\"]\n\
         action-timeout = \"10s\"\n```\n\n\
         Durations have units: `500ms`, `5s`, `30m`, `1h`. Lists are separated by commas; in the file they may be TOML lists. \
         `=false` turns a flag off. Keys may use underscores.\n\n\
         | option | variable | key | default | effect |\n| --- | --- | --- | --- | --- |\n",
    );
    for option in options() {
        row(&mut page, &option);
    }
    page
}

fn row(page: &mut String, option: &Arg) {
    let Some(name) = option.get_long() else { return };
    let value = option.get_value_names().and_then(<[_]>::first).map(ToString::to_string);
    let flag = match value {
        Some(value) if option.is_require_equals_set() => format!("`--{name}[={value}]`"),
        Some(value) => format!("`--{name} {value}`"),
        None => format!("`--{name}`"),
    };
    let key = if name == "config" { String::new() } else { format!("`{name}`") };
    let default: Vec<_> = option.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let default = if default.is_empty() { String::new() } else { format!("`{}`", default.join(",")) };
    let words = option.get_help().map(ToString::to_string).unwrap_or_default();
    // Writing to a string cannot fail.
    let _ = writeln!(
        page,
        "| {flag} | `{}` | {key} | {default} | {}{} |",
        variable(name),
        words.replace('|', "\\|"),
        choices(option)
    );
}

/// What the values are, where they can be counted.
fn choices(option: &Arg) -> String {
    let offered = option.get_possible_values().into_iter().filter(|value| !value.is_hide_set());
    let names: Vec<String> = offered.map(|value| format!("`{}`", value.get_name())).collect();
    match names.is_empty() || option.is_require_equals_set() {
        true => String::new(),
        false => format!(" ({})", names.join(", ")),
    }
}
