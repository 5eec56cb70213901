//! Requests and responses are forwarded.

use cicerone_relay::{PROXY_AUTH_URL, Relay, Route};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::parts::{browser::Browser, header, site, soon};

fn direct() -> (Relay, Browser) {
    let relay = Relay::start(Route::direct()).unwrap();
    let browser = Browser::of(&relay);
    (relay, browser)
}

#[tokio::test]
async fn a_connection_carries_one_request_after_the_other() {
    let (site, (_relay, browser)) = (site::start().await, direct());
    let mut line = browser.line().await;
    for _ in 0..3 {
        let answer = line.get(&format!("http://{}/hello", site.address)).await;
        assert_eq!((answer.status, answer.body.as_str()), (200, "hello"));
        assert!(answer.head.starts_with("HTTP/1.1 200 Fine\r\n"), "{}", answer.head);
        assert!(answer.head.contains("X-Mixed-Case: 1"), "{}", answer.head);
        assert_eq!(answer.header("x-hop"), None, "what is about the connection ends with it");
    }
    assert_eq!(site.seen().len(), 3);
}

#[tokio::test]
async fn a_site_sees_the_request_as_if_it_came_straight() {
    let (site, (_relay, browser)) = (site::start().await, direct());
    let mut line = browser.line().await;
    let first = format!("GET http://{}/hello?a=b HTTP/1.1\r\n", site.address);
    line.ask(&format!("{first}Host: other.test\r\nX-Case: 1\r\nProxy-Connection: keep-alive\r\n"), "").await;
    line.answer().await.unwrap();
    let seen = site.seen().remove(0);
    assert!(seen.starts_with("GET /hello?a=b HTTP/1.1\r\n"), "{seen}");
    assert_eq!(header(&seen, "host"), Some(site.address.to_string().as_str()), "the first line decides");
    assert!(seen.contains("X-Case: 1\r\n"), "{seen}");
    assert!(!seen.to_lowercase().contains("proxy-"), "{seen}");
}

#[tokio::test]
async fn one_connection_of_the_browser_may_ask_for_several_hosts() {
    let (one, other, (_relay, browser)) = (site::start().await, site::start().await, direct());
    let mut line = browser.line().await;
    for site in [&one, &other, &one] {
        assert_eq!(line.get(&format!("http://{}/hello", site.address)).await.status, 200);
    }
    assert_eq!((one.seen().len(), other.seen().len()), (2, 1));
}

#[tokio::test]
async fn bodies_of_every_kind_go_both_ways() {
    let (site, (_relay, browser)) = (site::start().await, direct());
    let post = format!("POST http://{}/echo HTTP/1.1\r\nHost: x\r\n", site.address);
    let mut line = browser.line().await;
    line.ask(&format!("{post}Content-Length: 4\r\n"), "four").await;
    assert_eq!(line.answer().await.unwrap().body, "four");
    line.ask(&format!("{post}Transfer-Encoding: chunked\r\n"), "3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n").await;
    assert_eq!(line.answer().await.unwrap().body, "onetwo");
    let answer = line.get(&format!("http://{}/chunked", site.address)).await;
    assert_eq!(answer.body, "onetwo");
    let answer = line.get(&format!("http://{}/old", site.address)).await;
    assert_eq!(answer.body, "until the end");
}

#[tokio::test]
async fn a_browser_that_waits_before_its_body_is_told_to_go_on() {
    let (site, (_relay, browser)) = (site::start().await, direct());
    let mut line = browser.line().await;
    let post = format!("POST http://{}/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n", site.address);
    line.ask(&format!("{post}Expect: 100-continue\r\n"), "").await;
    assert_eq!(line.answer().await.unwrap().status, 100);
    line.raw("four").await;
    assert_eq!(line.answer().await.unwrap().body, "four");
}

#[tokio::test]
async fn answers_without_a_body_leave_the_connection_usable() {
    let (site, (_relay, browser)) = (site::start().await, direct());
    let mut line = browser.line().await;
    line.ask(&format!("HEAD http://{}/head HTTP/1.1\r\nHost: x\r\n", site.address), "").await;
    let answer = line.answer_to_head().await;
    assert_eq!((answer.status, answer.header("content-length")), (200, Some("5")));
    assert_eq!(line.get(&format!("http://{}/none", site.address)).await.status, 204);
    let answer = line.get(&format!("http://{}/same", site.address)).await;
    assert_eq!((answer.status, answer.header("etag")), (304, Some("\"1\"")));
    assert_eq!(line.get(&format!("http://{}/hello", site.address)).await.body, "hello");
}

