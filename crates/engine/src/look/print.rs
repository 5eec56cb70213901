//! A page on paper.

use std::{path::PathBuf, time::Duration};

use cicerone_driver::Paper;

use super::screenshot::timestamped;
use crate::{Deadline, Error, Page, Result};

/// How long printing may take.
const PATIENCE: Duration = Duration::from_secs(30);

impl Page {
    /// Prints the page into a PDF file; its path, as a client in the working directory would write it, and its size.
    pub async fn print(&self, name: Option<PathBuf>, paper: &Paper) -> Result<(PathBuf, usize)> {
        let files = self.files()?;
        let name = name.unwrap_or_else(|| timestamped("page", "pdf").into());
        files.to_write(&name)?;
        let printing = self.driver().printing().ok_or(Error::Unsupported("print pages"))?;
        let bytes = self.within(Deadline::after(PATIENCE), printing.pdf(paper)).await?;
        let path = files.write(&name, &bytes)?;
        Ok((files.shown(&path), bytes.len()))
    }
}
