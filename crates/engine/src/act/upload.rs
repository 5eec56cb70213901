//! File uploads.

use std::path::PathBuf;

use cicerone_driver::{FrameId, NodeHandle};
use futures::future::join_all;
use serde::Deserialize;
use serde_json::json;

use super::upload_source::UploadFile;
use crate::{
    Acted, Deadline, Element, Error, Result, Target, UploadError,
    injected::{ElementSummary, InjectedError, Numbered},
    page::parts::FileInputs,
    ready::Needs,
};

/// The result of an upload.
#[derive(Debug, Clone)]
pub struct Uploaded {
    /// The file names.
    pub names: Vec<String>,
    /// The file field, if it is in the document.
    pub element: Option<Element>,
}

#[derive(Deserialize)]
struct Uploads {
    inputs: Vec<UploadField>,
}

#[derive(Deserialize)]
struct UploadField {
    num: u32,
    #[serde(default)]
    name: String,
    #[serde(default)]
    multiple: bool,
}

/// A file field with its frame.
struct FoundField {
    frame: FrameId,
    field: UploadField,
    element: Element,
}

/// The file field to fill.
enum UploadTarget {
    /// The field that opened the file chooser; it may be outside the document.
    Handle(NodeHandle),
    /// A field in the document.
    Field(FrameId, u32),
}

impl FoundField {
    fn into_parts(self) -> (UploadTarget, Option<Element>, bool) {
        (UploadTarget::Field(self.frame, self.field.num), Some(self.element), self.field.multiple)
    }
}

impl FileInputs<'_> {
    /// Sets the files of a field: the target, else the one that opened the file chooser, else the only one.
    pub async fn upload(self, on: Option<&Target>, uploads: &[UploadFile]) -> Result<Acted<Uploaded>> {
        match uploads.iter().map(UploadFile::plain_path).collect::<Option<Vec<_>>>() {
            Some(paths) => self.upload_paths(on, &paths).await,
            None => self.upload_content(on, uploads).await,
        }
    }

    /// Sets files that do not exist on disk as they are: their content goes into the page only.
    async fn upload_content(self, on: Option<&Target>, uploads: &[UploadFile]) -> Result<Acted<Uploaded>> {
        #[derive(Deserialize)]
        struct Attached {
            names: Vec<String>,
        }
        let files =
            self.file_payloads(uploads, Deadline::after(self.page.settings().navigation_timeout())).await?;
        let mark = self.page.actions().begin_action().await?.with_effect();
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let found = match on {
            Some(target) => self.named_field(target, deadline).await?,
            None => self.only_field(deadline).await?,
        };
        if files.len() > 1 && !found.field.multiple {
            return Err(Error::Upload(UploadError::OneFileOnly(Some(Box::new(found.element)))));
        }
        let args = json!({ "num": found.field.num, "files": files });
        let attached: std::result::Result<Attached, InjectedError> =
            self.page.injected().ask(&found.frame, "attach", &args, deadline.with_grace()).await;
        let names = attached.map_err(InjectedError::into_error)?.names;
        self.page.actions().finish_action(Uploaded { names, element: Some(found.element) }, mark).await
    }

    async fn upload_paths(self, on: Option<&Target>, paths: &[&PathBuf]) -> Result<Acted<Uploaded>> {
        let files = self.page.files()?;
        let real: Vec<PathBuf> = paths.iter().map(|path| files.to_read(path)).collect::<Result<_>>()?;
        let names = real
            .iter()
            .map(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default())
            .collect();
        let mark = self.page.actions().begin_action().await?.with_effect();
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let asked = if on.is_none() { self.page.state().chooser.clone() } else { None };
        let (place, element, multiple) = match (on, asked) {
            (None, Some(chooser)) => (UploadTarget::Handle(chooser.field), None, chooser.multiple),
            (Some(target), _) => self.named_field(target, deadline).await?.into_parts(),
            (None, None) => self.only_field(deadline).await?.into_parts(),
        };
        if real.len() > 1 && !multiple {
            return Err(Error::Upload(UploadError::OneFileOnly(element.map(Box::new))));
        }
        match place {
            UploadTarget::Handle(field) => {
                // It stays open for the next try if the files do not fit; one that takes no files at all does not.
                self.page.state().chooser = None;
                self.page.injected().within(deadline, self.page.driver().attach_files(&field, &real)).await?
            }
            UploadTarget::Field(frame, num) if real.is_empty() => {
                // Browsers ignore an empty list of files.
                let cleared: std::result::Result<serde_json::Value, InjectedError> = self
                    .page
                    .injected()
                    .ask(&frame, "clearFiles", &Numbered { num }, deadline.with_grace())
                    .await;
                cleared.map_err(InjectedError::into_error)?;
            }
            UploadTarget::Field(frame, num) => {
                let field =
                    self.page.injected().within(deadline, self.page.driver().node(&frame, num)).await?;
                self.page.injected().within(deadline, self.page.driver().attach_files(&field, &real)).await?;
            }
        }
        self.page.actions().finish_action(Uploaded { names, element }, mark).await
    }

    async fn named_field(self, target: &Target, deadline: Deadline) -> Result<FoundField> {
        let located = self.page.locator().ready(target, Needs::EXIST, deadline).await?;
        let fields = self.file_fields(deadline).await;
        let here = |found: &FoundField| found.frame == located.frame && found.field.num == located.number;
        fields
            .into_iter()
            .find(here)
            .ok_or_else(|| Error::Upload(UploadError::NotForFiles(Box::new(located.element))))
    }

    async fn only_field(self, deadline: Deadline) -> Result<FoundField> {
        let mut fields = self.file_fields(deadline).await;
        match fields.len() {
            0 => Err(Error::Upload(UploadError::NoFileField)),
            1 => Ok(fields.remove(0)),
            count => {
                let fields = fields.into_iter().take(5).map(|found| found.element).collect();
                Err(Error::Upload(UploadError::SeveralFileFields { count, fields }))
            }
        }
    }

    async fn file_fields(self, deadline: Deadline) -> Vec<FoundField> {
        let frames: Vec<_> = {
            let state = self.page.state();
            state.frames.iter().map(|frame| (frame.id.clone(), frame.number, frame.document)).collect()
        };
        let asked = frames.into_iter().map(|(frame, number, document)| async move {
            let answer: std::result::Result<Uploads, InjectedError> =
                self.page.injected().ask(&frame, "uploads", &json!({}), deadline.with_grace()).await;
            // A frame that does not answer has no usable field.
            let fields = answer.map(|uploads| uploads.inputs).unwrap_or_default();
            let found = |field: UploadField| {
                let summary =
                    ElementSummary { num: field.num, role: "file field".into(), name: field.name.clone() };
                let reference = self.page.refs().give(self.page.id(), number, document, summary.num);
                let element = Element { role: summary.role, name: summary.name, reference };
                FoundField { frame: frame.clone(), field, element }
            };
            fields.into_iter().map(found).collect::<Vec<_>>()
        });
        join_all(asked).await.into_iter().flatten().collect()
    }
}
