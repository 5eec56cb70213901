//! Input: events of GDK, which the page cannot tell from those of a person.
//!
//! The browser queues events and gives them to the page one after the other, while scripts that are evaluated go past that
//! queue. So a batch is answered when the page has got its last event: the script in our world says so.

use std::{ffi::CString, rc::Rc, time::Duration};

use gtk::{
    gdk, glib,
    glib::translate::{IntoGlib, ToGlibPtr},
    prelude::*,
};
use serde::Deserialize;

use crate::{page::Page, pipe::Responder};

/// How long the page may take from one event to the next. One that the browser keeps to itself, over a disabled button for
/// example, never comes.
const KEYS_AND_BUTTONS: Duration = Duration::from_secs(2);

/// The same for what the browser may well keep to itself: a move to where the pointer is.
const PERHAPS_NOTHING: Duration = Duration::from_millis(100);

/// The same for any other move, which the browser makes one with the next where a page is slow.
const MOVE: Duration = Duration::from_millis(300);

/// The same for a wheel, which the browser keeps to itself only where nothing scrolls.
const WHEEL: Duration = Duration::from_millis(500);

/// Presses that come within a moment are one double click; each first one is made to come much later than the one before.
const BETWEEN_CLICKS: u32 = 2_000;

/// How many pixels the browser scrolls for a step of the wheel, in a view of this width or height.
fn wheel_step(extent: i32) -> f64 {
    f64::from(extent.max(1)).powf(2.0 / 3.0).floor()
}

/// One step.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(crate) enum Step {
    Move { x: f64, y: f64 },
    Down { button: u32, count: u32 },
    Up { button: u32 },
    Wheel { x: f64, y: f64 },
    KeyDown(Key),
    KeyUp(Key),
}

/// A key, in the words of `KeyboardEvent`.
#[derive(Deserialize)]
pub(crate) struct Key {
    key: String,
    #[serde(default)]
    shifted: bool,
}

/// What is pressed, and where the pointer is.
#[derive(Default)]
pub(crate) struct InputState {
    x: f64,
    y: f64,
    state: u32,
    /// How far the clock of events is ahead.
    skew: u32,
}

/// What waits until the page has got so many events of a kind.
pub(crate) struct Barrier {
    kind: &'static str,
    left: usize,
    number: u64,
    /// Counts the events that came.
    progress: u64,
    answer: Responder,
}

impl Step {
    fn is_move(&self) -> bool {
        matches!(self, Self::Move { .. })
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Move { .. } => "mousemove",
            Self::Down { .. } => "mousedown",
            Self::Up { .. } => "mouseup",
            Self::Wheel { .. } => "wheel",
            Self::KeyDown(_) => "keydown",
            Self::KeyUp(_) => "keyup",
        }
    }
}

impl Page {
    /// Sends a batch, and answers when the page has got it.
    pub(crate) fn input(self: &Rc<Self>, steps: &[Step], number: u64, answer: Responder) {
        let Some(last) = steps.last() else { return answer.give(serde_json::json!({})) };
        let kind = last.kind();
        // The browser makes one of several moves that come at once.
        let runs = steps.chunk_by(|one, other| one.is_move() && other.is_move());
        let left = runs.filter(|run| run[0].kind() == kind).count();
        let timeout = match last {
            Step::Move { x, y } if self.input_state.borrow().is_at(*x, *y) => PERHAPS_NOTHING,
            Step::Move { .. } => MOVE,
            Step::Wheel { .. } => WHEEL,
            _ => KEYS_AND_BUTTONS,
        };
        self.pass_barrier();
        *self.barrier.borrow_mut() = Some(Barrier { kind, left, number, progress: 0, answer });
        self.give_up_later(number, 0, timeout);
        for step in steps {
            self.perform(step);
        }
    }

    /// Passes the barrier if no event comes in time.
    fn give_up_later(self: &Rc<Self>, number: u64, progress: u64, timeout: Duration) {
        let page = Rc::downgrade(self);
        glib::timeout_add_local_once(timeout, move || {
            let Some(page) = page.upgrade() else { return };
            let came = page.barrier.borrow().as_ref().filter(|it| it.number == number).map(|it| it.progress);
            match came {
                Some(came) if came == progress => page.pass_barrier(),
                Some(came) => page.give_up_later(number, came, timeout),
                None => {}
            }
        });
    }

