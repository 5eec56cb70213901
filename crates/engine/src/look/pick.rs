//! Lets a person pick an element of the page.

use std::time::Duration;

use futures::{
    future::join_all,
    stream::{FuturesUnordered, StreamExt},
};
use serde_json::json;

use crate::{
    Deadline, Element, Error, Result, WaitError,
    cancel_guard::OnCancel,
    injected::{ElementSummary, InjectedError, Refusal},
    locate::DocumentInFrame,
    page::parts::Inspector,
    state::{Frame, PageStatus},
};

impl Inspector<'_> {
    /// Brings the page to the front and waits until a person clicks an element. The page does not receive the
    /// click. Escape cancels.
    pub async fn pick(self, timeout: Duration) -> Result<Element> {
        let deadline = Deadline::after(timeout);
        self.page.injected().with_action_timeout(self.page.driver().activate()).await?;
        let guard = OnCancel::new(self.page, |page| Box::pin(async move { page.inspector().unpick().await }));
        let picked = self.picked(deadline, timeout).await;
        guard.done();
        self.unpick().await;
        picked
    }

    async fn picked(self, deadline: Deadline, timeout: Duration) -> Result<Element> {
        loop {
            if self.page.status() != PageStatus::Alive {
                return Err(self.page.injected().closed_error());
            }
            if deadline.passed() {
                return Err(Error::Wait(WaitError::NobodyPicked(timeout)));
            }
            let wanted = self.page.locator().documents();
            let documents: Vec<_> = wanted.iter().map(|place| place.document).collect();
            // Restart when frames or documents change, to cover the new ones.
            let documents_changed = self.page.until(deadline.with_grace(), |state| {
                let here = |frame: &&Frame| {
                    self.page.settings().only_frame().is_none_or(|only| frame.number == only)
                };
                let now = state.frames.iter().filter(here).map(|frame| frame.document);
                (!now.eq(documents.iter().copied()) || state.status != PageStatus::Alive).then_some(())
            });
            if wanted.is_empty() {
                self.page.locator().chosen_frame()?;
                documents_changed.await;
                continue;
            }
            let left = u64::try_from(deadline.left().as_millis()).unwrap_or(u64::MAX);
            let args = json!({ "timeout": left });
            let mut pending: FuturesUnordered<_> = wanted
                .iter()
                .map(|place| async {
                    let answer = self
                        .page
                        .injected()
                        .ask::<ElementSummary>(&place.frame, "pick", &args, deadline.with_grace())
                        .await;
                    (place.clone(), answer)
                })
                .collect();
            let first = async {
                while let Some((place, answer)) = pending.next().await {
                    // A child frame may change its process or crash; the others remain.
                    if place.frame == self.page.main_frame()
                        || !matches!(answer, Err(InjectedError::Failed(_)))
                    {
                        return (place, answer);
                    }
                }
                std::future::pending().await
            };
            tokio::select! {
                (place, answer) = first => match self.choice(&place, answer, timeout) {
                    Some(choice) => return choice,
                    None => continue,
                },
                _ = documents_changed => continue,
            }
        }
    }

    fn choice(
        self,
        place: &DocumentInFrame,
        answer: std::result::Result<ElementSummary, InjectedError>,
        timeout: Duration,
    ) -> Option<Result<Element>> {
        Some(match answer {
            Ok(summary) => Ok(self.page.locator().element(place.number, place.document, summary)),
            Err(InjectedError::Gone) => return None,
            Err(InjectedError::Refused(Refusal::Timeout(_))) => {
                Err(Error::Wait(WaitError::NobodyPicked(timeout)))
            }
            Err(InjectedError::Refused(Refusal::Misfit { .. } | Refusal::None)) => {
                Err(Error::Wait(WaitError::PickingGivenUp))
            }
            Err(failure) => Err(failure.into_error()),
        })
    }

    /// Removes the picker from all frames.
    async fn unpick(self) {
        let deadline = Deadline::after(Duration::from_secs(1));
        let wanted = self.page.locator().documents();
        let removals = wanted.iter().map(|place| {
            let removal = self.page.driver().call(&place.frame, "unpick", "{}");
            deadline.bound(removal)
        });
        // A frame that does not answer shows no picker any more.
        join_all(removals).await;
    }
}
