//! Waiting for something on the page.

use std::time::Duration;

use serde_json::json;

use crate::{
    Acted, Deadline, Error, Page, Result,
    agent::{Failure, Refusal},
    snapshot::quoted,
    state::{Fate, State},
};

/// What is waited for; all of it.
#[derive(Debug, Clone, Default)]
pub struct WaitFor {
    /// So long.
    pub time: Option<Duration>,
    /// Until this text is visible.
    pub text: Option<String>,
    /// Until this text is not visible.
    pub gone: Option<String>,
    /// How long at most; the session's own patience unless told.
    pub timeout: Option<Duration>,
}

impl Page {
    /// Waits, and tells what came meanwhile.
    pub async fn wait_for(&self, what: &WaitFor) -> Result<Acted<()>> {
        let mark = self.mark();
        if let Some(time) = what.time {
            // For time alone, because that was asked for; only the page's end ends it early.
            let dead = |state: &State| (state.fate != Fate::Alive).then_some(());
            if self.until(Deadline::after(time), dead).await.is_some() {
                return Err(self.obituary());
            }
        }
        let patience = what.timeout.unwrap_or(self.wait_timeout());
        let deadline = Deadline::after(patience);
        if let Some(gone) = &what.gone {
            self.until_text(gone, false, deadline, patience).await?;
        }
        if let Some(text) = &what.text {
            self.until_text(text, true, deadline, patience).await?;
        }
        let settled = Deadline::after(self.options().settle_timeout);
        Ok(Acted { done: (), outcome: self.outcome(mark, settled).await? })
    }

    /// Until a text is visible in any frame, or in none.
    async fn until_text(
        &self,
        text: &str,
        wanted: bool,
        deadline: Deadline,
        patience: Duration,
    ) -> Result<()> {
        let late = || Error::WaitTimeout {
            what: if wanted {
                format!("{} did not appear", quoted(text, 200))
            } else {
                format!("{} did not go away", quoted(text, 200))
            },
            after: patience,
        };
        loop {
            if self.fate() != Fate::Alive {
                return Err(self.obituary());
            }
            if deadline.passed() {
                return Err(late());
            }
            let (frames, documents): (Vec<_>, Vec<_>) = {
                let state = self.state();
                state.frames.iter().map(|frame| (frame.id.clone(), frame.document)).unzip()
            };
            let timeout = u64::try_from(deadline.left().as_millis()).unwrap_or(u64::MAX);
            let args = if wanted {
                json!({ "text": text, "timeout": timeout })
            } else {
                json!({ "gone": text, "timeout": timeout })
            };
            let asked = frames.iter().map(|frame| {
                let args = &args;
                Box::pin(async move {
                    self.ask::<serde_json::Value>(frame, "wait", args, deadline.with_grace()).await
                })
            });
            // Other documents, other frames: what was asked must be asked anew.
            let moved = self.until(deadline.with_grace(), |state| {
                let now: Vec<_> = state.frames.iter().map(|frame| frame.document).collect();
                (now != documents || state.fate != Fate::Alive).then_some(())
            });
            let answered = async {
                if wanted {
                    first_good(asked).await
                } else {
                    futures::future::join_all(asked)
                        .await
                        .into_iter()
                        .find(std::result::Result::is_err)
                        .map_or(Ok(()), |e| e.map(drop))
                }
            };
            let answer = tokio::select! {
                answer = answered => answer,
                _ = moved => continue,
            };
            match answer {
                Ok(()) => return Ok(()),
                Err(Failure::Gone) => {}
                Err(Failure::Refused(Refusal::Timeout(_))) => return Err(late()),
                Err(failure) => return Err(failure.into_error()),
            }
        }
    }
}

/// The first that succeeds; the error of the last when none does.
async fn first_good<T>(
    asked: impl Iterator<Item = std::pin::Pin<Box<impl Future<Output = std::result::Result<T, Failure>>>>>,
) -> std::result::Result<(), Failure> {
    match futures::future::select_ok(asked).await {
        Ok(_) => Ok(()),
        Err(failure) => Err(failure),
    }
}
