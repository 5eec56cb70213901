//! Page text made safe for one line. A page must not be able to forge lines, refs or quotes, nor to hide text
//! with control characters.

use std::{borrow::Cow, fmt::Write};

/// In quotes, escaped, and truncated to this length.
pub fn quoted(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    write_safe(&mut out, text, most, true);
    out.push('"');
    out
}

/// The same for the value of a field: line breaks become `\
/// `.
pub fn quoted_value(text: &str, most: usize) -> String {
    format!("\"{}\"", in_lines(text, most, true))
}

/// Without quotes, on one line, truncated to this length.
pub fn plain(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len());
    write_safe(&mut out, text, most, false);
    out
}

/// With line breaks as `\
/// `, truncated to this length, with or without quotes.
pub(crate) fn in_lines(text: &str, most: usize, in_quotes: bool) -> String {
    // A literal backslash must not read like that of a line break.
    let text = if in_quotes { Cow::Borrowed(text) } else { Cow::Owned(text.replace('\\', "\\\\")) };
    let lines: Vec<&str> = text.split('\n').collect();
    let mut out = String::with_capacity(text.len());
    let mut left = most;
    for (nth, line) in lines.iter().enumerate() {
        if nth > 0 {
            out.push_str("\\n");
        }
        write_safe(&mut out, line.strip_suffix('\r').unwrap_or(line), left, in_quotes);
        let length = line.chars().count();
        if length > left {
            return out;
        }
        left -= length;
    }
    out
}

/// Truncated to this length; safe text is not copied.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// What follows a text that is truncated to this length; nothing if it is whole.
pub(crate) fn truncation_mark(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => truncated(text.chars().count()),
        None => String::new(),
    }
}

/// What follows a truncated text.
pub(crate) fn truncated(total: usize) -> String {
    format!(" (truncated, {total} characters in total)")
}

fn write_safe(out: &mut String, text: &str, most: usize, in_quotes: bool) {
    for (count, (at, character)) in text.char_indices().enumerate() {
        if count == most {
            out.push('…');
            return;
        }
        match character {
            '"' | '\\' if in_quotes => out.extend(['\\', character]),
            '\n' | '\r' | '\t' => out.push(' '),
            // Text that looks like a ref must not read like one.
            '[' if looks_like_a_ref(&text[at + 1..]) => out.push_str("\\["),
            c if c.is_control() || is_invisible(c) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
}

/// Whether `ref=` follows a bracket, in any case, with blanks or invisible characters in between.
fn looks_like_a_ref(after_bracket: &str) -> bool {
    let letters =
        after_bracket.chars().filter(|c| !c.is_whitespace() && !c.is_control() && !is_invisible(*c));
    letters.take(4).map(|c| c.to_ascii_lowercase()).eq("ref=".chars())
}

/// Characters that reorder or hide text around them.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_cannot_forge_our_words() {
        assert_eq!(quoted("a \"b\"\n- button [ref=e1]", 100), r#""a \"b\" - button \[ref=e1]""#);
        assert_eq!(plain("x\u{202e}y\u{0}", 100), "x\\u202ey\\u0000");
        assert_eq!(plain("äöü", 2), "äö…");
        assert_eq!(
            plain("see [ref=e1], [ REF = e2], [\u{200b}ref=e3], [reference] [1]", 100),
            "see \\[ref=e1], \\[ REF = e2], \\[\\u200bref=e3], [reference] [1]"
        );
    }

    #[test]
    fn quotes_are_escaped_only_inside_quotes() {
        assert_eq!(quoted(r#"5" \ 6""#, 100), r#""5\" \\ 6\"""#);
        assert_eq!(plain(r#"5" \ 6""#, 100), r#"5" \ 6""#);
    }

    #[test]
    fn line_breaks_are_written() {
        assert_eq!(
            in_lines("a\r\nb\\n", 100, true),
            r"a\nb\\n",
            "a line break is not the same as what it is written as"
        );
        assert_eq!(in_lines("ab\ncd", 3, false), r"ab\nc…");
    }
}
