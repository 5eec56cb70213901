//! The `launch` dialect: a sentence, as published.

use cicerone_engine::ActionSnapshot;

use super::{Dialect, Failed, plainly, terse};

/// `browser_launch` and its like.
pub(crate) static LAUNCH: Dialect =
    Dialect { name: "launch", voice: terse, failure, shows: Some(ActionSnapshot::None), images_first: true };

fn failure(failed: &Failed<'_>) -> String {
    let Some((doing, subject)) = failed.failing else { return plainly(failed) };
    let (message, hint) = (&failed.failure.message, &failed.failure.hint);
    let subject = if subject.is_empty() { String::new() } else { format!("\nSelector: {subject}") };
    format!("Error {doing}: {message}{subject}\nHint: {hint}")
}
