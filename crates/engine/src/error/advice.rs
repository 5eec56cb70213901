//! The names of errors, and what to do about each.

use cicerone_driver::{Kind, LaunchError};
use cicerone_relay::Refusal;

use super::Error;
use crate::{snapshot::quoted, vault::VaultError};

impl Error {
    /// A short name that does not change with the wording.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Stale { .. } => "StaleRef",
            Self::UnknownRef(_) => "UnknownRef",
            Self::ForeignRef { .. } => "ForeignRef",
            Self::NotInside { .. } => "NotInside",
            Self::NoMatch { .. } => "NotFound",
            Self::Ambiguous { .. } => "Ambiguous",
            Self::BadTarget { .. } => "BadTarget",
            Self::NotReady { .. } => "NotReady",
            Self::Misfit { .. } => "Misfit",
            Self::NotTaken { .. } => "NotTaken",
            Self::Missed { .. } | Self::HitAnotherFrame(_) => "Missed",
            Self::NoFieldForSecret => "Misfit",
            Self::BadUrl { .. } => "BadUrl",
            Self::Navigation { .. } => "NavigationFailed",
            Self::OnTheWay { .. } | Self::Relay(_) => "ProxyFailed",
            Self::NavigationTimeout { .. }
            | Self::ScriptTimeout(_)
            | Self::WaitTimeout { .. }
            | Self::NobodyPicked(_)
            | Self::Unresponsive(_) => "Timeout",
            Self::BadPattern { .. } => "BadPattern",
            Self::DownloadFailed(_) => "DownloadFailed",
            Self::PickingGivenUp => "GivenUp",
            Self::Stayed { .. } => "Stayed",
            Self::NoHistory(_) => "NoHistory",
            Self::DialogOpen(_) => "DialogOpen",
            Self::NoDialog => "NoDialog",
            Self::Capture(error) => error.name(),
            Self::NoConsoleBuffer => "NoConsoleBuffer",
            Self::Sandbox(failure) if failure.blocked => "Forbidden",
            Self::Script(_) | Self::ScriptValue(_) | Self::Sandbox(_) => "ScriptError",
            Self::NoTab { .. } | Self::NoTabId { .. } => "NoTab",
            Self::NoFrame(_) => "NoFrame",
            Self::NoWindow { .. } => "NoWindow",
            Self::BrowserSilent(_) => "Timeout",
            Self::NoContext { .. } => "NoContext",
            Self::ContextExists(_) => "ContextExists",
            Self::LastContext => "LastContext",
            Self::Storage { .. } => "BadStorageState",
            Self::Vault(VaultError::Unknown { .. }) => "NotFound",
            Self::Vault(_) => "VaultError",
            Self::Picture(_) => "ImageError",
            Self::OffViewport { .. } | Self::ClipOutside { .. } => "OffViewport",
            Self::NotPdf => "BrowserError",
            Self::Record(error) => error.name(),
            Self::CookieDropped(_) => "CookieDropped",
            Self::WebStorage(_) => "StorageError",
            Self::NoCookie(_) => "NotFound",
            Self::NothingToKeep => "NothingToKeep",
            Self::Unsupported(_) | Self::NeedsSystemAccess(_) => "Unsupported",
            Self::Emulation(error) => error.name(),
            Self::Crashed { .. } => "Crashed",
            Self::TabClosed => "TabClosed",
            Self::BrowserEnded => "BrowserEnded",
            Self::Launch(_) => "LaunchFailed",
            Self::UnknownKey(_) => "UnknownKey",
            Self::Outside(_)
            | Self::FileUrlsOff(_)
            | Self::FileWithheld(_)
            | Self::Repository(_)
            | Self::Exists(_)
            | Self::HostRefused(_) => "Forbidden",
            Self::File { .. } => "FileError",
            Self::NoFileField
            | Self::SeveralFileFields { .. }
            | Self::OneFileOnly(_)
            | Self::NotForFiles(_) => "FileField",
            Self::TooLarge { .. } => "TooLarge",
            Self::NotFetched { .. } => "FetchFailed",
            Self::Request(error) => error.name(),
            Self::NoRoute { .. } => "NotFound",
            Self::Bookmark(error) => error.name(),
            Self::Driver(_) => "BrowserError",
        }
    }

    /// What to do next.
    pub fn hint(&self) -> String {
        match self {
            Self::Stale { .. } | Self::UnknownRef(_) => "take a new snapshot and use a ref from it".into(),
            Self::ForeignRef { context: Some(context), .. } => {
                format!("switch to the context {} first, or take a snapshot here", quoted(context, 100))
            }
            Self::ForeignRef { tab, .. } => format!("select tab {tab} first, or take a snapshot of this one"),
            Self::NotInside { .. } => "leave out the subtree: what the element stands in is used then".into(),
            Self::NoMatch { .. } => {
                "take a snapshot to see what is on the page, or wait for it to appear".into()
            }
            Self::Ambiguous { .. } => "use one of these refs, or a narrower target".into(),
            Self::BadTarget { .. } => {
                "use a ref (e12), CSS, role:button[name=\"Save\"], text:…, label:… or //xpath".into()
            }
            Self::NotReady { obstacle, .. } => obstacle.hint().into(),
            Self::Misfit { options, .. } if !options.is_empty() => {
                let known: Vec<String> = options.iter().map(|option| quoted(option, 60)).collect();
                format!("choose one of {}", known.join(", "))
            }
            Self::Misfit { .. } => "choose another element or value".into(),
            Self::NotTaken { .. } => "try typing slowly, or click the field first".into(),
            Self::Missed { .. } => "wait until the page is quiet, then try again".into(),
            Self::HitAnotherFrame(_) => {
                "take a snapshot: something in that frame may have been clicked. Do not trust this page".into()
            }
            Self::NoFieldForSecret => "click the field first, or name it".into(),
            Self::FileUrlsOff(_) => {
                "start the server with --allow-file-urls, or open it from a root of the client".into()
            }
            Self::FileWithheld(_) => "navigate to another URL".into(),
            Self::BadUrl { meant: Some(meant), .. } => format!("did you mean {meant} ?"),
            Self::BadUrl { .. } => "give an absolute http: or https: URL".into(),
            Self::Navigation { .. } => "check the URL, and that the server can be reached from here".into(),
            Self::OnTheWay { .. } => {
                "check the proxy's address, user name and password, and that it runs".into()
            }
            Self::HostRefused(refusal) => refusal_hint(refusal).into(),
            Self::Relay(_) => "try again; the system refused to listen on loopback".into(),
            Self::NavigationTimeout { .. } => {
                "take a snapshot to see what came so far; or try again, or raise --navigation-timeout".into()
            }
            Self::Stayed { .. } => "navigate again to leave it: the next question is accepted".into(),
            Self::NoHistory(_) => "navigate to a URL instead".into(),
            Self::DialogOpen(_) => "answer it first (accept or dismiss)".into(),
            Self::NoDialog => "do what opens it first; calls that it holds up say so".into(),
            Self::NoConsoleBuffer => "start it first".into(),
            Self::Capture(error) => error.hint().into(),
            Self::Script(error) if error.syntax => {
                "give a function such as () => document.title, or an expression".into()
            }
            Self::Script(_) => "mend the script; the page goes on".into(),
            Self::Sandbox(failure) if failure.blocked => {
                "scripts read and change the document; eval, Function, cookies, storage, other windows and injected code are blocked"
                    .into()
            }
            Self::Sandbox(_) => {
                "mend the script: it is the body of a strict async function, and the page's own variables are not in its sight"
                    .into()
            }
            Self::ScriptTimeout(_) => "the page can be used again; do less in one script".into(),
            Self::ScriptValue(_) => {
                "return plain data: strings, numbers, lists, objects without cycles".into()
            }
            Self::WaitTimeout { .. } => "take a snapshot to see what is there instead".into(),
            Self::BadPattern { .. } => "give a text, or a regular expression between slashes".into(),
            Self::DownloadFailed(_) => "start it again".into(),
            Self::NobodyPicked(_) | Self::PickingGivenUp => {
                "ask again with a headed browser, or find the element by role, text or a snapshot".into()
            }
            Self::Unresponsive(_) => "try again; if it stays stuck, navigate elsewhere".into(),
            Self::NoTab { .. } => "list the tabs to see their indices".into(),
            Self::NoTabId { .. } => "use the id of an open tab, or leave it out for the active one".into(),
            Self::NoWindow { .. } => "use the id of a window that is open, or leave it out".into(),
            Self::BrowserSilent(_) => "try again; if it stays silent, the browser must be ended".into(),
            Self::NoFrame(_) => "take a snapshot: the frame of f2e5 is 2, and 0 is the page itself".into(),
            Self::NoContext { .. } => "use one of these names, or create it".into(),
            Self::ContextExists(_) => "switch to it, or choose another name".into(),
            Self::LastContext => "create another context first".into(),
            Self::Storage { reason, .. } => reason.hint().into(),
            Self::OffViewport { .. } => {
                "take a screenshot of the viewport, and scroll or resize first if needed".into()
            }
            Self::ClipOutside { .. } => {
                "choose a clip inside, or give full_page to clip the whole page".into()
            }
            Self::Record(error) => error.hint().into(),
            Self::NotPdf => "try again; if it stays, navigate anew".into(),
            Self::Vault(VaultError::Unknown { .. }) => "list the saved states, or save one first".into(),
            Self::Vault(VaultError::Unreadable(_)) => "delete it and save it anew".into(),
            Self::Vault(_) => "check the name, and the user's data directory".into(),
            Self::Picture(_) => "take the screenshot again, or only of an element".into(),
            Self::NoCookie(_) => {
                "list all cookies to see what there is, or give the url that it is for".into()
            }
            Self::NothingToKeep => "open a page of the site first, or name its origin".into(),
            Self::CookieDropped(_) => {
                "check its name, domain and path; SameSite=None needs secure, and secure needs https".into()
            }
            Self::WebStorage(_) => "open a page of a site first, or store less".into(),
            Self::Emulation(error) => error.hint(),
            Self::NeedsSystemAccess(_) => {
                format!("start the server with --system-access, or with --browser {}", Kind::default())
            }
            Self::Unsupported(_) => {
                format!("use another engine (--browser {})", Kind::default())
            }
            Self::Crashed { .. } => "the next call opens it anew; or navigate elsewhere".into(),
            Self::TabClosed => "list the tabs, or navigate to open a new one".into(),
            Self::BrowserEnded => "navigate again: a fresh browser will be started".into(),
            Self::Launch(LaunchError::Missing { .. }) => {
                "install a browser (`cicerone install`, or the tool for it), or give --executable-path".into()
            }
            Self::Launch(LaunchError::TooOld { .. }) => {
                "update the browser (on Debian, as root: `apt-get update`, then `apt-get install` of its package), or give \
                 --executable-path of a newer one"
                    .into()
            }
            Self::Launch(LaunchError::ProfileInUse { .. }) => {
                "end that process, or leave out --profile-lock fail to work on a copy".into()
            }
            Self::Launch(LaunchError::ProfileExposed { path }) => {
                format!("run `chmod 700 {}`, or give another --user-data-dir", path.display())
            }
            Self::Launch(LaunchError::NotAlone { .. }) => {
                "try again; if it stays so, find out which program connects to ports on this machine".into()
            }
            Self::Launch(LaunchError::TooOldFor { .. }) => "update the browser, or do without".into(),
            Self::Launch(LaunchError::NoSuchKind(_)) => format!("use {}", Kind::default()),
            Self::Launch(LaunchError::NoDisplay) => {
                "start it headless, or start the server in a graphical session or with xvfb-run".into()
            }
            Self::Launch(_) => "check --executable-path; without a display start it headless".into(),
            Self::UnknownKey(_) => "use names such as Enter, Tab, ArrowDown, a, Control+A".into(),
            Self::Outside(_) => "use a relative path, or start the server with --allow-path".into(),
            Self::Repository(_) => "use another directory".into(),
            Self::Exists(_) => "use another name: only files that were saved before are replaced".into(),
            Self::File { .. } => "check the path".into(),
            Self::NoFileField | Self::NotForFiles(_) => {
                "click what opens the file chooser first, or give the field's ref".into()
            }
            Self::SeveralFileFields { .. } => "give the ref of the field that is meant".into(),
            Self::OneFileOnly(_) => "give one path".into(),
            Self::TooLarge { .. } => "save them below the working directory and give their paths".into(),
            Self::NotFetched { .. } => {
                "check the URL, and that the browser may see it (log in first); or give a path".into()
            }
            Self::Request(error) => error.hint().into(),
            Self::NoRoute { .. } => "list the routes of the tab to see their ids".into(),
            Self::Bookmark(error) => error.hint().into(),
            Self::Driver(_) => "try again; if it stays, navigate anew".into(),
        }
    }
}

/// The client cannot change the policy; whoever started the server can.
fn refusal_hint(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::NotAllowed { .. } => {
            "use a host that is allowed; the server's owner sets them with --allowed-hosts"
        }
        Refusal::Blocked { .. } | Refusal::BlockedAddress { .. } => {
            "use another host; the server's owner blocks this one with --blocked-hosts"
        }
        _ => "use another host; the server's owner can allow this address with --allowed-hosts",
    }
}