    /// The page got an event.
    pub(crate) fn arrived(&self, kind: &str) {
        let mut barrier = self.barrier.borrow_mut();
        let Some(waiting) = barrier.as_mut() else { return };
        waiting.progress += 1;
        if waiting.kind == kind {
            waiting.left -= 1;
        }
        let done = waiting.left == 0;
        drop(barrier);
        if done {
            self.pass_barrier();
        }
    }

    /// Nothing is waited for any more.
    pub(crate) fn pass_barrier(&self) {
        if let Some(barrier) = self.barrier.take() {
            barrier.answer.give(serde_json::json!({}));
        }
    }

    /// Gives the window the focus, which documents ask for.
    pub(crate) fn take_focus(&self) {
        for focused in [false, true] {
            let Some(window) = self.window.window() else { return };
            let mut event = gdk::Event::new(gdk::EventType::FocusChange);
            let raw: *mut gdk::ffi::GdkEvent = event.to_glib_none_mut();
            // SAFETY: the event was made as one of this kind, so its fields are these; it owns the window that it is given.
            unsafe {
                let event = raw.cast::<gdk::ffi::GdkEventFocus>();
                (*event).window = window.to_glib_full();
                (*event).in_ = i16::from(focused);
            }
            event.set_device(window.display().default_seat().and_then(|seat| seat.keyboard()).as_ref());
            gtk::main_do_event(&mut event);
        }
    }

    fn perform(&self, step: &Step) {
        let Some(window) = self.view.window() else { return };
        let mut input_state = self.input_state.borrow_mut();
        match step {
            Step::Move { x, y } => (input_state.x, input_state.y) = (*x, *y),
            Step::Down { count: 1, .. } => input_state.skew = input_state.skew.wrapping_add(BETWEEN_CLICKS),
            _ => {}
        }
        let event = match step {
            Step::Move { .. } => input_state.motion(&window),
            Step::Down { button, .. } => input_state.button(&window, gdk::EventType::ButtonPress, *button),
            Step::Up { button } => input_state.button(&window, gdk::EventType::ButtonRelease, *button),
            Step::Wheel { x, y } => {
                let (width, height) = self.size.get();
                input_state.scroll(&window, x / wheel_step(width), y / wheel_step(height))
            }
            Step::KeyDown(key) => input_state.key(&window, gdk::EventType::KeyPress, key),
            Step::KeyUp(key) => input_state.key(&window, gdk::EventType::KeyRelease, key),
        };
        drop(input_state);
        let mut event = event;
        let seat = window.display().default_seat();
        let device = match step {
            Step::KeyDown(_) | Step::KeyUp(_) => seat.and_then(|seat| seat.keyboard()),
            _ => seat.and_then(|seat| seat.pointer()),
        };
        event.set_device(device.as_ref());
        gtk::main_do_event(&mut event);
    }
}

/// A pointer to the fields of an event.
trait Fields {
    fn to_glib_none_mut(&mut self) -> *mut gdk::ffi::GdkEvent;
}

impl Fields for gdk::Event {
    fn to_glib_none_mut(&mut self) -> *mut gdk::ffi::GdkEvent {
        glib::translate::ToGlibPtrMut::to_glib_none_mut(self).0
    }
}

/// Makes an event whose fields `$fields` sets, seen as this kind of struct.
macro_rules! event {
    ($kind:expr, $type:ident, $window:expr, |$event:ident| $fields:block) => {{
        let mut made = gdk::Event::new($kind);
        let $event = made.to_glib_none_mut().cast::<gdk::ffi::$type>();
        // SAFETY: the event was made as one of this kind, so it has these fields; it owns the window that it is given.
        unsafe {
            (*$event).window = $window.to_glib_full();
            $fields
        }
        made
    }};
}

impl InputState {
    fn is_at(&self, x: f64, y: f64) -> bool {
        (self.x - x).abs() < 1.0 && (self.y - y).abs() < 1.0
    }

    fn now(&self) -> u32 {
        // The clock of events starts over after seven weeks, as that of every X server does.
        ((glib::monotonic_time() / 1000) as u32).wrapping_add(self.skew)
    }

    fn motion(&self, window: &gdk::Window) -> gdk::Event {
        event!(gdk::EventType::MotionNotify, GdkEventMotion, window, |event| {
            (*event).time = self.now();
            ((*event).x, (*event).y) = (self.x, self.y);
            ((*event).x_root, (*event).y_root) = (self.x, self.y);
            (*event).state = self.state;
        })
    }

