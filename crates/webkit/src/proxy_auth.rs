//! Making a context known to its proxy.
//!
//! The network library gives credentials only after a proxy asked for them, and from then on with every request of the
//! context, whoever makes it. So every context with a proxy makes one request of ours first, from a hidden page.

use cicerone_driver::{DriverError, Result, Size};

use crate::{
    contexts::{Unwanted, WebKitContext},
    net_errors::chromium_name,
    protocol::host::{Load, Outcome},
};

/// What is asked for. A name that never exists: the proxy answers it by itself, with 204.
const URL: &str = "http://proxy-auth.cicerone.invalid/";

const SIZE: Size = Size { width: 1, height: 1 };

pub(crate) async fn authenticate(context: &WebKitContext) -> Result<()> {
    let page = Unwanted(Some(context.new_page(SIZE, true).await?));
    let Some(hidden) = &page.0 else { return Err(DriverError::Closed) };
    let ended = hidden.send(&Load { url: URL }).await?;
    let refused = |message: String| Err(DriverError::Refused { command: "Host.load", message });
    match (ended.outcome, ended.error) {
        // There was nothing to show.
        (Outcome::Cancelled | Outcome::Download, _) => Ok(()),
        // What a proxy shows to those that it does not know.
        (Outcome::Committed, _) => refused("net::ERR_INVALID_AUTH_CREDENTIALS".into()),
        (Outcome::Failed, Some(error)) => refused(chromium_name(&error)),
        (Outcome::Failed, None) => refused("net::ERR_FAILED".into()),
    }
}
