//! The preferences of Firefox's profile.

use std::{io, path::Path};

/// A preference's value.
enum To {
    Yes,
    No,
    Number(i32),
    Text(&'static str),
}
use To::{No, Number, Text, Yes};

/// What a remote session needs. The list that Firefox itself would apply is for browser tests: with it, a
/// document from a file may read every other file of the person.
const PREFERENCES: &[(&str, To)] = &[
    ("remote.prefs.recommended", No),
    ("security.fileuri.strict_origin_policy", Yes),
    // Any free port; it is printed on standard output.
    ("marionette.port", Number(0)),
    ("browser.dom.window.dump.enabled", Yes),
    // Permissions are per context.
    ("permissions.isolateBy.userContext", Yes),
    // Windows are focused wherever they are, and not throttled when covered.
    ("focusmanager.testmode", Yes),
    ("dom.ipc.processPriorityManager.enabled", No),
    ("threads.lower_mainthread_priority_in_background.enabled", No),
    ("widget.windows.window_occlusion_tracking.enabled", No),
    ("browser.tabs.unloadOnLowMemory", No),
    ("browser.tabs.remote.unloadDelayMs", Number(0)),
    // Input counts at once, also on pages just painted, and the wheel scrolls exactly as far as
    // requested.
    ("dom.input_events.security.minNumTicks", Number(0)),
    ("dom.input_events.security.minTimeElapsedInMS", Number(0)),
    ("security.notification_enable_delay", Number(0)),
    ("apz.axis_lock.mode", Number(0)),
    ("apz.content_response_timeout", Number(60_000)),
    ("mousewheel.allow_scrolling_more_than_one_page", Yes),
    // Dialogs, slow scripts and responses without a body are reported to the client, not asked in the
    // window.
    ("dom.successive_dialog_time_limit", Number(0)),
    ("dom.ipc.reportProcessHangs", No),
    ("dom.max_script_run_time", Number(0)),
    ("dom.max_chrome_script_run_time", Number(0)),
    ("browser.http.blank_page_with_error_response.enabled", Yes),
    ("network.http.prompt-temp-redirect", No),
    ("network.manage-offline-status", No),
    // Emulated values are not taken from the system.
    ("dom.permissions.testing.enabled", Yes),
    ("dom.screenorientation.allow-lock", Yes),
    ("geo.provider.testing", Yes),
    ("geo.prompt.open_system_prefs", No),
    ("geo.provider.network.url", Text("")),
    ("geo.wifi.scan", No),
    // Upload files are created in the page's process.
    ("dom.file.createInChild", Yes),
    // The person's saved data is not filled into forms.
    ("signon.autofillForms", No),
    ("extensions.formautofill.addresses.enabled", No),
    ("extensions.formautofill.creditCards.enabled", No),
    // With a proxy, WebRTC uses it or nothing.
    ("media.peerconnection.ice.proxy_only_if_behind_proxy", Yes),
    // Native pointer events, which reach frames in other processes.
    ("remote.events.async.mouse.enabled", Yes),
    ("remote.events.async.wheel.enabled", Yes),
    // Proxies get all traffic, including to loopback. Pages of localhost stay secure contexts, as in the other
    // engines, with a proxy or without one.
    ("network.proxy.allow_hijacking_localhost", Yes),
    ("network.proxy.testing_localhost_is_secure_when_hijacked", Yes),
    // Popups get windows: background tabs are not painted.
    ("browser.link.open_newwindow", Number(2)),
    ("browser.link.open_newwindow.restriction", Number(0)),
    ("browser.tabs.opentabfor.middleclick", No),
    ("dom.disable_open_during_load", No),
    ("dom.popup_maximum", Number(-1)),
    // A hung page must not share its process with others.
    ("dom.ipc.processCount", Number(100)),
    ("dom.ipc.processCount.webIsolated", Number(100)),
    // The usual limit; remote sessions would lift it, and a page that navigates all the time would keep
    // the browser busy.
    ("dom.navigation.navigationRateLimit.count", Number(200)),
    // No back-forward cache, as in the other engines.
    ("fission.bfcacheInParent", No),
    ("browser.sessionhistory.max_total_viewers", Number(0)),
    // Overlay scrollbars, as in the other engines.
    ("ui.useOverlayScrollbars", Number(1)),
    ("widget.gtk.overlay-scrollbars.enabled", Yes),
    // Documents without a viewer.
    ("devtools.jsonview.enabled", No),
    // Switches off background activity of the browser.
    ("browser.newtab.preload", No),
    ("browser.newtabpage.enabled", No),
    ("browser.startup.page", Number(0)),
    ("browser.startup.homepage", Text("about:blank")),
    ("browser.chrome.site_icons", No),
    ("browser.aboutwelcome.enabled", No),
    ("browser.backup.enabled", No),
    ("browser.discovery.enabled", No),
    ("browser.newtabpage.activity-stream.asrouter.userprefs.cfr.features", No),
    ("browser.newtabpage.activity-stream.showSponsoredTopSites", No),
    ("browser.newtabpage.activity-stream.testing.shouldInitializeFeeds", No),
    ("browser.pagethumbnails.capturing_disabled", Yes),
    ("browser.region.network.url", Text("")),
    ("browser.safebrowsing.blockedURIs.enabled", No),
    ("browser.safebrowsing.downloads.enabled", No),
    ("browser.safebrowsing.malware.enabled", No),
    ("browser.safebrowsing.phishing.enabled", No),
    ("browser.safebrowsing.provider.mozilla.updateURL", Text("")),
    ("browser.safebrowsing.update.enabled", No),
    ("browser.search.update", No),
    ("browser.startup.couldRestoreSession.count", Number(-1)),
    ("browser.startup.homepage_override.mstone", Text("ignore")),
    ("browser.tabs.warnOnCloseOtherTabs", No),
    ("browser.tabs.warnOnOpen", No),
    ("browser.toolbars.bookmarks.visibility", Text("never")),
    ("browser.topsites.contile.enabled", No),
    ("browser.urlbar.merino.endpointURL", Text("")),
    ("browser.urlbar.merino.ohttpConfigURL", Text("")),
    ("browser.urlbar.merino.ohttpRelayURL", Text("")),
    ("browser.urlbar.suggest.searches", No),
    ("browser.warnOnQuit", No),
    ("browser.shell.checkDefaultBrowser", No),
    ("browser.sessionstore.resume_from_crash", No),
    ("browser.tabs.warnOnClose", No),
    ("browser.translations.enable", No),
    ("browser.ml.enable", No),
    ("app.normandy.api_url", Text("")),
    ("app.normandy.enabled", No),
    ("app.update.disabledForTesting", Yes),
    ("datareporting.healthreport.uploadEnabled", No),
    ("datareporting.policy.dataSubmissionEnabled", No),
    ("datareporting.policy.dataSubmissionPolicyBypassNotification", Yes),
    ("datareporting.usage.uploadEnabled", No),
    ("dom.push.connection.enabled", No),
    ("extensions.enabledScopes", Number(5)),
    ("extensions.getAddons.cache.enabled", No),
    ("extensions.getAddons.discovery.api_url", Text("data:,")),
    ("extensions.installDistroAddons", No),
    ("extensions.systemAddon.update.enabled", No),
    ("extensions.update.enabled", No),
    ("messaging-system.rsexperimentloader.enabled", No),
    ("network.captive-portal-service.enabled", No),
    ("network.connectivity-service.enabled", No),
    ("network.dns.disablePrefetch", Yes),
    ("network.http.speculative-parallel-limit", Number(0)),
    ("network.prefetch-next", No),
    ("places.semanticHistory.featureGate", No),
    ("security.certerrors.mitm.priming.enabled", No),
    ("security.remote_settings.intermediates.enabled", No),
    ("services.settings.loglevel", Text("off")),
    ("services.settings.server", Text("data:,")),
    ("signon.rememberSignons", No),
    ("startup.homepage_welcome_url", Text("about:blank")),
    ("startup.homepage_welcome_url.additional", Text("")),
    ("telemetry.fog.test.localhost_port", Number(-1)),
    ("termsofuse.bypassNotification", Yes),
    ("toolkit.startup.max_resumed_crashes", Number(-1)),
    ("toolkit.telemetry.server", Text("")),
    // Downloads are reported, not shown.
    ("browser.download.alwaysOpenPanel", No),
    ("browser.download.panel.shown", Yes),
    ("browser.helperApps.deleteTempFileOnExit", Yes),
    ("pdfjs.disabled", No),
];

/// Forces all traffic through the proxies.
const PROXY_ONLY: &[(&str, To)] = &[
    // No UDP except through a proxy; ours does not carry it.
    ("media.peerconnection.ice.proxy_only", Yes),
    ("network.http.http3.enable", No),
    ("network.webtransport.enabled", No),
    // No direct connection if a proxy does not answer.
    ("network.proxy.failover_direct", No),
    // The browser itself resolves no name.
    ("network.dns.disabled", Yes),
];

/// Firefox's defaults for these: a persistent profile keeps what was set.
const NOT_PROXY_ONLY: &[(&str, To)] = &[
    ("media.peerconnection.ice.proxy_only", No),
    ("network.http.http3.enable", Yes),
    ("network.webtransport.enabled", Yes),
    ("network.proxy.failover_direct", Yes),
    ("network.dns.disabled", No),
];

/// Without a relay to look at addresses, those of cloud metadata services at least lead nowhere as they are written in URLs.
/// What they are allowed by has a relay.
const REFUSE: &str = include_str!("refuse.js");

/// The lines that have it asked for each request.
fn refuse_lines() -> [String; 3] {
    let script: String = REFUSE.bytes().map(|byte| format!("%{byte:02x}")).collect();
    [
        "user_pref(\"network.proxy.type\", 2);".to_owned(),
        format!(
            "user_pref(\"network.proxy.autoconfig_url\", \"data:application/x-ns-proxy-autoconfig,{script}\");"
        ),
        // What it refuses is not tried without it.
        "user_pref(\"network.proxy.failover_direct\", false);".to_owned(),
    ]
}

/// Whether a browser with this profile would go straight to the hosts. Where the system or the person chose proxies, they
/// stay: those dial the addresses, not this machine.
fn goes_direct(profile: &Path) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let variables = ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
    // A desktop has settings for proxies that only the browser can read.
    let by_system =
        !cfg!(target_os = "linux") || set("XDG_CURRENT_DESKTOP") || variables.into_iter().any(set);
    let chosen = |file: &str| {
        let text = std::fs::read_to_string(profile.join(file)).unwrap_or_default();
        text.contains("\"network.proxy.type\"")
    };
    !by_system && !chosen("prefs.js") && !chosen("user.js")
}

