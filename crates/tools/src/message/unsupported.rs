use cicerone_engine::{Feature, Unsupported};

/// What the browser cannot do, after "this browser cannot".
pub(crate) fn unsupported(what: Unsupported) -> &'static str {
    match what {
        Unsupported::Bookmarks => "use its bookmarks",
        Unsupported::History => "read its history",
        Unsupported::FileFromUrl => "send a file from a URL",
        Unsupported::SetCookies => "set cookies",
        Unsupported::ReadCookies => "read cookies",
        Unsupported::RemoveCookies => "remove cookies",
        Unsupported::Fetch => "fetch outside a page",
        Unsupported::Print => "print pages",
        Unsupported::CssPageSize => "take the paper size from the page's CSS",
        Unsupported::ScriptSandbox => "run scripts in a sandbox",
        Unsupported::RandomNumbers => "make random numbers",
        Unsupported::Interception => "intercept requests",
        Unsupported::Traces => "record performance traces",
        Unsupported::NetworkCapture => "capture network traffic",
        Unsupported::ExtraHeaders => "send extra headers",
        Unsupported::DeviceEmulation => "emulate a device",
        Unsupported::Emulation => "emulate anything",
        Unsupported::Driver(what) => feature(what),
    }
}

/// The same for what a driver reports.
pub(crate) fn feature(what: Feature) -> &'static str {
    match what {
        Feature::Bodies => "record bodies",
        Feature::Bookmarks => "use its bookmarks",
        Feature::CloseDefaultContext => "close its default context",
        Feature::ContextProxies => "use a proxy per context (Firefox 141 and later can)",
        Feature::CpuThrottling => "emulate a slow processor",
        Feature::ExtraHeaders => "send extra headers",
        Feature::FetchInvalidUrl => "fetch this: not a valid URL",
        Feature::ForcedColors => "emulate forced colors",
        Feature::ForcedColorsOff => "turn off forced colors",
        Feature::FractionalScaleFactor => "emulate a fractional scale factor",
        Feature::Geolocation => "emulate a location",
        Feature::HelperExtension => "read its history and bookmarks: it did not load the helper extension",
        Feature::HiddenPages => "open hidden pages",
        Feature::History => "read its history",
        Feature::IsolatedContexts => "create isolated contexts",
        Feature::Locale => "emulate a locale",
        Feature::Media => "emulate media features",
        Feature::MobileViewport => "emulate a mobile viewport",
        Feature::NonHttpOrigins => "open an origin that is not http(s)",
        Feature::Offline => "emulate being offline",
        Feature::Orientation => "emulate the screen orientation",
        Feature::Permission => "set this permission",
        Feature::PrintedHeaders => "print headers and footers",
        Feature::PrivilegedScripts => "run privileged scripts",
        Feature::ProxyElsewhere => "use a proxy on this machine: it runs on another one",
        Feature::ProxyPreferences => "use a proxy: it was started without the preferences for it",
        Feature::ScreenSize => "emulate the screen size",
        Feature::Throttling => "emulate a slow network",
        Feature::TimeZone => "emulate a time zone",
        Feature::TouchScreen => "emulate a touch screen",
        Feature::TransparentScreenshots => "take screenshots with a transparent background",
        Feature::UserAgent => "emulate another user agent",
    }
}
