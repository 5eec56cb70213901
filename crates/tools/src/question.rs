//! Questions to the person at the client: a secret, a code that only a person can read, a confirmation.

use std::{path::PathBuf, sync::Arc, time::Duration};

use async_trait::async_trait;
use cicerone_engine::{HeldDownload, Inline, Keep, Page, ScreenshotOptions, Target};

use crate::{Call, reply::Failure};

/// How long a person may take.
pub const LONGEST_ANSWER: Duration = Duration::from_secs(300);

/// A text that the person is asked for, typed and never shown.
const ASK_SECRET: &str = "$ask_secret(";
/// A text that is typed after the person was asked for it, with a picture of the page.
const ASK_CODE: &str = "$ask_code(";

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text that must not be shown.
    Secret,
    /// The solution of a captcha, or a second factor.
    Code,
    /// Yes or no.
    Confirmation,
}

#[derive(Debug, Clone)]
pub struct Question {
    /// What is asked for.
    pub kind: Kind,
    /// The question in words.
    pub message: String,
    /// What the page looks like.
    pub picture: Option<QuestionPicture>,
}

/// A picture that belongs to a question.
#[derive(Debug, Clone)]
pub struct QuestionPicture {
    /// Its file.
    pub path: PathBuf,
    /// A PNG.
    pub bytes: Vec<u8>,
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoAnswer {
    /// The client has no means for it.
    #[error("this client cannot ask a person{}", for_kind(*.0))]
    CannotAsk(Kind),
    /// The person said no.
    #[error("the person declined")]
    Declined,
    /// Nobody answered.
    #[error("timed out after {} s: the person has not answered", LONGEST_ANSWER.as_secs())]
    TimedOut,
    /// The page went to another site before the person answered.
    #[error("the page went from {from} to {to} while the person was asked")]
    Moved {
        /// The origin that the person was asked for.
        from: String,
        /// The origin now.
        to: String,
    },
    /// The client answered with something else.
    #[error("the client did not answer the question: {0}")]
    Failed(String),
}

fn for_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Secret => " for a secret",
        Kind::Code => " for a code",
        Kind::Confirmation => " for a confirmation",
    }
}

impl NoAnswer {
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::CannotAsk(Kind::Secret) => {
                "the person can put the value into a file: start the server with --secrets FILE and type $NAME"
            }
            Self::CannotAsk(Kind::Code) => {
                "take a screenshot, ask the person in the conversation, and type what they answer"
            }
            Self::CannotAsk(Kind::Confirmation) => {
                "ask the person to do it, or to start the server without --confirm"
            }
            Self::Moved { .. } => "take a snapshot, and ask again if the page is the right one",
            Self::Declined => "do not try again unless the person asks for it",
            Self::TimedOut | Self::Failed(_) => "ask the person in the conversation whether to try again",
        }
    }
}

/// Asks the person at the client.
#[async_trait]
pub trait Asker: Send + Sync {
    /// The person's answer; a confirmation is an empty text.
    async fn ask(&self, question: Question) -> Result<String, NoAnswer>;
}

/// A client that cannot ask anybody.
pub(crate) struct Nobody;

#[async_trait]
impl Asker for Nobody {
    async fn ask(&self, question: Question) -> Result<String, NoAnswer> {
        Err(NoAnswer::CannotAsk(question.kind))
    }
}

/// What needs a person's consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Files that pages give us.
    Downloads,
    /// Files that pages get.
    Uploads,
    /// What pages may do.
    Permissions,
}

impl Call {
    /// The same call, for a client that can ask a person.
    #[must_use]
    pub fn asked_by(mut self, asker: Arc<dyn Asker>) -> Self {
        self.asker = asker;
        self
    }

