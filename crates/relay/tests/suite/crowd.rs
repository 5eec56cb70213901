//! Many connections at once.

use std::time::Duration;

use cicerone_relay::{PROXY_AUTH_URL, Relay, Route};
use futures::future::join_all;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::parts::{browser::Browser, site, soon};

#[tokio::test]
async fn two_thousand_tunnels_are_open_at_once() {
    let echo = site::echo().await;
    let relay = Relay::start(Route { timeout: Duration::from_secs(60), ..Route::direct() }).unwrap();
    let browser = Browser::of(&relay);
    let place = echo.address.to_string();
    let tunnels = join_all((0..2000).map(|_| browser.connect(&place))).await;
    let mut tunnels: Vec<_> = tunnels.into_iter().map(|tunnel| tunnel.ok().unwrap()).collect();
    for (number, tunnel) in tunnels.iter_mut().enumerate() {
        tunnel.write_all(format!("{number:05}").as_bytes()).await.unwrap();
    }
    for (number, tunnel) in tunnels.iter_mut().enumerate() {
        let mut back = [0; 5];
        soon(tunnel.read_exact(&mut back)).await.unwrap();
        assert_eq!(back, format!("{number:05}").as_bytes());
    }
    assert_eq!(relay.troubles(), []);
}

#[tokio::test]
async fn a_slow_visitor_holds_up_nobody() {
    let relay = Relay::start(Route::direct()).unwrap();
    let browser = Browser::of(&relay);
    let mut slow = browser.line().await;
    slow.raw("GET http://half.test/ HT").await;
    assert_eq!(browser.get(PROXY_AUTH_URL).await.status, 204);
}
