//! Dialogs: what one says, answering it, and having all of them answered.

use cicerone_engine::{Acted, DialogOpened, Outcome, snapshot::quoted};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    argument::{Argument, choices, object},
    dialect::AGENT,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::BesidePage,
};

pub(super) struct Dialog {
    action: DialogAction,
    text: Option<String>,
    automatic: Option<Automatic>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DialogAction {
    Answer(Accept),
    GetMessage,
}

/// Whether a dialog is accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Accept(bool);

choices! {
    DialogAction {
        "accept" => DialogAction::Answer(Accept(true)),
        "dismiss" => DialogAction::Answer(Accept(false)),
        "get_message" => DialogAction::GetMessage,
    }
    Accept {
        "accept" => Accept(true),
        "dismiss" => Accept(false),
    }
}

/// How dialogs to come are answered.
#[derive(Default)]
struct Automatic {
    enabled: Option<bool>,
    action: Option<Accept>,
    text: Option<String>,
}

object! {
    Automatic {
        "enabled" => enabled: bool,
        "default_action" => action: Accept,
        "prompt_default_text" => text: String,
    }
}

/// What was found out or done.
pub(super) struct Answered {
    what: Said,
    came: Option<Acted<()>>,
}

enum Said {
    /// What the open dialog says.
    Message(DialogOpened),
    /// It was answered.
    Answered(DialogOpened, Accept),
    /// All will be; or none any more.
    All(Option<Accept>),
}

impl Capability for Dialog {
    type On = BesidePage;
    type Output = Answered;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: BesidePage) -> Result<Answered, Failure> {
        let page = on.page;
        let (what, came) = match (self.automatic, self.action) {
            (Some(automatic), action) => {
                let named = match action {
                    DialogAction::Answer(accept) => accept,
                    DialogAction::GetMessage => Accept(true),
                };
                let accept = automatic.action.unwrap_or(named);
                let on = automatic.enabled.unwrap_or(true);
                page.dialogs().answer_dialogs(on.then_some((accept.0, automatic.text)));
                (Said::All(on.then_some(accept)), None)
            }
            (None, DialogAction::GetMessage) => (Said::Message(page.dialogs().dialog()?), None),
            (None, DialogAction::Answer(accept)) => {
                let open = page.dialogs().dialog()?;
                let acted = page.dialogs().handle_dialog(accept.0, self.text).await?;
                (Said::Answered(open, accept), Some(acted.map(drop)))
            }
        };
        Ok(Answered { what, came })
    }
}

impl Output for Answered {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = self.came.as_ref().map(Output::facts).unwrap_or_default();
        match &self.what {
            Said::Message(dialog) | Said::Answered(dialog, _) => facts.extend(facts! {
                "message" => dialog.message.clone(), "type" => dialog.kind.as_str(),
                "open" => matches!(self.what, Said::Message(_)),
            }),
            Said::All(how) => facts.extend(facts! { "auto_handle" => how.is_some() }),
        }
        if let Said::Message(DialogOpened { proposal, .. }) = &self.what
            && !proposal.is_empty()
        {
            facts.insert("value".into(), proposal.clone().into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        let mut schema = Acted::<()>::schema();
        schema.extend(Self::terse_schema());
        schema
    }

    fn terse_schema() -> Map<String, Value> {
        let mut schema = Acted::<()>::terse_schema();
        schema.extend(facts! {
            "message" => of("string"), "type" => of("string"), "value" => of("string"), "open" => of("boolean"),
            "auto_handle" => of("boolean"),
        });
        schema
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.came.as_ref().map(|came| &came.outcome)
    }
}

fn sentence(Answered { what, .. }: &Answered) -> String {
    let word = |Accept(accept): &Accept| if *accept { "accepted" } else { "dismissed" };
    let shown = |dialog: &DialogOpened| format!("{} {}", dialog.kind.as_str(), quoted(&dialog.message, 500));
    match what {
        Said::Message(dialog) => shown(dialog),
        Said::Answered(dialog, accept) => format!("Dialog {}: {}", word(accept), shown(dialog)),
        Said::All(Some(accept)) => format!("Dialogs will be {}", word(accept)),
        Said::All(None) => "Dialogs will wait for an answer".into(),
    }
}

pub(super) fn faces() -> [Face<Dialog>; 1] {
    [AGENT
        .tool("dialog", "Answer or read the open dialog")
        .takes(must("action", ""), |action| Dialog { action, text: None, automatic: None })
        .example(r#"{"action": "accept", "auto_handle": {"enabled": true, "default_action": "accept"}}"#)
        .opt("prompt_text", "", |dialog, text| dialog.text = Some(text))
        .opt("auto_handle", "Only for later ones", |dialog, automatic| {
            dialog.automatic = Some(automatic);
        })
        .on_tab("tabId", "")
        .says(sentence)]
}
