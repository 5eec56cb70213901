//! Several clients of one server over HTTP, in the same Chrome.

use serde_json::json;

use crate::support::{
    Site,
    chrome::{Chrome, install_extension},
    http::{HttpClient, HttpServer},
};

fn tabs(client: &mut HttpClient) -> Vec<String> {
    let reply = client.call("browser_tabs", json!({ "action": "list" }));
    let tabs = reply.ok().facts()["tabs"].as_array().unwrap();
    tabs.iter().map(|tab| tab["url"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn clients_of_one_server_have_a_tab_group_each() {
    let data = tempfile::tempdir().unwrap();
    let extension = install_extension(data.path());
    let site = Site::with(&[
        ("/mine", "<title>Mine</title>"),
        ("/ada", "<title>Of Ada</title>"),
        ("/grace", "<title>Of Grace</title>"),
    ]);
    let chrome = Chrome::start(&[&extension], &site.url("/mine"));
    let server = HttpServer::with(&["--extension"], &[("XDG_DATA_HOME", data.path().to_str().unwrap())]);
    let (mut ada, mut grace) = (server.client_named("ada"), server.client_named("grace"));
    let (of_ada, of_grace) = (site.url("/ada"), site.url("/grace"));
    ada.navigate(&of_ada);
    grace.navigate(&of_grace);
    assert_eq!(tabs(&mut ada), std::slice::from_ref(&of_ada));
    assert_eq!(tabs(&mut grace), std::slice::from_ref(&of_grace));
    assert_eq!(chrome.grouped("ada"), [of_ada]);
    assert_eq!(chrome.grouped("grace"), std::slice::from_ref(&of_grace));
    assert_eq!(ada.evaluate("document.title"), "Of Ada");
    // One that leaves takes nothing from the other.
    assert_eq!(ada.send("DELETE", &[]).status, 202);
    assert_eq!(grace.evaluate("document.title"), "Of Grace");
    assert_eq!(tabs(&mut grace), [of_grace]);
}
