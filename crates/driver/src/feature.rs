/// Something that an engine, or a version of it, may lack within a power. Its words are in `tools`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// Request and response bodies.
    Bodies,
    /// Bookmarks.
    Bookmarks,
    /// Closing the default context.
    CloseDefaultContext,
    /// A proxy per context.
    ContextProxies,
    /// CPU slowdown.
    CpuThrottling,
    /// Extra headers.
    ExtraHeaders,
    /// Fetching something that is not a valid URL.
    FetchInvalidUrl,
    /// Forced colors.
    ForcedColors,
    /// Turning off forced colors.
    ForcedColorsOff,
    /// A fractional scale factor.
    FractionalScaleFactor,
    /// Geolocation.
    Geolocation,
    /// History and bookmarks, which need a helper extension that was not loaded.
    HelperExtension,
    /// Hidden pages.
    HiddenPages,
    /// Browsing history.
    History,
    /// Isolated contexts.
    IsolatedContexts,
    /// Locales.
    Locale,
    /// Media type and features.
    Media,
    /// The viewport of a mobile device.
    MobileViewport,
    /// Pages of origins other than http and https.
    NonHttpOrigins,
    /// Being offline.
    Offline,
    /// Screen orientation.
    Orientation,
    /// This permission.
    Permission,
    /// Headers and footers in print.
    PrintedHeaders,
    /// Privileged scripts.
    PrivilegedScripts,
    /// A proxy on our machine, for a browser on another one.
    ProxyElsewhere,
    /// A proxy, for a browser that was started without the preferences for it.
    ProxyPreferences,
    /// Screen size.
    ScreenSize,
    /// Network throttling.
    Throttling,
    /// Time zones.
    TimeZone,
    /// A touch screen.
    TouchScreen,
    /// Screenshots with a transparent background.
    TransparentScreenshots,
    /// User agents.
    UserAgent,
}
