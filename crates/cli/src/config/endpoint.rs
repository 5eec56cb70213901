//! The options for a browser that runs already, and what cannot be said together with them.

use cicerone_endpoint::{Attacher, ContextChoice, Endpoint};
use clap::{Args, ValueEnum};

use super::{BadConfiguration, Flags, ProfileLock};

/// A browser that runs already.
#[derive(Args)]
pub(crate) struct EndpointFlags {
    /// A running browser to use: http://HOST:PORT or ws://HOST:PORT of its CDP or WebDriver BiDi
    ///
    /// Credentials (http://user:password@host) and a query string are sent along and never shown.
    #[arg(long, global = true, value_name = "URL", hide_short_help = true)]
    endpoint: Option<String>,
    /// The bearer token for the endpoint; better given as a variable
    #[arg(long, global = true, value_name = "TOKEN", hide_short_help = true)]
    endpoint_token: Option<String>,
    /// Whose context of that browser to use: isolated ones of our own, or the default one with its tabs
    #[arg(long, global = true, value_name = "WHOSE", default_value = "own", hide_short_help = true)]
    endpoint_context: EndpointContext,
}

/// Which context of a running browser is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EndpointContext {
    Own,
    Default,
}

impl Flags {
    /// What attaches to the running browser, where one is named.
    pub(crate) fn attacher(&self) -> Option<Attacher> {
        let endpoint = self.endpoint().ok().flatten()?;
        let context = match self.running.endpoint_context {
            EndpointContext::Own => ContextChoice::Own,
            EndpointContext::Default => ContextChoice::Default,
        };
        Some(Attacher::new(endpoint, context, self.launch().engine))
    }

    fn endpoint(&self) -> Result<Option<Endpoint>, BadConfiguration> {
        let Some(url) = &self.running.endpoint else { return Ok(None) };
        let endpoint: Endpoint = url.parse().map_err(BadConfiguration::Endpoint)?;
        Ok(Some(endpoint.with_token(self.running.endpoint_token.as_deref())))
    }

    /// Refuses what means nothing with an endpoint, or nothing without, or could not be enforced.
    pub(super) fn check_endpoint(&self) -> Result<(), BadConfiguration> {
        let Some(endpoint) = self.endpoint()? else { return self.check_without_endpoint() };
        let launching = [
            ("headed", self.headed),
            ("executable-path", self.executable_path.is_some()),
            ("user-data-dir", self.user_data_dir.is_some()),
            ("profile-lock", self.profile_lock != ProfileLock::Copy),
            ("system-access", self.system_access),
        ];
        if let Some((option, _)) = launching.into_iter().find(|(_, is_given)| *is_given) {
            return Err(BadConfiguration::LaunchesNothing { option });
        }
        if let Some(option) = self.host_option() {
            return Err(BadConfiguration::NotEnforcedAtEndpoint { option });
        }
        let Some(option) = self.needs_relay() else { return Ok(()) };
        match self.running.endpoint_context {
            EndpointContext::Default => Err(BadConfiguration::NotInDefaultContext { option }),
            EndpointContext::Own if !endpoint.is_local() => {
                Err(BadConfiguration::NotElsewhere { option, endpoint: endpoint.name() })
            }
            EndpointContext::Own => Ok(()),
        }
    }

    fn check_without_endpoint(&self) -> Result<(), BadConfiguration> {
        let option = match () {
            () if self.running.endpoint_token.is_some() => "endpoint-token",
            () if self.running.endpoint_context != EndpointContext::Own => "endpoint-context",
            () => return Ok(()),
        };
        Err(BadConfiguration::WithoutEndpoint { option })
    }

    /// The first option that only our relay enforces.
    pub(super) fn needs_relay(&self) -> Option<&'static str> {
        self.proxy.as_ref().map(|_| "proxy").or_else(|| self.host_option())
    }

    /// The first option of the host policy. It also needs flags that only a browser has which we start: another one
    /// resolves names, and sends WebRTC and QUIC past every proxy.
    fn host_option(&self) -> Option<&'static str> {
        let restricting = [
            ("allowed-hosts", !self.allowed_hosts.is_empty()),
            ("blocked-hosts", !self.blocked_hosts.is_empty()),
            ("block-private", self.block_private),
        ];
        restricting.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }
}
