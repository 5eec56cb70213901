/// Why cookies or web storage were not read or changed.
#[derive(Debug, Clone)]
pub enum SiteDataError {
    /// There is no such cookie.
    NoCookie(String),
    /// The browser rejected the cookie.
    CookieDropped(String),
    /// The page has no origin to save.
    NothingToKeep,
    /// The document has no web storage, or it refused the entry. The message of the injected script.
    WebStorage(String),
}
