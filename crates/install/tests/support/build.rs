//! A [`Build`] is a small archive in the published layout.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use sha2::{Digest, Sha256};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The archive's path below a mirror's base.
pub(crate) fn path() -> String {
    format!("/{}/linux64/chrome-linux64.zip", cicerone_install::CHROMIUM_VERSION)
}

/// The executable's path below the cache.
pub(crate) fn executable() -> String {
    format!("chromium-{}/chrome-linux64/chrome", cicerone_install::CHROMIUM_VERSION)
}

/// An archive under construction.
pub(crate) struct Build(ZipWriter<Cursor<Vec<u8>>>);

impl Build {
    pub(crate) fn empty() -> Self {
        Build(ZipWriter::new(Cursor::new(Vec::new())))
    }

    /// A usable build: an executable, a symbolic link to it, and 1 MB of incompressible data.
    pub(crate) fn usable() -> Self {
        Build::empty()
            .file("chrome-linux64/chrome", 0o755, b"#!/bin/sh\necho Chromium 1.2.3\n")
            .file("chrome-linux64/resources.pak", 0o644, &noise(1_000_000))
            .link("chrome-linux64/locales/default", "../chrome")
    }

    pub(crate) fn file(mut self, name: &str, mode: u32, content: &[u8]) -> Self {
        self.0.start_file(name, SimpleFileOptions::default().unix_permissions(mode)).unwrap();
        self.0.write_all(content).unwrap();
        self
    }

    pub(crate) fn link(mut self, name: &str, target: &str) -> Self {
        self.0.add_symlink(name, target, SimpleFileOptions::default()).unwrap();
        self
    }

    pub(crate) fn bytes(self) -> Vec<u8> {
        self.0.finish().unwrap().into_inner()
    }
}

/// The content of a checksum file.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").unwrap();
    }
    text + "  chrome-linux64.zip\n"
}

fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..length).map(|_| next()).collect()
}
