use cicerone_driver::{Button, Input, Key, Modifier, Point};

use crate::{
    Acted, Deadline, Element, Page, Result, Target,
    ready::{Located, Needs},
};

/// A click.
#[derive(Debug, Clone)]
pub struct Click {
    /// On what.
    pub target: Target,
    /// With which button.
    pub button: Button,
    /// How often.
    pub count: u32,
    /// While these are held.
    pub modifiers: Vec<Modifier>,
}

impl Click {
    /// One click with the main button.
    pub fn on(target: Target) -> Self {
        Self { target, button: Button::Left, count: 1, modifiers: Vec::new() }
    }
}

/// A click that hit.
#[derive(Debug, Clone)]
pub struct Clicked {
    /// What it hit.
    pub element: Element,
    /// Whether its ref followed a replaced element.
    pub healed: bool,
}

/// How often a click is tried on an element that moves away under the pointer.
const TRIES: u32 = 3;

impl Page {
    /// Clicks an element, and makes sure that it was this one.
    pub async fn click(&self, click: &Click) -> Result<Acted<Clicked>> {
        let mut mark = self.before_acting().await?;
        let deadline = Deadline::after(self.action_timeout());
        let located = self.click_through(click, deadline).await?;
        mark.rendered = true;
        let (element, healed) = super::acted_on(&located);
        self.told(Clicked { element, healed }, mark).await
    }

    pub(crate) async fn click_through(&self, click: &Click, deadline: Deadline) -> Result<Located> {
        let mut tries = 0;
        loop {
            tries += 1;
            let located = self.ready(&click.target, Needs::CLICK, deadline).await?;
            self.send(&gesture(located.point, click), deadline.with_grace()).await?;
            let held = self.state().dialog.is_some();
            let aftermath =
                if held { None } else { self.aftermath(&located.frame, deadline.with_grace()).await? };
            match aftermath {
                Some(aftermath) if aftermath.hit == "missed" => {
                    if tries == TRIES || deadline.passed() {
                        return Err(self.hit_instead(&located, aftermath.by));
                    }
                }
                // Hit; or the document went away by it.
                _ => return Ok(located),
            }
        }
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
