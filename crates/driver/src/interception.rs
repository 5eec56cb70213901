use async_trait::async_trait;

use crate::Result;

/// The power to step in between a page and the network. It holds for the requests of the page and its frames, those that
/// come later too; other pages, those that it opens too, are left as they are.
#[async_trait]
pub trait Interception: Send + Sync {
    /// Follows these rules from now on, in place of those before; without any, requests go their own way again. Of the
    /// rules that a request meets, the first one is followed.
    async fn follow(&self, rules: &[Rule]) -> Result<()>;
}

/// What is done with some requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Where they go to.
    pub url: UrlPattern,
    /// What is done.
    pub action: Action,
}

/// What is done with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// It fails, and reaches nobody.
    Block,
    /// It is answered with this, and reaches nobody.
    Answer {
        /// The HTTP status.
        status: u16,
        /// The headers, all of them.
        headers: Vec<(String, String)>,
        /// The body.
        body: Vec<u8>,
    },
    /// It is sent with these headers, in place of its own with the same names and beside the others.
    Headers(Vec<(String, String)>),
}

/// A URL, or many: a `*` stands for any characters, and for none. Fragments are never looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlPattern(String);

impl From<&str> for UrlPattern {
    fn from(pattern: &str) -> Self {
        Self(pattern.to_owned())
    }
}

impl UrlPattern {
    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a URL is meant.
    pub fn matches(&self, url: &str) -> bool {
        let url = url.split('#').next().unwrap_or_default();
        let Some((start, rest)) = self.0.split_once('*') else { return self.0 == url };
        let Some(mut left) = url.strip_prefix(start) else { return false };
        let mut parts: Vec<&str> = rest.split('*').collect();
        let end = parts.pop().unwrap_or_default();
        for part in parts {
            let Some(at) = left.find(part) else { return false };
            left = &left[at + part.len()..];
        }
        left.ends_with(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_url_or_many() {
        for (pattern, url, meant) in [
            ("http://a/b", "http://a/b", true),
            ("http://a/b", "http://a/b#there", true),
            ("http://a/b", "http://a/b?c", false),
            ("http://a/b", "http://a/", false),
            ("*", "http://a/", true),
            ("*/b", "http://a/b", true),
            ("*/b", "http://a/b/c", false),
            ("http://a/*", "http://a/", true),
            ("http://a/*/c", "http://a/b/c", true),
            ("http://a/*/c", "http://a/c", false),
            ("*.example/*.js?*", "http://shop.example/x/y.js?v=1", true),
            ("*.example/*.js?*", "http://shop.example/x/y.jsx", false),
            ("*aa", "a", false),
            ("a*a", "a", false),
            ("a**b", "ab", true),
        ] {
            assert_eq!(UrlPattern::from(pattern).matches(url), meant, "{pattern} {url}");
        }
    }
}
