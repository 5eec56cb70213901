//! The extension's files, as Chrome loads them from a directory.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The extension's id. Chrome derives it from the public key in the manifest, wherever the files lie.
pub const ID: &str = "fpigkajcaaibbllghiijhpbnifablenf";

const FILES: [(&str, &str); 4] = [
    ("manifest.json", include_str!("../../../extension/dist/manifest.json")),
    ("popup.html", include_str!("../../../extension/dist/popup.html")),
    ("popup.js", include_str!("../../../extension/dist/popup.js")),
    ("worker.js", include_str!("../../../extension/dist/worker.js")),
];

/// The directory of the extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    directory: PathBuf,
}

impl Installation {
    /// The extension in this directory, whether it is there or not.
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Whether it was written here before.
    pub fn is_there(&self) -> bool {
        self.directory.join("manifest.json").is_file()
    }

    /// Whether its files are those of this program.
    pub fn is_current(&self) -> bool {
        FILES.iter().all(|(name, content)| {
            fs::read(self.directory.join(name)).is_ok_and(|there| there == content.as_bytes())
        })
    }

    /// Writes the files that are missing or differ. Only this user can read the directory: the token will be in it.
    pub fn write(&self) -> io::Result<()> {
        fs::create_dir_all(&self.directory)?;
        keep_private(&self.directory)?;
        for (name, content) in FILES {
            let path = self.directory.join(name);
            if !fs::read(&path).is_ok_and(|there| there == content.as_bytes()) {
                // Chrome may read it at any moment: it finds the old file or the new one.
                let new = self.directory.join(format!("{name}.new"));
                fs::write(&new, content)?;
                fs::rename(new, path)?;
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn keep_private(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(directory, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn keep_private(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "what goes wrong fails the test")]
mod tests {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use serde_json::Value;
    use sha2::{Digest, Sha256};

    use super::*;

    fn manifest() -> Value {
        serde_json::from_str(FILES[0].1).unwrap()
    }

    #[test]
    fn the_id_is_that_of_the_key_in_the_manifest() {
        let key = STANDARD.decode(manifest()["key"].as_str().unwrap()).unwrap();
        let digits =
            Sha256::digest(key).iter().take(16).flat_map(|byte| [byte >> 4, byte & 15]).collect::<Vec<_>>();
        let id: String = digits.into_iter().map(|digit| char::from(b'a' + digit)).collect();
        assert_eq!(id, ID);
    }

    /// Every permission alarms a person who installs the extension.
    #[test]
    fn every_permission_has_a_reason() {
        let reasons = [
            ("alarms", "wakes the worker, so that it connects again after Chrome ended it"),
            ("debugger", "drives the tabs"),
            ("scripting", "removes frames of other extensions, which make Chrome detach the debugger"),
            ("storage", "remembers which tabs are shared while the worker is not running"),
            ("tabGroups", "names and colours the group of the agent's tabs"),
            ("tabs", "titles and addresses of the agent's tabs, for the popup and the server"),
        ];
        let permissions = manifest()["permissions"].as_array().unwrap().clone();
        assert_eq!(permissions, reasons.map(|(name, _)| Value::from(name)));
        let worker = FILES[3].1;
        for (name, reason) in reasons {
            assert!(worker.contains(&format!("chrome.{name}.")), "{name}: {reason}");
        }
        // For `scripting`: such a frame can be in any page.
        assert_eq!(manifest()["host_permissions"], serde_json::json!(["<all_urls>"]));
        assert!(
            manifest().get("web_accessible_resources").is_none(),
            "no page may read the directory's files"
        );
        assert!(
            manifest().get("externally_connectable").is_none() && manifest().get("content_scripts").is_none()
        );
    }

    /// Chrome itself says so to whoever loads it in an older one.
    #[test]
    fn it_asks_for_the_oldest_supported_browser_and_stays_out_of_incognito_windows() {
        let oldest = cicerone_chromium::OLDEST.major.to_string();
        assert_eq!(manifest()["minimum_chrome_version"], oldest.as_str());
        assert_eq!(manifest()["incognito"], "not_allowed");
    }

    #[test]
    fn its_code_is_small_enough_to_be_read() {
        let bytes: usize =
            FILES.iter().filter(|(name, _)| name.ends_with(".js")).map(|(_, code)| code.len()).sum();
        assert!(bytes < 25_000, "{bytes} bytes");
        let longest = FILES.iter().flat_map(|(_, code)| code.lines()).map(str::len).max();
        assert!(longest < Some(600), "not minified: {longest:?}");
    }

    #[test]
    fn files_are_written_once_and_again_when_they_differ() {
        let parent = tempfile::tempdir().unwrap();
        let installation = Installation::at(parent.path().join("a/extension"));
        assert!(!installation.is_there());
        installation.write().unwrap();
        assert!(installation.is_there() && installation.is_current());
        fs::write(installation.directory().join("worker.js"), "old").unwrap();
        assert!(installation.is_there() && !installation.is_current());
        installation.write().unwrap();
        assert!(installation.is_current());
    }
}
