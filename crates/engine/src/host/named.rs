//! Contexts that sessions share by name.

use super::BrowserHost;
use crate::{Context, Session, SessionSetup};

impl BrowserHost {
    /// The same host, whose sessions share their named contexts from now on: a context that one of them makes is there for
    /// all of them under its name, until it is closed or idle. `setup` is how these contexts behave, since they belong to
    /// no single client.
    #[must_use]
    pub fn with_shared_contexts(self, setup: SessionSetup) -> Self {
        let named = Session::on(&Self { named: None, ..self.clone() }, setup);
        Self { named: Some(named), ..self }
    }

    /// The owner of the contexts that sessions share by name, where that is allowed.
    pub(crate) fn named(&self) -> Option<&Session> {
        self.named.as_ref()
    }

    /// A shared context is closed: it is gone for all sessions.
    pub(crate) fn forget_everywhere(&self, context: &Context) {
        self.sessions().iter().for_each(|session| session.forget(context));
    }
}
