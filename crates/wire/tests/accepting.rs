//! A WebSocket that somebody opened, and what is read of it before they are known.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::{io, time::Duration};

use cicerone_wire::{
    Connection, Transport,
    transport::{Limits, ReadLimit, accept_websocket, websocket},
};
use tokio::net::TcpListener;

const LIMITS: Limits = Limits { stranger: 4096, message: 1 << 20 };

/// Our end, its read_limit, and the stranger's end.
async fn accepted() -> (Transport, ReadLimit, Transport) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let dialled = tokio::spawn(websocket(address, "/"));
    let (stream, _) = listener.accept().await.unwrap();
    let (ours, read_limit) = accept_websocket(stream, LIMITS, |_| true).await.unwrap();
    (ours, read_limit, dialled.await.unwrap().unwrap())
}

async fn read(ours: &mut Transport) -> io::Result<Option<usize>> {
    let mut message = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(20), ours.reader.read(&mut message)).await.unwrap();
    read.map(|read| read.then_some(message.len()))
}

#[tokio::test]
async fn a_stranger_is_heard_for_a_few_bytes() {
    let (mut ours, _allowance, mut theirs) = accepted().await;
    theirs.writer.write(vec![b'x'; 1000]).await.unwrap();
    assert_eq!(read(&mut ours).await.unwrap(), Some(1000));
    // No longer than one message may be, but with the one before it more than a stranger may say.
    theirs.writer.write(vec![b'x'; 4000]).await.unwrap();
    assert_eq!(read(&mut ours).await.unwrap_err().kind(), io::ErrorKind::InvalidData);
}

#[tokio::test]
async fn who_has_proved_to_be_the_right_one_may_say_more_in_messages_that_have_an_end() {
    let (mut ours, read_limit, mut theirs) = accepted().await;
    read_limit.lift();
    for _ in 0..3 {
        theirs.writer.write(vec![b'x'; 100_000]).await.unwrap();
        assert_eq!(read(&mut ours).await.unwrap(), Some(100_000));
    }
    // It is refused by its head, and never written to the end.
    tokio::spawn(async move { theirs.writer.write(vec![b'x'; LIMITS.message + 1]).await });
    assert!(read(&mut ours).await.is_err());
}

#[tokio::test]
async fn who_said_too_much_learns_that_before_they_come_back() {
    let (ours, read_limit, mut theirs) = accepted().await;
    read_limit.lift();
    let nobody = Box::new(|| Box::pin(std::future::pending()) as _);
    let _connection = Connection::open_lasting(ours, nobody, |_| {});
    tokio::spawn(async move { theirs.writer.write(vec![b'x'; LIMITS.message + 1]).await });
    let mut message = Vec::new();
    let ended =
        tokio::time::timeout(Duration::from_secs(20), theirs.reader.read(&mut message)).await.unwrap();
    assert!(!matches!(ended, Ok(true)), "{} bytes", message.len());
}
