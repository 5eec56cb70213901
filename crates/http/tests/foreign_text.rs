//! `Set-Cookie` headers in thousands of odd forms: they are understood as far as a browser would, or ignored.

use cicerone_http::SetCookie;
use cicerone_testkit::ForeignText;
use url::Url;

/// How many headers each host sends.
const ROUNDS: usize = 20_000;

/// Pieces that mean something to the parser, its dates too.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "a=b", "=", ";", "; ", "Expires=", "Wed, 21 Oct 2065 07:28:00 GMT", "31 Feb 2015", "07:28:00", "24:00:00", "99", "1601", "65535", "oct", "Oct2",
    "Max-Age=", "-", "9", "99999999999999999999", "Domain=", ".", "h.test", "www.", "test", "127.0.0.1", "[::1]", "Path=", "/", "..", "Secure",
    "HttpOnly", "SameSite=", "none", "lax", "Partitioned", "__Host-", "__secure-", "\"", ",", " ", "\t", "\0", "\r\n", "é", "日本", "🦀", "%00",
];

#[test]
fn set_cookie_headers_are_understood_or_ignored() {
    let mut foreign = ForeignText::new();
    let (mut understood, mut with_date) = (0, 0);
    for host in ["www.h.test", "127.0.0.1", "[::1]"] {
        let from: Url = format!("http://{host}/x/y").parse().expect("a URL");
        for _ in 0..ROUNDS {
            let header = foreign.pieces(PIECES, 12);
            let Some(cookie) = SetCookie::parse(&header, &from, 1_000) else { continue };
            understood += 1;
            with_date += usize::from(cookie.expires.is_some());
            let fits = cookie
                .domain
                .as_deref()
                .is_none_or(|domain| domain == host || host.ends_with(&format!(".{domain}")));
            assert!(fits, "{header:?} {cookie:?}");
            assert!(cookie.path.starts_with('/'), "{header:?} {cookie:?}");
            // Both go into a header again.
            let written = format!("{}={}", cookie.name, cookie.value);
            assert!(!written.contains([';', '\r', '\n', '\0']), "{header:?} {cookie:?}");
            assert!(!cookie.secure || host != "www.h.test", "{header:?} {cookie:?}");
        }
    }
    assert!(understood > ROUNDS / 10 && with_date > 0, "{understood} {with_date}");
}
