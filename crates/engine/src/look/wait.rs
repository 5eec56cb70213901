//! Waits for texts and times.

use std::time::Duration;

use futures::stream::{FuturesUnordered, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Acted, Deadline, Error, Result, Unmet, WaitError, Wording,
    injected::{ElementSummary, InjectedError, Refusal},
    locate::DocumentInFrame,
    page::parts::Waits,
    refs::RefName,
    state::PageStatus,
};

/// What to wait for; all parts must hold.
#[derive(Debug, Clone, Default)]
pub struct WaitFor {
    /// A duration; with a text, the time limit.
    pub time: Option<Duration>,
    /// Until this text is visible.
    pub text: Option<String>,
    /// Until this text is not visible.
    pub gone: Option<String>,
    /// The time limit; by default the session's.
    pub timeout: Option<Duration>,
}

impl Waits<'_> {
    /// Waits and reports the outcome.
    pub async fn wait_for(self, what: &WaitFor) -> Result<Acted<()>> {
        let mark = self.page.settling().mark();
        let for_text = what.text.is_some() || what.gone.is_some();
        if let Some(time) = what.time.filter(|_| !for_text) {
            self.until_time(time).await?;
        }
        let timeout = what.time.or(what.timeout).unwrap_or(self.page.settings().wait_timeout());
        let deadline = Deadline::after(timeout);
        if let Some(gone) = &what.gone {
            self.until_text(gone, false, deadline, timeout).await?;
        }
        if let Some(text) = &what.text {
            self.until_text(text, true, deadline, timeout).await?;
        }
        let settled = Deadline::after(self.page.options().settle_timeout);
        Ok(Acted { done: (), outcome: self.page.settling().outcome(mark, settled).await? })
    }

    /// Until a text is visible in any frame, or in none.
    async fn until_text(self, text: &str, wanted: bool, deadline: Deadline, timeout: Duration) -> Result<()> {
        let args = if wanted { json!({ "text": text }) } else { json!({ "gone": text }) };
        match self.wait_in_frames(&WaitScope::Pages(args), !wanted, deadline).await {
            Ok(_) => Ok(()),
            Err(InjectedError::Refused(Refusal::Timeout(_))) => {
                let text = Wording::Plain(text.to_owned());
                let unmet = Unmet::Text { text, shown: wanted, instead: None };
                Err(WaitError::Timeout { unmet: Box::new(unmet), after: timeout }.into())
            }
            Err(failure) => Err(failure.into_error()),
        }
    }

    /// Waits in the injected scripts of all frames, including documents that load meanwhile. The condition
    /// must hold in all of them if `everywhere`, else in one. Returns the matching element, if any.
    pub(crate) async fn wait_in_frames(
        self,
        scope: &WaitScope,
        everywhere: bool,
        deadline: Deadline,
    ) -> std::result::Result<Option<(DocumentInFrame, ElementSummary)>, InjectedError> {
        loop {
            if self.page.status() != PageStatus::Alive {
                return Err(InjectedError::Failed(self.page.injected().closed_error()));
            }
            let documents: Vec<_> = self.page.state().frames.iter().map(|frame| frame.document).collect();
            let (wanted, mut args) = match scope {
                WaitScope::Pages(args) => (self.page.locator().documents(), args.clone()),
                WaitScope::Ref(name, args) => {
                    let (place, local) = self.page.locator().follow(*name).map_err(InjectedError::Failed)?;
                    let mut args = args.clone();
                    args["target"] = json!({ "ref": local });
                    (vec![place], args)
                }
            };
            if wanted.is_empty() {
                self.page.locator().chosen_frame().map_err(InjectedError::Failed)?;
            }
            args["timeout"] = u64::try_from(deadline.left().as_millis()).unwrap_or(u64::MAX).into();
            // Ask again when frames or documents change.
            let documents_changed = self.page.until(deadline.with_grace(), |state| {
                let now = state.frames.iter().map(|frame| frame.document);
                (!now.eq(documents.iter().copied()) || state.status != PageStatus::Alive).then_some(())
            });
            let answer = tokio::select! {
                answer = self.first_reply(wanted, &args, everywhere, deadline) => answer,
                _ = documents_changed => if deadline.passed() { Err(InjectedError::Gone) } else { continue },
            };
            match answer {
                Err(InjectedError::Gone) if !deadline.passed() => {}
                answer => return answer,
            }
        }
    }

    async fn first_reply(
        self,
        wanted: Vec<DocumentInFrame>,
        args: &Value,
        everywhere: bool,
        deadline: Deadline,
    ) -> std::result::Result<Option<(DocumentInFrame, ElementSummary)>, InjectedError> {
        let mut pending: FuturesUnordered<_> = wanted
            .into_iter()
            .map(|place| async move {
                let answer = self
                    .page
                    .injected()
                    .ask::<WaitReply>(&place.frame, "wait", args, deadline.with_grace())
                    .await;
                (place, answer)
            })
            .collect();
        let main = self.page.main_frame();
        let mut last_failure = None;
        while let Some((place, answer)) = pending.next().await {
            match answer {
                Ok(WaitReply(Some(summary))) if !everywhere => return Ok(Some((place, summary))),
                Ok(_) if !everywhere => return Ok(None),
                Ok(_) => {}
                Err(failure) if everywhere || is_final(&failure, place.frame == main) => return Err(failure),
                // The main frame's error counts, unless a child frame describes an element.
                Err(failure) => {
                    if last_failure.is_none() || place.frame == main || has_element(&failure) {
                        last_failure = Some(failure);
                    }
                }
            }
        }
        last_failure.map_or(Ok(None), Err)
    }
}

/// Where to wait, with the arguments.
pub(crate) enum WaitScope {
    /// In all selected frames.
    Pages(Value),
    /// In the frame of an element.
    Ref(RefName, Value),
}

/// The matching element, if any.
#[derive(Deserialize)]
#[serde(from = "Value")]
struct WaitReply(Option<ElementSummary>);

impl From<Value> for WaitReply {
    fn from(value: Value) -> Self {
        Self(serde_json::from_value(value).ok())
    }
}

/// Whether no other frame can succeed. A child frame may change its process or crash while the others still
/// wait.
fn is_final(failure: &InjectedError, main: bool) -> bool {
    match failure {
        InjectedError::Gone | InjectedError::Refused(Refusal::Timeout(_)) => false,
        InjectedError::Refused(_) | InjectedError::Failed(Error::DialogOpen(_)) => true,
        InjectedError::Failed(_) => main,
    }
}

fn has_element(failure: &InjectedError) -> bool {
    matches!(failure, InjectedError::Refused(Refusal::Timeout(not_ready)) if not_ready.element.is_some())
}
