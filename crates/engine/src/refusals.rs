//! Hosts that the policy refused: which of them a reply tells of.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use cicerone_relay::{Incident, Refusal, SystemResolver, Trouble};
use url::Url;

use crate::{Context, Deadline, Error, Page, Result, session::lock};

/// How many hosts are remembered as told. A page can invent any number.
const MOST_TOLD: usize = 1_000;

/// How long the name of a host may take to be resolved.
const LOOKUP: Duration = Duration::from_secs(1);

/// The refused hosts that were told of: each once, however often pages ask for it. What a page asked for is often refused only when
/// the next one is shown, so that it cannot be told for each document.
#[derive(Debug, Default)]
pub(crate) struct ToldRefusals(HashMap<String, Told>);

#[derive(Debug)]
struct Told {
    at: Instant,
    /// Whether it is told once more: a document of that host itself was asked for.
    again: bool,
}

impl ToldRefusals {
    /// Those that are to be told now.
    fn take(&mut self, incidents: Vec<Incident>) -> Vec<Refusal> {
        let mut untold = Vec::new();
        for Incident { host, trouble, at, .. } in incidents {
            let Trouble::Refused(refusal) = trouble else { continue };
            let told = |told: &Told| !told.again || told.at >= at;
            if self.0.get(&host).is_some_and(told) {
                continue;
            }
            if self.0.len() < MOST_TOLD || self.0.contains_key(&host) {
                self.0.insert(host, Told { at, again: false });
                untold.push(refusal);
            }
        }
        untold
    }

    /// Another document is shown. That it was refused itself is told, whatever was told before.
    pub(crate) fn document_changed(&mut self, url: &str) {
        if self.0.len() >= MOST_TOLD {
            self.0.clear();
        }
        let host = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
        if let Some(told) = host.and_then(|host| self.0.get_mut(&host)) {
            told.again = true;
        }
    }
}

impl Context {
    /// An error for a URL whose host the policy refuses, as far as that is known before its name is resolved.
    pub(crate) fn check_policy(&self, url: &str) -> Result<()> {
        // What is no URL is somebody else's error.
        let Ok(url) = Url::parse(url) else { return Ok(()) };
        match url.host() {
            Some(host) if url.scheme() != "file" => {
                self.session()?.policy().check_host(&host.to_owned()).map_err(Error::HostRefused)
            }
            _ => Ok(()),
        }
    }

    /// The same before the browser is sent there. Where it goes without a relay, the name is resolved first: the browser gives no
    /// say about the addresses that it dials.
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
        // A name that takes this long is left to the browser.
        Deadline::after(LOOKUP).bound(checked).await.unwrap_or(Ok(())).map_err(Error::HostRefused)
    }

    /// The last refusal since then, whatever asked for the host.
    pub(crate) fn refused_since(&self, since: Instant) -> Option<Refusal> {
        self.incidents().into_iter().rev().take_while(|incident| incident.at >= since).find_map(|incident| {
            match incident.trouble {
                Trouble::Refused(refusal) => Some(refusal),
                _ => None,
            }
        })
    }

    /// Refused hosts that were not told of yet.
    pub(crate) fn take_refusals(&self) -> Vec<Refusal> {
        let incidents = self.incidents();
        lock(self.told_refusals()).take(incidents)
    }
}

impl Page {
    /// What went wrong since then on the way to a URL, or to where it was redirected.
    pub(crate) fn trouble(&self, url: &str, since: Instant) -> Option<Trouble> {
        let redirected = {
            let state = self.state();
            state.network.iter().find(|entry| entry.kind == "document").map(|entry| entry.url.clone())
        };
        let context = self.context()?;
        let on_the_way_to = |url: &str| {
            let url = Url::parse(url).ok()?;
            context.trouble(url.host_str()?, since)
        };
        on_the_way_to(url).or_else(|| on_the_way_to(redirected.as_deref()?))
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
        let (mut told, began) = (ToldRefusals::default(), Instant::now());
        let later = |seconds| began + Duration::from_secs(seconds);
        assert_eq!(told.take(vec![refused("a.test", began), refused("b.test", began)]).len(), 2);
        assert_eq!(told.take(vec![refused("a.test", later(1))]), []);
        told.document_changed("http://c.test/");
        assert_eq!(told.take(vec![refused("a.test", later(2)), refused("b.test", began)]), []);
        // The document itself was refused, before it was shown.
        let again = Instant::now();
        told.document_changed("http://b.test/");
        assert_eq!(told.take(vec![refused("a.test", again), refused("b.test", again)]).len(), 1);
    }

    #[test]
    fn what_is_told_is_bounded() {
        let (mut told, now) = (ToldRefusals::default(), Instant::now());
        let many = |word: &str| (0..2_000).map(|n| refused(&format!("{n}.{word}"), now)).collect();
        assert_eq!(told.take(many("one")).len(), MOST_TOLD);
        told.document_changed("");
        assert_eq!(told.take(many("two")).len(), MOST_TOLD);
    }
}
