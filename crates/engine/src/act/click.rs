use std::time::Duration;

use cicerone_driver::{Button, FrameId, Input, Key, Modifier, Point};
use serde::{Deserialize, Serialize};

use super::pointer_target::{PointerTarget, Spot};
use crate::{
    Acted, Deadline, ElementError, Error, NavigationError, NewsItem, Outcome, Result, Settled, Target, Unmet,
    WaitError,
    error::Obstacle,
    news,
    page::parts::{Actions, Mouse},
    ready::{Located, Needs},
    state::{PageStatus, State},
};

#[derive(Debug, Clone)]
pub struct Click {
    /// The element or point to click.
    pub aim: PointerTarget,
    /// The mouse button.
    pub button: Button,
    /// The number of clicks.
    pub count: u32,
    /// Modifier keys held during the click.
    pub modifiers: Vec<Modifier>,
    /// Dispatches events on the element even if it is covered or hidden, without the pointer.
    pub force: bool,
    /// Whether to wait until the page settles.
    pub awaited: bool,
    /// Fails unless the click navigates; waits for the navigation.
    pub navigates: bool,
}

impl Click {
    /// A single click with the main button.
    pub fn on(aim: impl Into<PointerTarget>) -> Self {
        let (button, modifiers) = (Button::Left, Vec::new());
        Self { aim: aim.into(), button, count: 1, modifiers, force: false, awaited: true, navigates: false }
    }
}

/// The result of a click.
#[derive(Debug, Clone)]
pub struct Clicked {
    /// The element or point that was clicked.
    pub on: Spot,
    /// Clicked by dispatched events, without the pointer.
    pub forced: bool,
}

/// Arguments of the injected `force` function.
#[derive(Serialize)]
struct ForceClickArgs {
    num: u32,
    button: &'static str,
    count: u32,
    held: Vec<&'static str>,
}

/// What the click hit, as the injected script saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Hit {
    /// The intended element.
    Target,
    /// Another element; the event was stopped before its listeners ran.
    Missed,
    /// No element of this document.
    None,
    /// The injected script was not watching for a click.
    #[default]
    Unarmed,
}

/// Moves until a frame that gets no pointer events is left to the click itself.
const MOST_MOVES: u32 = 20;

/// Attempts when the element moves away from under the pointer.
const TRIES: u32 = 3;

/// Time for an element to be ready again after a click that missed it.
const COME_BACK: Duration = Duration::from_secs(1);

