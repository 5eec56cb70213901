//! The extension for the person's own Chrome: whether it is installed, up to date, and connects.

use std::time::Duration;

use cicerone_bridge::{Bridge, Installation};

use super::{Finding, Patient};
use crate::config::installation;

/// How long it may take to connect: Chrome wakes it every 30 s.
const CONNECT: Duration = Duration::from_secs(40);

const INSTALL: &str = "run `cicerone extension install`";

pub(super) fn found(patient: &Patient<'_>) -> Option<Finding> {
    if !patient.flags.uses_extension() {
        return None;
    }
    let Some(installation) = installation() else {
        return Some(Finding::bad("there is no directory for data", "set HOME"));
    };
    let directory = installation.directory().display().to_string();
    Some(match () {
        () if !installation.is_there() => Finding::bad(format!("not installed in {directory}"), INSTALL),
        () if !installation.is_current() => {
            Finding::bad(format!("{directory} is of another version of cicerone"), INSTALL)
        }
        () => connects(patient, &installation),
    })
}

fn connects(patient: &Patient<'_>, installation: &Installation) -> Finding {
    let directory = installation.directory().display();
    let tried = patient.runtime.block_on(async {
        Bridge::open(installation, "cicerone doctor").await?.next(None, CONNECT).await.map(drop)
    });
    match tried {
        Ok(()) => Finding::fine(format!("connected; its files are in {directory}")),
        Err(error) => Finding::bad(
            error.to_string(),
            format!("start Chrome; load or reload the extension in {directory} at chrome://extensions"),
        ),
    }
}
