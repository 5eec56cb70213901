//! Keeping logins under a name.

use cicerone_engine::{Carried, Error, Kept};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::{Argument, choices},
    dialect::AGENT,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnSession,
};

pub(super) struct AuthState {
    action: Action,
    name: Option<String>,
    origins: Vec<WebOrigin>,
    local: bool,
    session: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Save,
    Load,
    List,
    Delete,
}

choices! {
    Action {
        "save" => Action::Save,
        "load" => Action::Load,
        "list" => Action::List,
        "delete" => Action::Delete,
    }
}

/// An origin of the web.
struct WebOrigin(String);

impl Argument for WebOrigin {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let url = value.as_str().and_then(|text| url::Url::parse(text).ok());
        let url = url.filter(|url| matches!(url.scheme(), "http" | "https"));
        url.map(|url| Self(url.origin().ascii_serialization()))
            .ok_or_else(|| "an origin such as https://example.com".into())
    }
}

/// What was done.
pub(super) enum Done {
    Saved(String, Carried),
    Loaded(String, Carried),
    Listed(Vec<String>),
    Deleted(String),
}

impl Capability for AuthState {
    type On = OnSession;
    type Output = Done;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<Done, Failure> {
        let session = on.call.session.clone();
        let name = self.name.unwrap_or_default();
        match self.action {
            Action::List => Ok(Done::Listed(session.vault()?.list())),
            Action::Delete => {
                session.vault()?.delete(&name).map_err(Error::from)?;
                Ok(Done::Deleted(name))
            }
            Action::Save => {
                let page = on.call.page().await?;
                let mut origins: Vec<String> =
                    self.origins.into_iter().map(|WebOrigin(origin)| origin).collect();
                if origins.is_empty() {
                    origins.extend(page.origin());
                }
                if origins.is_empty() {
                    return Err(Error::NothingToKeep.into());
                }
                let kept = Kept { origins, local: self.local, session: self.session.then_some(page) };
                let carried = on.call.context()?.keep(&name, &kept).await?;
                Ok(Done::Saved(name, carried))
            }
            Action::Load => {
                let context = on.call.context()?;
                let page = match on.call.tab {
                    Some(tab) => Some(session.tab(tab)?.1),
                    None => context.active(),
                };
                let carried = context.recall(&name, page.as_ref()).await?;
                Ok(Done::Loaded(name, carried))
            }
        }
    }
}

impl Output for Done {
    fn facts(&self) -> Map<String, Value> {
        match self {
            Self::Saved(name, carried) | Self::Loaded(name, carried) => facts! {
                "name" => name.clone(), "cookies" => carried.cookies, "origins" => carried.origins,
                "skipped" => carried.left.clone(),
            },
            Self::Listed(names) => facts! { "states" => names.clone(), "count" => names.len() },
            Self::Deleted(name) => facts! { "name" => name.clone() },
        }
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "name" => of("string"), "cookies" => of("integer"), "origins" => of("integer"), "states" => of("array"), "skipped" => of("array"),
            "count" => of("integer"),
        }
    }
}

fn words(done: &Done) -> String {
    let held = |Carried { cookies, origins, .. }: &Carried| {
        format!("cookies: {cookies}, origins with storage: {origins}")
    };
    let left = |Carried { left, .. }: &Carried, why: &str| match left.as_slice() {
        [] => String::new(),
        left => format!("\nNote: {why}: {}", left.join(", ")),
    };
    match done {
        Done::Saved(name, carried) => {
            let left = left(carried, "the storage of these did not answer and is not in it");
            format!("Saved state {name} ({}){left}", held(carried))
        }
        Done::Loaded(name, carried) => {
            let left = left(carried, "session storage needs a tab at its origin, and there is none for");
            format!("Loaded state {name} ({}); reload pages that are open to see it{left}", held(carried))
        }
        Done::Listed(names) if names.is_empty() => "No states are saved".into(),
        Done::Listed(names) => format!("Saved states: {}", names.join(", ")),
        Done::Deleted(name) => format!("Deleted state {name}"),
    }
}

pub(super) fn faces() -> [Face<AuthState>; 1] {
    [AGENT
        .tool("auth_state", "Save or restore logins (cookies + storage), encrypted")
        .takes(must("action", ""), |action| AuthState {
            action,
            name: None,
            origins: Vec::new(),
            local: true,
            session: false,
        })
        .example(r#"{"action": "save", "name": "example"}"#)
        .opt("name", "", |state, name| state.name = Some(name))
        .opt("origins", "Else the tab's", |state, origins| state.origins = origins)
        .opt("include_local_storage", "", |state, local| state.local = local)
        .default(true)
        .opt("include_session_storage", "", |state, session| state.session = session)
        .default(false)
        .on_tab("tabId", "")
        .provided(|state| match state {
            AuthState { action: Action::List, .. } | AuthState { name: Some(_), .. } => Ok(()),
            _ => Err(BadArguments::Missing("name")),
        })
        .says(words)]
}
