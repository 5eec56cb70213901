//! Who gets a secret: the hosts that it is for, or fields that hide it.

use serde_json::json;

use crate::support::{Server, Site};

const PAGE: &str =
    "<label>Search <input id=plain></label><label>Password <input type=password id=hidden></label>";

fn start(line: &str) -> (Server, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("secrets.env");
    std::fs::write(&path, line).unwrap();
    (Server::start(&["--secrets", path.to_str().unwrap()]), directory)
}

fn type_into(server: &mut Server, field: &str) -> crate::support::Reply {
    server.call("browser_type", json!({ "ref": field, "text": "$TOKEN" }))
}

#[test]
fn a_secret_without_hosts_goes_only_into_fields_that_hide_it() {
    let site = Site::of(PAGE);
    let (mut server, _directory) = start("TOKEN=sesame-open");
    server.navigate(&site.url("/"));
    type_into(&mut server, "#plain")
        .fails("goes only into fields that hide what they hold")
        .fails("NAME@example.com");
    type_into(&mut server, "#hidden").ok();
    assert_eq!(server.evaluate("() => [plain.value, hidden.value.length]"), json!(["", 11]));
}

#[test]
fn a_secret_with_hosts_goes_nowhere_else() {
    let site = Site::of(PAGE);
    let (mut server, _directory) = start("TOKEN@example.com,127.0.0.1=sesame-open");
    server.navigate(&site.url("/"));
    type_into(&mut server, "#plain").ok();
    assert_eq!(server.evaluate("() => plain.value.length"), 11);
    server.navigate(&site.url("/").replace("127.0.0.1", "localhost"));
    for field in ["#plain", "#hidden"] {
        type_into(&mut server, field)
            .fails("this secret is for example.com, 127.0.0.1 only")
            .fails("localhost");
    }
    assert_eq!(server.evaluate("() => plain.value + hidden.value"), "");
}
