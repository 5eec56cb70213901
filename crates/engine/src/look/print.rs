//! PDF output.

use std::{path::PathBuf, time::Duration};

use cicerone_driver::Paper;
use cicerone_media::{Sheets, sheets};

use super::screenshot::timestamped;
use crate::{Deadline, Error, PictureError, Result, Unsupported, page::parts::Rendering};

/// Time limit.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Points per inch.
const POINTS: f64 = 72.0;

/// The PDF file.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedFile {
    /// Its path, as shown to the client.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: usize,
    /// Its page count, if it can be read.
    pub pages: Option<usize>,
    /// Width and height of its first page in inches, if they can be read.
    pub sheet: Option<(f64, f64)>,
}

impl Rendering<'_> {
    /// Prints the page to a PDF file.
    pub async fn print(self, name: Option<PathBuf>, paper: &Paper) -> Result<PrintedFile> {
        let files = self.page.files()?;
        let name = name.unwrap_or_else(|| timestamped("page", "pdf").into());
        files.to_write(&name)?;
        let printing = self.page.driver().printing().ok_or(Error::Unsupported(Unsupported::Print))?;
        let bytes = self.page.injected().within(Deadline::after(TIMEOUT), printing.pdf(paper)).await?;
        self.page.file_access().page_may_be_shown().await?;
        if !bytes.starts_with(b"%PDF-") {
            return Err(Error::Picture(PictureError::NotPdf));
        }
        let path = files.write(&name, &bytes)?;
        let Sheets { count, size } = sheets(&bytes);
        let sheet = size.map(|(width, height)| (width / POINTS, height / POINTS));
        Ok(PrintedFile { path: files.shown(&path), bytes: bytes.len(), pages: count, sheet })
    }

    /// An error if the browser does not support `@page` sizes.
    pub fn prints_css_page_size(self) -> Result<()> {
        match self.page.driver().printing() {
            Some(printing) if printing.knows_css_page_size() => Ok(()),
            _ => Err(Error::Unsupported(Unsupported::CssPageSize)),
        }
    }
}
