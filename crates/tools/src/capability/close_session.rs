//! Closing sessions: one by its name, or all of them.

use cicerone_engine::{Context, ContextError, Error, Session};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    argument::SessionName,
    dialect::VISION,
    output::{facts, of},
    reply::Failure,
    scope::OnSession,
};

pub(super) struct CloseSession {
    /// The session to close; all by default.
    name: Option<String>,
    /// Whether calls that run in it may end first.
    graceful: bool,
}

/// The sessions that were closed.
pub(super) struct Closed {
    names: Vec<String>,
    all: bool,
    /// Those in which a call still ran.
    interrupted: Vec<String>,
}

impl Capability for CloseSession {
    type On = OnSession;
    type Output = Closed;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<Closed, Failure> {
        let session = &on.call.session;
        let meant = match &self.name {
            Some(name) => vec![session.context_named(name)?],
            None => session.all_contexts(),
        };
        if self.graceful {
            session.calls_end(&meant).await;
        }
        let name = |context: &Context| context.name().to_owned();
        let interrupted = meant.iter().filter(|context| context.is_busy()).map(name).collect();
        close(session, self.name.as_deref()).await?;
        Ok(Closed { names: meant.iter().map(name).collect(), all: self.name.is_none(), interrupted })
    }
}

/// The last one goes with the browser, and so do all of them.
async fn close(session: &Session, name: Option<&str>) -> Result<(), Error> {
    let Some(name) = name else {
        session.close_all().await;
        return Ok(());
    };
    match session.close_context(name).await {
        Err(Error::Context(ContextError::Last)) => {
            session.quit().await;
            Ok(())
        }
        closed => closed.map(drop),
    }
}

impl Output for Closed {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = facts! { "closed" => self.names.clone() };
        if !self.interrupted.is_empty() {
            facts.extend(facts! { "interrupted" => self.interrupted.clone() });
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! { "closed" => of("array"), "interrupted" => of("array") }
    }
}

pub(super) fn faces() -> [Face<CloseSession>; 1] {
    [VISION
        .tool("browser.close", "Close browser session and clean up resources")
        .takes((), |()| CloseSession { name: None, graceful: true })
        .example(r#"{"graceful": true}"#)
        .opt("sessionId", "Session to close (omitted = all sessions)", |close, SessionName(name)| {
            close.name = Some(name);
        })
        .opt("graceful", "Wait for pending operations", |close, graceful| close.graceful = graceful)
        .default(true)
        .says(|out| {
            let closed: String = match out.all {
                true => "Closed all sessions".into(),
                false => format!("Closed session: {}", out.names.join(", ")),
            };
            match out.interrupted.as_slice() {
                [] => closed,
                names => format!("{closed}\nNote: a call still ran and was ended in: {}", names.join(", ")),
            }
        })]
}
