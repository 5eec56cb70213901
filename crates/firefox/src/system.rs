//! Privileged script in the browser process: only if the browser was launched for it, and only while nobody
//! else can connect. Whoever can controls the browser.

use std::{path::Path, time::Duration};

use cicerone_driver::{DriverError, Feature, LaunchError, Result};
use cicerone_wire::Session;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use url::Url;

use crate::{
    browser::FirefoxBrowser,
    page::{FirefoxPage, failed},
    protocol::{
        browsing_context::GetChromeTree,
        script::{CallFunction, Evaluated, LocalValue, SerializationOptions, Target},
    },
};

/// The command-line flag.
pub(crate) const ARGUMENT: &str = "--remote-allow-system-access";

/// The environment variable for the same, which later versions need.
pub(crate) const VARIABLE: &str = "MOZ_REMOTE_ALLOW_SYSTEM_ACCESS";

/// The first version that has privileged script for BiDi.
const SINCE: u32 = 153;

/// Whether a version has it. One that is not known is a later one.
pub(crate) fn is_in(major: Option<u32>) -> bool {
    major.is_none_or(|major| major >= SINCE)
}

/// The privileged functions.
const FUNCTIONS: &str = include_str!("system.js");

/// Calls one of them. They live beside the browser's modules, which outlive windows.
const CALL: &str = "async function(source,name,args){\
    const home=Cu.getGlobalForObject(Services);\
    home.cicerone??=Cu.evalInSandbox(source,Cu.Sandbox(Services.scriptSecurityManager.getSystemPrincipal(),\
    {sandboxName:'cicerone',sandboxPrototype:home}));\
    return JSON.stringify(await home.cicerone[name](...JSON.parse(args))??null)}";

/// The sandbox of the window that they are called from.
const SANDBOX: &str = "cicerone-system";

/// Time limit for checking who is connected.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The browser process.
pub(crate) struct System {
    root: Session,
}

impl System {
    /// Calls a privileged function: arguments and answer are JSON.
    pub(crate) async fn call<T: DeserializeOwned>(&self, name: &str, arguments: impl Serialize) -> Result<T> {
        let garbled = |error| DriverError::Garbled(std::sync::Arc::new(error));
        let arguments = serde_json::to_string(&arguments).map_err(garbled)?;
        let window = self.window().await?;
        let command = CallFunction {
            function_declaration: CALL,
            arguments: &[
                LocalValue::String(FUNCTIONS),
                LocalValue::String(name),
                LocalValue::String(&arguments),
            ],
            target: Target { context: &window, sandbox: Some(SANDBOX) },
            await_promise: true,
            user_activation: false,
            serialization_options: SerializationOptions::default(),
        };
        match self.root.send(&command).await.map_err(failed)? {
            Evaluated::Success { result, .. } => {
                let answer = result.value.as_ref().and_then(Value::as_str).unwrap_or("null");
                serde_json::from_str(answer).map_err(garbled)
            }
            Evaluated::Exception { exception_details } => Err(DriverError::Refused {
                command: "script.callFunction",
                message: exception_details.text.trim_start_matches("Error: ").to_owned(),
            }),
        }
    }

    /// Any of the browser's windows: it has one as long as it runs.
    async fn window(&self) -> Result<String> {
        let tree = self.root.send(&GetChromeTree { scope: "chrome", max_depth: 0 }).await.map_err(failed)?;
        let own = |scope: &Option<String>| scope.as_deref() == Some("chrome");
        let window = tree.contexts.into_iter().find(|window| own(&window.scope));
        window.map(|window| window.context).ok_or(DriverError::Unsupported(Feature::PrivilegedScripts))
    }
}

impl FirefoxBrowser {
    /// The browser process, for what needs it.
    pub(crate) fn system(&self, what: Feature) -> Result<&System> {
        self.shared.system.get().ok_or(DriverError::NeedsSystemAccess(what))
    }

    /// Ensures that only we have system access, or ends the browser. A connection from before our session
    /// would share it; the browser rejects later ones.
    pub(crate) async fn take_system_access(&self, program: &Path) -> std::result::Result<(), LaunchError> {
        let system = System { root: self.connection.root() };
        let asked = tokio::time::timeout(TIMEOUT, system.call::<usize>("connections", [(); 0])).await;
        let program = program.to_owned();
        Err(match asked {
            Ok(Ok(1)) => {
                let _ = self.shared.system.set(system);
                return Ok(());
            }
            Ok(Ok(_)) => LaunchError::NotAlone { program },
            Ok(Err(DriverError::Unsupported(_))) => {
                LaunchError::TooOldFor { program, feature: "system access" }
            }
            Ok(Err(error)) => LaunchError::Failed { program, stderr: error.to_string() },
            Err(_) => LaunchError::Failed { program, stderr: String::new() },
        })
    }
}

impl FirefoxPage {
    /// Calls a privileged function for this page; an error without system access.
    pub(crate) async fn privileged<T: DeserializeOwned>(
        &self,
        what: Feature,
        name: &str,
        argument: impl Serialize,
    ) -> Result<T> {
        self.lifecycle.alive()?;
        let shared = self.shared.upgrade().ok_or(DriverError::Disconnected)?;
        let lacks = if shared.attached.is_some() {
            DriverError::Unsupported(what)
        } else {
            DriverError::NeedsSystemAccess(what)
        };
        let system = shared.system.get().ok_or(lacks)?;
        let answer =
            self.lifecycle.unless_ended(system.call::<Option<T>>(name, (self.context(), argument))).await??;
        answer.ok_or_else(|| self.lifecycle.alive().err().unwrap_or(DriverError::Gone))
    }

    /// Without system access the browser navigates to the web only. With it, it would open its own pages
    /// too, whose scripts may do anything.
    pub(crate) fn may_not_go_to(&self, url: &str) -> bool {
        let has_access = self.shared.upgrade().is_some_and(|shared| shared.system.get().is_some());
        has_access && !is_of_the_web(url)
    }
}

/// Whether the browser navigates to a URL without system access. Relative ones do not count: they depend on
/// the page.
fn is_of_the_web(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    match url.scheme() {
        "http" | "https" | "file" | "blob" | "data" | "javascript" => true,
        "about" => url.path() == "blank",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_of_the_browser_are_not_of_the_web() {
        for url in
            ["http://a.example/", "HTTPS://a", "file:///tmp", "data:,a", "about:blank", "about:blank#a"]
        {
            assert!(is_of_the_web(url), "{url}");
        }
        for url in [
            "about:config",
            " about:config",
            "abo\tut:config",
            "About:Config",
            "about:blank/config",
            "chrome://browser/content/browser.xhtml",
            "resource://gre/",
            "view-source:about:config",
            "moz-extension://a/",
            "jar:file:///a!/b",
            "config",
            "//config",
            "",
        ] {
            assert!(!is_of_the_web(url), "{url}");
        }
    }
}
