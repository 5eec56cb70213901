//! JavaScript dialogs: automatic answers and open dialogs.

use cicerone_driver::{DialogKind, DialogOpened};

use crate::{
    Acted, Error, NewsItem, Result, effect::Expects, news, page::parts::Dialogs, settle::Mark,
    snapshot::text::shortened, state::State,
};

/// Maximum length of a dialog's message in a reply.
const SHOWN_MESSAGE: usize = 10_000;

/// An answer to a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DialogAnswer {
    pub(crate) accept: bool,
    pub(crate) text: Option<String>,
}

impl DialogAnswer {
    /// Accepting a prompt without a text takes its default value.
    pub(crate) fn for_dialog(self, dialog: &DialogOpened) -> Self {
        let proposed = (self.accept && dialog.kind == DialogKind::Prompt).then(|| dialog.proposal.clone());
        Self { text: self.text.or(proposed), ..self }
    }
}

/// What to do after an event was recorded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FollowUp {
    AnswerDialog(DialogAnswer),
    /// Answer, and terminate the script: its document is unloading.
    Silence(DialogAnswer),
}

impl Dialogs<'_> {
    /// An error if a dialog holds the page.
    pub fn not_held(self) -> Result<()> {
        match &self.page.state().dialog {
            Some(dialog) => Err(Error::DialogOpen(dialog.clone())),
            None => Ok(()),
        }
    }

    /// Answers the open dialog now, or the next one when it opens; whether one was open.
    async fn answer_dialog(self, accept: bool, text: Option<String>) -> Result<bool> {
        let answer = DialogAnswer { accept, text };
        let open = self.page.state().dialog.take();
        match open {
            None => {
                self.page.state().armed = Some(answer);
                Ok(false)
            }
            Some(dialog) => {
                let DialogAnswer { accept, text } = answer.for_dialog(&dialog);
                self.page
                    .injected()
                    .with_action_timeout(self.page.driver().answer_dialog(accept, text.as_deref()))
                    .await?;
                Ok(true)
            }
        }
    }

    /// Answers a dialog, and tells what came of it; whether one was open.
    pub async fn handle_dialog(self, accept: bool, text: Option<String>) -> Result<Acted<bool>> {
        let mut mark = Mark { expects: Expects::Anything, ..self.page.settling().mark() };
        if let Some(began) = self.page.state().navigation_held_up() {
            // It began before the dialog opened; whether it goes on is this call's outcome.
            mark.at = began - 1;
        }
        self.page.state().acting = true;
        let open = self.answer_dialog(accept, text).await?;
        if !open {
            return Ok(Acted { done: false, outcome: crate::Outcome::default() });
        }
        // What held the page goes on now; it is not this call's turn that it belongs to, but its outcome.
        let _turn = self.page.turn().await;
        self.page.actions().finish_action(true, mark).await
    }

    /// Runs something that stands still when a dialog opens; the dialog is the error then.
    pub(crate) async fn unless_dialog<T>(self, work: impl Future<Output = T>) -> Result<T> {
        let held = async {
            let dialog = self.page.on_change(|| self.page.state().dialog.clone()).await;
            dialog.map_or(Error::TabClosed, Error::DialogOpen)
        };
        tokio::select! {
            biased;
            done = work => Ok(done),
            error = held => Err(error),
        }
    }

    /// The open dialog, which the reply names.
    pub fn dialog(self) -> Result<DialogOpened> {
        let mut state = self.page.state();
        let open = state.dialog.clone().ok_or(Error::NoDialog)?;
        state.dialog_told = true;
        Ok(open)
    }

    /// Answers all future dialogs this way, with this text for prompts. `None` leaves them open for the
    /// client.
    pub fn answer_dialogs(self, how: Option<(bool, Option<String>)>) {
        self.page.state().automatic = how.map(|(accept, text)| DialogAnswer { accept, text });
    }
}

impl State {
    /// The start of the navigation that a `beforeunload` dialog blocks.
    pub(crate) fn navigation_held_up(&self) -> Option<u64> {
        self.dialog.as_ref().filter(|dialog| dialog.kind == DialogKind::BeforeUnload)?;
        self.frames.iter().filter_map(|frame| frame.loading).min()
    }

    /// Keeps a dialog open for the client, or returns its automatic answer.
    pub(crate) fn dialog_opened(&mut self, mut dialog: DialogOpened) -> Option<FollowUp> {
        dialog.message = shortened(&dialog.message, SHOWN_MESSAGE);
        let before_unload = dialog.kind == DialogKind::BeforeUnload;
        let answer = match self.armed.take().or_else(|| self.automatic.clone()) {
            Some(answer) => answer,
            // A navigation by the client accepts its beforeunload dialog and reports it. If a click or a
            // script navigates, typed work may be lost, so the client decides.
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
            Some(FollowUp::Silence(answer))
        } else {
            Some(FollowUp::AnswerDialog(answer))
        }
    }
}
