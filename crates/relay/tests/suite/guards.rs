//! Authentication, and what a relay refuses to forward.

use cicerone_relay::{PROXY_AUTH_URL, Relay, Route};

use crate::parts::{browser::Browser, site};

#[tokio::test]
async fn without_the_secret_nothing_is_reached() {
    let site = site::start().await;
    let relay = Relay::start(Route::direct()).unwrap();
    let other = Relay::start(Route::direct()).unwrap();
    let strangers = [
        Browser::knowing(relay.address(), relay.user(), "guess"),
        Browser::knowing(relay.address(), "", relay.password()),
        Browser::knowing(relay.address(), other.user(), other.password()),
    ];
    for stranger in strangers {
        for url in [format!("http://{}/hello", site.address), PROXY_AUTH_URL.to_owned()] {
            let answer = stranger.get(&url).await;
            assert_eq!(answer.status, 407);
            assert_eq!(answer.header("proxy-authenticate"), Some("Basic realm=\"cicerone\""));
        }
        let answer = stranger.connect(&site.address.to_string()).await.err().unwrap();
        assert_eq!(answer.status, 407);
    }
    assert_eq!(site.seen(), [""; 0]);
    assert_eq!(relay.troubles(), []);
}

#[tokio::test]
async fn a_browser_that_was_asked_may_go_on_with_its_credentials() {
    let site = site::start().await;
    let relay = Relay::start(Route::direct()).unwrap();
    let mut line = Browser::of(&relay).line().await;
    line.raw(&format!("GET http://{}/hello HTTP/1.1\r\nHost: x\r\n\r\n", site.address)).await;
    assert_eq!(line.answer().await.unwrap().status, 407);
    assert_eq!(line.get(&format!("http://{}/hello", site.address)).await.body, "hello");
}

#[tokio::test]
async fn requests_with_two_lengths_reach_nobody() {
    let site = site::start().await;
    let relay = Relay::start(Route::direct()).unwrap();
    let browser = Browser::of(&relay);
    let smuggled = "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
    for lengths in [
        "Content-Length: 5\r\nContent-Length: 46\r\n",
        "Content-Length: 5, 46\r\n",
        "Content-Length: +46\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: xchunked\r\n",
    ] {
        let mut line = browser.line().await;
        line.ask(&format!("POST http://{}/echo HTTP/1.1\r\nHost: x\r\n{lengths}", site.address), smuggled)
            .await;
        let answer = line.answer().await.unwrap();
        assert_eq!(answer.status, 400, "{lengths}");
        assert!(line.is_over().await, "what follows {lengths} was read");
    }
    assert_eq!(site.seen(), [""; 0]);
}

#[tokio::test]
async fn a_length_beside_chunks_is_not_passed_on_nor_what_hides_behind_it() {
    let site = site::start().await;
    let relay = Relay::start(Route::direct()).unwrap();
    let browser = Browser::of(&relay);
    let hidden = format!("GET http://{}/hidden HTTP/1.1\r\nHost: x\r\n\r\n", site.address);
    let lengths =
        ["Transfer-Encoding: chunked\r\n".to_owned(), format!("Content-Length: {}\r\n", hidden.len() + 12)];
    for (one, other) in [(0, 1), (1, 0)] {
        let mut line = browser.line().await;
        let head = format!(
            "POST http://{}/echo HTTP/1.1\r\nHost: x\r\n{}{}",
            site.address, lengths[one], lengths[other]
        );
        line.ask(&head, &format!("2\r\nab\r\n0\r\n\r\n{hidden}")).await;
        assert_eq!(line.answer().await.unwrap().body, "ab");
        assert!(
            line.answer().await.is_none_or(|answer| answer.status == 407),
            "it was taken for a request of its own"
        );
    }
    assert_eq!(site.seen().len(), 2);
    for head in site.seen() {
        assert!(!head.to_lowercase().contains("content-length") && head.starts_with("POST"), "{head}");
    }
}

#[tokio::test]
async fn what_is_no_request_to_a_proxy_is_refused() {
    let site = site::start().await;
    let relay = Relay::start(Route::direct()).unwrap();
    let browser = Browser::of(&relay);
    for first in
        ["GET /hello", "GET https://site.test/", "GET ftp://site.test/", "CONNECT site.test", "CONNECT :0"]
    {
        let mut line = browser.line().await;
        line.ask(&format!("{first} HTTP/1.1\r\nHost: {}\r\n", site.address), "").await;
        assert_eq!(line.answer().await.unwrap().status, 400, "{first}");
    }
    assert_eq!(site.seen(), [""; 0]);
}

#[tokio::test]
async fn endless_heads_are_refused() {
    let relay = Relay::start(Route::direct()).unwrap();
    let mut line = Browser::of(&relay).line().await;
    let long = "x".repeat(300 << 10);
    // It may close the connection before everything is sent.
    let sent = format!("GET {PROXY_AUTH_URL} HTTP/1.1\r\nX: {long}\r\n\r\n");
    tokio::io::AsyncWriteExt::write_all(&mut line.stream, sent.as_bytes()).await.ok();
    let answer = line.answer().await;
    assert!(answer.is_none_or(|answer| answer.status == 431), "a long one was taken");
    let mut line = Browser::of(&relay).line().await;
    line.ask(&format!("GET {PROXY_AUTH_URL} HTTP/1.1\r\n{}", "X: 1\r\n".repeat(1000)), "").await;
    assert_eq!(line.answer().await.unwrap().status, 431);
}
