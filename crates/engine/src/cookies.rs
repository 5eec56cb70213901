//! The cookies of a browsing context.

use cicerone_driver::{Cookie, DriverError};

use crate::{Context, Error, Result, SiteDataError, Unsupported};

impl Context {
    /// All cookies, or those sent to a URL.
    pub async fn cookies(&self, url: Option<&url::Url>) -> Result<Vec<Cookie>> {
        let driver = self.make().await?;
        let power = driver.cookies().ok_or(Error::Unsupported(Unsupported::ReadCookies))?;
        let mut cookies = self.answered(power.all()).await?;
        if let Some(url) = url {
            cookies.retain(|cookie| goes_to(cookie, url));
        }
        Ok(cookies)
    }

    /// Sets a cookie and verifies that the browser stored it: browsers drop invalid ones silently.
    pub async fn set_cookie(&self, cookie: Cookie) -> Result<Cookie> {
        let driver = self.make().await?;
        let power = driver.cookies().ok_or(Error::Unsupported(Unsupported::SetCookies))?;
        match self.answered(power.set(std::slice::from_ref(&cookie))).await {
            // An invalid name, value or domain.
            Err(Error::Driver(DriverError::Refused { message, .. })) => {
                tracing::debug!(message, "a cookie was refused");
                return Err(Error::SiteData(SiteDataError::CookieDropped(cookie.name)));
            }
            set => set?,
        }
        let expired =
            cookie.expires.is_some_and(|expires| expires < jiff::Timestamp::now().as_second() as f64);
        if expired {
            return Ok(cookie);
        }
        let host = |cookie: &Cookie| cookie.domain.trim_start_matches('.').to_ascii_lowercase();
        let is_same = |kept: &Cookie| {
            (&kept.name, &kept.value, &kept.path) == (&cookie.name, &cookie.value, &cookie.path)
                && host(kept) == host(&cookie)
        };
        let kept = self.answered(power.all()).await?.into_iter().find(is_same);
        kept.ok_or(Error::SiteData(SiteDataError::CookieDropped(cookie.name)))
    }

    /// Removes the matching cookies; returns how many.
    pub async fn remove_cookies(&self, matches: impl Fn(&Cookie) -> bool + Send) -> Result<usize> {
        let driver = self.make().await?;
        let power = driver.cookies().ok_or(Error::Unsupported(Unsupported::RemoveCookies))?;
        let mut cookies = self.answered(power.all()).await?;
        cookies.retain(|cookie| matches(cookie));
        if !cookies.is_empty() {
            self.answered(power.remove(&cookies)).await?;
        }
        Ok(cookies.len())
    }
}

/// Whether a cookie would be sent to a URL.
pub fn goes_to(cookie: &Cookie, url: &url::Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let domain = cookie.domain.trim_start_matches('.');
    let on_subdomain = || cookie.domain.starts_with('.') && host.ends_with(&format!(".{domain}"));
    let path = cookie.path.trim_end_matches('/');
    let path_matches =
        url.path() == cookie.path || url.path().strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    (host == domain || on_subdomain())
        && path_matches
        && (!cookie.secure || url.scheme() == "https" || is_loopback(host))
}

/// Browsers send secure cookies to loopback too.
fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost") || host == "127.0.0.1" || host == "[::1]"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_go_where_they_belong() {
        let cookie = |domain: &str, path: &str, secure| Cookie {
            name: "a".into(),
            value: "b".into(),
            domain: domain.into(),
            path: path.into(),
            expires: None,
            http_only: false,
            secure,
            same_site: None,
            partition: None,
        };
        let goes = |cookie: &Cookie, url: &str| goes_to(cookie, &url::Url::parse(url).unwrap());
        assert!(goes(&cookie("x.test", "/", false), "http://x.test/a"));
        assert!(!goes(&cookie("x.test", "/", false), "http://www.x.test/"));
        assert!(goes(&cookie(".x.test", "/", false), "http://www.x.test/"));
        assert!(!goes(&cookie(".x.test", "/", false), "http://yx.test/"));
        assert!(goes(&cookie("x.test", "/a", false), "http://x.test/a/b"));
        assert!(!goes(&cookie("x.test", "/a", false), "http://x.test/ab"));
        assert!(!goes(&cookie("x.test", "/", true), "http://x.test/"));
        assert!(goes(&cookie("localhost", "/", true), "http://localhost/"));
    }
}
