//! Capturing the network traffic of a tab, or a performance trace of it.

mod bodies;
mod summary;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use cicerone_engine::{
    Address, CaptureFilter, CaptureMode, CaptureOptions, CaptureStatus, Captured, Destination,
    NavigateRequest, Page, ResourceType, SaveCapture, TabId, WaitUntil,
};
use serde_json::Value;

use super::route::UrlPattern;
use crate::{
    BadArguments, Call, Capability, Effect, Face, Scope,
    argument::{Argument, Milliseconds, choices, object},
    dialect::AGENT,
    face::must,
    reply::Failure,
    scope::{OnSession, ToNavigate},
};

pub(super) struct Capture {
    action: CaptureAction,
    mode: Option<CaptureMode>,
    include_bodies: Option<bool>,
    filter: Option<Filter>,
    max_time: Option<Positive>,
    max_idle: Option<Duration>,
    save: Option<PathBuf>,
    /// What is loaded when it has started.
    load: Option<Load>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CaptureAction {
    Start,
    Stop,
    Status,
}

enum Load {
    Url(String),
    Again,
}

choices! {
    CaptureAction {
        "start" => CaptureAction::Start,
        "stop" => CaptureAction::Stop,
        "status" => CaptureAction::Status,
    }
    CaptureMode {
        "network" => CaptureMode::Network,
        "trace" => CaptureMode::Trace,
    }
    ResourceType {
        "document" => ResourceType::Document,
        "stylesheet" => ResourceType::Stylesheet,
        "image" => ResourceType::Image,
        "media" => ResourceType::Media,
        "font" => ResourceType::Font,
        "script" => ResourceType::Script,
        "xhr" => ResourceType::Xhr,
        "fetch" => ResourceType::Fetch,
        "websocket" => ResourceType::WebSocket,
        "other" => ResourceType::Other,
    }
}

#[derive(Default)]
struct Filter {
    url: Option<UrlPattern>,
    resource_types: Option<Vec<ResourceType>>,
    methods: Option<Vec<Method>>,
}

object! {
    Filter {
        "url_pattern" => url: UrlPattern,
        "resource_types" => resource_types: Vec<ResourceType>,
        "methods" => methods: Vec<Method>,
    }
}

impl From<Filter> for CaptureFilter {
    fn from(Filter { url, resource_types, methods }: Filter) -> Self {
        let methods = methods.map(|methods| methods.into_iter().map(|Method(method)| method).collect());
        Self {
            url: url.map(|UrlPattern(pattern)| pattern),
            // An empty list leaves nothing out.
            resource_types: resource_types.filter(|types| !types.is_empty()),
            methods: methods.filter(|methods: &Vec<String>| !methods.is_empty()),
        }
    }
}

/// An HTTP method.
struct Method(String);

impl Argument for Method {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        let method = value.as_str().filter(|method| !method.is_empty() && method.chars().all(token));
        method.map(|method| Self(method.to_owned())).ok_or_else(|| "an HTTP method".into())
    }
}

/// A duration that is not zero, given in milliseconds.
struct Positive(Duration);

impl Argument for Positive {
    fn schema() -> Value {
        Milliseconds::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let time = Milliseconds::parse(value).map(Duration::from).ok().filter(|time| !time.is_zero());
        time.map(Self).ok_or_else(|| "a number of milliseconds above 0".into())
    }
}

/// What was done.
pub(super) enum CaptureResult {
    Started { tab: TabId, mode: CaptureMode, max_time: Duration, replaced: bool },
    Stopped { captured: Box<Captured>, path: Option<PathBuf> },
    Status(Option<Box<CaptureStatus>>),
}

/// How long a capture lasts unless told.
const MAX_TIME: Duration = Duration::from_millis(180_000);

impl Capability for Capture {
    type On = OnSession;
    type Output = CaptureResult;
    const EFFECT: Effect = Effect::Controls;

    async fn run(self, on: OnSession) -> Result<CaptureResult, Failure> {
        let call = on.call;
        match self.action {
            CaptureAction::Start => self.start(&call).await,
            CaptureAction::Stop => {
                // A bare name is in the working directory.
                let save = self.save.map(|path| Path::new(".").join(path));
                let save = save.as_deref().map_or(SaveCapture::IfCut(summary::is_cut), SaveCapture::To);
                let captured = call.session.stop_capture(call.tab, self.mode, save).await?;
                let path = captured.path.as_ref().map(|path| call.session.files().shown(path));
                Ok(CaptureResult::Stopped { captured: Box::new(captured), path })
            }
            CaptureAction::Status => {
                let status = call.session.capture_status(call.tab, self.mode).await?;
                let last = || call.session.last_trace().filter(|_| self.mode == Some(CaptureMode::Trace));
                Ok(CaptureResult::Status(status.or_else(last).map(Box::new)))
            }
        }
    }
}

