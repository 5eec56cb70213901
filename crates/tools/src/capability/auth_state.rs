//! Keeping logins under a name.

use cicerone_engine::{Error, SiteDataError, TransferParts, Transferred};
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
    action: AuthStateAction,
    name: Option<String>,
    origins: Vec<WebOrigin>,
    local: bool,
    session: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum AuthStateAction {
    Save,
    Load,
    List,
    Delete,
}

choices! {
    AuthStateAction {
        "save" => AuthStateAction::Save,
        "load" => AuthStateAction::Load,
        "list" => AuthStateAction::List,
        "delete" => AuthStateAction::Delete,
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
pub(super) enum AuthStateResult {
    Saved(String, Transferred),
    Loaded(String, Transferred),
    Listed(Vec<String>),
    Deleted(String),
}

impl Capability for AuthState {
    type On = OnSession;
    type Output = AuthStateResult;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<AuthStateResult, Failure> {
        let session = on.call.session.clone();
        let name = self.name.unwrap_or_default();
        match self.action {
            AuthStateAction::List => Ok(AuthStateResult::Listed(session.vault()?.list())),
            AuthStateAction::Delete => {
                session.vault()?.delete(&name).map_err(Error::from)?;
                Ok(AuthStateResult::Deleted(name))
            }
            AuthStateAction::Save => {
                let page = on.call.page().await?;
                let mut origins: Vec<String> =
                    self.origins.into_iter().map(|WebOrigin(origin)| origin).collect();
                if origins.is_empty() {
                    origins.extend(page.origin());
                }
                if origins.is_empty() {
                    return Err(Error::SiteData(SiteDataError::NothingToKeep).into());
                }
                let kept =
                    TransferParts { origins, local: self.local, session: self.session.then_some(page) };
                let transferred = on.call.context()?.keep(&name, &kept).await?;
                Ok(AuthStateResult::Saved(name, transferred))
            }
            AuthStateAction::Load => {
                let context = on.call.context()?;
                let page = match on.call.tab {
                    Some(tab) => Some(session.tab(tab)?.1),
                    None => context.active(),
                };
                let transferred = context.recall(&name, page.as_ref()).await?;
                Ok(AuthStateResult::Loaded(name, transferred))
            }
        }
    }
}

impl Output for AuthStateResult {
    fn facts(&self) -> Map<String, Value> {
        match self {
            Self::Saved(name, transferred) | Self::Loaded(name, transferred) => facts! {
                "name" => name.clone(), "cookies" => transferred.cookies, "origins" => transferred.origins,
                "skipped" => transferred.left.clone(),
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

fn words(done: &AuthStateResult) -> String {
    let held = |Transferred { cookies, origins, .. }: &Transferred| {
        format!("cookies: {cookies}, origins with storage: {origins}")
    };
    let left = |Transferred { left, .. }: &Transferred, why: &str| match left.as_slice() {
        [] => String::new(),
        left => format!("\nNote: {why}: {}", left.join(", ")),
    };
    match done {
        AuthStateResult::Saved(name, transferred) => {
            let left = left(transferred, "the storage of these did not answer and is not in it");
            format!("Saved state {name} ({}){left}", held(transferred))
        }
        AuthStateResult::Loaded(name, transferred) => {
            let left = left(transferred, "session storage needs a tab at its origin, and there is none for");
            format!("Loaded state {name} ({}); reload pages that are open to see it{left}", held(transferred))
        }
        AuthStateResult::Listed(names) if names.is_empty() => "No states are saved".into(),
        AuthStateResult::Listed(names) => format!("Saved states: {}", names.join(", ")),
        AuthStateResult::Deleted(name) => format!("Deleted state {name}"),
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
        .validate(|state| match state {
            AuthState { action: AuthStateAction::List, .. } | AuthState { name: Some(_), .. } => Ok(()),
            _ => Err(BadArguments::Missing("name")),
        })
        .says(words)]
}
