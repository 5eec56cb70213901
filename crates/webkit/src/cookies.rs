//! The cookies of a context.

use async_trait::async_trait;
use cicerone_driver::{Cookie, Cookies, Result, SameSite};

use crate::{
    contexts::WebKitContext,
    lifecycle::ask,
    protocol::host::{self, DeleteCookies, GetCookies, SetCookies},
};

#[async_trait]
impl Cookies for WebKitContext {
    async fn all(&self) -> Result<Vec<Cookie>> {
        let got = ask(&self.root, &GetCookies { context: &self.name }).await?;
        Ok(got.cookies.into_iter().map(from_host).collect())
    }

    async fn set(&self, cookies: &[Cookie]) -> Result<()> {
        let command = SetCookies { context: &self.name, cookies: cookies.iter().map(to_host).collect() };
        ask(&self.root, &command).await.map(drop)
    }

    async fn remove(&self, cookies: &[Cookie]) -> Result<()> {
        let command = DeleteCookies { context: &self.name, cookies: cookies.iter().map(to_host).collect() };
        ask(&self.root, &command).await.map(drop)
    }
}

fn from_host(cookie: host::Cookie) -> Cookie {
    #[expect(clippy::cast_precision_loss, reason = "seconds since 1970 are small")]
    let expires = cookie.expires.map(|at| at as f64);
    Cookie {
        name: cookie.name,
        value: cookie.value,
        domain: cookie.domain,
        path: cookie.path,
        expires,
        http_only: cookie.http_only,
        secure: cookie.secure,
        // What was not said is None to the cookie jar, which only secure cookies may be.
        same_site: cookie
            .same_site
            .as_deref()
            .and_then(SameSite::parse)
            .filter(|same_site| cookie.secure || *same_site != SameSite::None),
        partition: None,
    }
}

fn to_host(cookie: &Cookie) -> host::Cookie {
    #[expect(clippy::cast_possible_truncation, reason = "casts saturate")]
    let expires = cookie.expires.map(|at| at.ceil() as i64);
    let same_site = cookie.same_site.map(SameSite::as_str);
    host::Cookie {
        name: cookie.name.clone(),
        value: cookie.value.clone(),
        domain: cookie.domain.clone(),
        path: cookie.path.clone(),
        expires,
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: same_site.map(str::to_owned),
    }
}
