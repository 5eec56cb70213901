//! <https://w3c.github.io/webdriver-bidi/#module-session>

use cicerone_wire::Nothing;
use serde::Serialize;

use super::commands;

#[derive(Serialize)]
pub(crate) struct Subscribe {
    pub(crate) events: &'static [&'static str],
}

commands! {
    Subscribe => "session.subscribe", Nothing;
}
