//! The URIs of resources.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;
use url::Url;

/// A resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceUri {
    /// A view of a tab.
    Page {
        /// Which tab.
        tab: TabRef,
        /// What of it.
        view: View,
        /// The element, where the view is of one.
        element: Option<String>,
    },
    /// The tabs of a context.
    Tabs(String),
    /// The tools of a dialect.
    Tools(String),
    /// A device preset.
    Device(String),
    /// A saved file.
    File(PathBuf),
}

/// A tab in a URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TabRef {
    /// The active one.
    Current,
    /// The one at this index.
    Index(i64),
}

/// What can be read of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Its accessibility snapshot.
    Snapshot,
    /// A screenshot of its viewport.
    Screenshot,
    /// Its console messages.
    Console,
    /// Its network requests.
    Network,
}

impl View {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Snapshot, Self::Screenshot, Self::Console, Self::Network];

    /// Its name in a URI.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Snapshot => "snapshot",
            Self::Screenshot => "screenshot",
            Self::Console => "console",
            Self::Network => "network",
        }
    }

    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Snapshot => "Snapshot of the active tab, with element refs",
            Self::Screenshot => "Screenshot of the active tab's viewport",
            Self::Console => "Console messages of the active tab",
            Self::Network => "Network requests of the active tab",
        }
    }

    /// Its media type.
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Screenshot => "image/png",
            _ => "text/plain",
        }
    }
}

impl ResourceUri {
    /// Parses a URI; nothing when it has none of the known forms.
    pub fn parse(uri: &str) -> Option<Self> {
        if uri.starts_with("file:") {
            return Url::parse(uri).ok()?.to_file_path().ok().map(Self::File);
        }
        let (scheme, rest) = uri.split_once("://")?;
        let parts: Vec<String> = rest.split('/').map(decoded).collect::<Option<_>>()?;
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        match (scheme, parts.as_slice()) {
            ("page", [tab, view]) => {
                Some(Self::Page { tab: tab_ref(tab)?, view: view_of(view)?, element: None })
            }
            ("page", [tab, "snapshot", element]) if !element.is_empty() => {
                // Completions are a ref and its element: `e12 button "Save"`.
                let element = element.split(' ').next().map(str::to_owned);
                Some(Self::Page { tab: tab_ref(tab)?, view: View::Snapshot, element })
            }
            ("context", [name, "tabs"]) => Some(Self::Tabs((*name).to_owned())),
            ("dialect", [name, "tools"]) => Some(Self::Tools((*name).to_owned())),
            ("device", [name]) => Some(Self::Device((*name).to_owned())),
            _ => None,
        }
    }
}

fn decoded(part: &str) -> Option<String> {
    percent_decode_str(part).decode_utf8().ok().map(Into::into)
}

fn tab_ref(text: &str) -> Option<TabRef> {
    match text {
        "current" => Some(TabRef::Current),
        index => index.parse().ok().filter(|index| *index >= 0).map(TabRef::Index),
    }
}

fn view_of(name: &str) -> Option<View> {
    View::ALL.into_iter().find(|view| view.as_str() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_parsed() {
        let page = |tab, view, element: Option<&str>| {
            Some(ResourceUri::Page { tab, view, element: element.map(str::to_owned) })
        };
        let parse = ResourceUri::parse;
        assert_eq!(parse("page://current/snapshot"), page(TabRef::Current, View::Snapshot, None));
        assert_eq!(parse("page://2/console"), page(TabRef::Index(2), View::Console, None));
        assert_eq!(
            parse("page://0/snapshot/e12%20button%20%22Save%22"),
            page(TabRef::Index(0), View::Snapshot, Some("e12"))
        );
        assert_eq!(parse("device://iPhone%2014"), Some(ResourceUri::Device("iPhone 14".into())));
        assert_eq!(parse("context://work/tabs"), Some(ResourceUri::Tabs("work".into())));
        assert_eq!(parse("file:///tmp/a.png"), Some(ResourceUri::File("/tmp/a.png".into())));
        for bad in ["", "page://", "page://x/snapshot", "page://-1/console", "page://0/secrets", "http://a/b"]
        {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
