//! Documents that load: how far they are, and pages that do not respond.

use std::time::Duration;

use cicerone_driver::{DocumentId, LoadStage};

use crate::{
    Deadline,
    page::parts::Loading,
    settle::LOAD_TIMEOUT,
    state::{Frame, PageStatus, State},
};

/// How far a document loaded in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// The `load` event fired.
    Complete,
    /// Parsed; some subresource is missing.
    Usable,
    /// Not parsed.
    Late,
}

/// How long the network must be idle.
const IDLE_TIME: Duration = Duration::from_millis(500);

/// Time limit for the browser's error page to appear.
const ERROR_PAGE_TIMEOUT: Duration = Duration::from_millis(500);

impl Loading<'_> {
    /// Waits for the browser's error page, if it shows one, so that the next call does not meet a page in
    /// transition.
    pub(crate) async fn await_error_page(self, deadline: Deadline) {
        let shown = |state: &State| (!state.leaving || state.is_over()).then_some(());
        if self.page.until(deadline.or_after(ERROR_PAGE_TIMEOUT), shown).await.is_none() {
            // A frame still loading will show something.
            let loads = |state: &State| state.main().is_some_and(|main| main.loading.is_some());
            let shown = |state: &State| shown(state).or_else(|| (!loads(state)).then_some(()));
            self.page.until(deadline.or_after(LOAD_TIMEOUT), shown).await;
        }
        self.page.state().leaving = false;
    }

    /// Waits until no request was in flight for 500 ms.
    pub(crate) async fn network_idle(self, deadline: Deadline) -> bool {
        let busy = |state: &State| (state.under_way_since(0) > 0).then_some(());
        let idle = |state: &State| busy(state).is_none().then_some(());
        loop {
            if self.page.settling().until_requests(deadline, idle).await.is_none() {
                return false;
            }
            let idle_for = self.page.state().stirred.elapsed();
            let rest = deadline.or_after(IDLE_TIME.saturating_sub(idle_for));
            if self.page.until(rest, busy).await.is_none() {
                return !deadline.passed();
            }
        }
    }

    /// Waits until a document, by default the current one, has loaded, or is parsed and takes too long for
    /// the rest.
    pub(crate) async fn loaded(self, document: Option<DocumentId>, deadline: Deadline) -> Load {
        if self.parsed(document.clone(), deadline).await == Load::Late {
            return Load::Late;
        }
        let complete =
            self.reached_stage(document, LoadStage::Complete, deadline.or_after(LOAD_TIMEOUT)).await;
        if complete { Load::Complete } else { Load::Usable }
    }

    /// Waits until a document is parsed.
    pub(crate) async fn parsed(self, document: Option<DocumentId>, deadline: Deadline) -> Load {
        if self.reached_stage(document, LoadStage::Parsed, deadline).await {
            Load::Usable
        } else {
            Load::Late
        }
    }

    pub(crate) async fn reached_stage(
        self,
        document: Option<DocumentId>,
        stage: LoadStage,
        deadline: Deadline,
    ) -> bool {
        let main = self.page.main_frame();
        let arrived = |state: &State| {
            let shown = |frame: &Frame| frame.has_got(document.as_ref()) && frame.stage >= stage;
            let arrived = state.frame(&main).is_none_or(shown);
            (arrived || state.dialog.is_some() || state.status != PageStatus::Alive).then_some(())
        };
        self.page.until(deadline, arrived).await.is_some()
    }

    /// Whether the page responds although it has not loaded. Interrupts a script that blocks it.
    pub(crate) async fn responds(self) -> bool {
        let timeout = Deadline::after(Duration::from_secs(1));
        self.page.settling().after_frames(&self.page.main_frame(), timeout).await.is_ok()
    }

    /// After a timeout: makes the page usable for the next call.
    pub(crate) async fn abort_loading(self) {
        self.page.state().leaving = false;
        let guard = self.page.driver().stop();
        if Deadline::after(Duration::from_secs(1)).bound(guard).await.is_none() || !self.responds().await {
            self.page.injected().unstick(self.page.settings().navigation_timeout()).await;
        }
    }

    /// Whether the page responds. One that was unresponsive and still is gets crashed, to be reloaded. Call
    /// it only while holding the turn: it interrupts scripts of the page.
    pub async fn usable(self) -> bool {
        if !self.page.state().doubtful {
            return true;
        }
        if self.responds().await || self.responds().await {
            self.page.state().doubtful = false;
            return true;
        }
        if self.page.injected().crash().await {
            let dead = |state: &State| (state.status != PageStatus::Alive).then_some(());
            self.page.until(Deadline::after(Duration::from_secs(2)), dead).await;
        }
        false
    }
}
