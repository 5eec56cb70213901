//! A person picks an element of the page.

use std::time::Duration;

use futures::{
    future::join_all,
    stream::{FuturesUnordered, StreamExt},
};
use serde_json::json;

use crate::{
    Deadline, Element, Error, Page, Result,
    abandoned::IfAbandoned,
    agent::{Failure, Refusal, Sketch},
    places::Place,
    state::{Fate, Frame},
};

impl Page {
    /// Brings the page to the front and waits until a person has clicked on an element, which the page does not hear
    /// of. With Escape they give up.
    pub async fn pick(&self, patience: Duration) -> Result<Element> {
        let deadline = Deadline::after(patience);
        self.promptly(self.driver().activate()).await?;
        let guard = IfAbandoned::new(self, |page| Box::pin(async move { page.unpick().await }));
        let picked = self.picked(deadline, patience).await;
        guard.done();
        self.unpick().await;
        picked
    }

    async fn picked(&self, deadline: Deadline, patience: Duration) -> Result<Element> {
        loop {
            if self.fate() != Fate::Alive {
                return Err(self.obituary());
            }
            if deadline.passed() {
                return Err(Error::NobodyPicked(patience));
            }
            let places = self.places();
            let documents: Vec<_> = places.iter().map(|place| place.document).collect();
            // Other documents, other frames: people pick in those, too.
            let moved = self.until(deadline.with_grace(), |state| {
                let here = |frame: &&Frame| self.only_frame().is_none_or(|only| frame.number == only);
                let now = state.frames.iter().filter(here).map(|frame| frame.document);
                (!now.eq(documents.iter().copied()) || state.fate != Fate::Alive).then_some(())
            });
            if places.is_empty() {
                self.chosen_frame()?;
                moved.await;
                continue;
            }
            let timeout = u64::try_from(deadline.left().as_millis()).unwrap_or(u64::MAX);
            let args = json!({ "timeout": timeout });
            let mut asked: FuturesUnordered<_> = places
                .iter()
                .map(|place| async {
                    let answer = self.ask::<Sketch>(&place.frame, "pick", &args, deadline.with_grace()).await;
                    (place.clone(), answer)
                })
                .collect();
            let first = async {
                while let Some((place, answer)) = asked.next().await {
                    // A frame inside the page may move to another process, or crash; one can pick in the others.
                    if place.frame == self.main_frame() || !matches!(answer, Err(Failure::Failed(_))) {
                        return (place, answer);
                    }
                }
                std::future::pending().await
            };
            tokio::select! {
                (place, answer) = first => match self.choice(&place, answer, patience) {
                    Some(choice) => return choice,
                    None => continue,
                },
                _ = moved => continue,
            }
        }
    }

    fn choice(
        &self,
        place: &Place,
        answer: std::result::Result<Sketch, Failure>,
        patience: Duration,
    ) -> Option<Result<Element>> {
        Some(match answer {
            Ok(sketch) => Ok(self.element(place.number, place.document, sketch)),
            Err(Failure::Gone) => return None,
            Err(Failure::Refused(Refusal::Timeout(_))) => Err(Error::NobodyPicked(patience)),
            Err(Failure::Refused(Refusal::Misfit { .. } | Refusal::None)) => Err(Error::PickingGivenUp),
            Err(failure) => Err(failure.into_error()),
        })
    }

    /// Takes down what is left of it in all frames.
    async fn unpick(&self) {
        let deadline = Deadline::after(Duration::from_secs(1));
        let places = self.places();
        let taking = places.iter().map(|place| {
            let down = self.driver().call(&place.frame, "unpick", "{}");
            deadline.bound(down)
        });
        // A frame that does not answer, or is gone, shows nothing any more.
        join_all(taking).await;
    }
}
