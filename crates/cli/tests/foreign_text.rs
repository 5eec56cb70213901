//! Text that others write, in thousands of odd forms: addresses of running browsers and of resources. `FOREIGN_TEXT_SEED` makes
//! others of them.

use cicerone_endpoint::Endpoint;
use cicerone_tools::resource::ResourceUri;

const ROUNDS: usize = 20_000;

/// Pieces that mean something to one parser or the other.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "http://", "ws://", "wss:", "user:pass@", "127.0.0.1", "[::1]", "localhost", ":9222", ":99999", "/", "//", "?", "#", "devtools/browser/", "session/",
    "page://", "context://", "dialect://", "device://", "file:///", "current", "0", "-1", "99999999999999999999", "snapshot", "screenshot", "console",
    "tabs", "tools", "e1", "..", "%2f", "%zz", "%00", "%", "{tab}", "\\", "\0", " ", "\n", "é", "🦀", "\u{202e}",
];

fn text(random: &mut fastrand::Rng) -> String {
    let mut text = String::new();
    for _ in 0..random.usize(0..10) {
        match random.u8(0..8) {
            0 => text.push(random.char(..)),
            _ => text.push_str(PIECES[random.usize(0..PIECES.len())]),
        }
    }
    text
}

#[test]
fn parsers_answer_or_refuse() {
    let seed = std::env::var("FOREIGN_TEXT_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut random = fastrand::Rng::with_seed(seed.unwrap_or(1));
    for _ in 0..ROUNDS {
        let text = text(&mut random);
        let _ = ResourceUri::parse(&text);
        let _ = text.parse::<Endpoint>().map(|endpoint| endpoint.name());
    }
}
