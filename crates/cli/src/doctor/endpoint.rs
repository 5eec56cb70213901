//! A browser that runs already: whether it can be reached and driven, and what it is.

use std::{sync::Arc, time::Duration};

use cicerone_endpoint::{Attacher, Protocol};
use cicerone_engine::LaunchError;

use super::{Finding, Patient, engine::hint};

/// How long it may take to attach and leave.
const ATTACH: Duration = Duration::from_secs(40);

pub(super) fn found(patient: &Patient<'_>) -> Option<Finding> {
    let attacher = patient.flags.attacher()?;
    let tried =
        patient.runtime.block_on(async { tokio::time::timeout(ATTACH, describe(patient, &attacher)).await });
    Some(match tried {
        Ok(Ok(says)) => Finding::fine(says),
        Ok(Err(error)) => Finding::bad(error.to_string(), hint(error)),
        Err(_) => Finding::bad(format!("timed out after {ATTACH:?}"), "check the URL of --endpoint"),
    })
}

/// Attaches, looks and leaves.
async fn describe(patient: &Patient<'_>, attacher: &Attacher) -> Result<String, LaunchError> {
    let (browser, found) = attacher.find(&patient.flags.launch(), Arc::new(|_| {})).await?;
    let contexts = match browser.new_context(None).await {
        Ok(context) => {
            // What is left of it goes with the connection.
            context.close().await.ok();
            "can be created"
        }
        Err(_) => "cannot be created",
    };
    browser.close().await;
    let cicerone_endpoint::Found { version, protocol } = found;
    let lacks = match protocol {
        Protocol::Cdp => "",
        Protocol::BiDi => {
            "; no proxies, host policy, permissions, history or bookmarks: it was started without our preferences"
        }
    };
    Ok(format!("{version} over {protocol}; isolated contexts {contexts}{lacks}"))
}
