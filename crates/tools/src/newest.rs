//! Lists of which a reply shows the newest that fit.

use std::fmt::Write;

/// How many characters of such a list a reply has, at most.
const MOST: usize = 50_000;

/// The lines that fit, oldest first, of those that come newest first.
pub(crate) fn newest(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut width = 0;
    let fits = |line: &String| {
        width += line.chars().count() + 1;
        width <= MOST
    };
    let mut fitting: Vec<String> = lines.take_while(fits).collect();
    fitting.reverse();
    fitting
}

/// `200 console messages (500 older ones were dropped), truncated to the newest 50: 150 left out`, and the lines.
pub(crate) fn told(what: &str, count: usize, dropped: usize, lines: &[String]) -> String {
    let mut text = match count {
        0 => format!("No {what}s"),
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    };
    // Writing to a string cannot fail.
    if dropped > 0 {
        let _ = write!(text, " ({dropped} older ones were dropped)");
    }
    if count > lines.len() {
        let left_out = count - lines.len();
        let _ = write!(text, ", truncated to the newest {}: {left_out} left out", lines.len());
    }
    for line in lines {
        let _ = write!(text, "\n{line}");
    }
    text
}
