//! Input steps as batches of the host's.

use cicerone_driver::{Button, Input, Result};

use crate::{
    page::WebKitPage,
    protocol::host::{Insert, PerformInput, Step},
};

impl WebKitPage {
    /// Inserted text goes past events that are on their way, so those before it have to arrive first.
    pub(crate) async fn input(&self, steps: &[Input]) -> Result<()> {
        // Moves that come at once become one, so each but the last of a row has to arrive before the next.
        let belong = |one: &Input, other: &Input| {
            is_event(one) && is_event(other) && !(is_move(one) && is_move(other))
        };
        for batch in steps.chunk_by(belong) {
            if let [Input::Insert(text)] = batch {
                self.send(&Insert { text }).await?;
            } else {
                let steps: Vec<Step<'_>> = batch.iter().filter_map(step).collect();
                self.send(&PerformInput { steps: &steps }).await?;
            }
        }
        Ok(())
    }
}

fn is_event(step: &Input) -> bool {
    !matches!(step, Input::Insert(_))
}

fn is_move(step: &Input) -> bool {
    matches!(step, Input::Move(_))
}

fn step(step: &Input) -> Option<Step<'_>> {
    Some(match step {
        Input::Move(to) => Step::Move { x: to.x, y: to.y },
        Input::Down(button, count) => Step::Down { button: number(*button), count: *count },
        Input::Up(button, _) => Step::Up { button: number(*button) },
        Input::Wheel(x, y) => Step::Wheel { x: *x, y: *y },
        Input::KeyDown(key) => Step::KeyDown { key: &key.key, shifted: key.shifted },
        Input::KeyUp(key) => Step::KeyUp { key: &key.key, shifted: key.shifted },
        Input::Insert(_) => return None,
    })
}

fn number(button: Button) -> u32 {
    match button {
        Button::Left => 1,
        Button::Middle => 2,
        Button::Right => 3,
    }
}
