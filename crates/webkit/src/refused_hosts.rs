//! The content filter of pages without a proxy: WebKit drops their requests for hosts that are never reached unless a
//! policy allows them. Pages with a proxy have a relay that checks addresses.

use cicerone_driver_kit::REFUSED_HOSTS;
use serde_json::{Value, json};

/// Rules as WebKit compiles them.
pub(crate) fn rules() -> String {
    let rule =
        |host: &&str| json!({ "trigger": { "url-filter": url_filter(host) }, "action": { "type": "block" } });
    REFUSED_HOSTS.iter().map(rule).collect::<Value>().to_string()
}

/// A regular expression for URLs of a host: with any scheme, user and port.
fn url_filter(host: &str) -> String {
    let mut regex = String::new();
    for letter in host.chars() {
        match letter {
            '*' => regex.push_str("[^/]*"),
            '?' => regex.push_str("[^/]?"),
            '.' => regex.push_str("\\."),
            letter => regex.push(letter),
        }
    }
    if host.contains(':') {
        regex = format!("\\[{regex}\\]");
    }
    format!("^[^:]+://([^/]*@)?{regex}(:[0-9]+)?/")
}

#[cfg(test)]
mod tests {
    use super::url_filter;

    #[test]
    fn hosts_become_regular_expressions() {
        assert_eq!(url_filter("169.254.*"), r"^[^:]+://([^/]*@)?169\.254\.[^/]*(:[0-9]+)?/");
        assert_eq!(url_filter("fe8?:*"), r"^[^:]+://([^/]*@)?\[fe8[^/]?:[^/]*\](:[0-9]+)?/");
    }
}
