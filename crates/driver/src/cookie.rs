use async_trait::async_trait;

use crate::Result;

/// Reads and writes the cookies of a context.
#[async_trait]
pub trait Cookies: Send + Sync {
    /// All cookies of all sites.
    async fn all(&self) -> Result<Vec<Cookie>>;
    /// Sets cookies. A cookie replaces the one with the same name, domain and path.
    async fn set(&self, cookies: &[Cookie]) -> Result<()>;
    /// Removes cookies, matched by name, domain and path.
    async fn remove(&self, cookies: &[Cookie]) -> Result<()>;
}

/// A cookie with all its attributes.
#[derive(Debug, Clone, PartialEq)]
pub struct Cookie {
    pub name: String,
    pub value: String,
    /// The host; with a leading dot, its subdomains too.
    pub domain: String,
    /// The path prefix.
    pub path: String,
    /// Expiry in seconds since the Unix epoch; `None` for a session cookie.
    pub expires: Option<f64>,
    /// Hidden from scripts.
    pub http_only: bool,
    /// Sent over secure connections only.
    pub secure: bool,
    /// The `SameSite` attribute.
    pub same_site: Option<SameSite>,
    /// The top-level site of its partition.
    pub partition: Option<String>,
}

/// When cross-site requests carry a cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameSite {
    /// Never.
    Strict,
    /// On top-level navigations to its site.
    Lax,
    /// Always.
    None,
}

impl SameSite {
    /// The value of the attribute.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "Strict",
            Self::Lax => "Lax",
            Self::None => "None",
        }
    }

    /// Reads the value of the attribute, in any case.
    pub fn parse(value: &str) -> Option<Self> {
        [Self::Strict, Self::Lax, Self::None].into_iter().find(|one| value.eq_ignore_ascii_case(one.as_str()))
    }
}
