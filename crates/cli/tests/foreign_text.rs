//! Text that others write, in thousands of odd forms: addresses of running browsers and of resources.

use cicerone_endpoint::Endpoint;
use cicerone_testkit::ForeignText;
use cicerone_tools::resource::ResourceUri;

const ROUNDS: usize = 20_000;

/// Pieces that mean something to one parser or the other.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "http://", "ws://", "wss:", "user:pass@", "127.0.0.1", "[::1]", "localhost", ":9222", ":99999", "/", "//", "?", "#", "devtools/browser/", "session/",
    "page://", "context://", "dialect://", "device://", "file:///", "current", "0", "-1", "99999999999999999999", "snapshot", "screenshot", "console",
    "tabs", "tools", "e1", "..", "%2f", "%zz", "%00", "%", "{tab}", "\\", "\0", " ", "\n", "é", "🦀", "\u{202e}",
];

#[test]
fn parsers_answer_or_refuse() {
    let mut foreign = ForeignText::new();
    for _ in 0..ROUNDS {
        let text = foreign.text(PIECES, 10);
        let _ = ResourceUri::parse(&text);
        let _ = text.parse::<Endpoint>().map(|endpoint| endpoint.name());
    }
}