/// Whether cross-site frames have their own process.
const PROCESS_BY_SITE: &str = "fission.autostart";

/// The first version whose pointer reaches frames in other processes.
const POINTER_FOR_ALL_PROCESSES: u32 = 153;

/// The preferences for a version, if known. Older ones have all frames of a page in one process, so that the
/// pointer reaches them.
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

/// What the traffic of a browser takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proxies {
    /// No proxy of ours, at least in the default context.
    None,
    /// A proxy of ours in the default context.
    Some,
    /// Proxies of ours and nothing else.
    Only,
}

/// Writes them to a profile, for as long as the browser runs.
pub(crate) fn write_into(profile: &Path, major: Option<u32>, by: Proxies) -> io::Result<()> {
    let line = |(name, to): &(&str, To)| match to {
        Yes => format!("user_pref(\"{name}\", true);"),
        No => format!("user_pref(\"{name}\", false);"),
        Number(number) => format!("user_pref(\"{name}\", {number});"),
        Text(text) => format!("user_pref(\"{name}\", \"{text}\");"),
    };
    // A profile that a browser of ours used before has our lines, which are no choice.
    cicerone_process::remove_preferences(profile)?;
    let mut lines: Vec<String> = preferences(major, by == Proxies::Only).map(line).collect();
    if by == Proxies::None && goes_direct(profile) {
        lines.extend(refuse_lines());
    }
    cicerone_process::add_preferences(profile, &lines)
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
