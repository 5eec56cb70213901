//! Printing the page.

use std::path::PathBuf;

use cicerone_engine::{Paper, PrintedFile};
use serde_json::{Map, Value};

use crate::{
    Cap, Capability, Effect, Face, Output,
    dialect::BROWSER,
    ending::check_ending,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

#[derive(Default)]
pub(super) struct PdfSave {
    name: Option<PathBuf>,
}

/// The file that was written.
pub(super) struct Printed {
    path: PathBuf,
    bytes: usize,
}

/// A4, unless the page's CSS has another size.
fn paper() -> Paper {
    Paper { prefer_css_page_size: true, ..Paper::new(8.27, 11.69) }
}

impl Capability for PdfSave {
    type On = OnPage;
    type Output = Printed;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: OnPage) -> Result<Printed, Failure> {
        on.call.progress.tell(0.0, None, "printing");
        let PrintedFile { path, bytes, .. } = on.page.rendering().print(self.name, &paper()).await?;
        Ok(Printed { path, bytes })
    }
}

impl Output for Printed {
    fn facts(&self) -> Map<String, Value> {
        facts! { "path" => self.path.display().to_string(), "bytes" => self.bytes }
    }

    fn schema() -> Map<String, Value> {
        facts! { "path" => of("string"), "bytes" => of("integer") }
    }
}

pub(super) fn faces() -> [Face<PdfSave>; 1] {
    [BROWSER
        .tool("browser_pdf_save", "Save the page as PDF")
        .takes((), |()| PdfSave::default())
        .example(r#"{"filename": "page.pdf"}"#)
        .opt("filename", "", |pdf, name| pdf.name = Some(name))
        .validate(|pdf| check_ending("filename", pdf.name.as_deref(), &["pdf"]))
        .needs(Cap::Pdf)
        .says(|out| format!("Saved the page as PDF: {}", out.path.display()))]
}
