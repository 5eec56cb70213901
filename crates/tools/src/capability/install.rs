//! Making a browser available.

use serde_json::{Map, Value};

use crate::{Capability, Effect, Face, Output, dialect::BROWSER, reply::Failure, scope::OnSession};

pub(super) struct Install;

/// What was done.
pub(super) struct Installed(String);

impl Capability for Install {
    type On = OnSession;
    type Output = Installed;
    const EFFECT: Effect = Effect::Arranges;

    async fn run(self, on: OnSession) -> Result<Installed, Failure> {
        let call = on.call;
        Ok(Installed(call.settings.installer.install(&call.progress).await?))
    }
}

impl Output for Installed {
    fn facts(&self) -> Map<String, Value> {
        Map::new()
    }

    fn schema() -> Map<String, Value> {
        Map::new()
    }
}

pub(super) fn faces() -> [Face<Install>; 1] {
    [BROWSER
        .tool("browser_install", "Install the browser, if it is missing")
        .takes((), |()| Install)
        .example("{}")
        .says(|out| out.0.clone())]
}
