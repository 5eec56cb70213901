//! The cookies of a context, without a page of it.

use async_trait::async_trait;
use cicerone_driver::{Cookie, Cookies, Result, SameSite};
use futures::future::try_join_all;

use crate::{
    contexts::FirefoxContext,
    page::failed,
    protocol::{
        network::BytesValue,
        storage::{self, CookieFilter, DeleteCookies, GetCookies, PartialCookie, SetCookie, StorageKey},
    },
};

#[async_trait]
impl Cookies for FirefoxContext {
    async fn all(&self) -> Result<Vec<Cookie>> {
        let got = self.root.send(&GetCookies { partition: self.key(None) }).await.map_err(failed)?;
        Ok(got.cookies.into_iter().map(from_browser).collect())
    }

    async fn set(&self, cookies: &[Cookie]) -> Result<()> {
        let setting = cookies.iter().map(|cookie| {
            let partition = self.key(cookie.partition.as_deref());
            self.root.send(&SetCookie { cookie: to_browser(cookie), partition })
        });
        try_join_all(setting).await.map(drop).map_err(failed)
    }

    async fn remove(&self, cookies: &[Cookie]) -> Result<()> {
        let removing = cookies.iter().map(|Cookie { name, domain, path, partition, .. }| {
            let partition = self.key(partition.as_deref());
            self.root.send(&DeleteCookies { filter: CookieFilter { name, domain, path }, partition })
        });
        try_join_all(removing).await.map(drop).map_err(failed)
    }
}

impl FirefoxContext {
    fn key<'a>(&'a self, source_origin: Option<&'a str>) -> StorageKey<'a> {
        StorageKey { kind: "storageKey", user_context: &self.id, source_origin }
    }
}

fn from_browser(cookie: storage::Cookie) -> Cookie {
    Cookie {
        name: cookie.name,
        value: text(cookie.value),
        domain: cookie.domain,
        path: cookie.path,
        expires: cookie.expiry,
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: match cookie.same_site.as_deref() {
            Some("strict") => Some(SameSite::Strict),
            Some("lax") => Some(SameSite::Lax),
            Some("none") => Some(SameSite::None),
            _ => None,
        },
        // Which partition a cookie is in is not told.
        partition: None,
    }
}

/// What is more than ASCII comes as base64. What is no text in there is read byte by byte.
fn text(value: BytesValue) -> String {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    if value.kind != "base64" {
        return value.value;
    }
    let Ok(bytes) = STANDARD.decode(&value.value) else { return value.value };
    String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

fn to_browser(cookie: &Cookie) -> PartialCookie<'_> {
    #[expect(clippy::cast_possible_truncation, reason = "times are whole seconds, and casts saturate")]
    let expiry = cookie.expires.map(|expires| expires as i64);
    PartialCookie {
        name: &cookie.name,
        value: BytesValue::text(&cookie.value),
        domain: &cookie.domain,
        path: &cookie.path,
        http_only: cookie.http_only,
        secure: cookie.secure,
        same_site: cookie.same_site.map(|same_site| match same_site {
            SameSite::Strict => "strict",
            SameSite::Lax => "lax",
            SameSite::None => "none",
        }),
        expiry,
    }
}
