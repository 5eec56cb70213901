//! Closing the page.

use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::BROWSER,
    output::{facts, of},
    reply::Failure,
    scope::OnSession,
};

pub(super) struct Close;

/// Whether a page was open, and how many still are.
pub(super) struct Closed {
    closed: bool,
    left: usize,
}

impl Capability for Close {
    type On = OnSession;
    type Output = Closed;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<Closed, Failure> {
        let context = on.call.context()?;
        let page = context.active();
        if let Some(page) = &page {
            context.close(page).await?;
        }
        Ok(Closed { closed: page.is_some(), left: context.list().await.len() })
    }
}

impl Output for Closed {
    fn facts(&self) -> Map<String, Value> {
        facts! { "tabs" => self.left }
    }

    fn schema() -> Map<String, Value> {
        facts! { "tabs" => of("integer") }
    }
}

pub(super) fn faces() -> [Face<Close>; 1] {
    [BROWSER.tool("browser_close", "Close the page").takes((), |()| Close).example("{}").says(|out| {
        match (out.closed, out.left) {
            (false, _) => "No page was open".into(),
            (true, 0) => "Closed the page; none is open now".into(),
            (true, left) => format!("Closed the page; {left} left"),
        }
    })]
}
