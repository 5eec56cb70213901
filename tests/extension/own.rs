//! A person's Chrome with the extension, and a server that uses it.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    Server, Site,
    chrome::{Chrome, install_extension},
    display::Display,
};

/// The name of the tests' client, and of its tab group.
pub(crate) const CLIENT: &str = "suites";

pub(crate) struct Own {
    pub(crate) server: Server,
    pub(crate) chrome: Chrome,
    pub(crate) site: Site,
    pub(crate) data: TempDir,
    /// What its windows are on, after which it ends.
    display: Option<Display>,
}

impl Own {
    /// A site with a page of the person's own, which is open, and one for the agent, which is opened.
    pub(crate) fn at(html: &str) -> Self {
        Self::with(&[], html)
    }

    pub(crate) fn with(flags: &[&str], html: &str) -> Self {
        let mut own = Self::unopened(flags, &[], html);
        let url = own.site.url("/");
        own.server.navigate(&url);
        own
    }

    /// The same before its first call, with other extensions in the browser.
    pub(crate) fn unopened(flags: &[&str], others: &[&Path], html: &str) -> Self {
        Self::started(flags, others, &["--headless=new"], None, html)
    }

    /// The same with windows, on a display of its own.
    pub(crate) fn headed(html: &str) -> Self {
        Self::started(&[], &[], &[], Some(Display::start()), html)
    }

    /// The same with flags for the browser too.
    pub(crate) fn started(
        flags: &[&str],
        others: &[&Path],
        browser_flags: &[&str],
        display: Option<Display>,
        html: &str,
    ) -> Self {
        let data = tempfile::tempdir().unwrap();
        let extension = install_extension(data.path());
        let site = Site::with(&[("/", html), ("/mine", "<title>Mine</title><h1>Private</h1>")]);
        let extensions: Vec<&Path> =
            std::iter::once(extension.as_path()).chain(others.iter().copied()).collect();
        let chrome = Chrome::start_on(
            display.as_ref().map(Display::name),
            &extensions,
            &site.url("/mine"),
            browser_flags,
        );
        let server = server(data.path(), flags, CLIENT);
        Self { server, chrome, site, data, display }
    }

    pub(crate) fn extension(&self) -> PathBuf {
        self.data.path().join("cicerone/extension")
    }

    /// What the server wrote for the extension.
    pub(crate) fn entries(&self) -> Vec<Value> {
        let text = std::fs::read(self.extension().join("server.json")).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// The URLs of the tabs that the server sees.
    pub(crate) fn tabs(&mut self) -> Vec<String> {
        tabs(&mut self.server)
    }
}

pub(crate) fn tabs(server: &mut Server) -> Vec<String> {
    let reply = server.call("browser_tabs", json!({ "action": "list" }));
    let tabs = reply.ok().facts()["tabs"].as_array().unwrap();
    tabs.iter().map(|tab| tab["url"].as_str().unwrap().to_owned()).collect()
}

/// A server for a client of this name.
pub(crate) fn server(data: &Path, flags: &[&str], client: &str) -> Server {
    let flags: Vec<&str> = std::iter::once("--extension").chain(flags.iter().copied()).collect();
    let mut server = Server::spawn(&flags, &[("XDG_DATA_HOME", data.to_str().unwrap())]);
    let params = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": { "name": client, "version": "1" },
    });
    server.request("initialize", params);
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    server
}
