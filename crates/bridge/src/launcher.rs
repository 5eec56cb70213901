//! The launcher for the person's own Chrome: it starts nothing, and waits for the extension.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use cicerone_chromium::{AttachOptions, Downloads, FirstContext, Powers, attach};
use cicerone_driver::{Browser, Engine, Launch, LaunchError, Launcher, Sink};

use crate::{Bridge, BridgeError, Installation};

/// How long the extension may take to connect. Chrome wakes it every 30 s to look for servers.
const CONNECT: Duration = Duration::from_secs(40);

/// How long it may be away, as when Chrome ends its worker: it comes back within seconds.
const AWAY: Duration = Duration::from_secs(15);

/// What errors call the browser.
const NAME: &str = "your Chrome";

/// Attaches to the Chrome in which the person has loaded the extension.
pub struct ExtensionLauncher {
    installation: Installation,
}

impl ExtensionLauncher {
    /// For the extension in this directory.
    pub fn new(installation: Installation) -> Self {
        Self { installation }
    }

    /// What a debugger of an extension can do in tabs of the default context.
    fn powers() -> Powers {
        Powers {
            contexts: false,
            hidden_pages: false,
            permissions: false,
            proxies: false,
            helper: false,
            downloads: Downloads::Theirs,
            ..Powers::default()
        }
    }
}

#[async_trait]
impl Launcher for ExtensionLauncher {
    fn check(&self, wanted: &Launch) -> Result<(), LaunchError> {
        match () {
            () if wanted.headed || wanted.engine != Engine::Chromium => {
                Err(LaunchError::RunsAlready { endpoint: NAME.to_owned() })
            }
            () if wanted.proxy.is_some() || wanted.proxy_only => Err(LaunchError::NoProxyInDefaultContext),
            () => Ok(()),
        }
    }

    fn runs_already(&self) -> bool {
        true
    }

    async fn launch(&self, wanted: &Launch, sink: Sink) -> Result<Arc<dyn Browser>, LaunchError> {
        self.check(wanted)?;
        if !self.installation.is_there() {
            return Err(LaunchError::NoExtension { directory: self.installation.directory().to_owned() });
        }
        // An update of this program brings its extension; Chrome takes it when the person reloads it.
        self.installation.write().map_err(|source| not_opened(source.into()))?;
        let client = wanted.client.as_deref().unwrap_or("cicerone");
        let bridge = Arc::new(Bridge::open(&self.installation, client).await.map_err(not_opened)?);
        let paired = bridge.next(None, CONNECT).await.map_err(not_opened)?;
        let browser = paired.browser;
        let again = move || {
            let (bridge, browser) = (Arc::clone(&bridge), browser.clone());
            let next = async move {
                match bridge.next(Some(&browser), AWAY).await {
                    Ok(paired) => Some(paired.transport),
                    Err(error) => {
                        tracing::debug!(%error, "the extension did not come back");
                        None
                    }
                }
            };
            Box::pin(next) as _
        };
        let options = AttachOptions {
            first_context: FirstContext::Default,
            powers: Self::powers(),
            keeps_pages: true,
            reconnect: Some(Box::new(again)),
            ..AttachOptions::new(NAME, wanted.viewport)
        };
        attach(paired.transport, options, sink).await
    }
}

fn not_opened(error: BridgeError) -> LaunchError {
    match error {
        BridgeError::Io(source) => {
            LaunchError::Io { action: "opening a port for the extension", source: Arc::new(source) }
        }
        BridgeError::Timeout(timeout) => LaunchError::ExtensionSilent { timeout },
        BridgeError::Outdated => LaunchError::ExtensionOutdated,
    }
}
