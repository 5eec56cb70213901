//! What sites keep in a browser: cookies of a context, storage of a page.

use cicerone_driver::{Cookie, DriverError};
use serde_json::{Value, json};

use crate::{
    Context, Deadline, Error, Page, Result,
    agent::{Failure, Refusal},
};

/// Which storage of an origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StorageKind {
    /// What stays.
    #[default]
    Local,
    /// What goes with the tab.
    Session,
}

impl StorageKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Session => "session",
        }
    }
}

impl Context {
    /// Its cookies: all of them, or those that go to a URL.
    pub async fn cookies(&self, url: Option<&url::Url>) -> Result<Vec<Cookie>> {
        let driver = self.make().await?;
        let power = driver.cookies().ok_or(Error::Unsupported("read cookies"))?;
        let mut cookies = self.answered(power.all()).await?;
        if let Some(url) = url {
            cookies.retain(|cookie| goes_to(cookie, url));
        }
        Ok(cookies)
    }

    /// Sets a cookie. That it is there then is checked: a browser drops what it does not like.
    pub async fn set_cookie(&self, cookie: Cookie) -> Result<Cookie> {
        let driver = self.make().await?;
        let power = driver.cookies().ok_or(Error::Unsupported("set cookies"))?;
        match self.answered(power.set(std::slice::from_ref(&cookie))).await {
            // A name, value or domain that no cookie can have.
            Err(Error::Driver(DriverError::Refused { message, .. })) => {
                tracing::debug!(message, "a cookie was refused");
                return Err(Error::CookieDropped(cookie.name));
            }
            set => set?,
        }
        let past = cookie.expires.is_some_and(|expires| expires < jiff::Timestamp::now().as_second() as f64);
        if past {
            return Ok(cookie);
        }
        let home = |cookie: &Cookie| cookie.domain.trim_start_matches('.').to_ascii_lowercase();
        let is_it = |kept: &Cookie| {
            (&kept.name, &kept.value, &kept.path) == (&cookie.name, &cookie.value, &cookie.path)
                && home(kept) == home(&cookie)
        };
        let kept = self.answered(power.all()).await?.into_iter().find(is_it);
        kept.ok_or(Error::CookieDropped(cookie.name))
    }

    /// Removes the cookies that are meant; how many there were.
    pub async fn remove_cookies(&self, meant: impl Fn(&Cookie) -> bool + Send) -> Result<usize> {
        let driver = self.make().await?;
        let power = driver.cookies().ok_or(Error::Unsupported("remove cookies"))?;
        let mut cookies = self.answered(power.all()).await?;
        cookies.retain(|cookie| meant(cookie));
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
    let below = || cookie.domain.starts_with('.') && host.ends_with(&format!(".{domain}"));
    let path = cookie.path.trim_end_matches('/');
    let inside =
        url.path() == cookie.path || url.path().strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    (host == domain || below()) && inside && (!cookie.secure || url.scheme() == "https" || is_loopback(host))
}

/// Browsers send secure cookies to loopback too.
fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost") || host == "127.0.0.1" || host == "[::1]"
}

impl Page {
    /// All entries of a storage, in the order that the page has them in.
    pub async fn storage(&self, kind: StorageKind) -> Result<Vec<(String, String)>> {
        self.ask_storage("storageRead", json!({ "kind": kind.as_str() })).await
    }

    /// Sets an entry.
    pub async fn set_stored(&self, kind: StorageKind, key: &str, value: &str) -> Result<()> {
        let args = json!({ "kind": kind.as_str(), "items": [[key, value]] });
        self.ask_storage::<Value>("storageWrite", args).await.map(drop)
    }

    /// Removes entries: one, or all of them.
    pub async fn remove_stored(&self, kind: StorageKind, key: Option<&str>) -> Result<()> {
        let (function, args) = match key {
            Some(key) => ("storageRemove", json!({ "kind": kind.as_str(), "keys": [key] })),
            None => ("storageWrite", json!({ "kind": kind.as_str(), "items": [], "clear": true })),
        };
        self.ask_storage::<Value>(function, args).await.map(drop)
    }

    async fn ask_storage<T: serde::de::DeserializeOwned>(
        &self,
        function: &'static str,
        args: Value,
    ) -> Result<T> {
        let frame = self.chosen_frame()?;
        let deadline = Deadline::after(self.action_timeout());
        let asked = self.ask(&frame, function, &args, deadline).await;
        asked.map_err(|failure| match failure {
            Failure::Refused(Refusal::Misfit { message, .. }) => Error::WebStorage(message),
            failure => failure.into_error(),
        })
    }
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
