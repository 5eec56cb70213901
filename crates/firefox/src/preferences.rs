//! What Firefox is told before it starts, as the preferences of its profile.

use std::{io, path::Path};

/// A preference's value.
enum To {
    Yes,
    No,
    Number(i32),
    Text(&'static str),
}
use To::{No, Number, Text, Yes};

/// All that a remote session needs. The list that Firefox itself would add is for tests of browsers: with it, a document
/// from a file may read every other file of the person, and directories.
const PREFERENCES: &[(&str, To)] = &[
    ("remote.prefs.recommended", No),
    ("security.fileuri.strict_origin_policy", Yes),
    // Any free one; it is told on standard output.
    ("marionette.port", Number(0)),
    ("browser.dom.window.dump.enabled", Yes),
    // A context's permissions are its own.
    ("permissions.isolateBy.userContext", Yes),
    // Windows are in focus, wherever they are on the screen, and not slowed down where nobody sees them.
    ("focusmanager.testmode", Yes),
    ("dom.ipc.processPriorityManager.enabled", No),
    ("threads.lower_mainthread_priority_in_background.enabled", No),
    ("widget.windows.window_occlusion_tracking.enabled", No),
    ("browser.tabs.unloadOnLowMemory", No),
    ("browser.tabs.remote.unloadDelayMs", Number(0)),
    // Input counts at once, on pages that were just drawn too, and the wheel goes as far as it is told.
    ("dom.input_events.security.minNumTicks", Number(0)),
    ("dom.input_events.security.minTimeElapsedInMS", Number(0)),
    ("security.notification_enable_delay", Number(0)),
    ("apz.axis_lock.mode", Number(0)),
    ("apz.content_response_timeout", Number(60_000)),
    ("mousewheel.allow_scrolling_more_than_one_page", Yes),
    // Dialogs, slow scripts and answers without a body are told to the client, not asked about in the window.
    ("dom.successive_dialog_time_limit", Number(0)),
    ("dom.ipc.reportProcessHangs", No),
    ("dom.max_script_run_time", Number(0)),
    ("dom.max_chrome_script_run_time", Number(0)),
    ("browser.http.blank_page_with_error_response.enabled", Yes),
    ("network.http.prompt-temp-redirect", No),
    ("network.manage-offline-status", No),
    // What is emulated is not asked of the system.
    ("dom.permissions.testing.enabled", Yes),
    ("dom.screenorientation.allow-lock", Yes),
    ("geo.provider.testing", Yes),
    ("geo.prompt.open_system_prefs", No),
    ("geo.provider.network.url", Text("")),
    ("geo.wifi.scan", No),
    // Files for an upload are made in the process of their page.
    ("dom.file.createInChild", Yes),
    // What the person has saved is not filled into forms.
    ("signon.autofillForms", No),
    ("extensions.formautofill.addresses.enabled", No),
    ("extensions.formautofill.creditCards.enabled", No),
    // With a proxy, WebRTC goes through it or nowhere.
    ("media.peerconnection.ice.proxy_only_if_behind_proxy", Yes),
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
    // What was downloaded is told, not shown.
    ("browser.download.alwaysOpenPanel", No),
    ("browser.download.panel.shown", Yes),
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
/// them.
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

/// Gives them to a profile, for as long as the browser runs.
pub(crate) fn write_into(profile: &Path, major: Option<u32>, proxy_only: bool) -> io::Result<()> {
    let line = |(name, to): &(&str, To)| match to {
        Yes => format!("user_pref(\"{name}\", true);"),
        No => format!("user_pref(\"{name}\", false);"),
        Number(number) => format!("user_pref(\"{name}\", {number});"),
        Text(text) => format!("user_pref(\"{name}\", \"{text}\");"),
    };
    cicerone_process::add_preferences(profile, &preferences(major, proxy_only).map(line).collect::<Vec<_>>())
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
