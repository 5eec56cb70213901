//! Going back in the history.

use cicerone_engine::Acted;

use crate::{Capability, Effect, Face, dialect::BROWSER, reply::Failure, scope::ToNavigate};

pub(super) struct NavigateBack;

impl Capability for NavigateBack {
    type On = ToNavigate;
    type Output = Acted<()>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: ToNavigate) -> Result<Acted<()>, Failure> {
        on.call.progress.tell(0.0, None, "going back");
        Ok(on.page.traverse(-1).await?)
    }
}

pub(super) fn faces() -> [Face<NavigateBack>; 1] {
    [BROWSER
        .tool("browser_navigate_back", "Go back to the previous page")
        .takes((), |()| NavigateBack)
        .says(|_| "Went back".into())]
}
