//! Which hosts refused by the policy a reply reports.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use cicerone_relay::{Incident, Refusal, SystemResolver, Trouble};
use url::Url;

use crate::{Context, Deadline, NavigationError, Result, page::parts::Navigator, session::lock};

/// The most hosts remembered as reported: a page can invent any number.
const MAX_REPORTED: usize = 1_000;

/// Time limit for resolving a host name.
pub(crate) const LOOKUP_TIMEOUT: Duration = Duration::from_secs(1);

/// Refused hosts already reported. Each is reported once, however often pages request it. Not per document: a
/// request is often refused only after the next document is shown.
#[derive(Debug, Default)]
pub(crate) struct ToldRefusals(HashMap<String, Reported>);

#[derive(Debug)]
struct Reported {
    at: Instant,
    /// Report it once more: a document of that host was requested.
    repeat: bool,
}

impl ToldRefusals {
    /// The refusals to report now.
    fn take(&mut self, incidents: Vec<Incident>) -> Vec<Refusal> {
        let mut unreported = Vec::new();
        for Incident { host, trouble, at, .. } in incidents {
            let Trouble::Refused(refusal) = trouble else { continue };
            let reported = |reported: &Reported| !reported.repeat || reported.at >= at;
            if self.0.get(&host).is_some_and(reported) {
                continue;
            }
            if self.0.len() < MAX_REPORTED || self.0.contains_key(&host) {
                self.0.insert(host, Reported { at, repeat: false });
                unreported.push(refusal);
            }
        }
        unreported
    }

    /// A new document is shown. If its own host was refused, that is reported again.
    pub(crate) fn document_changed(&mut self, url: &str) {
        if self.0.len() >= MAX_REPORTED {
            self.0.clear();
        }
        let host = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
        if let Some(reported) = host.and_then(|host| self.0.get_mut(&host)) {
            reported.repeat = true;
        }
    }
}

impl Context {
    /// An error if the policy refuses the URL's host, as far as known before its name is resolved.
    pub(crate) fn check_policy(&self, url: &str) -> Result<()> {
        // An invalid URL is reported elsewhere.
        let Ok(url) = Url::parse(url) else { return Ok(()) };
        match url.host() {
            Some(host) if url.scheme() != "file" => self
                .session()?
                .policy()
                .check_host(&host.to_owned())
                .map_err(|refusal| NavigationError::HostRefused(refusal).into()),
            _ => Ok(()),
        }
    }

    /// The same before a navigation. Without a relay, resolves the name first: the browser does not let us
    /// check the addresses it connects to.
    pub(crate) async fn check_navigation(&self, url: &str) -> Result<()> {
        self.check_policy(url)?;
        let Some(host) = Url::parse(url).ok().and_then(|url| Some(url.host()?.to_owned())) else {
            return Ok(());
        };
        if self.has_relay() {
            return Ok(());
        }
        let session = self.session()?;
        let checked = session.policy().check_resolved(&host, &SystemResolver);
        // Leave a slow lookup to the browser.
        Deadline::after(LOOKUP_TIMEOUT)
            .bound(checked)
            .await
            .unwrap_or(Ok(()))
            .map_err(|refusal| NavigationError::HostRefused(refusal).into())
    }

    /// The last refusal since a moment, of any host.
    pub(crate) fn refused_since(&self, since: Instant) -> Option<Refusal> {
        self.incidents().into_iter().rev().take_while(|incident| incident.at >= since).find_map(|incident| {
            match incident.trouble {
                Trouble::Refused(refusal) => Some(refusal),
                _ => None,
            }
        })
    }

    /// Refused hosts not reported yet.
    pub(crate) fn take_refusals(&self) -> Vec<Refusal> {
        let incidents = self.incidents();
        lock(self.told_refusals()).take(incidents)
    }
}

impl Navigator<'_> {
    /// The network trouble since a moment on the way to a URL or its redirect target.
    pub(crate) fn trouble(self, url: &str, since: Instant) -> Option<Trouble> {
        let redirected = {
            let state = self.page.state();
            state.network.document().map(|entry| entry.url.clone())
        };
        let context = self.page.context()?;
        let trouble_to = |url: &str| {
            let url = Url::parse(url).ok()?;
            context.trouble(url.host_str()?, since)
        };
        trouble_to(url).or_else(|| trouble_to(redirected.as_deref()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(host: &str, at: Instant) -> Incident {
        let refusal = Refusal::NotAllowed { host: host.into() };
        Incident { host: host.into(), port: 80, trouble: Trouble::Refused(refusal), at }
    }

    #[test]
    fn a_host_is_told_of_once() {
        let (mut reported, began) = (ToldRefusals::default(), Instant::now());
        let later = |seconds| began + Duration::from_secs(seconds);
        assert_eq!(reported.take(vec![refused("a.test", began), refused("b.test", began)]).len(), 2);
        assert_eq!(reported.take(vec![refused("a.test", later(1))]), []);
        reported.document_changed("http://c.test/");
        assert_eq!(reported.take(vec![refused("a.test", later(2)), refused("b.test", began)]), []);
        // The document itself was refused before it was shown.
        let repeat = Instant::now();
        reported.document_changed("http://b.test/");
        assert_eq!(reported.take(vec![refused("a.test", repeat), refused("b.test", repeat)]).len(), 1);
    }

    #[test]
    fn what_is_told_is_bounded() {
        let (mut reported, now) = (ToldRefusals::default(), Instant::now());
        let many = |word: &str| (0..2_000).map(|n| refused(&format!("{n}.{word}"), now)).collect();
        assert_eq!(reported.take(many("one")).len(), MAX_REPORTED);
        reported.document_changed("");
        assert_eq!(reported.take(many("two")).len(), MAX_REPORTED);
    }
}
