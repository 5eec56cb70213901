//! What must be there before a capability runs, as types: a capability that asks for a scope cannot be run without.

use cicerone_engine::{
    Acted, Context, Error, Files, NavigateRequest, Navigated, NavigationError, Opening, Page, Result,
    Session, TabId,
};
use tokio::sync::OwnedMutexGuard;

use crate::{Call, call::NavigatedPage, reply::Failure};

/// Something that a capability runs on.
pub trait Scope: Sized + Send {
    /// Gets hold of it.
    fn enter(call: Call) -> impl Future<Output = Result<Self>> + Send;
}

/// The active page, in its turn, with no dialog in the way.
pub struct OnPage {
    pub page: Page,
    pub call: Call,
    _turn: OwnedMutexGuard<()>,
}

impl Scope for OnPage {
    async fn enter(call: Call) -> Result<Self> {
        let page = call.page().await?;
        let turn = in_turn(&page).await?;
        Ok(Self { page, call, _turn: turn })
    }
}

/// Waits for a page's turn, with no dialog in the way.
pub(crate) async fn in_turn(page: &Page) -> Result<OwnedMutexGuard<()>> {
    page.dialogs().not_held()?;
    let turn = page.turn().await;
    page.dialogs().not_held()?;
    Ok(turn)
}

/// The page that the call navigates, locked: its own, usable or replaced, whatever blocks it; or a new one.
pub(crate) struct ToNavigate {
    page: Page,
    call: Call,
    /// For a new page: the context that was active before.
    before: Option<Context>,
    turn: OwnedMutexGuard<()>,
}

impl ToNavigate {
    /// A new page, opened in a context. If it cannot be navigated, the context from before is active again.
    pub(crate) async fn opened(
        call: Call,
        before: Context,
        context: &Context,
        opening: Opening,
    ) -> Result<Self> {
        let page = context.open(opening).await?.used(call.options.clone());
        if !opening.background {
            call.session.activate_context(context);
        }
        let turn = page.turn().await;
        Ok(Self { page, call, before: Some(before), turn })
    }

    /// Its number.
    pub(crate) fn tab(&self) -> TabId {
        self.page.id()
    }

    /// The files that its URL may name.
    pub(crate) fn files(&self) -> &Files {
        self.call.session.files()
    }

    /// Navigates the page.
    pub(crate) async fn go(
        self,
        request: &NavigateRequest,
    ) -> std::result::Result<Acted<Navigated>, Failure> {
        let ((), navigated) = self.go_after(|_| std::future::ready(Ok(())), request).await?;
        Ok(navigated)
    }

    /// Prepares the page, then navigates it.
    pub(crate) async fn go_after<T, F>(
        self,
        prepare: impl Fn(Page) -> F,
        request: &NavigateRequest,
    ) -> std::result::Result<(T, Acted<Navigated>), Failure>
    where
        F: Future<Output = Result<T>>,
    {
        let go = async |page: &Page| {
            let prepared = prepare(page.clone()).await?;
            Ok((prepared, page.navigation().go(request).await?))
        };
        let Self { page, call, before, turn } = self;
        let blank = page.is_blank();
        match (go(&page).await, before) {
            // It was just opened, in a process that was already dying: nothing is lost with it.
            (Err(Error::Crashed { .. }), None) if blank => {
                drop(turn);
                let fresh = Self::enter(call).await?;
                Ok(go(&fresh.page).await?)
            }
            (Err(error), Some(before)) => Err(not_opened(&call.session, &before, &page, error).await),
            (navigated, _) => Ok(navigated?),
        }
    }
}

/// After the page of a new tab could not be loaded: an error leaves the tabs as they were. What takes too long stays, as
/// it can be looked at.
async fn not_opened(session: &Session, before: &Context, page: &Page, error: Error) -> Failure {
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
            let context = call.context_of(window)?;
            let NavigatedPage { size, background, .. } = call.navigates;
            return Self::opened(call, before, &context, Opening { window, size, background }).await;
        }
        let (mut page, mut turn) = to_navigate(&call).await?;
        if !page.loading().usable().await {
            // It was stuck for good; the one that is opened in its place is fresh.
            drop(turn);
            (page, turn) = to_navigate(&call).await?;
        }
        if let Some(size) = call.navigates.size {
            page.emulator().resized(size).await?;
        }
        Ok(Self { page, call, before: None, turn })
    }
}

async fn to_navigate(call: &Call) -> Result<(Page, OwnedMutexGuard<()>)> {
    let page = call.page_to_navigate().await?;
    let turn = page.turn().await;
    Ok((page, turn))
}

/// The active page as it is, out of turn: for what neither waits for it nor disturbs it.
pub(crate) struct BesidePage {
    pub page: Page,
    pub call: Call,
}

impl BesidePage {
    /// Waits for the page's turn, with no dialog in the way.
    pub(crate) async fn in_turn(&self) -> Result<OwnedMutexGuard<()>> {
        in_turn(&self.page).await
    }
}

impl Scope for BesidePage {
    async fn enter(call: Call) -> Result<Self> {
        Ok(Self { page: call.page().await?, call })
    }
}

/// The whole session, whether a browser runs or not.
pub(crate) struct OnSession {
    pub call: Call,
}

impl Scope for OnSession {
    async fn enter(call: Call) -> std::result::Result<Self, Error> {
        Ok(Self { call })
    }
}
