//! Dialogs of a page: how they are answered when nobody is asked.

use cicerone_driver::{DialogKind, DialogOpened};

use crate::{Error, NewsItem, Page, Result, news, state::State};

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
    /// Keeps a dialog for the client to answer, or says how it is answered now.
    pub(crate) fn dialog_opened(&mut self, dialog: DialogOpened) -> Option<Errand> {
        // Leaving a page was asked for; the page's doubts are told, not obeyed.
        let leaving = dialog.kind == DialogKind::BeforeUnload;
        let answer = match self.armed.take().or_else(|| self.automatic.clone()) {
            Some(answer) => answer,
            None if leaving => DialogAnswer { accept: true, text: None },
            None if self.leaving => DialogAnswer { accept: false, text: None },
            None => {
                self.dialog = Some(dialog);
                return None;
            }
        };
        self.stayed = leaving && !answer.accept;
        let answer = answer.for_dialog(&dialog);
        news::add(&mut self.news, NewsItem::DialogAnswered(dialog, answer.accept));
        if self.leaving && !leaving {
            Some(Errand::Silence(answer))
        } else {
            Some(Errand::AnswerDialog(answer))
        }
    }
}
