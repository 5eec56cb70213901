//! Endpoints where there is no browser.

use std::{
    net::{SocketAddr, TcpListener},
    process::{Command, Stdio},
};

use serde_json::json;

use crate::{
    doctor,
    support::{Answer, NOBODY, Server, Site},
};

#[track_caller]
fn fails(endpoint: &str, words: &str) {
    let (fine, said) = doctor(&["--endpoint", endpoint]);
    assert!(!fine && said.contains(words), "{endpoint}: {said}");
    let mut server = Server::start(&["--endpoint", endpoint]);
    let reply = server.call("browser_navigate", json!({ "url": "about:blank" }));
    reply.fails(words).fails("--endpoint");
}

#[test]
fn a_wrong_port_is_said() {
    for form in [format!("http://{NOBODY}"), format!("ws://{NOBODY}"), format!("ws://{NOBODY}/session")] {
        fails(&form, "no browser can be reached");
    }
}

#[test]
fn what_is_not_a_browser_is_said() {
    let site = Site::of("<title>A site</title>");
    site.answer("/json/version", Answer::Body("application/json", b"{\"Browser\":\"none\"}".to_vec()));
    let address = site.url("").trim_start_matches("http://").trim_end_matches('/').to_owned();
    for form in [format!("http://{address}"), format!("ws://{address}"), format!("ws://{address}/session")] {
        fails(&form, "no supported browser at");
    }
}

#[test]
fn a_port_that_speaks_something_else_is_said() {
    use std::io::Write;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.write_all(b"220 mail.example.com ESMTP\r\n");
        }
    });
    for scheme in ["ws", "wss"] {
        fails(&format!("{scheme}://{address}/session"), "no supported browser at");
    }
}

#[test]
fn host_options_are_refused_at_start() {
    for option in
        [&["--allowed-hosts", "example.com"][..], &["--blocked-hosts", "example.com"], &["--block-private"]]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
        let endpoint = format!("http://{NOBODY}");
        let done =
            command.args(["--endpoint", &endpoint]).args(option).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && said.contains("would not be enforced"), "{option:?}: {said}");
        assert!(said.contains(&option[0][2..]), "{said}");
    }
}
