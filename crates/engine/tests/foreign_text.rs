//! Text that others write, in thousands of odd forms: parsers answer or refuse, and what is made safe is safe. `FOREIGN_TEXT_SEED`
//! makes others of them.

use cicerone_engine::{
    KeyChord, Pattern, Secrets, StorageState, Target, sanitize,
    snapshot::{plain, quoted},
};
use cicerone_relay::{Bypass, HostPattern, Upstream};
use serde_json::Value;

/// How many texts each parser gets.
const ROUNDS: usize = 20_000;

/// Pieces that mean something to one parser or another.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "e12", "@e1", "f2e3", "role:", "button", "[name=\"", "\"]", "text:", "label:", "xpath=", "//a", ":focus", ">>", "nth=", "#", ".", "*", "**",
    "?", "{", "}", "(", ")", "[", "]", "/", "\\", "\\d+", "|", "^", "$", "+", "i", "http://", "socks5://", "user:pass@", "example.com", "127.0.0.1",
    "[::1]", "0x7f.1", "2130706433", ":80", ":99999", ",", ";", " ", "\t", "\n", "\0", "\u{202e}", "\u{200b}", "%41", "%zz", "é", "日本", "🦀", "\"",
    "'", "`", "<local>", "Control+", "Shift+", "A", "cookies", "{\"cookies\":[", "]}", "null", "1e999", "-0", "[ref=e1]", "&amp;", "s3cr3t", "\\u0073",
];

fn random() -> fastrand::Rng {
    let given = std::env::var("FOREIGN_TEXT_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or(1);
    fastrand::Rng::with_seed(seed)
}

fn text(random: &mut fastrand::Rng) -> String {
    let mut text = String::new();
    for _ in 0..random.usize(0..12) {
        match random.u8(0..8) {
            0 => text.push(random.char(..)),
            _ => text.push_str(PIECES[random.usize(0..PIECES.len())]),
        }
    }
    text
}

#[test]
fn parsers_answer_or_refuse() {
    let mut random = random();
    for _ in 0..ROUNDS {
        let text = text(&mut random);
        // What is shown of one that was understood is made of the same text.
        let _ = text.parse::<Target>().map(|target| target.to_string());
        let _ = text.parse::<KeyChord>();
        let _ = text.parse::<HostPattern>();
        let _ = text.parse::<Bypass>();
        let _ = text.parse::<Upstream>().map(|upstream| upstream.to_string());
        let _ = StorageState::parse(text.as_bytes());
        let _ = Pattern::for_urls(&text).map(|pattern| pattern.matches("http://example.com/a/b?c=d"));
        sanitize(&mut Value::String(text.clone()), &text);
    }
}

#[test]
fn text_of_pages_stays_on_its_line_and_in_its_quotes() {
    let mut random = random();
    let hidden = |c: char| c.is_control() || matches!(c, '\u{202e}' | '\u{200b}');
    for _ in 0..ROUNDS {
        let text = text(&mut random);
        for safe in [quoted(&text, 50), plain(&text, 50)] {
            assert!(!safe.contains(hidden), "{text:?} {safe:?}");
            assert!(!safe.replace("\\[", "_").contains("[ref="), "{text:?} {safe:?}");
        }
        let inside = quoted(&text, 50);
        let unescaped = inside[1..inside.len() - 1].replace("\\\\", "").replace("\\\"", "");
        assert!(!unescaped.contains('"'), "{text:?} {inside:?}");
    }
}

#[test]
fn secrets_are_found_whatever_stands_around_them() {
    let mut random = random();
    let secrets = Secrets::new([("KEY".to_owned(), "s3cr3t".to_owned())]);
    for _ in 0..ROUNDS {
        let text = text(&mut random);
        assert!(!secrets.redact(&text).contains("s3cr3t"), "{text:?}");
    }
}
