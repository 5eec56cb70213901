//! Input steps as ticks of three sources, all in one command.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use cicerone_driver::{Button, DriverError, FrameId, Input, Key, PageDriver, Point, Result, lock};
use tokio::sync::OwnedMutexGuard;

use crate::{
    page::FirefoxPage,
    protocol::{
        input::{Action, PerformActions, ReleaseActions, SourceActions},
        script::SerializationOptions,
    },
};

/// The pointer of a page.
pub(crate) struct Pointer {
    pub(crate) position: Mutex<Point>,
    /// How many buttons are pressed, and the gesture lock held while they are.
    pub(crate) pressed: AtomicU32,
    pub(crate) turn: Mutex<Option<OwnedMutexGuard<()>>>,
}

impl Default for Pointer {
    fn default() -> Self {
        let position = Mutex::new(Point { x: 0.0, y: 0.0 });
        Self { position, pressed: AtomicU32::new(0), turn: Mutex::default() }
    }
}

/// Time limit for another page's gesture.
const GESTURE: Duration = Duration::from_secs(1);

/// Non-printing keys as WebDriver encodes them: <https://w3c.github.io/webdriver/#keyboard-actions>.
const KEYS: &[(&str, char)] = &[
    ("Backspace", '\u{e003}'),
    ("Tab", '\u{e004}'),
    ("Enter", '\u{e007}'),
    ("Shift", '\u{e008}'),
    ("Control", '\u{e009}'),
    ("Alt", '\u{e00a}'),
    ("Pause", '\u{e00b}'),
    ("Escape", '\u{e00c}'),
    ("PageUp", '\u{e00e}'),
    ("PageDown", '\u{e00f}'),
    ("End", '\u{e010}'),
    ("Home", '\u{e011}'),
    ("ArrowLeft", '\u{e012}'),
    ("ArrowUp", '\u{e013}'),
    ("ArrowRight", '\u{e014}'),
    ("ArrowDown", '\u{e015}'),
    ("Insert", '\u{e016}'),
    ("Delete", '\u{e017}'),
    ("F1", '\u{e031}'),
    ("F2", '\u{e032}'),
    ("F3", '\u{e033}'),
    ("F4", '\u{e034}'),
    ("F5", '\u{e035}'),
    ("F6", '\u{e036}'),
    ("F7", '\u{e037}'),
    ("F8", '\u{e038}'),
    ("F9", '\u{e039}'),
    ("F10", '\u{e03a}'),
    ("F11", '\u{e03b}'),
    ("F12", '\u{e03c}'),
    ("Meta", '\u{e03d}'),
];

/// The actions, tick by tick: in every tick one source acts and the others pause.
struct Ticks {
    pointer: Point,
    sources: [Vec<Action>; 3],
}

const POINTER: usize = 0;
const KEYBOARD: usize = 1;
const WHEEL: usize = 2;

impl Ticks {
    fn from(pointer: Point) -> Self {
        Self { pointer, sources: [Vec::new(), Vec::new(), Vec::new()] }
    }

    fn is_empty(&self) -> bool {
        self.sources[POINTER].is_empty()
    }

    fn are_keys(&self) -> bool {
        !self.sources[KEYBOARD].contains(&Action::Pause {})
    }

    /// How many buttons are pressed afterwards.
    fn pressed_after(&self, before: u32) -> u32 {
        self.sources[POINTER].iter().fold(before, |pressed, action| match action {
            Action::PointerDown { .. } => pressed + 1,
            Action::PointerUp { .. } => pressed.saturating_sub(1),
            _ => pressed,
        })
    }

    fn act(&mut self, source: usize, action: Action) {
        for (at, actions) in self.sources.iter_mut().enumerate() {
            actions.push(if at == source { action.clone() } else { Action::Pause {} });
        }
    }

    fn add(&mut self, step: &Input) {
        match step {
            Input::Move(to) => {
                self.pointer = *to;
                self.act(POINTER, Action::PointerMove { x: to.x, y: to.y });
            }
            // The browser counts the clicks.
            Input::Down(button, _) => self.act(POINTER, Action::PointerDown { button: number(*button) }),
            Input::Up(button, _) => self.act(POINTER, Action::PointerUp { button: number(*button) }),
            Input::Wheel(right, down) => {
                let Point { x, y } = self.pointer;
                let (x, y) = (whole(x), whole(y));
                self.act(WHEEL, Action::Scroll { x, y, delta_x: whole(*right), delta_y: whole(*down) });
            }
            Input::KeyDown(key) => self.act(KEYBOARD, Action::KeyDown { value: value(key) }),
            Input::KeyUp(key) => self.act(KEYBOARD, Action::KeyUp { value: value(key) }),
            // Not an action of a source: sent separately.
            Input::Insert(_) => {}
        }
    }

