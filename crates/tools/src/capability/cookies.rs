//! Reading and changing cookies.

use cicerone_engine::{Cookie, Error, SameSite, SiteDataError};
use serde_json::{Map, Value, json};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::{Argument, choices},
    dialect::AGENT,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnSession,
};

pub(super) struct Cookies {
    action: CookiesAction,
    url: Option<WebUrl>,
    name: Option<String>,
    value: Option<String>,
    domain: Option<String>,
    path: String,
    secure: bool,
    http_only: bool,
    same_site: Option<SameSite>,
    expires: Option<f64>,
    domain_filter: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CookiesAction {
    Get,
    GetAll,
    Set,
    Delete,
    Clear,
}

choices! {
    CookiesAction {
        "get" => CookiesAction::Get,
        "get_all" => CookiesAction::GetAll,
        "set" => CookiesAction::Set,
        "delete" => CookiesAction::Delete,
        "clear" => CookiesAction::Clear,
    }
    SameSite {
        "Strict" => SameSite::Strict,
        "Lax" => SameSite::Lax,
        "None" => SameSite::None,
    }
}

/// A URL of the web.
struct WebUrl(url::Url);

impl Argument for WebUrl {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let url = value.as_str().and_then(|text| url::Url::parse(text).ok());
        let url = url.filter(|url| matches!(url.scheme(), "http" | "https"));
        url.map(Self).ok_or_else(|| "an http: or https: URL".into())
    }
}

/// What was found or done.
pub(super) enum CookiesResult {
    One(Cookie),
    All(Vec<Cookie>),
    Set(Cookie),
    Removed(usize),
}

impl Cookies {
    fn new(action: CookiesAction) -> Self {
        Self {
            action,
            url: None,
            name: None,
            value: None,
            domain: None,
            path: "/".into(),
            secure: false,
            http_only: false,
            same_site: None,
            expires: None,
            domain_filter: None,
        }
    }

    /// The cookie that is to be set; for the host of the page where nothing else is said.
    fn cookie(self, page: Option<&url::Url>) -> Result<Cookie, Failure> {
        let name = self.name.unwrap_or_default();
        let host = self.url.as_ref().map(|WebUrl(url)| url).or(page).and_then(url::Url::host_str);
        let Some(domain) = self.domain.or_else(|| host.map(str::to_owned)) else {
            return Err(Error::SiteData(SiteDataError::CookieDropped(name)).into());
        };
        Ok(Cookie {
            name,
            value: self.value.unwrap_or_default(),
            domain,
            path: self.path,
            expires: self.expires.filter(|expires| *expires >= 0.0),
            http_only: self.http_only,
            secure: self.secure,
            same_site: self.same_site,
            partition: None,
        })
    }
}

impl Capability for Cookies {
    type On = OnSession;
    type Output = CookiesResult;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<CookiesResult, Failure> {
        let context = on.call.context()?;
        let page = context.active().and_then(|page| url::Url::parse(&page.url()).ok());
        let page = page.filter(|url| matches!(url.scheme(), "http" | "https"));
        let asked = self.url.as_ref().map(|WebUrl(url)| url);
        match self.action {
            CookiesAction::GetAll => Ok(CookiesResult::All(context.cookies(asked).await?)),
            CookiesAction::Get => {
                let name = self.name.as_deref().unwrap_or_default();
                // A domain is as good as a URL of it.
                let url = if self.domain.is_some() { asked } else { asked.or(page.as_ref()) };
                let there =
                    |cookie: &Cookie| self.domain.as_deref().is_none_or(|domain| is_at(cookie, domain));
                let found = context.cookies(url).await?;
                match found.into_iter().find(|cookie| cookie.name == name && there(cookie)) {
                    Some(cookie) => Ok(CookiesResult::One(cookie)),
                    None => Err(Error::SiteData(SiteDataError::NoCookie(name.to_owned())).into()),
                }
            }
            CookiesAction::Set => {
                let cookie = self.cookie(page.as_ref())?;
                Ok(CookiesResult::Set(context.set_cookie(cookie).await?))
            }
            CookiesAction::Delete => {
                let (url, name) = (asked.or(page.as_ref()), self.name.as_deref());
                let meant = |cookie: &Cookie| {
                    let there = match &self.domain {
                        Some(domain) => is_at(cookie, domain),
                        None => url.is_none_or(|url| cicerone_engine::goes_to(cookie, url)),
                    };
                    name.is_some_and(|name| cookie.name == name) && there
                };
                Ok(CookiesResult::Removed(context.remove_cookies(meant).await?))
            }
            CookiesAction::Clear => {
                let filter = self.domain_filter.or(self.domain);
                let meant = |cookie: &Cookie| match (&filter, asked) {
                    (Some(filter), _) => is_at(cookie, filter),
                    (None, Some(url)) => cicerone_engine::goes_to(cookie, url),
                    (None, None) => true,
                };
                Ok(CookiesResult::Removed(context.remove_cookies(meant).await?))
            }
        }
    }
}