    /// Goes on if no consent is needed to give files to a page, or the person gives it for the site that it shows.
    pub(crate) async fn consent_to_upload(
        &self,
        page: &Page,
        message: impl FnOnce() -> String,
    ) -> Result<(), NoAnswer> {
        let site = || page.origin().unwrap_or_else(|| page.shown_url());
        let from = site();
        self.consent(Consent::Uploads, message).await?;
        let to = site();
        if from == to { Ok(()) } else { Err(NoAnswer::Moved { from, to }) }
    }

    /// Goes on if no consent is needed for this, or the person gives it.
    pub(crate) async fn consent(
        &self,
        to: Consent,
        message: impl FnOnce() -> String,
    ) -> Result<(), NoAnswer> {
        if !self.settings.confirm.contains(&to) {
            return Ok(());
        }
        let question = Question { kind: Kind::Confirmation, message: message(), picture: None };
        self.asker.ask(question).await.map(drop)
    }

    /// The person's answer, if this text is a placeholder for it; for the document of `target`, or of the focused element.
    pub(crate) async fn answered(
        &self,
        text: &str,
        page: &Page,
        target: Option<&Target>,
    ) -> Result<Option<String>, Failure> {
        let asks = |prefix| text.strip_prefix(prefix).and_then(|rest: &str| rest.strip_suffix(')'));
        let (secret, code) = (asks(ASK_SECRET), asks(ASK_CODE));
        let Some(what) = secret.or(code) else { return Ok(None) };
        let recipient = page.forms().recipient(target).await?;
        let origin = &recipient.origin;
        if secret.is_some() {
            let message =
                format!("{what} (for {origin}). It is typed into the page, and the model does not see it.");
            let value = self.asker.ask(Question { kind: Kind::Secret, message, picture: None }).await?;
            // The page may have gone elsewhere meanwhile.
            self.session.secrets().hide(value.clone(), recipient.host);
            return Ok(Some(value));
        }
        let wanted = ScreenshotOptions {
            inline: Inline::Exact,
            keep: Some(Keep::Timed),
            ..ScreenshotOptions::default()
        };
        let shot = page.rendering().screenshot(&wanted).await?;
        let picture = shot.path.zip(shot.inline);
        let picture = picture.map(|(path, image)| QuestionPicture { path, bytes: image.bytes });
        let message = format!("{what} (for {origin})");
        let code = self.asker.ask(Question { kind: Kind::Code, message, picture }).await?;
        let now = page.forms().recipient(target).await?;
        if now != recipient {
            return Err(NoAnswer::Moved { from: recipient.origin, to: now.origin }.into());
        }
        Ok(Some(code))
    }

    /// Asks about downloads that wait for the person's consent while some work is done, which may wait for them, and after
    /// it; with what became of them, in words.
    pub async fn deciding_downloads<T>(&self, work: impl Future<Output = T>) -> (T, Vec<String>) {
        let mut decided = Vec::new();
        tokio::pin!(work);
        let done = loop {
            let held = tokio::select! {
                biased;
                done = &mut work => break done,
                held = self.session.next_held_downloads() => held,
            };
            let deciding = self.decide(held);
            tokio::pin!(deciding);
            tokio::select! {
                biased;
                done = &mut work => {
                    decided.append(&mut deciding.await);
                    break done;
                }
                mut words = &mut deciding => decided.append(&mut words),
            }
        };
        decided.append(&mut self.decide(self.session.held_downloads()).await);
        (done, decided)
    }

    async fn decide(&self, held: Vec<HeldDownload>) -> Vec<String> {
        let mut decided = Vec::new();
        for held in held {
            let name = held.name.clone();
            let message = || format!("Save the download {:?}, {} bytes?", held.name, held.bytes);
            decided.push(match self.consent(Consent::Downloads, message).await {
                Ok(()) => {
                    held.keep();
                    format!("Saved the download {name:?} with the person's consent")
                }
                Err(none) => {
                    let (why, hint) = (none.to_string(), none.hint());
                    held.discard();
                    format!("The download {name:?} was not saved: {why}. Hint: {hint}")
                }
            });
        }
        decided
    }
}
