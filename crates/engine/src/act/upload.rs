//! Giving files to a page.

use std::path::PathBuf;

use cicerone_driver::{FrameId, NodeHandle};
use futures::future::join_all;
use serde::Deserialize;
use serde_json::json;

use super::content::Given;
use crate::{
    Acted, Deadline, Element, Error, Page, Result, Target,
    agent::{Failure, Numbered, Sketch},
    ready::Needs,
};

/// Files that were given.
#[derive(Debug, Clone)]
pub struct Uploaded {
    /// Their names.
    pub names: Vec<String>,
    /// The field, where it is on the page.
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

/// A field that was found.
struct FoundField {
    frame: FrameId,
    field: UploadField,
    element: Element,
}

/// Where files go.
enum Place {
    /// To a field that asked for them, and is perhaps not on the page.
    Handle(NodeHandle),
    /// To a field on the page.
    Field(FrameId, u32),
}

impl FoundField {
    fn into_parts(self) -> (Place, Option<Element>, bool) {
        (Place::Field(self.frame, self.field.num), Some(self.element), self.field.multiple)
    }
}

impl Page {
    /// Gives files to the field that is meant: the one named, the one that asked for them, or the only one.
    pub async fn upload(&self, on: Option<&Target>, given: &[Given]) -> Result<Acted<Uploaded>> {
        match given.iter().map(Given::as_it_is).collect::<Option<Vec<_>>>() {
            Some(paths) => self.upload_paths(on, &paths).await,
            None => self.upload_content(on, given).await,
        }
    }

    /// Gives what no file of this machine holds: it is carried into the page, and nowhere else.
    async fn upload_content(&self, on: Option<&Target>, given: &[Given]) -> Result<Acted<Uploaded>> {
        #[derive(Deserialize)]
        struct Attached {
            names: Vec<String>,
        }
        let files = self.carried(given, Deadline::after(self.navigation_timeout())).await?;
        let mark = self.before_acting().await?.with_effect();
        let deadline = Deadline::after(self.action_timeout());
        let found = match on {
            Some(target) => self.named_field(target, deadline).await?,
            None => self.only_field(deadline).await?,
        };
        if files.len() > 1 && !found.field.multiple {
            return Err(Error::OneFileOnly(Some(Box::new(found.element))));
        }
        let args = json!({ "num": found.field.num, "files": files });
        let attached: std::result::Result<Attached, Failure> =
            self.ask(&found.frame, "attach", &args, deadline.with_grace()).await;
        let names = attached.map_err(Failure::into_error)?.names;
        self.told(Uploaded { names, element: Some(found.element) }, mark).await
    }

    async fn upload_paths(&self, on: Option<&Target>, paths: &[&PathBuf]) -> Result<Acted<Uploaded>> {
        let files = self.files()?;
        let real: Vec<PathBuf> = paths.iter().map(|path| files.to_read(path)).collect::<Result<_>>()?;
        let names = real
            .iter()
            .map(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default())
            .collect();
        let mark = self.before_acting().await?.with_effect();
        let deadline = Deadline::after(self.action_timeout());
        let asked = if on.is_none() { self.state().chooser.take() } else { None };
        let (place, element, multiple) = match (on, asked) {
            (None, Some(chooser)) => (Place::Handle(chooser.field), None, chooser.multiple),
            (Some(target), _) => self.named_field(target, deadline).await?.into_parts(),
            (None, None) => self.only_field(deadline).await?.into_parts(),
        };
        if real.len() > 1 && !multiple {
            return Err(Error::OneFileOnly(element.map(Box::new)));
        }
        match place {
            Place::Handle(field) => self.within(deadline, self.driver().attach_files(&field, &real)).await?,
            Place::Field(frame, num) if real.is_empty() => {
                // Browsers ignore a list of no files.
                let cleared: std::result::Result<serde_json::Value, Failure> =
                    self.ask(&frame, "clearFiles", &Numbered { num }, deadline.with_grace()).await;
                cleared.map_err(Failure::into_error)?;
            }
            Place::Field(frame, num) => {
                let field = self.within(deadline, self.driver().node(&frame, num)).await?;
                self.within(deadline, self.driver().attach_files(&field, &real)).await?;
            }
        }
        self.told(Uploaded { names, element }, mark).await
    }

    async fn named_field(&self, target: &Target, deadline: Deadline) -> Result<FoundField> {
        let located = self.ready(target, Needs::EXIST, deadline).await?;
        let fields = self.file_fields(deadline).await;
        let here = |found: &FoundField| found.frame == located.frame && found.field.num == located.number;
        fields.into_iter().find(here).ok_or_else(|| Error::NotForFiles(Box::new(located.element)))
    }

    async fn only_field(&self, deadline: Deadline) -> Result<FoundField> {
        let mut fields = self.file_fields(deadline).await;
        match fields.len() {
            0 => Err(Error::NoFileField),
            1 => Ok(fields.remove(0)),
            count => {
                let fields = fields.into_iter().take(5).map(|found| found.element).collect();
                Err(Error::SeveralFileFields { count, fields })
            }
        }
    }

    async fn file_fields(&self, deadline: Deadline) -> Vec<FoundField> {
        let frames: Vec<_> = {
            let state = self.state();
            state.frames.iter().map(|frame| (frame.id.clone(), frame.number, frame.document)).collect()
        };
        let asked = frames.into_iter().map(|(frame, number, document)| async move {
            let answer: std::result::Result<Uploads, Failure> =
                self.ask(&frame, "uploads", &json!({}), deadline.with_grace()).await;
            // A frame that does not answer has no field that could be used.
            let fields = answer.map(|uploads| uploads.inputs).unwrap_or_default();
            let found = |field: UploadField| {
                let sketch = Sketch { num: field.num, role: "file field".into(), name: field.name.clone() };
                let reference = self.refs().give(self.id(), number, document, sketch.num);
                let element = Element { role: sketch.role, name: sketch.name, reference };
                FoundField { frame: frame.clone(), field, element }
            };
            fields.into_iter().map(found).collect::<Vec<_>>()
        });
        join_all(asked).await.into_iter().flatten().collect()
    }
}
