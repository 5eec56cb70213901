//! The launcher for a browser that runs already.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use cicerone_chromium::{AttachOptions, Downloads, FirstContext, Powers};
use cicerone_driver::{Browser, Engine, Launch, LaunchError, Launcher, Sink};
use cicerone_firefox::Ownership;
use cicerone_wire::Reconnect;
use futures::FutureExt;
use url::Url;

use crate::{
    Endpoint, Protocol,
    dial::dial,
    probe::{Reached, names_session, reach},
};

/// How long a browser that was connected may be away, as when its container restarts.
const AWAY: Duration = Duration::from_secs(10);

/// How long until it is dialled again. Nothing tells when a port opens.
const PAUSE: Duration = Duration::from_millis(250);

/// Which context of the browser is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContextChoice {
    /// Isolated ones of our own.
    #[default]
    Own,
    /// The person's own, with its tabs.
    Default,
}

/// What is found at an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its name and version.
    pub version: String,
    /// What it is driven with.
    pub protocol: Protocol,
}

/// Attaches to the browser at an endpoint.
pub struct Attacher {
    endpoint: Endpoint,
    context: ContextChoice,
    /// The engine that was named with it.
    engine: Engine,
    /// Whether it was there before.
    connected: AtomicBool,
}

impl Attacher {
    /// For the browser at this endpoint.
    pub fn new(endpoint: Endpoint, context: ContextChoice, engine: Engine) -> Self {
        Self { endpoint, context, engine, connected: AtomicBool::new(false) }
    }

    /// Attaches, and says what it found.
    pub async fn find(&self, wanted: &Launch, sink: Sink) -> Result<(Arc<dyn Browser>, Found), LaunchError> {
        let expected = if self.engine == Engine::Firefox { Protocol::BiDi } else { Protocol::Cdp };
        let Reached { protocol, socket, transport } = reach(&self.endpoint, expected).await?;
        let browser = match protocol {
            Protocol::Cdp => cicerone_chromium::attach(transport, self.over_cdp(wanted), sink).await?,
            // Without the preferences that we start it with, some traffic goes around every proxy.
            Protocol::BiDi if wanted.proxy.is_some() || wanted.proxy_only => {
                return Err(LaunchError::NotStartedForProxy { endpoint: self.endpoint.name() });
            }
            Protocol::BiDi => {
                cicerone_firefox::attach(transport, self.over_bidi(wanted, &socket), sink).await?
            }
        };
        let found = Found { version: browser.version(), protocol };
        Ok((browser, found))
    }

    fn over_cdp(&self, wanted: &Launch) -> AttachOptions {
        AttachOptions {
            first_context: self.first_context(),
            proxy: wanted.proxy.clone(),
            powers: Powers {
                downloads: self.downloads(),
                proxies: self.endpoint.is_local(),
                helper: self.endpoint.is_local(),
                ..Powers::default()
            },
            ..AttachOptions::new(self.endpoint.name(), wanted.viewport)
        }
    }

    fn over_bidi(&self, wanted: &Launch, socket: &Url) -> cicerone_firefox::AttachOptions {
        cicerone_firefox::AttachOptions {
            name: self.endpoint.name(),
            first_context: self.first_context(),
            viewport: wanted.viewport,
            downloads: self.downloads(),
            // A session at a URL of its own was begun by somebody else, and is still there when its connection breaks.
            session: if names_session(socket) {
                Ownership::Theirs(dial_again(self.endpoint.clone(), socket.clone()))
            } else {
                Ownership::Ours
            },
        }
    }

    fn first_context(&self) -> FirstContext {
        match self.context {
            ContextChoice::Own => FirstContext::Own,
            ContextChoice::Default => FirstContext::Default,
        }
    }

    fn downloads(&self) -> Downloads {
        if self.endpoint.is_local() { Downloads::Local } else { Downloads::Remote }
    }

    fn has_to_wait(&self, error: &LaunchError, since: Instant) -> bool {
        let is_away = matches!(error, LaunchError::Unreachable { .. } | LaunchError::NoBrowser { .. });
        is_away && self.connected.load(Ordering::Relaxed) && since.elapsed() < AWAY
    }
}

#[async_trait]
impl Launcher for Attacher {
    fn check(&self, wanted: &Launch) -> Result<(), LaunchError> {
        let needs_proxy = wanted.proxy.is_some() || wanted.proxy_only;
        match () {
            () if wanted.headed || wanted.engine != self.engine => {
                Err(LaunchError::RunsAlready { endpoint: self.endpoint.name() })
            }
            () if needs_proxy && self.context == ContextChoice::Default => {
                Err(LaunchError::NoProxyInDefaultContext)
            }
            () if needs_proxy && !self.endpoint.is_local() => {
                Err(LaunchError::NoProxyElsewhere { endpoint: self.endpoint.name() })
            }
            () => Ok(()),
        }
    }

    fn runs_already(&self) -> bool {
        self.context == ContextChoice::Default
    }

    async fn launch(&self, wanted: &Launch, sink: Sink) -> Result<Arc<dyn Browser>, LaunchError> {
        self.check(wanted)?;
        let began = Instant::now();
        loop {
            match self.find(wanted, Arc::clone(&sink)).await {
                Ok((browser, _)) => {
                    self.connected.store(true, Ordering::Relaxed);
                    return Ok(browser);
                }
                Err(error) if self.has_to_wait(&error, began) => tokio::time::sleep(PAUSE).await,
                Err(error) => return Err(error),
            }
        }
    }
}

fn dial_again(endpoint: Endpoint, socket: Url) -> Reconnect {
    Box::new(move || {
        let (endpoint, socket) = (endpoint.clone(), socket.clone());
        async move {
            let dialled = dial(&endpoint, &socket).await;
            dialled.inspect_err(|error| tracing::debug!(%error, "the session is gone")).ok()
        }
        .boxed()
    })
}