    fn into_sources(self) -> [SourceActions; 3] {
        let [pointer, keyboard, wheel] = self.sources;
        [
            SourceActions { kind: "pointer", id: "mouse", actions: pointer },
            SourceActions { kind: "key", id: "keyboard", actions: keyboard },
            SourceActions { kind: "wheel", id: "wheel", actions: wheel },
        ]
    }
}

#[expect(clippy::cast_possible_truncation, reason = "pixels are few, and casts saturate")]
fn whole(pixels: f64) -> i64 {
    pixels.round() as i64
}

fn number(button: Button) -> u8 {
    match button {
        Button::Left => 0,
        Button::Middle => 1,
        Button::Right => 2,
    }
}

fn value(key: &Key) -> String {
    match KEYS.iter().find(|(name, _)| *name == key.key) {
        Some((_, character)) => character.to_string(),
        None => key.key.to_string(),
    }
}

impl FirefoxPage {
    pub(crate) async fn input(&self, steps: &[Input]) -> Result<()> {
        let mut ticks = Ticks::from(*lock(&self.pointer.position));
        for step in steps {
            if let Input::Insert(text) = step {
                let before = std::mem::replace(&mut ticks, Ticks::from(*lock(&self.pointer.position)));
                self.act(before).await?;
                self.insert(text).await?;
            } else {
                ticks.add(step);
            }
        }
        self.act(ticks).await
    }

    async fn act(&self, ticks: Ticks) -> Result<()> {
        if ticks.is_empty() {
            return Ok(());
        }
        *lock(&self.pointer.position) = ticks.pointer;
        // Keys go to the given context; the pointer finds its frame by itself.
        if ticks.are_keys() {
            let context = self.focused_frame().await?;
            return self.send_actions(&context, ticks).await;
        }
        self.make_room().await?;
        let pressed = ticks.pressed_after(self.pointer.pressed.load(Ordering::Relaxed));
        let turn = self.pointer_turn().await;
        let done = self.send_actions(&self.main_frame(), ticks).await;
        let pressed = if done.is_ok() { pressed } else { 0 };
        self.pointer.pressed.store(pressed, Ordering::Relaxed);
        *lock(&self.pointer.turn) = turn.filter(|_| pressed > 0);
        done
    }

    /// The browser has one pointer for all windows: while a button is pressed in one, events of others go
    /// there. So a gesture runs from press to release before the next one begins. One that never ends is
    /// not waited for.
    async fn pointer_turn(&self) -> Option<OwnedMutexGuard<()>> {
        if let Some(turn) = lock(&self.pointer.turn).take() {
            return Some(turn);
        }
        let shared = self.shared.upgrade()?;
        let turn = Arc::clone(&shared.pointing).lock_owned();
        tokio::time::timeout(GESTURE, turn).await.ok()
    }

    async fn send_actions(&self, context: &FrameId, ticks: Ticks) -> Result<()> {
        let command = PerformActions { context: context.as_str(), actions: ticks.into_sources() };
        match self.send_to_document(&command).await {
            Ok(_) => Ok(()),
            // It navigated the page away, so it was done.
            Err(DriverError::Gone) => Ok(()),
            Err(error) => {
                self.root.tell(&ReleaseActions { context: self.context() });
                Err(error)
            }
        }
    }

    /// Inserts text at the caret, in the focused frame.
    async fn insert(&self, text: &str) -> Result<()> {
        let args = serde_json::json!({ "text": text }).to_string();
        let frame = self.focused_frame().await?;
        self.call(&frame, "insert", &args).await.map(drop)
    }

    async fn focused_frame(&self) -> Result<FrameId> {
        let mut frame = self.main_frame();
        if self.shared.upgrade().is_some_and(|shared| !shared.frames().has_frames(&frame)) {
            return Ok(frame);
        }
        let ask = "function(){const e=document.activeElement;return e&&e.contentWindow||1}";
        loop {
            let answer = self.in_sandbox(&frame, ask, &[], SerializationOptions::default()).await?;
            let inner = answer.filter(|answer| answer.kind == "window").and_then(|answer| answer.value);
            match inner.as_ref().and_then(|window| window["context"].as_str()) {
                Some(inner) => frame = FrameId::from(inner),
                None => return Ok(frame),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_source_acts_at_a_time_and_the_others_pause() {
        let mut ticks = Ticks::from(Point { x: 0.0, y: 0.0 });
        ticks.add(&Input::KeyDown(Key::named("Control").unwrap()));
        ticks.add(&Input::Move(Point { x: 3.5, y: 4.0 }));
        ticks.add(&Input::Wheel(0.0, 100.0));
        let [pointer, keyboard, wheel] = ticks.sources;
        assert_eq!(pointer, [Action::Pause {}, Action::PointerMove { x: 3.5, y: 4.0 }, Action::Pause {}]);
        assert_eq!(keyboard[0], Action::KeyDown { value: "\u{e009}".into() });
        assert_eq!(wheel[2], Action::Scroll { x: 4, y: 4, delta_x: 0, delta_y: 100 });
    }
}
