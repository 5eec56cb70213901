//! Hosts that the policy refused: which of them a reply tells of.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use cicerone_relay::{Incident, Refusal, SystemResolver, Trouble};
use url::Url;

use crate::{Context, Deadline, Error, Result, session::lock};

/// How many hosts are remembered as told. A page can invent any number.
const MOST_TOLD: usize = 1_000;

/// How long the name of a host may take to be resolved.
const LOOKUP: Duration = Duration::from_secs(1);

/// The refused hosts that were told of. A page that asks for the same host again and again is told of once; another document
/// that asks for it, once more.
#[derive(Debug, Default)]
pub(crate) struct ToldRefusals {
    /// Counts the documents that the context has shown.
    document: u64,
    told: HashMap<String, Told>,
}

#[derive(Debug)]
struct Told {
    document: u64,
    at: Instant,
}

impl ToldRefusals {
    /// Those that are to be told now.
    fn take(&mut self, incidents: Vec<Incident>) -> Vec<Refusal> {
        let mut untold = Vec::new();
        for Incident { host, trouble, at, .. } in incidents {
            let Trouble::Refused(refusal) = trouble else { continue };
            let told = |told: &Told| told.document == self.document || told.at >= at;
            if self.told.get(&host).is_some_and(told) {
                continue;
            }
            if self.told.len() >= MOST_TOLD {
                self.told.retain(|_, told| told.document == self.document);
            }
            if self.told.len() < MOST_TOLD {
                self.told.insert(host, Told { document: self.document, at });
                untold.push(refusal);
            }
        }
        untold
    }

    /// Another document is shown. What the last one was still asking for is not told again; that this one itself was refused is.
    pub(crate) fn document_changed(&mut self, url: &str) {
        self.document += 1;
        let (url, now) = (Url::parse(url).ok(), Instant::now());
        let host = url.as_ref().and_then(Url::host_str);
        for (_, told) in self.told.iter_mut().filter(|(told, _)| host != Some(told.as_str())) {
            told.at = now;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(host: &str, at: Instant) -> Incident {
        let refusal = Refusal::NotAllowed { host: host.into() };
        Incident { host: host.into(), port: 80, trouble: Trouble::Refused(refusal), at }
    }

    #[test]
    fn a_host_is_told_of_once_for_a_document() {
        let (mut told, began) = (ToldRefusals::default(), Instant::now());
        let later = |seconds| began + Duration::from_secs(seconds);
        assert_eq!(told.take(vec![refused("a.test", began), refused("b.test", began)]).len(), 2);
        assert_eq!(told.take(vec![refused("a.test", later(1))]), []);
        told.document_changed("http://c.test/");
        assert_eq!(told.take(vec![refused("b.test", began)]), [], "nothing new happened to it");
        assert_eq!(told.take(vec![refused("a.test", later(2))]).len(), 1);
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
