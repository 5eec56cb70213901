//! What Firefox is told before it starts, as the preferences of its profile.

use std::{fmt::Write, io, path::Path};

/// A preference's value.
enum To {
    Yes,
    No,
    Number(i32),
    Text(&'static str),
}
use To::{No, Number, Text, Yes};

/// Beside those that Firefox itself sets for every remote session.
const PREFERENCES: &[(&str, To)] = &[
    // Any free one; it is told on standard output.
    ("marionette.port", Number(0)),
    // The pointer as the system gives it, which reaches frames in other processes.
    ("remote.events.async.mouse.enabled", Yes),
    ("remote.events.async.wheel.enabled", Yes),
    // Proxies get all traffic, that to this machine too.
    ("network.proxy.allow_hijacking_localhost", Yes),
    ("network.proxy.testing_localhost_is_secure_when_hijacked", No),
    // Pages that one opens get windows: tabs in the background are not drawn.
    ("browser.link.open_newwindow", Number(2)),
    ("browser.link.open_newwindow.restriction", Number(0)),
    ("browser.tabs.opentabfor.middleclick", No),
    ("dom.disable_open_during_load", No),
    ("dom.popup_maximum", Number(-1)),
    // A page that hangs must not share its process with others.
    ("dom.ipc.processCount", Number(100)),
    ("dom.ipc.processCount.webIsolated", Number(100)),
    // As it is in every Firefox; remote sessions would lift it, and a page that moves all the time would keep the browser busy.
    ("dom.navigation.navigationRateLimit.count", Number(200)),
    // Documents that were left are gone, in this engine as in the others.
    ("fission.bfcacheInParent", No),
    ("browser.sessionhistory.max_total_viewers", Number(0)),
    // Scrollbars take no room, in this engine as in the others.
    ("ui.useOverlayScrollbars", Number(1)),
    ("widget.gtk.overlay-scrollbars.enabled", Yes),
    // Documents as they are, not in a viewer.
    ("devtools.jsonview.enabled", No),
    // Nothing that was not asked for.
    ("browser.newtab.preload", No),
    ("browser.newtabpage.enabled", No),
    ("browser.startup.page", Number(0)),
    ("browser.startup.homepage", Text("about:blank")),
    ("browser.chrome.site_icons", No),
    ("browser.aboutwelcome.enabled", No),
    ("browser.shell.checkDefaultBrowser", No),
    ("browser.sessionstore.resume_from_crash", No),
    ("browser.tabs.warnOnClose", No),
    ("browser.translations.enable", No),
    ("browser.ml.enable", No),
    ("app.normandy.enabled", No),
    ("app.update.disabledForTesting", Yes),
    ("datareporting.policy.dataSubmissionEnabled", No),
    ("extensions.systemAddon.update.enabled", No),
    ("messaging-system.rsexperimentloader.enabled", No),
    ("network.captive-portal-service.enabled", No),
    ("network.connectivity-service.enabled", No),
    ("network.dns.disablePrefetch", Yes),
    ("network.http.speculative-parallel-limit", Number(0)),
    ("network.prefetch-next", No),
    ("services.settings.server", Text("data:,")),
    ("signon.rememberSignons", No),
    ("toolkit.telemetry.server", Text("")),
    // What was downloaded is told, not shown.
    ("browser.download.alwaysOpenPanel", No),
    ("browser.helperApps.deleteTempFileOnExit", Yes),
    ("pdfjs.disabled", No),
];

/// Writes them into a profile. They count from the next start on, and stay in a profile that stays.
pub(crate) fn write_into(profile: &Path) -> io::Result<()> {
    let mut lines = String::new();
    for (name, to) in PREFERENCES {
        // Writing into a string does not fail.
        let _ = match to {
            Yes => writeln!(lines, "user_pref(\"{name}\", true);"),
            No => writeln!(lines, "user_pref(\"{name}\", false);"),
            Number(number) => writeln!(lines, "user_pref(\"{name}\", {number});"),
            Text(text) => writeln!(lines, "user_pref(\"{name}\", \"{text}\");"),
        };
    }
    std::fs::write(profile.join("user.js"), lines)
}
