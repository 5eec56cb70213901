//! Cookies of a context, read and written without a page.

use std::collections::BTreeSet;

use async_trait::async_trait;
use cicerone_driver::{Cookie, Cookies, Result, SameSite, lock};
use futures::future::try_join_all;
use url::Url;

use crate::{
    browser::Shared,
    contexts::FirefoxContext,
    page::failed,
    protocol::{
        network::BytesValue,
        storage::{self, CookieFilter, DeleteCookies, GetCookies, PartialCookie, SetCookie, StorageKey},
    },
};

impl Shared {
    pub(crate) fn remember_partition(&self, user_context: &str, site: &str) {
        lock(&self.partitions).entry(user_context.to_owned()).or_default().insert(site.to_owned());
    }

    pub(crate) fn partitions_of(&self, user_context: &str) -> BTreeSet<String> {
        lock(&self.partitions).get(user_context).cloned().unwrap_or_default()
    }

    pub(crate) fn forget_partitions(&self, user_context: &str) {
        lock(&self.partitions).remove(user_context);
    }
}

#[async_trait]
impl Cookies for FirefoxContext {
    async fn all(&self) -> Result<Vec<Cookie>> {
        let mut all = self.of(None).await?;
        // A cookie does not report its partition, but a partition lists its cookies; the partition of
        // the cookie's own site includes unpartitioned ones.
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

/// Whether a cookie belongs to this site, a subdomain or a parent domain.
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
        // Older versions also report `none` for cookies without the attribute; without `Secure` it
        // cannot be `none`.
        same_site: (cookie.same_site.as_deref().and_then(SameSite::parse))
            .filter(|same_site| cookie.secure || *same_site != SameSite::None),
        partition: None,
    }
}

/// Cookies are bytes. Non-ASCII ones come as base64, or as one character per byte; invalid UTF-8 is read byte
/// by byte.
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
        same_site: cookie.same_site.map(|same_site| same_site.as_str().to_ascii_lowercase()),
        expiry,
    }
}
