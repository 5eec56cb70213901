use cicerone_driver::{Button, Input, Key, Modifier, Point};
use serde::{Deserialize, Serialize};

use super::aim::{Aim, Spot};
use crate::{
    Acted, Deadline, Error, Outcome, Page, Result, Settled, Target,
    ready::{Located, Needs},
    state::{Fate, State},
};

/// A click.
#[derive(Debug, Clone)]
pub struct Click {
    /// On what.
    pub aim: Aim,
    /// With which button.
    pub button: Button,
    /// How often.
    pub count: u32,
    /// While these are held.
    pub modifiers: Vec<Modifier>,
    /// On the element itself, covered or not displayed, without the pointer.
    pub force: bool,
    /// Whether what it causes is waited for.
    pub awaited: bool,
    /// Whether it must lead to another document or URL; that is waited for then.
    pub navigates: bool,
}

impl Click {
    /// One click with the main button.
    pub fn on(aim: impl Into<Aim>) -> Self {
        let (button, modifiers) = (Button::Left, Vec::new());
        Self { aim: aim.into(), button, count: 1, modifiers, force: false, awaited: true, navigates: false }
    }
}

/// A click that hit.
#[derive(Debug, Clone)]
pub struct Clicked {
    /// What it hit.
    pub on: Spot,
    /// Whether it was sent to the element itself, without the pointer.
    pub forced: bool,
}

/// The same for the agent.
#[derive(Serialize)]
struct Forced {
    num: u32,
    button: &'static str,
    count: u32,
    held: Vec<&'static str>,
}

/// What an armed click hit, as the agent tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Hit {
    /// What was meant.
    Target,
    /// Another element, which was kept from hearing of it.
    Missed,
    /// Nothing in this document.
    None,
    /// Nobody waited for a click here.
    #[default]
    Unarmed,
}

/// How often a click is tried on an element that moves away under the pointer.
const TRIES: u32 = 3;

impl Page {
    /// Clicks an element, and makes sure that it was this one; or a point.
    pub async fn click(&self, click: &Click) -> Result<Acted<Clicked>> {
        let mut mark = self.before_acting().await?;
        let deadline = Deadline::after(self.action_timeout());
        let (on, forced) = match &click.aim {
            Aim::Element(target) if click.force => {
                (Spot::from(&self.force_click(target, click, deadline).await?), true)
            }
            Aim::Element(target) => {
                let located = self.click_through(target, click, deadline).await?;
                mark.rendered = true;
                (Spot::from(&located), false)
            }
            Aim::Point(point) => {
                let point = self.in_page(*point, deadline).await?;
                self.send(&gesture(point, click), deadline.with_grace()).await?;
                (Spot::Point(point), false)
            }
        };
        let clicked = Clicked { on, forced };
        if click.navigates {
            self.navigation_after(mark.at, deadline).await?;
        }
        if click.awaited { self.told(clicked, mark).await } else { Ok(self.unawaited(clicked)) }
    }

    pub(crate) async fn click_through(
        &self,
        target: &Target,
        click: &Click,
        deadline: Deadline,
    ) -> Result<Located> {
        let mut tries = 0;
        loop {
            tries += 1;
            let located = self.ready(target, Needs::CLICK, deadline).await?;
            let before = self.state().now;
            let document = self.numbers(&located.frame).1;
            self.send(&gesture(located.point, click), deadline.with_grace()).await?;
            let held = self.state().dialog.is_some();
            let aftermath = match held {
                true => None,
                false if click.awaited => self.aftermath(&located.frame, deadline.with_grace()).await?,
                // A page that is left answers only when it is; and a click that misses leads nowhere.
                false => tokio::select! {
                    biased;
                    () = self.leaving(before, deadline.with_grace()) => None,
                    aftermath = self.aftermath(&located.frame, deadline.with_grace()) => aftermath?,
                },
            };
            // Hit; or the document went away by it.
            let Some(aftermath) = aftermath.filter(|aftermath| aftermath.hit != Hit::Target) else {
                return Ok(located);
            };
            if self.numbers(&located.frame).1 != document {
                return Ok(located);
            }
            // What went to another document is done, and is not done a second time.
            if aftermath.hit != Hit::Missed {
                return Err(Error::HitAnotherFrame(Box::new(located.element)));
            }
            if tries == TRIES || deadline.passed() {
                return Err(self.hit_instead(&located, aftermath.by));
            }
        }
    }

    /// Waits until the page has navigated, or a dialog asks before it does.
    async fn navigation_after(&self, moment: u64, deadline: Deadline) -> Result<()> {
        let navigated = |state: &State| {
            let moved = state.main().is_none_or(|main| main.navigated > moment);
            (moved || state.dialog.is_some() || state.fate != Fate::Alive).then_some(())
        };
        self.until(deadline, navigated).await.ok_or_else(|| Error::WaitTimeout {
            what: "the click led to no navigation".into(),
            instead: format!("the page is still at {}", self.shown_url()),
            after: self.action_timeout(),
        })
    }

    /// Waits until a frame begins to load something else; for ever if none does.
    async fn leaving(&self, since: u64, deadline: Deadline) {
        let leaves = |state: &State| {
            state.frames.iter().any(|frame| frame.loading.is_some_and(|at| at > since)).then_some(())
        };
        if self.until(deadline, leaves).await.is_none() {
            std::future::pending::<()>().await;
        }
    }

    /// Sends the events of a click to an element itself. What is disabled would not take them.
    pub(crate) async fn force_click(
        &self,
        target: &Target,
        click: &Click,
        deadline: Deadline,
    ) -> Result<Located> {
        let located = self.ready(target, Needs::ENABLED, deadline).await?;
        let button = match click.button {
            Button::Left => "left",
            Button::Middle => "middle",
            Button::Right => "right",
        };
        let held = click.modifiers.iter().map(|modifier| match modifier {
            Modifier::Alt => "alt",
            Modifier::Control => "control",
            Modifier::Meta => "meta",
            Modifier::Shift => "shift",
        });
        let args = Forced { num: located.number, button, count: click.count, held: held.collect() };
        let sent: Result<serde_json::Value> = self
            .ask(&located.frame, "force", &args, deadline.with_grace())
            .await
            .map_err(|failure| self.refused_by(&located, failure));
        match sent {
            // The element was there a moment ago: the click carried its document away, or made it ask something.
            Ok(_) | Err(Error::DialogOpen(_) | Error::Stale { .. } | Error::TabClosed) => Ok(located),
            Err(error) => Err(error),
        }
    }

    /// What was done, with nothing waited for.
    fn unawaited<T>(&self, done: T) -> Acted<T> {
        let held = self.state().dialog.is_some();
        let settled = if held { Settled::Held } else { Settled::Unawaited };
        Acted { done, outcome: Outcome { settled, ..Outcome::default() } }
    }
}

fn gesture(point: Point, click: &Click) -> Vec<Input> {
    let keys: Vec<Key> = click.modifiers.iter().map(|modifier| Key::modifier(*modifier)).collect();
    let mut steps: Vec<Input> = keys.iter().cloned().map(Input::KeyDown).collect();
    steps.push(Input::Move(point));
    for count in 1..=click.count {
        steps.push(Input::Down(click.button, count));
        steps.push(Input::Up(click.button, count));
    }
    steps.extend(keys.into_iter().rev().map(Input::KeyUp));
    steps
}