    fn button(&mut self, window: &gdk::Window, kind: gdk::EventType, button: u32) -> gdk::Event {
        let made = event!(kind, GdkEventButton, window, |event| {
            (*event).time = self.now();
            ((*event).x, (*event).y) = (self.x, self.y);
            ((*event).x_root, (*event).y_root) = (self.x, self.y);
            (*event).state = self.state;
            (*event).button = button;
        });
        let mask = gdk::ffi::GDK_BUTTON1_MASK << (button - 1);
        if kind == gdk::EventType::ButtonPress {
            self.state |= mask
        } else {
            self.state &= !mask
        }
        made
    }

    fn scroll(&self, window: &gdk::Window, right: f64, down: f64) -> gdk::Event {
        event!(gdk::EventType::Scroll, GdkEventScroll, window, |event| {
            (*event).time = self.now();
            ((*event).x, (*event).y) = (self.x, self.y);
            ((*event).x_root, (*event).y_root) = (self.x, self.y);
            (*event).state = self.state;
            (*event).direction = gdk::ScrollDirection::Smooth.into_glib();
            ((*event).delta_x, (*event).delta_y) = (right, down);
        })
    }

    fn key(&mut self, window: &gdk::Window, kind: gdk::EventType, key: &Key) -> gdk::Event {
        let value = key_value(&key.key);
        let modifier = modifier(&key.key);
        let place = place_of(window, value);
        let made = event!(kind, GdkEventKey, window, |event| {
            (*event).time = self.now();
            (*event).state = if key.shifted { self.state | gdk::ffi::GDK_SHIFT_MASK } else { self.state };
            (*event).keyval = value;
            ((*event).hardware_keycode, (*event).group) = place;
            (*event).is_modifier = u32::from(modifier != 0);
        });
        if kind == gdk::EventType::KeyPress {
            self.state |= modifier
        } else {
            self.state &= !modifier
        }
        made
    }
}

/// The bit that a key sets while it is down.
fn modifier(key: &str) -> u32 {
    match key {
        "Shift" => gdk::ffi::GDK_SHIFT_MASK,
        "Control" => gdk::ffi::GDK_CONTROL_MASK,
        "Alt" => gdk::ffi::GDK_MOD1_MASK,
        "Meta" => gdk::ffi::GDK_META_MASK,
        _ => 0,
    }
}

/// Keys whose names are others in GDK.
const NAMES: &[(&str, &str)] = &[
    ("Enter", "Return"),
    ("Backspace", "BackSpace"),
    ("ArrowUp", "Up"),
    ("ArrowDown", "Down"),
    ("ArrowLeft", "Left"),
    ("ArrowRight", "Right"),
    ("PageUp", "Page_Up"),
    ("PageDown", "Page_Down"),
    ("CapsLock", "Caps_Lock"),
    ("NumLock", "Num_Lock"),
    ("ScrollLock", "Scroll_Lock"),
    ("PrintScreen", "Print"),
    ("ContextMenu", "Menu"),
    ("Shift", "Shift_L"),
    ("Control", "Control_L"),
    ("Alt", "Alt_L"),
    ("Meta", "Meta_L"),
];

fn key_value(key: &str) -> u32 {
    let mut characters = key.chars();
    if let (Some(only), None) = (characters.next(), characters.next()) {
        // SAFETY: every character has a value.
        return unsafe { gdk::ffi::gdk_unicode_to_keyval(only.into()) };
    }
    let name = NAMES.iter().find(|(name, _)| *name == key).map_or(key, |(_, name)| name);
    let Ok(name) = CString::new(name) else { return 0 };
    // SAFETY: the name is a string that ends in NUL. An unknown name has the value of no key.
    unsafe { gdk::ffi::gdk_keyval_from_name(name.as_ptr()) }
}

/// Where a key is on the keyboard: its code and its group.
fn place_of(window: &gdk::Window, value: u32) -> (u16, u8) {
    let Some(keymap) = gdk::Keymap::for_display(&window.display()) else { return (0, 0) };
    let places = keymap.entries_for_keyval(value);
    let Some(place) = places.first() else { return (0, 0) };
    (u16::try_from(place.keycode()).unwrap_or(0), u8::try_from(place.group()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::wheel_step;

    #[test]
    fn a_step_of_the_wheel_is_a_whole_number_of_pixels() {
        // As WebKit 2.50 was seen to.
        for (extent, pixels) in [(600, 71.0), (800, 86.0), (400, 54.0)] {
            assert!((wheel_step(extent) - pixels).abs() < f64::EPSILON, "{extent}");
        }
    }
}
