//! Making a context.

use std::{path::PathBuf, sync::Arc};

use cicerone_engine::{
    BadBypass, BadUpstream, ContextInfo, ContextOptions, Route, StorageState, Upstream, snapshot::quoted,
};
use serde_json::{Map, Value, json};

use crate::{
    Argument, Capability, Effect, Face, Output, argument::object, dialect::BROWSER, face::must,
    reply::Failure, scope::OnSession,
};

pub(super) struct ContextCreate {
    name: Name,
    proxy: Option<Route>,
    storage: Option<PathBuf>,
}

/// What a proxy is made of.
#[derive(Default)]
struct ProxyParts {
    server: Option<String>,
    username: Option<String>,
    password: Option<String>,
    bypass: Option<String>,
}

object! {
    ProxyParts {
        "server" => server: String,
        "username" => username: String,
        "password" => password: String,
        "bypass" => bypass: String,
    }
}

/// A way through a proxy.
struct Proxied(Route);

impl Argument for Proxied {
    fn schema() -> Value {
        let mut schema = ProxyParts::schema();
        schema["required"] = json!(["server"]);
        schema
    }

    fn parse(value: &Value) -> Result<Self, String> {
        // A URL alone will do.
        let ProxyParts { server, username, password, bypass } = match value.as_str() {
            Some(server) => ProxyParts { server: Some(server.to_owned()), ..ProxyParts::default() },
            None => ProxyParts::parse(value)?,
        };
        let server = server.ok_or("an object with a server")?;
        let mut upstream: Upstream = server.parse().map_err(|bad: BadUpstream| format!("a proxy: {bad}"))?;
        if let Some(user) = username {
            let with = upstream.with_credentials(user, password.unwrap_or_default());
            upstream = with.map_err(|bad| format!("a proxy: {bad}"))?;
        }
        let mut route = Route::through(upstream);
        if let Some(bypass) = bypass {
            route.bypass = bypass.parse().map_err(|bad: BadBypass| format!("a proxy: {bad}"))?;
        }
        Ok(Self(route))
    }
}

/// The name of a context.
pub(super) struct Name(pub(super) String);

impl Argument for Name {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let name = value.as_str().map(str::trim).filter(|name| !name.is_empty() && name.len() <= 100);
        name.map(|name| Self(name.to_owned())).ok_or_else(|| "a name of at most 100 characters".into())
    }
}

impl Capability for ContextCreate {
    type On = OnSession;
    type Output = ContextInfo;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<ContextInfo, Failure> {
        let session = on.call.session;
        let storage = match &self.storage {
            Some(path) => Some(Arc::new(StorageState::read(session.files(), path).await?)),
            None => None,
        };
        let context =
            session.create_context(&self.name.0, ContextOptions { route: self.proxy, storage }).await?;
        Ok(session.info_of(&context))
    }
}

impl Output for ContextInfo {
    fn facts(&self) -> Map<String, Value> {
        // A struct of strings and numbers is always an object.
        json!(self).as_object().cloned().unwrap_or_default()
    }

    fn schema() -> Map<String, Value> {
        use crate::output::{facts, of};
        facts! {
            "name" => of("string"), "isActive" => of("boolean"), "pageCount" => of("integer"),
            "currentUrl" => of("string"), "proxy" => of("string"),
        }
    }
}

pub(super) fn faces() -> [Face<ContextCreate>; 1] {
    [BROWSER
        .tool(
            "browser_context_create",
            "Create an isolated context (cookies, storage, proxy) and make it active",
        )
        .takes(must("name", ""), |name| ContextCreate { name, proxy: None, storage: None })
        .example(r#"{"name": "alice"}"#)
        .opt("proxy", "http://, https:// or socks5:// server", |create, Proxied(route)| {
            create.proxy = Some(route)
        })
        .opt("storageState", "File of a saved state", |create, path| create.storage = Some(path))
        .says(|out| {
            let proxy = out.proxy.as_ref().map(|proxy| format!("; its traffic goes through {proxy}"));
            format!(
                "Created context {}, which is active now{}",
                quoted(&out.name, 100),
                proxy.unwrap_or_default()
            )
        })]
}
