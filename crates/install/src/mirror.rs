//! A [`Mirror`] is a server with builds. An [`Archive`] is one file on it.

use sha2::{Digest, Sha256};

use crate::checksum::hex;
use crate::engine::Release;
use crate::environment::Environment;
use crate::platform::Platform;

/// The publisher of Chrome for Testing.
const PUBLISHER: &str = "https://storage.googleapis.com/chrome-for-testing-public";

/// The variable that names another mirror.
const VARIABLE: &str = "CICERONE_DOWNLOAD_BASE";

/// A server with builds.
pub(crate) struct Mirror {
    base: String,
}

/// An archive on a mirror.
pub(crate) struct Archive {
    pub(crate) url: String,
    /// The SHA-256 of the pinned build.
    pub(crate) pinned: &'static str,
    /// Whether it comes from the publisher, over TLS.
    pub(crate) from_publisher: bool,
    /// Its file name in the cache, different for each mirror, so that a download from one mirror is never completed and
    /// trusted as another's.
    pub(crate) cache_name: String,
}

impl Mirror {
    /// The mirror named by an option or the environment, or else the publisher.
    pub(crate) fn choose(option: Option<&str>, environment: &Environment) -> Self {
        let named = option.map(str::to_owned).or_else(|| environment.get(VARIABLE)?.into_string().ok());
        let base = named.unwrap_or_else(|| PUBLISHER.to_owned());
        Mirror { base: base.trim_end_matches('/').to_owned() }
    }

    /// Whether every request, redirects included, must use TLS.
    pub(crate) fn is_https(&self) -> bool {
        self.base.starts_with("https://")
    }

    /// The archive of a release for a platform.
    pub(crate) fn archive(&self, release: &Release, platform: Platform) -> Archive {
        let path = (release.archive)(platform);
        let mirror = hex(&Sha256::digest(&self.base)[..4]);
        Archive {
            url: format!("{}/{path}", self.base),
            pinned: (release.sha256)(platform),
            from_publisher: self.base == PUBLISHER,
            cache_name: format!("{}-{mirror}-{}", release.version, file_name(&path)),
        }
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
