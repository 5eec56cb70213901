//! A page on paper.

use std::{path::PathBuf, time::Duration};

use cicerone_driver::Paper;
use cicerone_media::{Sheets, sheets};

use super::screenshot::timestamped;
use crate::{Deadline, Error, Page, Result};

/// How long printing may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Points per inch.
const POINTS: f64 = 72.0;

/// A PDF file that was written.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedFile {
    /// Its path, as a client in the working directory would write it.
    pub path: PathBuf,
    /// Its size.
    pub bytes: usize,
    /// How many pages it has, where that can be read from it.
    pub pages: Option<usize>,
    /// The width and height of its first page in inches, where they can be read from it.
    pub sheet: Option<(f64, f64)>,
}

impl Page {
    /// Prints the page into a PDF file.
    pub async fn print(&self, name: Option<PathBuf>, paper: &Paper) -> Result<PrintedFile> {
        let files = self.files()?;
        let name = name.unwrap_or_else(|| timestamped("page", "pdf").into());
        files.to_write(&name)?;
        let printing = self.driver().printing().ok_or(Error::Unsupported("print pages"))?;
        let bytes = self.within(Deadline::after(PATIENCE), printing.pdf(paper)).await?;
        self.page_may_be_shown()?;
        if !bytes.starts_with(b"%PDF-") {
            return Err(Error::NotPdf);
        }
        let path = files.write(&name, &bytes)?;
        let Sheets { count, size } = sheets(&bytes);
        let sheet = size.map(|(width, height)| (width / POINTS, height / POINTS));
        Ok(PrintedFile { path: files.shown(&path), bytes: bytes.len(), pages: count, sheet })
    }

    /// An error where the browser cannot take the paper size from the page's CSS.
    pub fn prints_css_page_size(&self) -> Result<()> {
        match self.driver().printing() {
            Some(printing) if printing.knows_css_page_size() => Ok(()),
            _ => Err(Error::Unsupported("take the paper size from the page's CSS")),
        }
    }
}
