//! What must be there before a capability runs, as types: a capability that asks for a scope cannot be run without.

use cicerone_engine::{
    Acted, Context, Error, Files, NavigateRequest, Navigated, NavigationError, Page, Result, Session,
};
use tokio::sync::OwnedMutexGuard;

use crate::{Call, reply::Failure};

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
        page.dialogs().not_held()?;
        let turn = page.turn().await;
        page.dialogs().not_held()?;
        Ok(Self { page, call, _turn: turn })
    }
}

/// The page that the call navigates, locked: its own, usable or replaced, whatever blocks it; or a new one.
pub(crate) struct ToNavigate {
    page: Page,
    call: Call,
    /// The context that was active before a page was opened.
    before: Context,
    turn: OwnedMutexGuard<()>,
}

impl ToNavigate {
    /// The files that its URL may name.
    pub(crate) fn files(&self) -> &Files {
        self.call.session.files()
    }

    /// Navigates the page.
    pub(crate) async fn go(
        self,
        request: &NavigateRequest,
    ) -> std::result::Result<Acted<Navigated>, Failure> {
        let Self { page, call, before, turn } = self;
        let blank = page.is_blank() && call.navigates.new_in.is_none();
        match page.navigation().go(request).await {
            // It was just opened, in a process that was already dying: nothing is lost with it.
            Err(Error::Crashed { .. }) if blank => {
                drop(turn);
                let fresh = Self::enter(call).await?;
                Ok(fresh.page.navigation().go(request).await?)
            }
            Err(error) if call.navigates.new_in.is_some() => {
                Err(not_opened(&call.session, &before, &page, error).await)
            }
            navigated => Ok(navigated?),
        }
    }
}

/// After the page of a new tab could not be loaded: an error leaves the tabs as they were. What takes too long stays, as
/// it can be looked at.
pub(crate) async fn not_opened(session: &Session, before: &Context, page: &Page, error: Error) -> Failure {
    let closed = match session.tab(page.id()) {
        Ok(_) if matches!(error, Error::Navigation(NavigationError::Timeout { .. })) => false,
        Ok((context, page)) => context.close(&page).await.is_ok(),
        Err(_) => true,
    };
    if !closed {
        return Failure::from(error).after(format!("Opened tab {}", page.id()));
    }
    session.activate_context(before);
    error.into()
}

impl Scope for ToNavigate {
    async fn enter(call: Call) -> Result<Self> {
        if let Some(window) = call.navigates.new_in {
            let before = call.session.context();
            let page = call.new_page(window).await?;
            let turn = page.turn().await;
            return Ok(Self { page, call, before, turn });
        }
        let (mut page, mut turn) = in_turn(&call).await?;
        if !page.loading().usable().await {
            // It was stuck for good; the one that is opened in its place is fresh.
            drop(turn);
            (page, turn) = in_turn(&call).await?;
        }
        if let Some(size) = call.navigates.size {
            page.emulator().resized(size).await?;
        }
        let before = call.session.context();
        Ok(Self { page, call, before, turn })
    }
}

async fn in_turn(call: &Call) -> Result<(Page, OwnedMutexGuard<()>)> {
    let page = call.page_to_navigate().await?;
    let turn = page.turn().await;
    Ok((page, turn))
}

/// The active page as it is, out of turn: for what neither waits for it nor disturbs it.
pub(crate) struct BesidePage {
    /// The page.
    pub page: Page,
}

impl BesidePage {
    /// Waits for the page's turn, with no dialog in the way.
    pub(crate) async fn in_turn(&self) -> Result<OwnedMutexGuard<()>> {
        self.page.dialogs().not_held()?;
        let turn = self.page.turn().await;
        self.page.dialogs().not_held()?;
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
