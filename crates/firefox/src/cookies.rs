//! The cookies of a context, without a page of it.

use async_trait::async_trait;
use cicerone_driver::{Cookie, Cookies, Result, SameSite};
use futures::future::try_join_all;
use url::Url;

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
        let mut all = self.of(None).await?;
        // Which partition a cookie is in is not told, but which cookies a partition has; where that is of the cookie's
        // own site, those without a partition are among them.
        for site in self.shared.partitions_of(&self.id) {
            let theirs = self.of(Some(&site)).await?;
            for theirs in theirs.iter().filter(|cookie| !is_of(cookie, &site)) {
                if let Some(same) = all.iter_mut().find(|cookie| *cookie == theirs) {
                    same.partition = Some(site.clone());
                }
            }
        }
        let place = |cookie: &Cookie| (cookie.domain.clone(), cookie.path.clone(), cookie.name.clone());
        all.sort_by_key(place);
        Ok(all)
    }

    async fn set(&self, cookies: &[Cookie]) -> Result<()> {
        for site in cookies.iter().filter_map(|cookie| cookie.partition.as_deref()) {
            self.shared.remember_partition(&self.id, site);
        }
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
    /// All cookies, or those of a partition.
    async fn of(&self, partition: Option<&str>) -> Result<Vec<Cookie>> {
        let got = self.root.send(&GetCookies { partition: self.key(partition) }).await.map_err(failed)?;
        Ok(got.cookies.into_iter().map(from_browser).collect())
    }

    fn key<'a>(&'a self, source_origin: Option<&'a str>) -> StorageKey<'a> {
        StorageKey { kind: "storageKey", user_context: &self.id, source_origin }
    }
}

/// Whether a cookie is of this very site, or of one below or above it.
fn is_of(cookie: &Cookie, site: &str) -> bool {
    let Ok(site) = Url::parse(site) else { return false };
    let (host, domain) = (site.host_str().unwrap_or_default(), cookie.domain.trim_start_matches('.'));
    let below = |one: &str, other: &str| one.strip_suffix(other).is_some_and(|rest| rest.ends_with('.'));
    host == domain || below(host, domain) || below(domain, host)
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
            // Older versions say so of cookies that say nothing, too; but without `Secure` it cannot be so.
            Some("none") if cookie.secure => Some(SameSite::None),
            _ => None,
        },
        partition: None,
    }
}

/// Cookies are bytes. Those that are more than ASCII come as base64, or as a character for each; what is no text in there
/// is read byte by byte.
fn text(value: BytesValue) -> String {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    let bytes = if value.kind == "base64" {
        STANDARD.decode(&value.value).ok()
    } else {
        value.value.chars().map(|byte| u8::try_from(byte).ok()).collect()
    };
    let Some(bytes) = bytes else { return value.value };
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
