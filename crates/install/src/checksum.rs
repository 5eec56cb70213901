//! [`expected`] determines the checksum of an archive; [`verify`] enforces it.
//!
//! For the publisher it is the one pinned in this crate. A mirror may serve its own builds, declared with
//! `<archive>.sha256` next to them; without that file its archive must be the pinned one too.
//!
//! A pinned checksum protects against everyone. A checksum file next to the archive only shows that the archive is the
//! one that the mirror intends to serve: choosing a mirror means trusting it and, over plain HTTP, everyone on the way.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::download::{DownloadError, discard};
use crate::error::InstallError;
use crate::mirror::Archive;
use crate::progress::{Progress, Pulse, Step, Warning, tell};
use crate::retry::retrying;
use crate::transfer::Client;

/// A checksum file is one line; anything larger is something else.
const CHECKSUM_FILE_LIMIT: usize = 4096;

const BLOCK: usize = 1024 * 1024;

/// Why an archive could not be verified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChecksumError {
    /// The mirror's checksum file contains no checksum.
    #[error("{url} does not begin with a SHA-256 in hexadecimal")]
    Malformed {
        /// The checksum file.
        url: String,
    },
    /// The archive has another checksum.
    #[error("{url} has the SHA-256 {actual}, expected {expected}")]
    Mismatch {
        /// The archive.
        url: String,
        /// The expected checksum.
        expected: String,
        /// The actual checksum.
        actual: String,
    },
}

impl ChecksumError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            ChecksumError::Malformed { .. } => {
                "put the archive's SHA-256, as `sha256sum` writes it, beside it on the mirror, or unset \
                 CICERONE_DOWNLOAD_BASE to download from the publisher"
            }
            ChecksumError::Mismatch { .. } => {
                "the archive was thrown away: install again, and do not trust the server if it happens again; a \
                 mirror with a build of its own must have its SHA-256, as `sha256sum` writes it, beside it"
            }
        }
    }
}

/// The expected checksum of an archive in lower-case hexadecimal, determined before the download.
pub(crate) fn expected(
    archive: &Archive,
    client: &Client,
    progress: &dyn Progress,
) -> Result<String, InstallError> {
    let pinned = archive.pinned.to_owned();
    if archive.from_publisher {
        return Ok(pinned);
    }
    let url = format!("{}.sha256", archive.url);
    let Some(text) = retrying(progress, || fetch(&url, client, progress))? else { return Ok(pinned) };
    Ok(parse(&text).ok_or(ChecksumError::Malformed { url })?)
}

/// Verifies a downloaded archive, and deletes it if the checksum differs.
pub(crate) fn verify(
    archive: &Archive,
    expected: &str,
    part: &Path,
    progress: &dyn Progress,
) -> Result<(), InstallError> {
    let actual = sha256(part, progress)?;
    if actual != expected {
        discard(part)?;
        let (url, expected) = (archive.url.clone(), expected.to_owned());
        return Err(ChecksumError::Mismatch { url, expected, actual }.into());
    }
    if expected != archive.pinned {
        tell(progress, Step::Warning(Warning::OtherBuild { url: &archive.url }))?;
    }
    Ok(())
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn sha256(path: &Path, progress: &dyn Progress) -> Result<String, InstallError> {
    let mut file = File::open(path).map_err(InstallError::disk("open", path))?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; BLOCK];
    loop {
        tell(progress, Step::Verifying)?;
        match file.read(&mut block).map_err(InstallError::disk("read", path))? {
            0 => return Ok(hex(&hasher.finalize())),
            length => hasher.update(&block[..length]),
        }
    }
}

/// The content of a small file; `None` if the mirror does not have it.
fn fetch(url: &str, client: &Client, progress: &dyn Progress) -> Result<Option<Vec<u8>>, InstallError> {
    let pulse = Pulse { progress, step: Step::Downloading { done: 0, total: None } };
    let transfer = client.get(url, 0, pulse)?;
    match transfer.head.status {
        200 => {}
        // Object stores answer 403 for missing objects, unless the client may list the bucket.
        403 | 404 | 410 => return Ok(None),
        status => return Err(DownloadError::Status { url: url.to_owned(), status }.into()),
    }
    let mut text = Vec::new();
    while let Some(chunk) = transfer.next_chunk(pulse)? {
        text.extend(chunk);
        if text.len() > CHECKSUM_FILE_LIMIT {
            break;
        }
    }
    Ok(Some(text))
}

/// The checksum at the start of a file in the format of `sha256sum`.
fn parse(text: &[u8]) -> Option<String> {
    let word = text.split(u8::is_ascii_whitespace).find(|word| !word.is_empty())?;
    let word = std::str::from_utf8(word).ok()?;
    let is_sha256 = word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_sha256.then(|| word.to_ascii_lowercase())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Duration;

    use super::*;
    use crate::environment::Environment;
    use crate::mirror::Mirror;
    use crate::platform::Platform;

    /// Decides offline: any request to the mirror fails.
    fn decide(from_publisher: bool) -> Result<String, InstallError> {
        let archive = Archive {
            url: "https://host.invalid/a.zip".into(),
            pinned: "abc",
            from_publisher,
            cache_name: String::new(),
        };
        let mirror = Mirror::choose(Some("https://host.invalid"), &Environment::Given([].into()));
        let go_on = |_: Step<'_>| ControlFlow::Continue(());
        expected(&archive, &Client::new(&mirror, Duration::from_millis(1)), &go_on)
    }

    #[test]
    fn the_publisher_is_held_to_the_pinned_checksum_and_a_mirror_is_asked_for_its_own() {
        assert_eq!(decide(true).unwrap(), "abc");
        assert!(matches!(decide(false), Err(InstallError::Download(_))));
    }

    #[test]
    fn every_platform_has_a_checksum_of_its_own() {
        let sums = [Platform::Linux64, Platform::MacArm64, Platform::MacX64, Platform::Win64]
            .map(crate::chromium::sha256);
        assert!(sums.iter().all(|sum| parse(sum.as_bytes()).as_deref() == Some(sum)));
        assert_eq!(std::collections::BTreeSet::from(sums).len(), sums.len());
    }

    #[test]
    fn checksum_files() {
        let sum = "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855";
        assert_eq!(parse(format!("{sum}  chrome.zip\n").as_bytes()), Some(sum.to_lowercase()));
        assert_eq!(parse(sum.as_bytes()), Some(sum.to_lowercase()));
        assert_eq!(parse(b"<html>not found</html>"), None);
        assert_eq!(parse(b""), None);
    }
}
