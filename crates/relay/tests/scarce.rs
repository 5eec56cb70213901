//! A process that runs out of file descriptors. It needs its own process, since the limit is process-wide.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, dead_code, reason = "tests")]

#[path = "suite/parts/mod.rs"]
mod parts;

use std::net::TcpStream;

use cicerone_relay::{PROXY_AUTH_URL, Relay, Route, Trouble};
use parts::{browser::Browser, site};
use rustix::process::{Resource, Rlimit, setrlimit};

#[tokio::test]
async fn when_there_are_files_again_there_is_service_again() {
    setrlimit(Resource::Nofile, Rlimit { current: Some(96), maximum: Some(96) }).unwrap();
    let site = site::start().await;
    let relay = Relay::start(Route::direct()).unwrap();
    let browser = Browser::of(&relay);
    let mut line = browser.line().await;
    assert_eq!(line.get(PROXY_AUTH_URL).await.status, 204);
    let mut crowd = Vec::new();
    while let Ok(stream) = TcpStream::connect(relay.address()) {
        crowd.push(stream);
    }
    assert!(crowd.len() > 20, "the limit was hit before the crowd came");
    // An accepted client gets an error if no connection can be opened for it.
    let answer = line.get(&format!("http://{}/hello", site.address)).await;
    assert_eq!(answer.status, 503);
    assert_eq!(relay.troubles().pop().unwrap().trouble, Trouble::Crowded);
    crowd.clear();
    assert_eq!(browser.get(&format!("http://{}/hello", site.address)).await.body, "hello");
    assert_eq!(line.get(&format!("http://{}/hello", site.address)).await.body, "hello");
}
