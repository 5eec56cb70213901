//! Dialogs of a page: how they are answered when nobody is asked.

use cicerone_driver::{DialogKind, DialogOpened};

use crate::{Error, NewsItem, Page, Result, news, snapshot::quoted, state::State};

/// An answer for a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DialogAnswer {
    pub(crate) accept: bool,
    pub(crate) text: Option<String>,
}

impl DialogAnswer {
    /// A prompt that is accepted without a text takes what it proposes.
    pub(crate) fn for_dialog(self, dialog: &DialogOpened) -> Self {
        let proposed = (self.accept && dialog.kind == DialogKind::Prompt).then(|| dialog.proposal.clone());
        Self { text: self.text.or(proposed), ..self }
    }
}

/// What a happening asks for beside being written down.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Errand {
    AnswerDialog(DialogAnswer),
    /// The same, and end the script that asked: its document is being left.
    Silence(DialogAnswer),
}

/// `alert dialog`; `dialog` where its kind is not known.
pub(crate) fn name(dialog: &DialogOpened) -> String {
    match dialog.kind {
        DialogKind::Unknown => "dialog".into(),
        kind => format!("{} dialog", kind.as_str()),
    }
}

/// What an open dialog asks. The texts of `beforeunload` dialogs are the browser's own, and empty in some.
pub(crate) fn question(dialog: &DialogOpened) -> String {
    match dialog.kind {
        DialogKind::BeforeUnload => "accept it to leave the page, dismiss it to stay".into(),
        _ => quoted(&dialog.message, 500),
    }
}

impl Page {
    /// The dialog that holds it.
    pub fn dialog(&self) -> Result<DialogOpened> {
        self.state().dialog.clone().ok_or(Error::NoDialog)
    }

    /// Answers all dialogs to come like this, with this text where one asks for it; without, they are kept for the
    /// client to answer.
    pub fn answer_dialogs(&self, how: Option<(bool, Option<String>)>) {
        self.state().automatic = how.map(|(accept, text)| DialogAnswer { accept, text });
    }
}

impl State {
    /// When the navigation began that a `beforeunload` dialog holds up.
    pub(crate) fn navigation_held_up(&self) -> Option<u64> {
        self.dialog.as_ref().filter(|dialog| dialog.kind == DialogKind::BeforeUnload)?;
        self.frames.iter().filter_map(|frame| frame.loading).min()
    }

    /// Keeps a dialog for the client to answer, or says how it is answered now.
    pub(crate) fn dialog_opened(&mut self, dialog: DialogOpened) -> Option<Errand> {
        let before_unload = dialog.kind == DialogKind::BeforeUnload;
        let answer = match self.armed.take().or_else(|| self.automatic.clone()) {
            Some(answer) => answer,
            // The client itself navigates: its beforeunload dialog is accepted and reported. When a click or a script
            // leaves the page, typed work may be lost, so the client decides.
            None if self.leaving => DialogAnswer { accept: before_unload, text: None },
            None => {
                self.dialog = Some(dialog);
                self.dialog_told = false;
                return None;
            }
        };
        self.stayed = before_unload && !answer.accept;
        let answer = answer.for_dialog(&dialog);
        news::add(&mut self.news, NewsItem::DialogAnswered(dialog, answer.accept));
        if self.leaving && !before_unload {
            Some(Errand::Silence(answer))
        } else {
            Some(Errand::AnswerDialog(answer))
        }
    }
}