impl Capture {
    fn by(action: CaptureAction) -> Self {
        Self {
            action,
            mode: None,
            include_bodies: None,
            filter: None,
            max_time: None,
            max_idle: None,
            save: None,
            load: None,
        }
    }

    async fn start(self, call: &Call) -> Result<CaptureResult, Failure> {
        let mode = self.mode.unwrap_or_default();
        let max_time = self.max_time.map_or(MAX_TIME, |Positive(time)| time);
        let options = CaptureOptions {
            mode,
            include_bodies: self.include_bodies.unwrap_or(false),
            filter: self.filter.map(CaptureFilter::from).unwrap_or_default(),
            max_time,
            max_idle: self.max_idle.filter(|idle| !idle.is_zero()),
        };
        let to = match self.load {
            Some(Load::Url(url)) => {
                Some(Destination::Url(Address::read(&url, call.session.files())?.as_str().to_owned()))
            }
            Some(Load::Again) => Some(Destination::Again),
            None => None,
        };
        let (tab, replaced) = match to {
            Some(to) => {
                let on = ToNavigate::enter(call.clone()).await?;
                let tab = on.tab();
                let start = |page: Page| {
                    let options = options.clone();
                    async move { call.session.start_capture(&page, options).await }
                };
                let request = NavigateRequest { to, until: WaitUntil::Load, headers: Vec::new() };
                (tab, on.go_after(start, &request).await?.0)
            }
            None => {
                let page = call.page().await?;
                (page.id(), call.session.start_capture(&page, options).await?)
            }
        };
        Ok(CaptureResult::Started { tab, mode, max_time, replaced })
    }

    /// What goes with one action alone is refused with another: it would be without effect.
    fn check(&self) -> Result<(), BadArguments> {
        // Some clients write out what is so anyway.
        let for_start = self.include_bodies == Some(true)
            || self.filter.is_some()
            || self.max_time.as_ref().is_some_and(|Positive(time)| *time != MAX_TIME)
            || self.max_idle.is_some()
            || self.load.is_some();
        match self.action {
            CaptureAction::Start if self.save.is_some() => {
                Err(BadArguments::Together("save_path goes with action stop"))
            }
            CaptureAction::Status if self.save.is_some() => {
                Err(BadArguments::Together("save_path goes with action stop"))
            }
            CaptureAction::Stop | CaptureAction::Status if for_start => Err(BadArguments::Together(
                "include_bodies, filter and max_capture_time go with action start",
            )),
            CaptureAction::Start if self.mode == Some(CaptureMode::Trace) && self.is_for_requests() => {
                Err(BadArguments::Together("include_bodies and filter go with mode network, not with trace"))
            }
            _ => Ok(()),
        }
    }

    fn is_for_requests(&self) -> bool {
        self.include_bodies == Some(true) || self.filter.is_some() || self.max_idle.is_some()
    }
}

pub(super) fn faces() -> [Face<Capture>; 1] {
    [AGENT
        .tool("capture", "Capture network traffic or a performance trace (Chromium); stop returns a summary")
        .takes(must("action", ""), Capture::by)
        .example(r#"{"action": "start", "filter": {"url_pattern": "**/api/**"}}"#)
        .opt("include_bodies", "", |capture, include| capture.include_bodies = Some(include))
        .default(false)
        .opt("filter", "", |capture, filter| capture.filter = Some(filter))
        .opt("max_capture_time", "", |capture, time| capture.max_time = Some(time))
        .default(180_000)
        .opt("mode", "", |capture, mode| capture.mode = Some(mode))
        .default("network")
        .opt("save_path", "For stop: HAR or trace", |capture, path| capture.save = Some(path))
        .on_tab("tabId", "")
        .unlisted("inactivity_timeout", |capture, idle: Milliseconds| capture.max_idle = Some(idle.into()))
        .unlisted("url", |capture, url| capture.load = Some(Load::Url(url)))
        .unlisted("reload", |capture, reload: bool| {
            if reload {
                capture.load = Some(Load::Again);
            }
        })
        .validate(Capture::check)
        .says(summary::words)]
}
