//! Keeping logins under a name.

use cicerone_engine::{Error, Kept};
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
    Saved { name: String, cookies: usize, origins: usize },
    Loaded { name: String, cookies: usize, origins: usize },
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
                let (cookies, origins) = on.call.context()?.keep(&name, &kept).await?;
                Ok(Done::Saved { name, cookies, origins })
            }
            Action::Load => {
                let context = on.call.context()?;
                let page = context.active();
                let (cookies, origins) = context.recall(&name, page.as_ref()).await?;
                Ok(Done::Loaded { name, cookies, origins })
            }
        }
    }
}

impl Output for Done {
    fn facts(&self) -> Map<String, Value> {
        match self {
            Self::Saved { name, cookies, origins } | Self::Loaded { name, cookies, origins } => {
                facts! { "name" => name.clone(), "cookies" => *cookies, "origins" => *origins }
            }
            Self::Listed(names) => facts! { "states" => names.clone(), "count" => names.len() },
            Self::Deleted(name) => facts! { "name" => name.clone() },
        }
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "name" => of("string"), "cookies" => of("integer"), "origins" => of("integer"), "states" => of("array"),
            "count" => of("integer"),
        }
    }
}

fn words(done: &Done) -> String {
    let held =
        |cookies: &usize, origins: &usize| format!("cookies: {cookies}, origins with storage: {origins}");
    match done {
        Done::Saved { name, cookies, origins } => format!("Saved state {name} ({})", held(cookies, origins)),
        Done::Loaded { name, cookies, origins } => {
            format!("Loaded state {name} ({}); reload pages that are open to see it", held(cookies, origins))
        }
        Done::Listed(names) if names.is_empty() => "No states are saved".into(),
        Done::Listed(names) => format!("Saved states: {}", names.join(", ")),
        Done::Deleted(name) => format!("Deleted state {name}"),
    }
}

pub(super) fn faces() -> [Face<AuthState>; 1] {
    [AGENT
        .tool("auth_state", "Save or restore authentication state (cookies + localStorage), encrypted")
        .takes(must("action", ""), |action| AuthState {
            action,
            name: None,
            origins: Vec::new(),
            local: true,
            session: false,
        })
        .opt("name", "", |state, name| state.name = Some(name))
        .opt("origins", "Default: current tab origin", |state, origins| state.origins = origins)
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
