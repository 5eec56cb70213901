//! Answering a dialog: the one that is open, or the next one.

use cicerone_engine::Acted;
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::BROWSER,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::BesidePage,
};

pub(super) struct HandleDialog {
    accept: bool,
    text: Option<String>,
}

/// How it was answered, and whether one was open.
pub(super) struct Handled {
    accept: bool,
    open: bool,
}

impl Capability for HandleDialog {
    type On = BesidePage;
    type Output = Acted<Handled>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: BesidePage) -> Result<Acted<Handled>, Failure> {
        let accept = self.accept;
        let acted = on.page.dialogs().handle_dialog(accept, self.text).await?;
        Ok(acted.map(|open| Handled { accept, open }))
    }
}

impl Output for Handled {
    fn facts(&self) -> Map<String, Value> {
        facts! { "open" => self.open }
    }

    fn schema() -> Map<String, Value> {
        facts! { "open" => of("boolean") }
    }
}

pub(super) fn faces() -> [Face<HandleDialog>; 1] {
    [BROWSER
        .tool("browser_handle_dialog", "Answer the open dialog, or else the next one")
        .takes(must("accept", ""), |accept| HandleDialog { accept, text: None })
        .example(r#"{"accept": true}"#)
        .opt("promptText", "", |dialog, text| dialog.text = Some(text))
        .says(|out| {
            let Handled { accept, open } = out.done;
            let word = if accept { "accepted" } else { "dismissed" };
            if open { format!("Dialog {word}") } else { format!("The next dialog will be {word}") }
        })]
}
