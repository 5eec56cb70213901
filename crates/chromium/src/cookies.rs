//! Cookies of a context, read and written without a page.

use async_trait::async_trait;
use cicerone_driver::{Cookie, Cookies, Result, SameSite};

use crate::{
    contexts::ChromiumContext,
    page::failed,
    protocol::storage::{self, CookieParam, GetCookies, PartitionKey, SetCookies},
};

/// One second after the epoch: setting a cookie with this expiry removes it.
const LONG_AGO: f64 = 1.0;

#[async_trait]
impl Cookies for ChromiumContext {
    async fn all(&self) -> Result<Vec<Cookie>> {
        let command = GetCookies { browser_context_id: self.name() };
        let got = self.place.root.send(&command).await.map_err(failed)?;
        Ok(got.cookies.into_iter().map(from_browser).collect())
    }

    async fn set(&self, cookies: &[Cookie]) -> Result<()> {
        self.write(cookies.iter().map(to_browser).collect()).await
    }

    async fn remove(&self, cookies: &[Cookie]) -> Result<()> {
        let ended = |cookie| CookieParam { expires: Some(LONG_AGO), ..to_browser(cookie) };
        self.write(cookies.iter().map(ended).collect()).await
    }
}

impl ChromiumContext {
    async fn write(&self, cookies: Vec<CookieParam<'_>>) -> Result<()> {
        let command = SetCookies { cookies, browser_context_id: self.name() };
        self.place.root.send(&command).await.map(drop).map_err(failed)
    }
}

fn from_browser(cookie: storage::Cookie) -> Cookie {
    Cookie {
        name: cookie.name,
        value: cookie.value,
        domain: cookie.domain,
        path: cookie.path,
        expires: (!cookie.session).then_some(cookie.expires),
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: cookie.same_site.as_deref().and_then(SameSite::parse),
        partition: cookie.partition_key.map(|key| key.top_level_site),
    }
}

fn to_browser(cookie: &Cookie) -> CookieParam<'_> {
    CookieParam {
        name: &cookie.name,
        value: &cookie.value,
        domain: &cookie.domain,
        path: &cookie.path,
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: cookie.same_site.map(SameSite::as_str),
        expires: cookie.expires,
        partition_key: cookie.partition.as_ref().map(|site| PartitionKey {
            top_level_site: site.clone(),
            has_cross_site_ancestor: !is_of_site(&cookie.domain, site),
        }),
    }
}

/// Whether a cookie's domain belongs to the site of its partition. A partitioned cookie of another site was
/// set in a frame below a cross-site ancestor.
fn is_of_site(domain: &str, site: &str) -> bool {
    let host = site.split_once("://").map_or(site, |(_, host)| host);
    let domain = domain.trim_start_matches('.');
    domain.strip_suffix(host).is_some_and(|below| below.is_empty() || below.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::is_of_site;

    #[test]
    fn a_cookie_belongs_to_the_site_of_its_domain() {
        assert!(is_of_site("example.com", "https://example.com"));
        assert!(is_of_site(".shop.example.com", "https://example.com"));
        assert!(!is_of_site("badexample.com", "https://example.com"));
        assert!(!is_of_site("example.com", "https://other.org"));
    }
}
