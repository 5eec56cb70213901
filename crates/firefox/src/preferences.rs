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

/// What keeps all traffic on the way to the proxies.
const PROXY_ONLY: &[(&str, To)] = &[
    // No UDP but through a proxy, which ours does not carry.
    ("media.peerconnection.ice.proxy_only", Yes),
    ("network.http.http3.enable", No),
    ("network.webtransport.enabled", No),
    // A proxy that does not answer is no reason to do without.
    ("network.proxy.failover_direct", No),
    // The browser itself resolves no name.
    ("network.dns.disabled", Yes),
    // Our proxies reach this machine without leaving it.
    ("network.proxy.testing_localhost_is_secure_when_hijacked", Yes),
];

/// The same as Firefox has it by itself: a profile that stays keeps what it was told.
const NOT_PROXY_ONLY: &[(&str, To)] = &[
    ("media.peerconnection.ice.proxy_only", No),
    ("network.http.http3.enable", Yes),
    ("network.webtransport.enabled", Yes),
    ("network.proxy.failover_direct", Yes),
    ("network.dns.disabled", No),
];

/// Whether frames of another site have a process of their own.
const PROCESS_BY_SITE: &str = "fission.autostart";

/// The first version whose pointer reaches frames in other processes.
const POINTER_FOR_ALL_PROCESSES: u32 = 153;

/// Those for a version, if that is known. Older ones have all frames of a page in one process, so that the pointer reaches
/// them. That is said to newer ones as well: a profile that stays keeps what it was told.
fn preferences(major: Option<u32>, proxy_only: bool) -> impl Iterator<Item = &'static (&'static str, To)> {
    const OLDER: &[(&str, To)] = &[(PROCESS_BY_SITE, No)];
    const NEWER: &[(&str, To)] = &[(PROCESS_BY_SITE, Yes)];
    let older = major.is_some_and(|major| major < POINTER_FOR_ALL_PROCESSES);
    let way = if proxy_only { PROXY_ONLY } else { NOT_PROXY_ONLY };
    PREFERENCES.iter().chain(if older { OLDER } else { NEWER }).chain(way)
}

/// The major version of a program, from the file beside it that every Firefox has.
pub(crate) fn major_version(program: &Path) -> Option<u32> {
    let program = program.canonicalize().ok()?;
    let text = std::fs::read_to_string(program.parent()?.join("application.ini")).ok()?;
    let version = text.lines().find_map(|line| line.strip_prefix("Version="))?;
    version.split('.').next()?.parse().ok()
}

/// Writes them into a profile. They count from the next start on, and stay in a profile that stays.
pub(crate) fn write_into(profile: &Path, major: Option<u32>, proxy_only: bool) -> io::Result<()> {
    let mut lines = String::new();
    for (name, to) in preferences(major, proxy_only) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_versions_have_all_frames_of_a_page_in_one_process() {
        let one =
            |major| preferences(major, false).any(|(name, to)| *name == PROCESS_BY_SITE && matches!(to, No));
        assert!(one(Some(140)));
        assert!(!one(Some(153)) && !one(None));
    }

    #[test]
    fn the_version_is_read_beside_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("firefox");
        std::fs::write(&program, "").unwrap();
        assert_eq!(major_version(&program), None);
        std::fs::write(folder.path().join("application.ini"), "[App]\nName=Firefox\nVersion=140.12.0\n")
            .unwrap();
        assert_eq!(major_version(&program), Some(140));
    }
}
