//! Sessions for clients that come and go.

use std::{sync::Arc, time::Duration};

use cicerone_driver::{Launch, Launcher};
use cicerone_relay::HostPolicy;

use super::BrowserHost;
use crate::{Session, SessionSetup};

/// Makes a session for each client of a server: all on one browser, or each with a browser of its own.
pub struct SessionFactory {
    browsers: Browsers,
    setup: Box<dyn Fn() -> SessionSetup + Send + Sync>,
}

enum Browsers {
    One(BrowserHost),
    Each { launcher: Arc<dyn Launcher>, launch: Box<Launch>, policy: HostPolicy, idle_timeout: Duration },
}

impl SessionFactory {
    /// Sessions that share the browser of this host. `setup` is called once for each of them.
    pub fn one_browser(host: BrowserHost, setup: impl Fn() -> SessionSetup + Send + Sync + 'static) -> Self {
        Self { browsers: Browsers::One(host), setup: Box::new(setup) }
    }

    /// Sessions with a browser each. `setup` is called once for each of them.
    pub fn browser_each(
        launcher: Arc<dyn Launcher>,
        launch: Launch,
        policy: HostPolicy,
        idle_timeout: Duration,
        setup: impl Fn() -> SessionSetup + Send + Sync + 'static,
    ) -> Self {
        let browsers = Browsers::Each { launcher, launch: Box::new(launch), policy, idle_timeout };
        Self { browsers, setup: Box::new(setup) }
    }

    /// A session for another client. End it with [`Session::end`] when the client is gone.
    pub fn session(&self) -> Session {
        let setup = (self.setup)();
        match &self.browsers {
            Browsers::One(host) => host.session(setup),
            Browsers::Each { launcher, launch, policy, idle_timeout } => {
                let launcher = Arc::clone(launcher);
                BrowserHost::exclusive(launcher, Launch::clone(launch), policy.clone(), *idle_timeout)
                    .session(setup)
            }
        }
    }

    /// Ends the browser that sessions share, if one runs. Browsers of single sessions end with those.
    pub async fn end(&self) {
        if let Browsers::One(host) = &self.browsers {
            host.end().await;
        }
    }
}
