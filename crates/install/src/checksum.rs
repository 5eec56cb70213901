//! [`trust`] decides what an archive is [`Trust`]ed for; [`verify`] holds it to that.
//!
//! | the archive's SHA-256 | from its publisher | from another mirror |
//! | --- | --- | --- |
//! | is pinned in this crate | must match | must match |
//! | is not pinned | TLS alone, with a warning | must match `<archive>.sha256` beside it; refused without |
//!
//! What this is worth: a pinned checksum holds against everyone, the mirror included. TLS holds against
//! everyone but the publisher. A checksum file beside the archive shows that the archive is the one that
//! the mirror means to serve, and no more: who chose the mirror chose to trust it, and over plain HTTP
//! everyone on the way as well.

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

/// A checksum file is one line; more than this is something else.
const CHECKSUM_FILE_LIMIT: usize = 4096;

const BLOCK: usize = 1024 * 1024;

/// Why an archive is not known to be what was published.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChecksumError {
    /// The mirror has no checksum for it, and none is pinned.
    #[error("there is no checksum for {url}: none is pinned, and the mirror has no {url}.sha256")]
    Unknown {
        /// The archive.
        url: String,
    },
    /// The mirror's checksum file has no checksum in it.
    #[error("{url} does not begin with a SHA-256 in hexadecimal")]
    Malformed {
        /// The checksum file.
        url: String,
    },
    /// The archive's checksum is another.
    #[error("{url} has the SHA-256 {actual}, not {expected}")]
    Mismatch {
        /// The archive.
        url: String,
        /// The checksum that it should have.
        expected: String,
        /// The checksum that it has.
        actual: String,
    },
}

impl ChecksumError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            ChecksumError::Unknown { .. } | ChecksumError::Malformed { .. } => {
                "put the archive's SHA-256, as `sha256sum` writes it, beside it on the mirror, or unset \
                 CICERONE_DOWNLOAD_BASE to download from the publisher"
            }
            ChecksumError::Mismatch { .. } => {
                "the archive was thrown away: install again, and do not trust the mirror if it happens again"
            }
        }
    }
}

/// What an archive is trusted for.
pub(crate) enum Trust {
    /// This SHA-256, in lower-case hexadecimal.
    Sha256(String),
    /// Its publisher's certificate.
    Tls,
}

/// Decides what an archive is trusted for, before it is downloaded.
pub(crate) fn trust(
    archive: &Archive,
    client: &Client,
    progress: &dyn Progress,
) -> Result<Trust, InstallError> {
    if let Some(pinned) = archive.pinned {
        return Ok(Trust::Sha256(pinned.to_owned()));
    }
    if archive.from_publisher {
        return Ok(Trust::Tls);
    }
    let url = format!("{}.sha256", archive.url);
    match retrying(progress, || fetch(&url, client, progress))? {
        None => Err(ChecksumError::Unknown { url: archive.url.clone() }.into()),
        Some(text) => match parse(&text) {
            Some(checksum) => Ok(Trust::Sha256(checksum)),
            None => Err(ChecksumError::Malformed { url }.into()),
        },
    }
}

/// Holds a downloaded archive to what it is trusted for, and discards it where it fails.
pub(crate) fn verify(
    archive: &Archive,
    trust: &Trust,
    part: &Path,
    progress: &dyn Progress,
) -> Result<(), InstallError> {
    let Trust::Sha256(expected) = trust else {
        // Said here, once the archive has arrived: a publisher out of reach needs no such warning.
        return Ok(tell(progress, Step::Warning(Warning::Unverified { url: &archive.url }))?);
    };
    let actual = sha256(part, progress)?;
    if actual == *expected {
        return Ok(());
    }
    discard(part)?;
    Err(ChecksumError::Mismatch { url: archive.url.clone(), expected: expected.clone(), actual }.into())
}

/// Bytes in lower-case hexadecimal.
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

/// A small file's text, or `None` where the mirror does not have it.
fn fetch(url: &str, client: &Client, progress: &dyn Progress) -> Result<Option<Vec<u8>>, InstallError> {
    let pulse = Pulse { progress, step: Step::Downloading { done: 0, total: None } };
    let transfer = client.get(url, 0, pulse)?;
    match transfer.head.status {
        200 => {}
        // Object stores answer 403 for what is not there, unless the asker may list the bucket.
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

/// The checksum at the beginning of a file as `sha256sum` writes it.
fn parse(text: &[u8]) -> Option<String> {
    let word = text.split(u8::is_ascii_whitespace).find(|word| !word.is_empty())?;
    let word = std::str::from_utf8(word).ok()?;
    let is_sha256 = word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_sha256.then(|| word.to_ascii_lowercase())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use std::cell::Cell;
    use std::ops::ControlFlow;
    use std::time::Duration;

    use super::*;
    use crate::environment::Environment;
    use crate::mirror::Mirror;

    fn archive(pinned: Option<&'static str>, from_publisher: bool) -> Archive {
        Archive {
            url: "https://host.invalid/a.zip".into(),
            pinned,
            from_publisher,
            cache_name: String::new(),
        }
    }

    /// Decides without a network: whatever asks the mirror fails.
    fn decide(archive: &Archive) -> Result<Trust, InstallError> {
        let mirror = Mirror::choose(Some("https://host.invalid"), &Environment::Given([].into()));
        let go_on = |_: Step<'_>| ControlFlow::Continue(());
        trust(archive, &Client::new(&mirror, Duration::from_millis(1)), &go_on)
    }

    #[test]
    fn a_pinned_checksum_holds_wherever_the_archive_comes_from() {
        for from_publisher in [true, false] {
            let trust = decide(&archive(Some("abc"), from_publisher)).unwrap();
            assert!(matches!(trust, Trust::Sha256(checksum) if checksum == "abc"));
        }
    }

    #[test]
    fn without_one_the_publisher_is_trusted_with_a_warning_and_a_mirror_is_asked() {
        let publishers = archive(None, true);
        let trust = decide(&publishers).unwrap();
        let warned = Cell::new(false);
        let watch = |step: Step<'_>| {
            warned.set(matches!(step, Step::Warning(Warning::Unverified { .. })));
            ControlFlow::Continue(())
        };
        verify(&publishers, &trust, Path::new("unread"), &watch).unwrap();
        assert!(warned.get());
        assert!(matches!(decide(&archive(None, false)), Err(InstallError::Download(_))));
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
