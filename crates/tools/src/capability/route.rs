//! Deciding what becomes of a tab's requests.

mod arguments;

use std::fmt::Write;

use cicerone_engine::{RouteHandler, TabRoute};
use serde_json::{Map, Value};

pub(super) use self::arguments::{Json, UrlPattern};
use self::arguments::{Modify, Response};
use crate::{
    BadArguments, Call, Capability, Effect, Face, Output,
    argument::{Argument, choices},
    dialect::AGENT,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::BesidePage,
};

pub(super) struct Route {
    action: RouteAction,
    pattern: Option<UrlPattern>,
    handler: Option<Handler>,
    response: Option<Response>,
    modify: Option<Modify>,
    id: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RouteAction {
    Add,
    Remove,
    Clear,
    List,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Handler {
    Abort,
    Fulfill,
    Continue,
}

choices! {
    RouteAction {
        "add" => RouteAction::Add,
        "remove" => RouteAction::Remove,
        "clear" => RouteAction::Clear,
        "list" => RouteAction::List,
    }
    Handler {
        "abort" => Handler::Abort,
        "fulfill" => Handler::Fulfill,
        "continue" => Handler::Continue,
    }
}

impl Route {
    fn new(action: RouteAction) -> Self {
        Self { action, pattern: None, handler: None, response: None, modify: None, id: None }
    }

    /// What must hold between the arguments.
    fn check(&self) -> Result<(), BadArguments> {
        let together = |words| Err(BadArguments::Together(words));
        let has_add = self.pattern.is_some()
            || self.handler.is_some()
            || self.response.is_some()
            || self.modify.is_some();
        match (self.action, self.handler) {
            (RouteAction::Add, _) if self.pattern.is_none() => Err(BadArguments::Missing("url_pattern")),
            (RouteAction::Add, None) => Err(BadArguments::Missing("handler")),
            (RouteAction::Add, _) if self.id.is_some() => {
                together("route_id is for remove; add gives a new one")
            }
            (RouteAction::Add, Some(handler)) => self.check_handler(handler),
            _ if has_add => together("url_pattern, handler, response and modify are for add"),
            (RouteAction::Remove, _) if self.id.is_none() => Err(BadArguments::Missing("route_id")),
            (RouteAction::Clear | RouteAction::List, _) if self.id.is_some() => {
                together("route_id is for remove")
            }
            _ => Ok(()),
        }
    }

    fn check_handler(&self, handler: Handler) -> Result<(), BadArguments> {
        let together = |words| Err(BadArguments::Together(words));
        let both = self.response.as_ref().is_some_and(|it| it.body.is_some() && it.json.is_some());
        match handler {
            Handler::Abort if self.response.is_some() || self.modify.is_some() => {
                together("abort takes neither response nor modify")
            }
            Handler::Fulfill if self.modify.is_some() => together("modify is for continue, not for fulfill"),
            Handler::Continue if self.response.is_some() => {
                together("response is for fulfill, not for continue")
            }
            Handler::Fulfill if both => together("Give either response.body or response.json"),
            _ => Ok(()),
        }
    }
}

/// What was done, and how many routes the tab has now.
pub(super) enum RouteResult {
    Added(TabRoute, usize),
    Removed(TabRoute, usize),
    Cleared(usize),
    Listed(Vec<TabRoute>),
}

impl Capability for Route {
    type On = BesidePage;
    type Output = RouteResult;
    const EFFECT: Effect = Effect::Controls;

    fn begin(&self, _call: &mut Call) -> Result<(), Failure> {
        self.modify.as_ref().map(Modify::address).transpose()?;
        Ok(())
    }

    async fn run(self, on: BesidePage) -> Result<RouteResult, Failure> {
        let page = on.page;
        match self.action {
            RouteAction::List => Ok(RouteResult::Listed(page.routing().routes())),
            RouteAction::Clear => Ok(RouteResult::Cleared(page.routing().clear_routes().await?)),
            RouteAction::Remove => {
                let gone = page.routing().remove_route(&self.id.unwrap_or_default()).await?;
                Ok(RouteResult::Removed(gone, page.routing().routes().len()))
            }
            RouteAction::Add => {
                let handler = match self.handler {
                    Some(Handler::Fulfill) => RouteHandler::Fulfill(self.response.unwrap_or_default().into()),
                    Some(Handler::Continue) => {
                        RouteHandler::Continue(self.modify.unwrap_or_default().changes()?)
                    }
                    Some(Handler::Abort) | None => RouteHandler::Abort,
                };
                let UrlPattern(pattern) = self.pattern.ok_or(BadArguments::Missing("url_pattern"))?;
                let route = page.routing().add_route(pattern, handler).await?;
                Ok(RouteResult::Added(route, page.routing().routes().len()))
            }
        }
    }
}

fn handler(route: &TabRoute) -> &'static str {
    match route.handler {
        RouteHandler::Abort => "abort",
        RouteHandler::Fulfill(_) => "fulfill",
        RouteHandler::Continue(_) => "continue",
    }
}

fn route_json(route: &TabRoute) -> Map<String, Value> {
    let mut told = facts! {
        "route_id" => route.id.to_string(), "url_pattern" => route.pattern.as_str(), "handler" => handler(route),
    };
    if let RouteHandler::Fulfill(response) = &route.handler {
        told.insert("status".into(), response.status.into());
    }
    told
}

impl Output for RouteResult {
    fn facts(&self) -> Map<String, Value> {
        let one = |route: &TabRoute, count: usize| {
            let mut facts = route_json(route);
            facts.insert("count".into(), count.into());
            facts
        };
        match self {
            Self::Added(route, count) | Self::Removed(route, count) => one(route, *count),
            Self::Cleared(count) => facts! { "count" => 0, "removed" => *count },
            Self::Listed(routes) => {
                let each = |route: &TabRoute| {
                    let mut told = route_json(route);
                    told.insert("matched".into(), route.matched().into());
                    Value::Object(told)
                };
                facts! { "count" => routes.len(), "routes" => routes.iter().map(each).collect::<Vec<_>>() }
            }
        }
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "route_id" => of("string"), "url_pattern" => of("string"), "handler" => of("string"), "status" => of("number"),
            "count" => of("integer"), "removed" => of("integer"), "routes" => of("array"),
        }
    }
}

