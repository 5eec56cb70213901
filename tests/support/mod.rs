//! What the tests know of the API: a [`Server`] over stdio, [`Reply`]s, a [`Site`] on loopback, [`Proxy`]s to
//! it, and a [`Shell`].

pub mod agent;
pub mod arguments;
mod canary;
pub mod cdp;
pub mod chrome;
pub mod display;
pub mod events;
pub mod firefox;
pub mod har;
pub mod http;
mod proxy;
mod reply;
mod schema;
mod server;
mod shell;
mod site;
mod socket;
pub mod tls;

pub use canary::{Canary, own_address};
pub use proxy::Proxy;
pub use reply::{Reply, fails_with, tells};
pub use server::{Server, Tab, engine, not_defined, program_name};
pub use shell::{CommandOutput, Shell};
pub use site::{Answer, Site};
pub use tls::SecureSite;

/// Where nobody listens. Systems give higher ports to whoever asks for any one, so no test gets this one by chance, and
/// browsers refuse the well-known ones.
pub const NOBODY: &str = "127.0.0.1:29173";

/// A server with one page of this HTML open.
pub fn open(html: &str) -> Tab {
    open_with(&[], html)
}

/// The same, with flags for the server.
pub fn open_with(flags: &[&str], html: &str) -> Tab {
    open_site(flags, Site::of(html))
}

/// A server with flags, at the first page of a site.
pub fn open_site(flags: &[&str], site: Site) -> Tab {
    let mut tab = Tab { server: Server::start(flags), site };
    let url = tab.site.url("/");
    tab.call("browser_navigate", serde_json::json!({ "url": url })).ok();
    tab
}