/// Whether a cookie is of a domain or one below it.
fn is_at(cookie: &Cookie, domain: &str) -> bool {
    let (own, domain) = (cookie.domain.trim_start_matches('.'), domain.trim_start_matches('.'));
    own == domain || own.ends_with(&format!(".{domain}"))
}

fn cookie_json(cookie: &Cookie) -> Value {
    let mut told = json!({
        "name": cookie.name, "value": cookie.value, "domain": cookie.domain, "path": cookie.path,
        "secure": cookie.secure, "http_only": cookie.http_only, "expires": cookie.expires.unwrap_or(-1.0),
    });
    if let Some(same_site) = cookie.same_site {
        told["same_site"] = same_site.as_str().into();
    }
    told
}

impl Output for CookiesResult {
    fn facts(&self) -> Map<String, Value> {
        match self {
            Self::One(cookie) | Self::Set(cookie) => {
                cookie_json(cookie).as_object().cloned().unwrap_or_default()
            }
            Self::All(cookies) => {
                let all: Vec<Value> = cookies.iter().map(cookie_json).collect();
                facts! { "count" => all.len(), "cookies" => all }
            }
            Self::Removed(count) => facts! { "count" => *count },
        }
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "name" => of("string"), "value" => of("string"), "domain" => of("string"), "path" => of("string"),
            "secure" => of("boolean"), "http_only" => of("boolean"), "same_site" => of("string"),
            "expires" => of("number"), "cookies" => of("array"), "count" => of("integer"),
        }
    }
}

fn words(done: &CookiesResult) -> String {
    let plural = |count: usize| if count == 1 { "1 cookie".to_owned() } else { format!("{count} cookies") };
    match done {
        CookiesResult::One(cookie) => format!("{}={}", cookie.name, cookie.value),
        CookiesResult::Set(cookie) => format!("Set {} for {}{}", cookie.name, cookie.domain, cookie.path),
        CookiesResult::Removed(count) => format!("Removed {}", plural(*count)),
        CookiesResult::All(cookies) => {
            let line = |cookie: &Cookie| {
                format!("\n- {}={} ({}{})", cookie.name, cookie.value, cookie.domain, cookie.path)
            };
            let lines: String = cookies.iter().take(100).map(line).collect();
            let more = if cookies.len() > 100 { "\n…" } else { "" };
            format!("{}{lines}{more}", plural(cookies.len()))
        }
    }
}

pub(super) fn faces() -> [Face<Cookies>; 1] {
    [AGENT
        .tool("cookies", "Get, set or clear cookies")
        .takes(must("action", ""), Cookies::new)
        .example(r#"{"action": "set", "name": "theme", "value": "dark", "url": "https://example.com/"}"#)
        .opt("url", "", |cookies, url| cookies.url = Some(url))
        .opt("name", "", |cookies, name| cookies.name = Some(name))
        .opt("value", "", |cookies, value| cookies.value = Some(value))
        .opt("domain", "", |cookies, domain| cookies.domain = Some(domain))
        .opt("path", "", |cookies, path| cookies.path = path)
        .default("/")
        .opt("secure", "", |cookies, secure| cookies.secure = secure)
        .opt("http_only", "", |cookies, http_only| cookies.http_only = http_only)
        .opt("same_site", "", |cookies, same_site| cookies.same_site = Some(same_site))
        .opt("expires", "Unix seconds", |cookies, expires| cookies.expires = Some(expires))
        .opt("domain_filter", "", |cookies, domain| cookies.domain_filter = Some(domain))
        .validate(|cookies| match cookies {
            Cookies {
                action: CookiesAction::Get | CookiesAction::Set | CookiesAction::Delete,
                name: None,
                ..
            } => Err(BadArguments::Missing("name")),
            Cookies { action: CookiesAction::Set, value: None, .. } => Err(BadArguments::Missing("value")),
            _ => Ok(()),
        })
        .says(words)]
}
