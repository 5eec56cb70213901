//! Who may connect at all: the extension, on its own path, by a name of loopback.

use cicerone_wire::transport::Upgrade;

use crate::ID;

/// Where the extension connects to.
const PATH: &str = "/extension";

/// Whether a connection to this port is the extension's, by what Chrome says about it. Pages and other extensions cannot
/// forge their origin; other programs can, and do not know the token.
pub(crate) fn admits(upgrade: Upgrade<'_>, port: u16) -> bool {
    let origin = upgrade.origin.and_then(|origin| origin.strip_prefix("chrome-extension://"));
    let names = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let host = upgrade.host.is_some_and(|host| names.iter().any(|name| name == host));
    upgrade.path == PATH && host && origin == Some(ID)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_extension_is_admitted() {
        let origin = format!("chrome-extension://{ID}");
        let (longer, another) =
            (format!("{origin}.example.com"), format!("chrome-extension://{}", "a".repeat(32)));
        let upgrade = |path, host, origin| admits(Upgrade { path, host, origin }, 7);
        let host = Some("127.0.0.1:7");
        assert!(upgrade("/extension", host, Some(&origin)));
        assert!(upgrade("/extension", Some("localhost:7"), Some(&origin)));
        assert!(!upgrade("/extension", host, None), "a program that says nothing");
        assert!(!upgrade("/extension", host, Some("http://127.0.0.1:7")), "a page");
        assert!(!upgrade("/extension", host, Some("null")));
        assert!(!upgrade("/extension", host, Some(&longer)) && !upgrade("/extension", host, Some(&another)));
        assert!(!upgrade("/extension", Some("evil.example.com:7"), Some(&origin)), "rebinding");
        assert!(!upgrade("/extension", Some("127.0.0.1:8"), Some(&origin)));
        assert!(!upgrade("/extension?x", host, Some(&origin)) && !upgrade("/", host, Some(&origin)));
    }
}
