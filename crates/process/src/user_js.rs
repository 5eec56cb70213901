//! Firefox's preferences during automation. They can only be set in the profile's `user.js`, from which Firefox copies
//! them to `prefs.js`. A persistent profile must get its own back afterwards: ours are a block in `user.js` that also
//! records the previous values of `prefs.js`, so that anyone can remove them.

use std::{fs, io, path::Path};

const BEGIN: &str = "// cicerone: this is taken out when the browser ends";
const BEFORE: &str = "// before: ";
const END: &str = "// cicerone: end";

/// Adds preferences to a profile, as lines of `user.js`; effective from the next start.
pub fn add_preferences(profile: &Path, lines: &[String]) -> io::Result<()> {
    // Those of a killed browser.
    remove_preferences(profile)?;
    let (user, prefs) = (read(&profile.join("user.js"))?, read(&profile.join("prefs.js"))?);
    write(&profile.join("user.js"), &with_block(user, &prefs, lines))
}

/// Removes them. The browser must have exited.
pub fn remove_preferences(profile: &Path) -> io::Result<()> {
    let path = profile.join("user.js");
    let prefs = read(&profile.join("prefs.js"))?;
    let Some((theirs, before)) = without_block(&read(&path)?, &prefs) else { return Ok(()) };
    if !prefs.is_empty() {
        write(&profile.join("prefs.js"), &before)?;
    }
    if theirs.is_empty() { fs::remove_file(&path) } else { write(&path, &theirs) }
}

/// `user.js` with our block, which has what `prefs.js` held of it before.
fn with_block(mut user: String, prefs: &str, lines: &[String]) -> String {
    let names: Vec<&str> = lines.iter().filter_map(|line| name_of(line)).collect();
    if !user.is_empty() && !user.ends_with('\n') {
        user.push('\n');
    }
    // The last one wins.
    user.push_str(&format!("{BEGIN}\n"));
    for held in prefs.lines().filter(|held| name_of(held).is_some_and(|name| names.contains(&name))) {
        user.push_str(&format!("{BEFORE}{held}\n"));
    }
    for line in lines {
        user.push_str(&format!("{line}\n"));
    }
    user.push_str(&format!("{END}\n"));
    user
}

/// `user.js` without our block, and `prefs.js` as it was before; `None` without one.
fn without_block(user: &str, prefs: &str) -> Option<(String, String)> {
    let (theirs, rest) = split_at_line(user, BEGIN)?;
    let (ours, after) = split_at_line(rest, END).unwrap_or((rest, ""));
    let names: Vec<&str> = ours.lines().filter_map(name_of).collect();
    let kept = prefs.lines().filter(|line| name_of(line).is_none_or(|name| !names.contains(&name)));
    let before = ours.lines().filter_map(|line| line.strip_prefix(BEFORE));
    let lines: Vec<&str> = kept.chain(before).collect();
    Some((format!("{theirs}{after}"), format!("{}\n", lines.join("\n"))))
}

/// What is before and after a line. The value of a preference may contain the same text.
fn split_at_line<'a>(text: &'a str, wanted: &str) -> Option<(&'a str, &'a str)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end_matches(['\r', '\n']) == wanted {
            return Some((&text[..at], &text[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

/// The preference that a line sets.
fn name_of(line: &str) -> Option<&str> {
    let name = line.trim_start().strip_prefix("user_pref(\"")?;
    name.split_once('"').map(|(name, _)| name)
}

fn read(path: &Path) -> io::Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

/// Writes atomically.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let half = path.with_extension("js.part");
    fs::write(&half, text)?;
    fs::rename(&half, path)
}

#[cfg(test)]
mod tests {
    use cicerone_testkit::ForeignText;

    use super::*;

    #[test]
    fn a_profile_gets_back_what_it_had() {
        let profile = tempfile::tempdir().expect("a directory");
        let (user, prefs) = (profile.path().join("user.js"), profile.path().join("prefs.js"));
        let text = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        let theirs = "user_pref(\"mine\", 1);";
        fs::write(&user, theirs).expect("it can be written");
        fs::write(&prefs, "// Mozilla\nuser_pref(\"a\", 1);\nuser_pref(\"b\", 2);\n")
            .expect("it can be written");
        let ours = ["user_pref(\"a\", 9);".to_owned(), "user_pref(\"c\", 9);".to_owned()];

        add_preferences(profile.path(), &ours).expect("they are added");
        assert!(text(&user).starts_with(theirs) && text(&user).contains("user_pref(\"c\", 9);"));
        // As the browser does; and a second server after a killed one.
        fs::write(&prefs, "// Mozilla\nuser_pref(\"a\", 9);\nuser_pref(\"b\", 3);\nuser_pref(\"c\", 9);\n")
            .expect("it can be written");
        add_preferences(profile.path(), &ours).expect("they are added");
        remove_preferences(profile.path()).expect("they are removed");
        assert_eq!(text(&user).trim_end(), theirs);
        assert_eq!(text(&prefs), "// Mozilla\nuser_pref(\"b\", 3);\nuser_pref(\"a\", 1);\n");
        // Nothing of ours is left to remove.
        remove_preferences(profile.path()).expect("nothing is done");
        assert_eq!(text(&user).trim_end(), theirs);
    }

    #[test]
    fn a_profile_that_had_none_has_none_afterwards() {
        let profile = tempfile::tempdir().expect("a directory");
        add_preferences(profile.path(), &["user_pref(\"a\", 9);".to_owned()]).expect("they are added");
        remove_preferences(profile.path()).expect("they are removed");
        assert!(!profile.path().join("user.js").exists());
    }

    /// Pieces of files that people and browsers write, and of our block.
    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        "user_pref(\"a\", 1);", "user_pref(\"b\", \"", "\");", "  user_pref(\"c\", true);", "user_pref(", "\"", "\\", "//", " ", "\n", "\n",
        "\n", "\r\n", "\0", "é", "🦀", BEGIN, BEFORE, END,
    ];

    #[test]
    fn whatever_a_profile_has_it_gets_back() {
        let mut foreign = ForeignText::new();
        let ours = ["user_pref(\"a\", 9);".to_owned(), "user_pref(\"b\", 9);".to_owned()];
        let sorted = |text: &str| {
            let mut lines: Vec<String> =
                text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
            lines.sort();
            lines
        };
        for _ in 0..20_000 {
            let (user, prefs) = (foreign.pieces(PIECES, 12), foreign.pieces(PIECES, 12));
            // What is left of a block of ours is removed first.
            if without_block(&user, &prefs).is_some() {
                continue;
            }
            let (theirs, before) =
                without_block(&with_block(user.clone(), &prefs, &ours), &prefs).expect("a block");
            assert_eq!(theirs.trim_end_matches('\n'), user.trim_end_matches('\n'), "{user:?} {prefs:?}");
            assert_eq!(sorted(&before), sorted(&prefs), "{user:?} {prefs:?}");
        }
    }
}
