//! The shape of the `agent` dialect's replies.

use serde_json::{Value, json};

use super::{Reply, Tab, open_with};

/// With the `browser` tools beside it, for looking.
pub const DIALECT: [&str; 2] = ["--dialect", "agent,browser"];

/// A server of the dialect, with one page of this HTML open.
pub fn open(html: &str) -> Tab {
    open_with(&DIALECT, html)
}

/// What it is told, in the dialect's shape.
#[track_caller]
pub fn data(reply: &Reply) -> &Value {
    reply.ok();
    assert_eq!(reply.facts()["success"], true, "{}", reply.facts());
    &reply.facts()["data"]
}

/// It must have failed by this name with these words, in the dialect's shape.
#[track_caller]
pub fn fails(reply: &Reply, name: &str, words: &str) {
    assert!(reply.failed(), "it did not fail: {}", reply.message);
    let facts = reply.facts();
    assert_eq!((&facts["success"], &facts["name"]), (&json!(false), &json!(name)), "{}", reply.text());
    assert!(facts["error"].as_str().unwrap().contains(words), "{words:?} is not in {}", facts["error"]);
    assert!(reply.text().contains("Hint: "), "{}", reply.text());
}