#[tokio::test]
async fn a_tunnel_carries_a_websocket_both_ways() {
    let (site, (_relay, browser)) = (site::start().await, direct());
    let mut tunnel = browser.connect(&site.address.to_string()).await.ok().unwrap();
    tunnel.write_all(b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n").await.unwrap();
    let mut head = [0; 56];
    soon(tunnel.read_exact(&mut head)).await.unwrap();
    assert!(head.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&head));
    for frame in [&b"\x81\x02hi"[..], b"\x81\x05there"] {
        tunnel.write_all(frame).await.unwrap();
        let mut back = vec![0; frame.len()];
        soon(tunnel.read_exact(&mut back)).await.unwrap();
        assert_eq!(back, frame);
    }
}

#[tokio::test]
async fn the_end_of_one_direction_leaves_the_other_open() {
    let (echo, (_relay, browser)) = (site::echo().await, direct());
    let mut tunnel = browser.connect(&echo.address.to_string()).await.ok().unwrap();
    tunnel.write_all(b"last words").await.unwrap();
    tunnel.shutdown().await.unwrap();
    let mut back = String::new();
    soon(tunnel.read_to_string(&mut back)).await.unwrap();
    assert_eq!(back, "last wordsbye");
}

#[tokio::test]
async fn names_of_this_machine_need_no_resolver() {
    let (site, (_relay, browser)) = (site::start().await, direct());
    let answer = browser.get(&format!("http://app.localhost:{}/hello", site.port())).await;
    assert_eq!(answer.body, "hello");
}

#[tokio::test]
async fn the_priming_address_is_answered_by_the_relay_itself() {
    let (_relay, browser) = direct();
    let mut line = browser.line().await;
    assert_eq!(line.get(PROXY_AUTH_URL).await.status, 204);
    assert_eq!(line.get(PROXY_AUTH_URL).await.status, 204);
}

#[tokio::test]
async fn a_site_may_end_a_connection_between_two_requests() {
    let (site, (relay, browser)) = (site::start().await, direct());
    let mut line = browser.line().await;
    assert_eq!(line.get(&format!("http://{}/last", site.address)).await.status, 200);
    line.ask(&format!("GET http://{}/hello HTTP/1.1\r\nHost: x\r\n", site.address), "").await;
    // If the request crossed the end of the connection, ours ends likewise, and a browser retries on another.
    match line.answer().await {
        Some(answer) => assert_eq!(answer.body, "hello"),
        None => assert_eq!(browser.get(&format!("http://{}/hello", site.address)).await.body, "hello"),
    }
    assert_eq!(relay.troubles(), []);
}

#[tokio::test]
async fn a_browser_that_leaves_takes_what_was_made_for_it_along() {
    let (silent, (_relay, browser)) = (site::silent().await, direct());
    let mut line = browser.line().await;
    line.ask(&format!("GET http://{}/ HTTP/1.1\r\nHost: x\r\n", silent.address), "").await;
    let tunnel = browser.connect(&silent.address.to_string()).await.ok().unwrap();
    soon(silent.until(|seen| seen.len() == 2)).await;
    drop((line, tunnel));
    soon(silent.until(|seen| seen.iter().filter(|event| *event == "left").count() == 2)).await;
}

#[tokio::test]
async fn a_dropped_relay_cuts_its_connections_and_listens_no_more() {
    let (echo, (relay, browser)) = (site::echo().await, direct());
    let mut tunnel = browser.connect(&echo.address.to_string()).await.ok().unwrap();
    let mut idle = browser.line().await;
    assert_eq!(idle.get(PROXY_AUTH_URL).await.status, 204);
    let address = relay.address();
    drop(relay);
    assert!(matches!(soon(tunnel.read(&mut [0])).await, Ok(0) | Err(_)));
    assert!(idle.is_over().await);
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}
