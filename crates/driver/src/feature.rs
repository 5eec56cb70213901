/// Something that an engine, or a version of it, may lack within a power. Its words are in `tools`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// Request and response bodies.
    Bodies,
    Bookmarks,
    /// Closing the default context.
    CloseDefaultContext,
    /// A proxy per context.
    ContextProxies,
    /// CPU slowdown.
    CpuThrottling,
    ExtraHeaders,
    /// Fetching something that is not a valid URL.
    FetchInvalidUrl,
    ForcedColors,
    /// Turning off forced colors.
    ForcedColorsOff,
    FractionalScaleFactor,
    Geolocation,
    /// History and bookmarks, which need a helper extension that was not loaded.
    HelperExtension,
    HiddenPages,
    /// Browsing history.
    History,
    IsolatedContexts,
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
    Permission,
    /// Headers and footers in print.
    PrintedHeaders,
    PrivilegedScripts,
    /// A proxy on our machine, for a browser on another one.
    ProxyElsewhere,
    /// A proxy, for a browser that was started without the preferences for it.
    ProxyPreferences,
    ScreenSize,
    /// Network throttling.
    Throttling,
    TimeZone,
    TouchScreen,
    /// Screenshots with a transparent background.
    TransparentScreenshots,
    UserAgent,
}
