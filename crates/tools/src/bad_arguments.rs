//! Invalid arguments, all errors at once.

/// The minimum similarity of two names for a suggestion.
const ALIKE: f64 = 0.8;

/// Why arguments are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadArguments {
    /// One is missing.
    #[error("Missing required argument: {0}")]
    Missing(&'static str),
    /// One has the wrong type or value.
    #[error("Invalid argument {name}: it must be {expected}")]
    Wrong {
        /// Which one.
        name: &'static str,
        /// What it must be.
        expected: String,
    },
    /// Some are unknown.
    #[error("{}", unknown(.names, .known))]
    Unknown {
        /// Their names, each with the most similar known one.
        names: Vec<(String, Option<&'static str>)>,
        /// What the tool takes.
        known: Vec<&'static str>,
    },
    /// They cannot be combined.
    #[error("{0}")]
    Together(&'static str),
    /// Several of these.
    #[error("{}", lines(.0))]
    Several(Vec<BadArguments>),
}

impl BadArguments {
    /// All of these as one; `None` if there are none.
    pub(crate) fn all(bad: Vec<Self>) -> Option<Self> {
        let mut parts: Vec<Self> = Vec::new();
        for bad in bad {
            let more = match bad {
                Self::Several(parts) => parts,
                one => vec![one],
            };
            // A value that is read twice is wrong twice.
            parts.extend(more.into_iter().filter(|bad| !parts.contains(bad)).collect::<Vec<_>>());
        }
        if parts.len() > 1 { Some(Self::Several(parts)) } else { parts.pop() }
    }
}

/// Both values, or the errors of both.
pub(crate) fn both<A, B>(
    one: Result<A, BadArguments>,
    other: Result<B, BadArguments>,
) -> Result<(A, B), BadArguments> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(one), Err(other)) => Err(BadArguments::Several(vec![one, other])),
        (Err(bad), Ok(_)) | (Ok(_), Err(bad)) => Err(bad),
    }
}

fn lines(all: &[BadArguments]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// `Unknown argument: colr; did you mean color? known: color, size`.
fn unknown(names: &[(String, Option<&'static str>)], known: &[&'static str]) -> String {
    let known = if known.is_empty() { "no arguments".to_owned() } else { known.join(", ") };
    match names {
        [(name, None)] => format!("Unknown argument: {name}; known: {known}"),
        [(name, Some(meant))] => format!("Unknown argument: {name}; did you mean {meant}? known: {known}"),
        names => {
            let each = names.iter().map(|(name, meant)| match meant {
                None => name.clone(),
                Some(meant) => format!("{name} (did you mean {meant}?)"),
            });
            format!("Unknown arguments: {}; known: {known}", each.collect::<Vec<_>>().join(", "))
        }
    }
}

/// The most similar known name, ignoring case, separators and the common prefix.
pub(crate) fn nearest(
    name: &str,
    known: impl IntoIterator<Item = &'static str>,
    prefix: &str,
) -> Option<&'static str> {
    let plain =
        |name: &str| name.strip_prefix(prefix).unwrap_or(name).to_lowercase().replace(['_', '-', '.'], "");
    let alike = |known: &str| strsim::jaro_winkler(&plain(name), &plain(known));
    let nearest = known.into_iter().max_by(|one, other| {
        // On a tie, the one with the same beginning.
        let whole = |known: &str| strsim::jaro_winkler(name, known);
        alike(one).total_cmp(&alike(other)).then(whole(one).total_cmp(&whole(other)))
    })?;
    (alike(nearest) > ALIKE).then_some(nearest)
}

/// ` (did you mean value?)`, for an unknown field of an object.
pub(crate) fn suggestion(name: &str, known: &[&'static str]) -> String {
    nearest(name, known.iter().copied(), "")
        .map(|meant| format!(" (did you mean {meant}?)"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_named() {
        let known = ["ref", "element", "doubleClick", "tabId"];
        for (name, meant) in [
            ("elemnt", Some("element")),
            ("double_click", Some("doubleClick")),
            ("tab", Some("tabId")),
            ("colour", None),
        ] {
            assert_eq!(nearest(name, known, ""), meant, "{name}");
        }
        let tools = ["browser_click", "browser_close", "browser_tabs", "tab_close"];
        for (name, meant) in [
            ("browser_klick", Some("browser_click")),
            ("click", Some("browser_click")),
            ("browser_launch", None),
        ] {
            assert_eq!(nearest(name, tools, "browser_"), meant, "{name}");
        }
    }

    #[test]
    fn of_two_that_are_as_near_the_one_with_the_same_beginning_is_named() {
        for tools in [["click", "browser_click"], ["browser_click", "click"]] {
            assert_eq!(nearest("browser_klick", tools, "browser_"), Some("browser_click"));
            assert_eq!(nearest("klick", tools, "browser_"), Some("click"));
        }
    }

    #[test]
    fn all_that_is_wrong_is_told_once() {
        let wrong = || BadArguments::Wrong { name: "size", expected: "a number".into() };
        let unknown = BadArguments::Unknown {
            names: vec![("colr".into(), Some("color")), ("x".into(), None)],
            known: vec!["color", "size"],
        };
        let several = BadArguments::Several(vec![wrong(), unknown]);
        assert_eq!(
            BadArguments::all(vec![wrong(), several]).unwrap().to_string(),
            "Invalid argument size: it must be a number\n\
             Unknown arguments: colr (did you mean color?), x; known: color, size"
        );
        assert_eq!(BadArguments::all(vec![wrong()]), Some(wrong()));
        assert_eq!(BadArguments::all(Vec::new()), None);
    }
}
