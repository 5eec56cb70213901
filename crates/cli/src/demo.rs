//! A demonstration.

use crate::{Failure, config::Flags};

pub(crate) fn run(_: &Flags) -> Result<(), Failure> {
    Err("not yet".into())
}
