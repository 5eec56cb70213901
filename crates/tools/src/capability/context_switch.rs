//! Making another context the active one.

use cicerone_engine::{
    ContextInfo,
    snapshot::{plain, quoted},
};

use super::context_create::Name;
use crate::{Capability, Effect, Face, dialect::BROWSER, face::must, reply::Failure, scope::OnSession};

pub(super) struct ContextSwitch {
    name: Name,
}

impl Capability for ContextSwitch {
    type On = OnSession;
    type Output = ContextInfo;
    const EFFECT: Effect = Effect::Arranges;

    async fn run(self, on: OnSession) -> Result<ContextInfo, Failure> {
        let session = on.call.session;
        let context = session.switch_context(&self.name.0)?;
        Ok(session.info_of(&context))
    }
}

pub(super) fn faces() -> [Face<ContextSwitch>; 1] {
    [BROWSER
        .tool("browser_context_switch", "Make a context active")
        .takes(must("name", ""), |name| ContextSwitch { name })
        .example(r#"{"name": "alice"}"#)
        .says(|out| {
            let at =
                out.current_url.as_ref().map(|url| format!(", at {}", plain(url, 300))).unwrap_or_default();
            format!("Context {} is active{at}", quoted(&out.name, 100))
        })]
}
