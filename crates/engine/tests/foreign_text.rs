//! Text that others write, in thousands of odd forms: parsers answer or refuse, and what is made safe is safe.

use cicerone_engine::{
    Address, Directories, Files, KeyChord, Pattern, Secrets, StorageState, Target, sanitize,
    snapshot::{plain, quoted},
};
use cicerone_relay::{Bypass, HostPattern, Upstream};
use cicerone_testkit::ForeignText;
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

#[test]
fn parsers_answer_or_refuse() {
    let mut foreign = ForeignText::new();
    for _ in 0..ROUNDS {
        let text = foreign.text(PIECES, 12);
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

/// Pieces of URLs, some of them local.
#[rustfmt::skip]
const URL_PIECES: &[&str] = &[
    "http", "https", "file", "FILE", "data", "about", "view-source", "javascript", ":", "//", "/", "\\", "blank", "localhost", "example.com", "::1",
    "[", "]", ":80", ":99999", "@", "?", "#", "..", ".", "%2e", "%2F", "%00", "etc/hostname", "tmp", " ", "\t", "\n", "\0", "é", "C|", "C:", "~",
];

#[test]
fn urls_are_opened_as_browsers_read_them_and_lead_to_no_file_outside() {
    let mut foreign = ForeignText::new();
    // With `file:` URLs on, but no file to open.
    let nowhere = std::env::temp_dir().join(format!("cicerone-nowhere-{}", std::process::id()));
    let directories = Directories { working: nowhere, file_urls: true, ..Directories::default() };
    let files = Files::new(directories);
    let mut opened = 0;
    for _ in 0..ROUNDS {
        let text = foreign.text(URL_PIECES, 10);
        let Ok(address) = Address::read(&text, &files) else { continue };
        opened += 1;
        let url = url::Url::parse(address.as_str()).unwrap();
        assert!(["http", "https", "data", "about"].contains(&url.scheme()), "{text:?} {address}");
        assert!(url.scheme() != "about" || url.path() == "blank", "{text:?} {address}");
        assert!(!url.scheme().starts_with("http") || url.host().is_some(), "{text:?} {address}");
    }
    assert!(opened > 0);
}

#[test]
fn text_of_pages_stays_on_its_line_and_in_its_quotes() {
    let mut foreign = ForeignText::new();
    let hidden = |c: char| c.is_control() || matches!(c, '\u{202e}' | '\u{200b}');
    for _ in 0..ROUNDS {
        let text = foreign.text(PIECES, 12);
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
    let mut foreign = ForeignText::new();
    let secrets = Secrets::new([("KEY".to_owned(), "s3cr3t".to_owned())]);
    for _ in 0..ROUNDS {
        let text = foreign.text(PIECES, 12);
        assert!(!secrets.redact(&text).contains("s3cr3t"), "{text:?}");
    }
}