impl Mouse<'_> {
    /// Clicks a point, or an element, and verifies that the element received the click.
    pub async fn click(self, click: &Click) -> Result<Acted<Clicked>> {
        let mut mark = self.page.actions().begin_action().await?;
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let (on, forced) = match &click.aim {
            PointerTarget::Element(target) if click.force => {
                (Spot::from(&self.force_click(target, click, deadline).await?), true)
            }
            PointerTarget::Element(target) => {
                let located = self.click_through(target, click, deadline).await?;
                mark.rendered = true;
                (Spot::from(&located), false)
            }
            PointerTarget::Point(point) => {
                let point = self.page.geometry().page_point(*point, deadline).await?;
                self.page.actions().send(&gesture(point, click), deadline.with_grace()).await?;
                (Spot::Point(point), false)
            }
        };
        let clicked = Clicked { on, forced };
        if click.navigates {
            self.navigation_after(mark.at, deadline).await?;
        }
        if click.awaited {
            self.page.actions().finish_action(clicked, mark).await
        } else {
            Ok(self.page.actions().without_settling(clicked))
        }
    }

    pub(crate) async fn click_through(
        self,
        target: &Target,
        click: &Click,
        deadline: Deadline,
    ) -> Result<Located> {
        let mut tries = 0;
        let mut missed: Option<Error> = None;
        loop {
            tries += 1;
            let located = match missed.take() {
                None => self.page.locator().ready(target, Needs::CLICK, deadline).await?,
                Some(missed) => {
                    match self.page.locator().ready(target, Needs::CLICK, deadline.or_after(COME_BACK)).await
                    {
                        // The pointer made it go away, and what came instead got the click.
                        Err(Error::Element(ElementError::NotReady {
                            obstacle: Obstacle::Hidden, ..
                        })) => {
                            return Err(missed);
                        }
                        Err(Error::Element(ElementError::NotReady { .. })) => {
                            self.page.locator().ready(target, Needs::CLICK, deadline).await?
                        }
                        found => found?,
                    }
                }
            };
            let located = self.pointer_arrives(located, target, Needs::CLICK, deadline).await?;
            let before = self.page.state().now;
            let document = self.page.locator().numbers(&located.frame).1;
            self.page.actions().send(&gesture(located.point, click), deadline.with_grace()).await?;
            let held = self.page.state().dialog.is_some();
            let after_frames = match held {
                true => None,
                false if click.awaited => {
                    self.page.settling().after_frames(&located.frame, deadline.with_grace()).await?
                }
                // A page that unloads answers only afterwards; a click that missed does not navigate.
                false => tokio::select! {
                    biased;
                    () = self.document_starts_unloading(&located.frame, before, deadline.with_grace()) => None,
                    after_frames = self.page.settling().after_frames(&located.frame, deadline.with_grace()) => after_frames?,
                },
            };
            if after_frames.is_none() {
                self.note_unverified();
            }
            // It hit, or it unloaded the document.
            let not_hit = after_frames.and_then(|landed| self.page.locator().not_hit(&located, landed));
            let Some(not_hit) = not_hit else { return Ok(located) };
            if self.page.locator().numbers(&located.frame).1 != document {
                return Ok(located);
            }
            // Another document received the click: do not click twice.
            let elsewhere = matches!(not_hit, Error::Element(ElementError::HitAnotherFrame(_)));
            if elsewhere || tries == TRIES || deadline.passed() {
                return Err(not_hit);
            }
            missed = Some(not_hit);
        }
    }

    /// The element, once its document receives the events of the pointer.
    pub(crate) async fn pointer_arrives(
        self,
        located: Located,
        target: &Target,
        needs: Needs,
        deadline: Deadline,
    ) -> Result<Located> {
        if self.takes_pointer(&located.frame) {
            return Ok(located);
        }
        self.pointer_reaches(target, deadline).await?;
        self.page.locator().ready(target, needs, deadline).await
    }

    /// Whether pointer events reach the document of a frame, as far as is known.
    fn takes_pointer(self, frame: &FrameId) -> bool {
        let state = self.page.state();
        state.frame(frame).is_none_or(|frame| frame.parent.is_none() || frame.takes_pointer)
    }

    /// Moves the pointer until the document of a frame receives its events. Before the browser has drawn a new frame, they
    /// go to the document around it, and so would the click.
    async fn pointer_reaches(self, target: &Target, deadline: Deadline) -> Result<()> {
        for nth in 0..MOST_MOVES {
            let located = self.page.locator().ready(target, Needs::HOVER, deadline).await?;
            // To and fro: a pointer that does not move may have no events.
            let point = Point { x: located.point.x + f64::from(nth % 2), ..located.point };
            self.page.actions().send(&[Input::Move(point)], deadline.with_grace()).await?;
            let landed = self.page.settling().after_frames(&located.frame, deadline.with_grace()).await?;
            if landed.is_none_or(|landed| landed.hit != Hit::None) {
                if let Some(frame) = self.page.state().frame_mut(&located.frame) {
                    frame.takes_pointer = true;
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// Waits until the page has navigated or a dialog blocks the navigation. It must begin before the deadline; from then
    /// on it has the time of a navigation.
    async fn navigation_after(self, moment: u64, deadline: Deadline) -> Result<()> {
        let navigated = |state: &State| {
            let moved = state.main().is_none_or(|main| main.navigated > moment);
            moved || state.dialog.is_some() || state.status != PageStatus::Alive
        };
        let loads =
            |state: &State| state.main().is_some_and(|main| main.loading.is_some_and(|at| at > moment));
        loop {
            let begun = |state: &State| (navigated(state) || loads(state)).then(|| navigated(state));
            let arrived = self.page.until(deadline, begun).await.ok_or_else(|| {
                Error::Wait(WaitError::Timeout {
                    unmet: Box::new(Unmet::ClickNavigates { url: self.page.shown_url() }),
                    after: self.page.settings().action_timeout(),
                })
            })?;
            if arrived {
                return Ok(());
            }
            let after = self.page.options().navigation_timeout;
            let ended = |state: &State| (navigated(state) || !loads(state)).then(|| navigated(state));
            match self.page.until(Deadline::after(after), ended).await {
                Some(true) => return Ok(()),
                // It became a download, or another one may follow.
                Some(false) => {}
                None => {
                    let url = self.page.shown_url();
                    return Err(NavigationError::Timeout { url, after }.into());
                }
            }
        }
    }

    /// The page answers nothing while a dialog is open: the reply tells that the guard has not reported. In a page without
    /// other frames it does not matter: a gesture that misses is hidden from the page, and opens no dialog.
    pub(crate) fn note_unverified(self) {
        let mut state = self.page.state();
        if state.dialog.is_some() && state.frames.len() > 1 {
            news::add(&mut state.news, NewsItem::HitUnverified);
        }
    }

    /// Waits until a frame or one around it starts loading, which unloads its document; never returns if none does. What
    /// other frames load says nothing: a frame that took the click may load just for that.
    async fn document_starts_unloading(self, frame: &FrameId, since: u64, deadline: Deadline) {
        let starts = |state: &State| {
            let around = std::iter::successors(state.frame(frame), |inner| {
                inner.parent.as_ref().and_then(|parent| state.frame(parent))
            });
            around
                .map(|frame| frame.loading)
                .any(|loading| loading.is_some_and(|at| at > since))
                .then_some(())
        };
        if self.page.until(deadline, starts).await.is_none() {
            std::future::pending::<()>().await;
        }
    }

    /// Dispatches click events on an element. It must be enabled: disabled elements ignore them.
    pub(crate) async fn force_click(
        self,
        target: &Target,
        click: &Click,
        deadline: Deadline,
    ) -> Result<Located> {
        let located = self.page.locator().ready(target, Needs::ENABLED, deadline).await?;
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
        let args = ForceClickArgs { num: located.number, button, count: click.count, held: held.collect() };
        let sent: Result<serde_json::Value> = self
            .page
            .injected()
            .ask(&located.frame, "force", &args, deadline.with_grace())
            .await
            .map_err(|failure| self.page.locator().refused_by(&located, failure));
        match sent {
            // The element existed when located: the click unloaded its document or opened a dialog.
            Ok(_)
            | Err(Error::DialogOpen(_) | Error::Element(ElementError::Stale { .. }) | Error::TabClosed) => {
                Ok(located)
            }
            Err(error) => Err(error),
        }
    }
}

impl Actions<'_> {
    /// The result of an action that does not wait for the page to settle.
    fn without_settling<T>(self, done: T) -> Acted<T> {
        let mut state = self.page.state();
        let settled = if state.dialog.is_some() { Settled::Held } else { Settled::Unawaited };
        // Other news can wait for the next reply; this is about the click.
        let unverified = state.news.iter().position(|item| *item == NewsItem::HitUnverified);
        let news = unverified.map(|at| state.news.remove(at)).into_iter().collect();
        Acted { done, outcome: Outcome { settled, news, ..Outcome::default() } }
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
