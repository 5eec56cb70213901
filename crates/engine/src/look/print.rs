//! A page on paper.

use std::{path::PathBuf, time::Duration};

use cicerone_driver::Paper;

use super::screenshot::timestamped;
use crate::{Deadline, Error, Page, Result};

/// How long printing may take.
const PATIENCE: Duration = Duration::from_secs(30);

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
        if !bytes.starts_with(b"%PDF-") {
            return Err(Error::NotPdf);
        }
        let path = files.write(&name, &bytes)?;
        let (pages, sheet) = sheets(&bytes);
        Ok(PrintedFile { path: files.shown(&path), bytes: bytes.len(), pages, sheet })
    }

    /// An error where the browser cannot take the paper size from the page's CSS.
    pub fn prints_css_page_size(&self) -> Result<()> {
        match self.driver().printing() {
            Some(printing) if printing.knows_css_page_size() => Ok(()),
            _ => Err(Error::Unsupported("take the paper size from the page's CSS")),
        }
    }
}

/// Points per inch.
const POINTS: f64 = 72.0;

/// How many pages a PDF has, and the size of the first, as far as browsers write that in the open.
fn sheets(pdf: &[u8]) -> (Option<usize>, Option<(f64, f64)>) {
    let text = String::from_utf8_lossy(pdf);
    let after = |at: usize, key: &str| text[at + key.len()..].trim_start();
    let of_type = |(at, key): &(usize, &str)| {
        after(*at, key).strip_prefix("/Page").is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    };
    let pages = text.match_indices("/Type").filter(of_type).count();
    let sheet = text.find("/MediaBox").and_then(|at| {
        let numbers = after(at, "/MediaBox").strip_prefix('[')?.split(']').next()?;
        let numbers: Vec<f64> = numbers.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        match numbers[..] {
            [left, bottom, right, top] => Some(((right - left) / POINTS, (top - bottom) / POINTS)),
            _ => None,
        }
    });
    ((pages > 0).then_some(pages), sheet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_counted_and_measured() {
        let pdf = b"%PDF-1.4 <</Type /Pages /Count 2>> <</Type /Page\n/MediaBox [0 0 612 792]>> <</Type/Page>>";
        assert_eq!(sheets(pdf), (Some(2), Some((8.5, 11.0))));
        assert_eq!(sheets(b"%PDF-1.4"), (None, None));
    }
}
