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
    let names: Vec<&str> = lines.iter().filter_map(|line| name_of(line)).collect();
    let mut block = format!("{BEGIN}\n");
    for held in read(&profile.join("prefs.js"))?.lines() {
        if name_of(held).is_some_and(|name| names.contains(&name)) {
            block.push_str(&format!("{BEFORE}{held}\n"));
        }
    }
    for line in lines {
        block.push_str(&format!("{line}\n"));
    }
    let mut text = read(&profile.join("user.js"))?;
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    // The last one wins.
    write(&profile.join("user.js"), &format!("{text}{block}{END}\n"))
}

/// Removes them. The browser must have exited.
pub fn remove_preferences(profile: &Path) -> io::Result<()> {
    let path = profile.join("user.js");
    let text = read(&path)?;
    let Some((theirs, rest)) = text.split_once(BEGIN) else { return Ok(()) };
    let (ours, after) = rest.split_once(END).unwrap_or((rest, ""));
    let names: Vec<&str> = ours.lines().filter_map(name_of).collect();
    let prefs = read(&profile.join("prefs.js"))?;
    if !prefs.is_empty() {
        let kept = prefs.lines().filter(|line| name_of(line).is_none_or(|name| !names.contains(&name)));
        let before = ours.lines().filter_map(|line| line.strip_prefix(BEFORE));
        let lines: Vec<&str> = kept.chain(before).collect();
        write(&profile.join("prefs.js"), &format!("{}\n", lines.join("\n")))?;
    }
    let theirs = format!("{theirs}{}", after.trim_start_matches('\n'));
    if theirs.is_empty() { fs::remove_file(&path) } else { write(&path, &theirs) }
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
}
