//! What must be there before a capability runs, as types: a capability that asks for a scope cannot be run without.

use cicerone_engine::{Error, Page, Result};
use tokio::sync::OwnedMutexGuard;

use crate::Call;

/// Something that a capability runs on.
pub trait Scope: Sized + Send {
    /// Gets hold of it.
    fn enter(call: Call) -> impl Future<Output = Result<Self>> + Send;
}

/// The active page, in its turn, with no dialog in the way.
pub struct OnPage {
    /// The page.
    pub page: Page,
    /// The call.
    pub call: Call,
    _turn: OwnedMutexGuard<()>,
}

impl Scope for OnPage {
    async fn enter(call: Call) -> Result<Self> {
        let page = call.page().await?;
        page.not_held()?;
        let turn = page.turn().await;
        page.not_held()?;
        Ok(Self { page, call, _turn: turn })
    }
}

/// The active page in its turn, or a fresh one, whatever holds it: it is about to be left.
pub(crate) struct ToNavigate {
    /// The page.
    pub page: Page,
    _turn: OwnedMutexGuard<()>,
}

impl Scope for ToNavigate {
    async fn enter(call: Call) -> Result<Self> {
        let page = call.page_to_navigate().await?;
        let turn = page.turn().await;
        if page.usable().await {
            return Ok(Self { page, _turn: turn });
        }
        // It was stuck for good; the one that is opened in its place is fresh.
        let page = call.page_to_navigate().await?;
        let turn = page.turn().await;
        Ok(Self { page, _turn: turn })
    }
}

/// The active page as it is, out of turn: for what neither waits for it nor disturbs it.
pub(crate) struct BesidePage {
    /// The page.
    pub page: Page,
}

impl BesidePage {
    /// Waits for the page's turn, with no dialog in the way.
    pub(crate) async fn in_turn(&self) -> Result<OwnedMutexGuard<()>> {
        self.page.not_held()?;
        let turn = self.page.turn().await;
        self.page.not_held()?;
        Ok(turn)
    }
}

impl Scope for BesidePage {
    async fn enter(call: Call) -> Result<Self> {
        Ok(Self { page: call.page().await? })
    }
}

/// The whole session, whether a browser runs or not.
pub(crate) struct OnSession {
    /// The call.
    pub call: Call,
}

impl Scope for OnSession {
    async fn enter(call: Call) -> std::result::Result<Self, Error> {
        Ok(Self { call })
    }
}
