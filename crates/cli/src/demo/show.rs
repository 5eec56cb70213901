//! How the demonstration looks in a terminal.

#![expect(
    clippy::print_stdout,
    reason = "the demonstration is there to be read; no protocol is spoken on this output"
)]

use cicerone_testkit::Reply;
use serde_json::Value;

const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "31";
const GREEN: &str = "32";
const BLUE: &str = "34";

/// Where everything is printed.
pub(super) struct Stage {
    /// Whether colours would be seen.
    pub(super) colourful: bool,
}

impl Stage {
    pub(super) fn say(&self, sentence: &str) {
        println!("{sentence}");
    }

    pub(super) fn title(&self, title: &str) {
        println!("\n{}", self.paint(BOLD, title));
    }

    /// A call, as it is made.
    pub(super) fn call(&self, tool: &str, arguments: &Value) {
        println!("  {} {}", self.paint(BLUE, tool), self.paint(DIM, &arguments.to_string()));
    }

    /// What came back, and when.
    pub(super) fn reply(&self, reply: &Reply) {
        for line in reply.text.lines() {
            println!("  {} {line}", self.paint(DIM, "│"));
        }
        let (colour, how) = if reply.failed { (RED, "failed") } else { (GREEN, "ok") };
        let took = format!("{how}, {:.1} ms, {} bytes", reply.took.as_secs_f64() * 1_000.0, reply.bytes);
        println!("  {} {}", self.paint(DIM, "└"), self.paint(colour, &took));
    }

    /// Something to paste.
    pub(super) fn block(&self, name: &str, what_to_do: &str, text: &str) {
        println!("{}: {what_to_do}\n", self.paint(BOLD, name));
        for line in text.lines() {
            println!("    {line}");
        }
        println!();
    }

    fn paint(&self, style: &str, text: &str) -> String {
        if self.colourful { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