/// `**/api/user: fulfill with 200`.
fn described(route: &TabRoute) -> String {
    let pattern = route.pattern.as_str();
    match &route.handler {
        RouteHandler::Fulfill(response) => format!("{pattern}: fulfill with {}", response.status),
        RouteHandler::Abort => format!("{pattern}: abort"),
        RouteHandler::Continue(changes) => {
            let changed = [
                ("url", changes.url.is_some()),
                ("method", changes.method.is_some()),
                ("headers", !changes.headers.is_empty()),
                ("post_data", changes.body.is_some()),
            ];
            let changed: Vec<&str> =
                changed.into_iter().filter(|(_, is)| *is).map(|(name, _)| name).collect();
            match changed.as_slice() {
                [] => format!("{pattern}: continue unchanged"),
                changed => format!("{pattern}: continue with changed {}", changed.join(", ")),
            }
        }
    }
}

fn words(done: &RouteResult) -> String {
    match done {
        RouteResult::Added(route, _) => format!("Added {} for {}", route.id, described(route)),
        RouteResult::Removed(route, _) => format!("Removed {} ({})", route.id, route.pattern.as_str()),
        RouteResult::Cleared(1) => "Removed 1 route".into(),
        RouteResult::Cleared(count) => format!("Removed {count} routes"),
        RouteResult::Listed(routes) if routes.is_empty() => "This tab has no routes".into(),
        RouteResult::Listed(routes) => {
            let mut text = format!("Routes, the first that matches is used: {}", routes.len());
            for route in routes {
                // Writing to a string cannot fail.
                let _ = write!(text, "\n- {} {}; matched {}", route.id, described(route), route.matched());
            }
            text
        }
    }
}

pub(super) fn faces() -> [Face<Route>; 1] {
    [AGENT
        .tool("route", "Mock, block or modify requests of a tab; the newest wins")
        .takes(must("action", ""), Route::new)
        .example(r#"{"action": "add", "url_pattern": "**/api/user", "handler": "fulfill", "response": {"json": {"id": 1}}}"#)
        .opt("url_pattern", "Glob or /regex/", |route, pattern| {
            route.pattern = Some(pattern);
        })
        .opt("handler", "", |route, handler| route.handler = Some(handler))
        .opt("response", "", |route, response| route.response = Some(response))
        .opt("modify", "For continue; adds headers", |route, modify| route.modify = Some(modify))
        .opt("route_id", "", |route, id| route.id = Some(id))
        .on_tab("tabId", "")
        .validate(Route::check)
        .says(words)]
}
