//! A connection against a browser played by the test: a pipe whose other end it holds.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::{Arc, Mutex};

use cicerone_wire::{Command, Connection, WireError, transport::nul_terminated};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

#[derive(Serialize)]
struct Add {
    one: i32,
}

#[derive(Deserialize)]
struct Sum {
    sum: i32,
}

impl Command for Add {
    const METHOD: &'static str = "Sums.add";
    type Reply = Sum;
}

type Seen = Arc<Mutex<Vec<String>>>;

/// A connection, the browser's end of it, and the events that were observed.
fn connected() -> (Connection, DuplexStream, Seen) {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(ours);
    let seen = Seen::default();
    let observed = Arc::clone(&seen);
    let connection = Connection::open(nul_terminated(reader, writer), move |event| {
        observed.lock().unwrap().push(format!("{} {:?}", event.method, event.session));
    });
    (connection, theirs, seen)
}

async fn next_message(browser: &mut DuplexStream) -> serde_json::Value {
    let mut message = Vec::new();
    loop {
        match browser.read_u8().await.unwrap() {
            0 => return serde_json::from_slice(&message).unwrap(),
            byte => message.push(byte),
        }
    }
}

async fn say(browser: &mut DuplexStream, message: &str) {
    browser.write_all(message.as_bytes()).await.unwrap();
    browser.write_all(&[0]).await.unwrap();
}

#[tokio::test]
async fn replies_find_their_requests_after_the_events_before_them() {
    let (connection, mut browser, seen) = connected();
    let first = connection.root().send(&Add { one: 1 });
    let second = connection.session("S").send(&Add { one: 2 });
    assert_eq!(next_message(&mut browser).await["params"]["one"], 1);
    let request = next_message(&mut browser).await;
    assert_eq!((&request["sessionId"], &request["method"]), (&"S".into(), &"Sums.add".into()));

    say(&mut browser, r#"{"method":"Sums.news","sessionId":"S","params":{"never":"heard of"}}"#).await;
    say(&mut browser, "no message at all").await;
    say(&mut browser, r#"{"id":2,"result":{"sum":22,"more":true}}"#).await;
    assert_eq!(second.await.unwrap().sum, 22);
    assert_eq!(*seen.lock().unwrap(), [r#"Sums.news Some("S")"#]);

    say(&mut browser, r#"{"id":1,"error":{"code":-32000,"message":"no"}}"#).await;
    assert!(matches!(first.await, Err(WireError::Refused { method: "Sums.add", code: -32000, .. })));
}

#[tokio::test]
async fn what_is_pending_fails_with_its_session_and_with_the_browser() {
    let (connection, browser, _) = connected();
    let lost = connection.session("S").send(&Add { one: 1 });
    let closed = connection.root().send(&Add { one: 2 });
    connection.lose("S");
    assert!(matches!(lost.await, Err(WireError::Lost { .. })));
    drop(browser);
    assert!(matches!(closed.await, Err(WireError::Closed)));
    connection.closed().await;
    assert!(matches!(connection.root().send(&Add { one: 3 }).await, Err(WireError::Closed)));
}

#[tokio::test]
async fn a_transport_that_breaks_is_made_again_and_only_what_was_pending_fails() {
    let (ours, mut browser) = tokio::io::duplex(1 << 16);
    let (ours_again, mut browser_again) = tokio::io::duplex(1 << 16);
    let mut others = vec![ours_again];
    let again = Box::new(move || {
        let next = others.pop().map(|ours| {
            let (reader, writer) = tokio::io::split(ours);
            nul_terminated(reader, writer)
        });
        Box::pin(async move { next }) as _
    });
    let (reader, writer) = tokio::io::split(ours);
    let connection = Connection::open_lasting(nul_terminated(reader, writer), again, |_| {});
    let pending = connection.root().send(&Add { one: 1 });
    assert_eq!(next_message(&mut browser).await["params"]["one"], 1);

    drop(browser);
    assert!(matches!(pending.await, Err(WireError::Interrupted { .. })));
    let asked = connection.root().send(&Add { one: 2 });
    let id = next_message(&mut browser_again).await["id"].clone();
    say(&mut browser_again, &format!(r#"{{"id":{id},"result":{{"sum":4}}}}"#)).await;
    assert_eq!(asked.await.unwrap().sum, 4);
    assert!(!connection.is_closed());

    drop(browser_again);
    connection.closed().await;
    assert!(matches!(connection.root().send(&Add { one: 3 }).await, Err(WireError::Closed)));
}
