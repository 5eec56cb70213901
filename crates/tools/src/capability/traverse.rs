//! Going through the history.

use cicerone_engine::Acted;

use crate::{
    Capability, Effect, Face,
    dialect::{BROWSER, COMPANION, companion::TAB},
    reply::Failure,
    scope::ToNavigate,
};

pub(super) struct Traverse {
    steps: i32,
}

impl Capability for Traverse {
    type On = ToNavigate;
    type Output = Acted<()>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: ToNavigate) -> Result<Acted<()>, Failure> {
        on.call.progress.tell(0.0, None, if self.steps < 0 { "going back" } else { "going forward" });
        Ok(on.page.traverse(self.steps).await?)
    }
}

pub(super) fn faces() -> [Face<Traverse>; 3] {
    let back = |()| Traverse { steps: -1 };
    let forward = |()| Traverse { steps: 1 };
    [
        BROWSER
            .tool("browser_navigate_back", "Go back to the previous page")
            .takes((), back)
            .example("{}")
            .says(|_| "Went back".into()),
        COMPANION
            .tool("browser_go_back", "Go back to the previous page")
            .takes((), back)
            .example("{}")
            .on_tab("tabId", TAB)
            .says(|_| "Successfully navigated back".into()),
        COMPANION
            .tool("browser_go_forward", "Go forward to the next page")
            .takes((), forward)
            .example("{}")
            .on_tab("tabId", TAB)
            .says(|_| "Successfully navigated forward".into()),
    ]
}
