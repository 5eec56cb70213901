//! Cookies of API requests: the jar of the browsing context.

use cicerone_driver::{Cookie, DriverError, SameSite};
use cicerone_http::{Response, SetCookie};
use url::Url;

use crate::{Context, Error, Result, Unsupported, goes_to};

impl Context {
    /// The `Cookie` header for a URL. No page initiates the request, so it gets the cookies of a typed
    /// navigation, whatever their `SameSite`.
    pub(super) async fn cookie_header(&self, url: &Url) -> Result<Option<String>> {
        let now = jiff::Timestamp::now().as_second() as f64;
        let mut cookies = self.cookies(Some(url)).await?;
        cookies.retain(|cookie| is_sent(cookie, url, now));
        // Longer paths first (RFC 6265).
        cookies.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let pair = |cookie: &Cookie| match cookie.name.as_str() {
            "" => cookie.value.clone(),
            name => format!("{name}={}", cookie.value),
        };
        let pairs: Vec<String> = cookies.iter().map(pair).collect();
        Ok((!pairs.is_empty()).then(|| pairs.join("; ")))
    }

    /// Stores the cookies of a response in the browser; returns the names of rejected ones.
    pub(super) async fn store_cookies(&self, url: &Url, response: &Response) -> Result<Vec<String>> {
        let now = jiff::Timestamp::now().as_second();
        let headers = response.all("set-cookie").into_iter();
        let received: Vec<_> = headers.filter_map(|header| SetCookie::parse(header, url, now)).collect();
        if received.is_empty() {
            return Ok(Vec::new());
        }
        let driver = self.make().await?;
        let power = driver.cookies().ok_or(Error::Unsupported(Unsupported::SetCookies))?;
        let mut dropped = Vec::new();
        for received in received {
            let expired = received.expires.is_some_and(|expires| expires <= now);
            let name = received.name.clone();
            let cookie = cookie(received, url);
            let stored = match expired {
                true => self.answered(power.remove(&[cookie])).await,
                false => self.answered(power.set(&[cookie])).await,
            };
            match stored {
                Ok(()) => {}
                Err(Error::Driver(DriverError::Refused { message, .. })) => {
                    tracing::debug!(message, name, "a cookie was refused");
                    dropped.push(name);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(dropped)
    }
}

/// Whether a cookie is unexpired and not partitioned under another top-level site.
fn is_sent(cookie: &Cookie, url: &Url, now: f64) -> bool {
    let unexpired = cookie.expires.is_none_or(|expires| expires > now);
    // The request is its own top-level site.
    let partition = cookie.partition.as_deref().map(Url::parse);
    let same_partition = match partition {
        None => true,
        Some(Ok(site)) => {
            site.host_str().zip(url.host_str()).is_some_and(|(site, host)| is_same_site(host, site))
        }
        Some(Err(_)) => false,
    };
    unexpired && same_partition && goes_to(cookie, url)
}

fn is_same_site(host: &str, site: &str) -> bool {
    host.strip_suffix(site).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Converts a response's cookie for the browser.
fn cookie(received: SetCookie, url: &Url) -> Cookie {
    let host = url.host_str().unwrap_or_default();
    let domain = received.domain.map_or_else(|| host.to_owned(), |domain| format!(".{domain}"));
    let partition = received.partitioned.then(|| url.origin().ascii_serialization());
    Cookie {
        name: received.name,
        value: received.value,
        domain,
        path: received.path,
        expires: received.expires.map(|expires| expires as f64),
        http_only: received.http_only,
        secure: received.secure,
        same_site: received.same_site.map(|same_site| match same_site {
            cicerone_http::SameSite::Strict => SameSite::Strict,
            cicerone_http::SameSite::Lax => SameSite::Lax,
            cicerone_http::SameSite::None => SameSite::None,
        }),
        partition,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(header: &str, from: &str) -> Cookie {
        let url = Url::parse(from).unwrap();
        cookie(SetCookie::parse(header, &url, 1_000).unwrap(), &url)
    }

    #[test]
    fn cookies_come_and_go_as_in_a_browser() {
        let sent = |cookie: &Cookie, url: &str| is_sent(cookie, &Url::parse(url).unwrap(), 1_000.0);
        let host = received("a=b", "http://h.test/x/y");
        assert_eq!((host.domain.as_str(), host.path.as_str()), ("h.test", "/x"));
        assert!(sent(&host, "http://h.test/x/z") && !sent(&host, "http://h.test/"));
        assert!(!sent(&host, "http://www.h.test/x/"));
        let domain = received("a=b; Domain=h.test; Path=/", "http://www.h.test/");
        assert!(sent(&domain, "http://h.test/") && sent(&domain, "http://other.h.test/"));
        let strict = received("a=b; SameSite=Strict; Secure; Path=/", "https://h.test/");
        assert!(sent(&strict, "https://h.test/") && !sent(&strict, "http://h.test/"));
        let ended = received("a=b; Max-Age=-1", "http://h.test/");
        assert!(!sent(&ended, "http://h.test/"));
        let same_partition = received("a=b; Partitioned; Secure; Path=/", "https://h.test/");
        assert!(sent(&same_partition, "https://h.test/"));
        let foreign = Cookie { partition: Some("https://other.test".into()), ..same_partition };
        assert!(!sent(&foreign, "https://h.test/"));
    }
}
