//! Globs as URL patterns of browsers, whose only wildcard is `*`. They match at least what the glob matches.

/// More alternatives collapse into one wildcard.
const MOST: usize = 32;

/// Expands `{a,b}` into one glob per alternative.
pub(super) fn alternatives(glob: &str) -> Vec<String> {
    let mut whole = vec![glob.to_owned()];
    while let Some(at) = whole.iter().position(|glob| group(glob).is_some()) {
        let glob = whole.swap_remove(at);
        let Some((start, end)) = group(&glob) else { continue };
        let (before, inside, after) =
            (&glob[..start], &glob[start + 1..end], &glob[(end + 1).min(glob.len())..]);
        let mut parts = split(inside);
        if whole.len() + parts.len() > MOST {
            parts = vec!["*"];
        }
        whole.extend(parts.into_iter().map(|part| format!("{before}{part}{after}")));
    }
    whole
}

/// The range of the first group; an unclosed one ends with the glob.
fn group(glob: &str) -> Option<(usize, usize)> {
    let (mut depth, mut start, mut escaped) = (0, None, false);
    for (at, character) in glob.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => {
                start = start.or(Some(at));
                depth += 1;
            }
            '}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    return start.map(|start| (start, at));
                }
            }
            _ => {}
        }
    }
    start.map(|start| (start, glob.len()))
}

/// Splits at commas outside inner groups.
fn split(inside: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut from, mut escaped) = (Vec::new(), 0_usize, 0, false);
    for (at, character) in inside.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&inside[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[from..]);
    parts
}

/// Converts a glob without groups; `**/` may match nothing.
pub(super) fn of(glob: &str) -> String {
    let mut wild = String::new();
    let mut characters = glob.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            // An escaped star matches itself, like any other character.
            '\\' => wild.extend(characters.next()),
            '*' => {
                let mut stars = 1;
                while characters.next_if_eq(&'*').is_some() {
                    stars += 1;
                }
                // After a slash, `**/` matches no directory or several.
                if stars > 1 && wild.ends_with('/') {
                    characters.next_if_eq(&'/');
                }
                if !wild.ends_with('*') {
                    wild.push('*');
                }
            }
            other => wild.push(other),
        }
    }
    wild
}

#[cfg(test)]
mod tests {
    use crate::Pattern;

    #[test]
    fn wildcards_fit_at_least_what_the_pattern_fits() {
        for (pattern, expected) in [
            ("**/api/user", &["*/api/user"][..]),
            ("**/api/**", &["*/api/*"]),
            ("**/*.{png,jpg}", &["*/*.png", "*/*.jpg"]),
            ("http://h/**/b", &["http://h/*b"]),
            ("http://h/a?b=1", &["http://h/a?b=1", "http://h/a?b=1"]),
            ("/path", &["*://*/path"]),
            ("/items/i", &["*"]),
            ("{a,{b,c}d}e", &["ae", "bde", "cde"]),
            ("{a,b", &["a", "b"]),
            (r"a\*b", &["a*b"]),
        ] {
            let mut wildcards = Pattern::for_urls(pattern).unwrap().url_wildcards();
            let mut expected: Vec<String> = expected.iter().map(|&wild| wild.to_owned()).collect();
            wildcards.sort();
            expected.sort();
            assert_eq!(wildcards, expected, "{pattern}");
        }
        let many = format!("http://h/{}", "{a,b,c,d}".repeat(9));
        assert!(Pattern::for_urls(&many).unwrap().url_wildcards().len() <= super::MOST + 1);
    }
}
