//! A [`Download`] fetches an archive into its `.part` file. It resumes earlier attempts and runs, and retries when the
//! connection is lost. A [`DownloadError`] is why it failed.

mod error;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::error::InstallError;
use crate::progress::{Progress, Pulse, Step};
use crate::retry::retrying;
use crate::transfer::{Client, Head, Transfer};

pub use error::DownloadError;

/// An archive to fetch into a file.
pub(crate) struct Download<'a> {
    pub(crate) client: &'a Client,
    pub(crate) url: &'a str,
    /// The file, which may be partial.
    pub(crate) part: &'a Path,
    /// Maximum size.
    pub(crate) limit: u64,
    pub(crate) progress: &'a dyn Progress,
}

/// How a response relates to the partial file.
enum Start {
    /// The body is the whole file.
    Anew,
    /// The body is the rest of the file.
    Append,
    /// The file is complete already.
    Nothing,
    /// The partial file does not match the server's file.
    Misplaced,
    /// The server has no such file.
    Refused(u16),
}

impl Download<'_> {
    /// Fetches the whole archive, with retries.
    pub(crate) fn run(&self) -> Result<(), InstallError> {
        retrying(self.progress, || self.attempt())
    }

    fn attempt(&self) -> Result<(), InstallError> {
        let have = fs::metadata(self.part).map_or(0, |metadata| metadata.len());
        let transfer = self.client.get(self.url, have, self.pulse(have, None))?;
        match start(&transfer.head, have) {
            Start::Anew => self.receive(&transfer, Part::anew(self.part)?),
            Start::Append => self.receive(&transfer, Part::append(self.part, have)?),
            Start::Nothing => Ok(()),
            Start::Misplaced => {
                discard(self.part)?;
                Err(DownloadError::WrongRange { url: self.url.to_owned() }.into())
            }
            Start::Refused(status) => Err(DownloadError::Status { url: self.url.to_owned(), status }.into()),
        }
    }

    fn receive(&self, transfer: &Transfer, mut part: Part<'_>) -> Result<(), InstallError> {
        let total = transfer.head.length.map(|length| part.done.saturating_add(length));
        loop {
            if part.done.max(total.unwrap_or(0)) > self.limit {
                discard(self.part)?;
                return Err(DownloadError::TooLarge { url: self.url.to_owned(), limit: self.limit }.into());
            }
            let pulse = self.pulse(part.done, total);
            pulse.beat()?;
            match transfer.next_chunk(pulse)? {
                Some(chunk) => part.write(&chunk)?,
                None => return Ok(()),
            }
        }
    }

    fn pulse(&self, done: u64, total: Option<u64>) -> Pulse<'_> {
        Pulse { progress: self.progress, step: Step::Downloading { done, total } }
    }
}

fn start(head: &Head, have: u64) -> Start {
    match head.status {
        200 => Start::Anew,
        206 if head.start == Some(have) => Start::Append,
        416 if have > 0 && head.whole == Some(have) => Start::Nothing,
        206 | 416 => Start::Misplaced,
        status => Start::Refused(status),
    }
}

/// A partial file and its size.
struct Part<'a> {
    path: &'a Path,
    file: File,
    done: u64,
}

impl<'a> Part<'a> {
    fn anew(path: &'a Path) -> Result<Self, InstallError> {
        let file = File::create(path).map_err(InstallError::disk("create", path))?;
        Ok(Part { path, file, done: 0 })
    }

    fn append(path: &'a Path, done: u64) -> Result<Self, InstallError> {
        let file = OpenOptions::new().append(true).open(path).map_err(InstallError::disk("open", path))?;
        Ok(Part { path, file, done })
    }

    fn write(&mut self, chunk: &[u8]) -> Result<(), InstallError> {
        self.file.write_all(chunk).map_err(InstallError::disk("write", self.path))?;
        self.done += chunk.len() as u64;
        Ok(())
    }
}

/// Deletes a useless file.
pub(crate) fn discard(path: &Path) -> Result<(), InstallError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(InstallError::disk("remove", path)(error))
        }
        _ => Ok(()),
    }
}
