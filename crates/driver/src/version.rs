use std::path::Path;

use crate::LaunchError;

/// The oldest supported version of a browser. Each driver has one and checks it at every start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OldestVersion {
    /// The browser's usual name.
    pub engine: &'static str,
    /// Major version.
    pub major: u32,
}

impl OldestVersion {
    /// Checks a version as a browser reports it: `HeadlessChrome/150.0.7871.100`, `140.12.0`, or the output of
    /// `--version`. A text without a number passes, since nothing is known about it.
    pub fn check(self, program: &Path, reported: &str) -> Result<(), LaunchError> {
        let Some(found) = number(reported) else { return Ok(()) };
        if major_version(reported).is_none_or(|major| major >= self.major) {
            return Ok(());
        }
        Err(LaunchError::TooOld {
            program: program.to_owned(),
            engine: self.engine,
            found: found.to_owned(),
            oldest: self.major,
        })
    }
}

/// Parses the major version from a reported version.
pub fn major_version(reported: &str) -> Option<u32> {
    number(reported)?.split('.').next()?.parse().ok()
}

/// The first token of digits and dots: `140.12.0` in `Mozilla Firefox 140.12.0esr`.
fn number(reported: &str) -> Option<&str> {
    let mut words = reported.split(|letter: char| letter.is_whitespace() || letter == '/');
    let word = words.find(|word| word.starts_with(|letter: char| letter.is_ascii_digit()))?;
    let end = word.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(word.len());
    Some(&word[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLDEST: OldestVersion = OldestVersion { engine: "Browser", major: 140 };

    fn refused(reported: &str) -> Option<String> {
        OLDEST.check(Path::new("/bin/browser"), reported).err().map(|error| error.to_string())
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        for good in [
            "HeadlessChrome/150.0.7871.100",
            "140.0",
            "Mozilla Firefox 140.12.0esr",
            "Chromium 1000.1",
            "none",
        ] {
            assert_eq!(refused(good), None, "{good}");
        }
        for (bad, found) in [
            ("HeadlessChrome/139.0.7258.5", "139.0.7258.5"),
            ("115.3.1", "115.3.1"),
            ("Mozilla Firefox 128.9.0esr", "128.9.0"),
            ("Chromium 99.0 built on Debian 13.1", "99.0"),
        ] {
            let told = format!("/bin/browser is Browser {found}; the oldest supported version is 140");
            assert_eq!(refused(bad), Some(told));
        }
    }
}
