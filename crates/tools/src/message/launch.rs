use cicerone_engine::{Engine, LaunchError};

use super::{ErrorName, Message};

pub(super) fn message(error: &LaunchError) -> Message {
    Message::new(ErrorName::LaunchFailed, format!("the browser could not be started: {error}"), hint(error))
}

fn hint(error: &LaunchError) -> String {
    let hint = match error {
        LaunchError::Missing { engine, .. } => {
            return format!(
                "install it (`cicerone install {engine}` in a terminal, or the tool for it), or give --executable-path"
            );
        }
        LaunchError::TooOld { .. } => {
            "update the browser (on Debian, as root: `apt-get update`, then `apt-get install` of its package), or give \
             --executable-path of a newer one"
        }
        LaunchError::ProfileInUse { .. } => {
            "end that process, or leave out --profile-lock fail to work on a copy"
        }
        LaunchError::ProfileExposed { path } => {
            return format!("run `chmod 700 {}`, or give another --user-data-dir", path.display());
        }
        LaunchError::NotAlone { .. } => {
            "try again; if it happens again, find out which program connects to ports on this machine"
        }
        LaunchError::TooOldFor { .. } => "update the browser, or do without",
        LaunchError::VersionMismatch { engine, .. } => {
            return format!(
                "run `cicerone install {engine}` in a terminal, or put the program of this release beside cicerone"
            );
        }
        LaunchError::UnsupportedEngine(_) => return format!("use {}", Engine::default()),
        LaunchError::NoDisplay => {
            "start it headless, or start the server in a graphical session or with xvfb-run"
        }
        LaunchError::Unreachable { .. } | LaunchError::Silent { .. } => {
            "check that the browser runs there with remote debugging on (--remote-debugging-port), and the URL of --endpoint"
        }
        LaunchError::NoBrowser { .. } => {
            "check the URL of --endpoint: http://HOST:PORT of a Chromium, or ws://HOST:PORT/session of a Firefox"
        }
        LaunchError::Unauthorized { .. } => {
            "give the token in CICERONE_ENDPOINT_TOKEN, or credentials or a query string in the URL of --endpoint"
        }
        LaunchError::NoContexts { .. } => "use the browser's own context: --endpoint-context default",
        LaunchError::NoProxyInDefaultContext => {
            "use --endpoint-context own, or leave out --proxy and the host options"
        }
        LaunchError::NoProxyElsewhere { .. } => {
            "enforce it where the browser runs, or leave out --proxy and the host options"
        }
        LaunchError::SessionTaken { .. } => {
            "end the other client; one that was killed or lost its connection leaves its session behind until that browser is \
             started again"
        }
        LaunchError::NotFirefox { .. } => "give http://HOST:PORT of its remote debugging port",
        LaunchError::NotStartedForProxy { .. } => {
            "leave out --endpoint, so that a browser is started for it, or leave out --proxy and the host options"
        }
        LaunchError::RunsAlready { .. } => {
            "use it as it is, or start the server without --endpoint and --extension"
        }
        LaunchError::NoExtension { .. } => {
            "ask the person to run `cicerone extension install` and to load the extension in their Chrome"
        }
        LaunchError::ExtensionSilent { .. } => {
            "ask the person to start Chrome; `cicerone extension install` says how to load the extension there"
        }
        LaunchError::ExtensionOutdated => "ask the person to reload the extension at chrome://extensions",
        _ => "check --executable-path; without a display start it headless",
    };
    hint.to_owned()
}
