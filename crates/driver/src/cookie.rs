use async_trait::async_trait;

use crate::Result;

/// The power to read and write the cookies of a context.
#[async_trait]
pub trait Cookies: Send + Sync {
    /// All of them, of all sites.
    async fn all(&self) -> Result<Vec<Cookie>>;
    /// Sets these, in place of those with the same name, domain and path.
    async fn set(&self, cookies: &[Cookie]) -> Result<()>;
    /// Removes these; name, domain and path decide.
    async fn remove(&self, cookies: &[Cookie]) -> Result<()>;
}

/// A cookie, with all that it has.
#[derive(Debug, Clone, PartialEq)]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The host that it is for; with a leading dot also for those below.
    pub domain: String,
    /// The path that it is for.
    pub path: String,
    /// When it ends, in seconds since 1970; nothing for one of the session.
    pub expires: Option<f64>,
    /// Whether scripts cannot see it.
    pub http_only: bool,
    /// Whether it is for secure connections only.
    pub secure: bool,
    /// Whether other sites send it.
    pub same_site: Option<SameSite>,
    /// The top-level site that it is partitioned by.
    pub partition: Option<String>,
}

/// Whether other sites send a cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameSite {
    /// Never.
    Strict,
    /// When they link to its site.
    Lax,
    /// Always.
    None,
}
