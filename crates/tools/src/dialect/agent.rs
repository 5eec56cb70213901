//! The `agent` dialect: short names, one shape for all replies, and a sentence for people.

use cicerone_engine::ActionSnapshot;

use super::{Dialect, Envelope, Family, old_names::OLD_NAMES, plainly, terse};

/// `click` and its like.
pub(crate) static AGENT: Dialect = Dialect {
    name: "agent",
    voice: terse,
    failure: plainly,
    shows: Some(ActionSnapshot::None),
    images_first: false,
    envelope: Envelope::Unified,
    family: Family::Bare,
    renamed: OLD_NAMES,
};
