//! Waiting for something on the page.

use std::time::Duration;

use futures::stream::{FuturesUnordered, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Acted, Deadline, Error, Page, Result,
    agent::{Failure, Refusal, Sketch},
    places::Place,
    refs::RefName,
    snapshot::quoted,
    state::Fate,
};

/// What is waited for; all of it.
#[derive(Debug, Clone, Default)]
pub struct WaitFor {
    /// So long; with a text, at most so long.
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
        let for_text = what.text.is_some() || what.gone.is_some();
        if let Some(time) = what.time.filter(|_| !for_text) {
            self.until_time(time).await?;
        }
        let patience = what.time.or(what.timeout).unwrap_or(self.wait_timeout());
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
        let asked = if wanted { json!({ "text": text }) } else { json!({ "gone": text }) };
        match self.until_asked(&Where::Pages(asked), !wanted, deadline).await {
            Ok(_) => Ok(()),
            Err(Failure::Refused(Refusal::Timeout(_))) => {
                let what = if wanted { "did not appear" } else { "did not go away" };
                let what = format!("{} {what}", quoted(text, 200));
                Err(Error::WaitTimeout { what, instead: String::new(), after: patience })
            }
            Err(failure) => Err(failure.into_error()),
        }
    }

    /// Asks the agents to wait, those of other documents too when those come. It must hold everywhere, or it is
    /// enough where it holds first; then the element that it holds for, where it is about one.
    pub(crate) async fn until_asked(
        &self,
        whom: &Where,
        everywhere: bool,
        deadline: Deadline,
    ) -> std::result::Result<Option<(Place, Sketch)>, Failure> {
        loop {
            if self.fate() != Fate::Alive {
                return Err(Failure::Failed(self.obituary()));
            }
            let documents: Vec<_> = self.state().frames.iter().map(|frame| frame.document).collect();
            let (places, mut args) = match whom {
                Where::Pages(args) => (self.places(), args.clone()),
                Where::Ref(name, args) => {
                    let (place, local) = self.follow(*name).map_err(Failure::Failed)?;
                    let mut args = args.clone();
                    args["target"] = json!({ "ref": local });
                    (vec![place], args)
                }
            };
            if places.is_empty() {
                self.chosen_frame().map_err(Failure::Failed)?;
            }
            args["timeout"] = u64::try_from(deadline.left().as_millis()).unwrap_or(u64::MAX).into();
            // Other documents, other frames: what was asked must be asked anew.
            let moved = self.until(deadline.with_grace(), |state| {
                let now = state.frames.iter().map(|frame| frame.document);
                (!now.eq(documents.iter().copied()) || state.fate != Fate::Alive).then_some(())
            });
            let answer = tokio::select! {
                answer = self.answers_of(places, &args, everywhere, deadline) => answer,
                _ = moved => if deadline.passed() { Err(Failure::Gone) } else { continue },
            };
            match answer {
                Err(Failure::Gone) if !deadline.passed() => {}
                answer => return answer,
            }
        }
    }

    async fn answers_of(
        &self,
        places: Vec<Place>,
        args: &Value,
        everywhere: bool,
        deadline: Deadline,
    ) -> std::result::Result<Option<(Place, Sketch)>, Failure> {
        let mut asked: FuturesUnordered<_> = places
            .into_iter()
            .map(|place| async move {
                let answer = self.ask::<Met>(&place.frame, "wait", args, deadline.with_grace()).await;
                (place, answer)
            })
            .collect();
        let main = self.main_frame();
        let mut worst = None;
        while let Some((place, answer)) = asked.next().await {
            match answer {
                Ok(Met(Some(sketch))) if !everywhere => return Ok(Some((place, sketch))),
                Ok(_) if !everywhere => return Ok(None),
                Ok(_) => {}
                Err(failure) if everywhere || is_final(&failure, place.frame == main) => return Err(failure),
                // What the page itself says counts, unless a frame has something to show.
                Err(failure) => {
                    if worst.is_none() || place.frame == main || shows_an_element(&failure) {
                        worst = Some(failure);
                    }
                }
            }
        }
        worst.map_or(Ok(None), Err)
    }
}

/// Where to ask, and what.
pub(crate) enum Where {
    /// In all frames that are used.
    Pages(Value),
    /// Where an element is.
    Ref(RefName, Value),
}

/// What it holds for.
#[derive(Deserialize)]
#[serde(from = "Value")]
struct Met(Option<Sketch>);

impl From<Value> for Met {
    fn from(value: Value) -> Self {
        Self(serde_json::from_value(value).ok())
    }
}

/// Whether no other frame could say anything better. One inside the page may move to another process, or crash,
/// while the others are still asked.
fn is_final(failure: &Failure, main: bool) -> bool {
    match failure {
        Failure::Gone | Failure::Refused(Refusal::Timeout(_)) => false,
        Failure::Refused(_) | Failure::Failed(Error::DialogOpen(_)) => true,
        Failure::Failed(_) => main,
    }
}

fn shows_an_element(failure: &Failure) -> bool {
    matches!(failure, Failure::Refused(Refusal::Timeout(stuck)) if stuck.element.is_some())
}
