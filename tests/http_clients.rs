//! `cicerone call --server`, and the doctor's words on the server.

use crate::support::{Shell, Site, http::HttpServer};

const TOKEN: &str = "a-token-that-is-long-enough-0123456789";

#[test]
fn calls_from_a_shell_use_a_running_server() {
    let site = Site::of("<h1>Here</h1>");
    let server = HttpServer::with(&[], &[("CICERONE_TOKEN", TOKEN)]);
    let url = format!("http://{}/mcp", server.address);
    let shell = Shell::new().file("token", TOKEN).file("wrong", &TOKEN.replace('0', "1"));
    let go = format!("url={}", site.url("/"));
    let call = |token: &str, words: &[&str]| {
        let mut all = vec!["call", "--server", &url, "--token-file", token];
        all.extend(words);
        shell.run(&all)
    };
    call("token", &["browser_navigate", &go]).ok().prints("heading \"Here\"");
    // The same session answers the next call.
    call("token", &["browser_snapshot"]).ok().prints("heading \"Here\"");
    assert_eq!(server.health()["sessions"], 1);
    call("wrong", &["browser_snapshot"]).fails(3, "token");
    call("token", &["browser_navigate"]).fails(2, "url");
    call("token", &["browser_click", "ref=e99"]).fails(1, "e99");
    call("token", &["--end"]).ok();
    let nobody = ["call", "--server", "http://127.0.0.1:29173/mcp", "browser_snapshot"];
    shell.run(&nobody).fails(3, "127.0.0.1:29173");
    shell.run(&["call", "--server", "ftp://x/", "browser_snapshot"]).fails(2, "http://");
}

#[test]
fn the_doctor_knows_ports_and_tokens() {
    let server = HttpServer::start(&[]);
    let address = server.address.to_string();
    let shell = Shell::new().file("token", TOKEN).file("short", "x");
    let checked = |flags: &[&str], code: i32, words: &str| {
        let done = shell.run(&[&["doctor"], flags].concat());
        assert_eq!(done.code, Some(code), "{done:?}");
        assert!(done.out.contains(words), "{words} is not in {done:?}");
    };
    checked(&["--http", &address], 1, &format!("port: {address} cannot be listened on"));
    checked(&["--http", "127.0.0.1:0", "--token-file", "token"], 0, "chmod 600 token");
    checked(&["--http", "0.0.0.0:0"], 1, "a token is required");
    checked(&["--http", "127.0.0.1:0", "--token-file", "short"], 1, "at least 16");
}
