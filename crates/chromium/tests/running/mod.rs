//! A browser that the test starts itself, with a debugging port, as a person would.
#![allow(dead_code, clippy::unwrap_used, reason = "each test uses a part; a test may fail so")]

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    process::{Child, Command, Stdio},
};

use cicerone_chromium::{AttachOptions, attach};
use cicerone_driver::LaunchError;
use cicerone_wire::transport::websocket;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::find;
use cicerone_driver_tests::{Head, Trial, recorded};

pub(crate) struct Running {
    child: Child,
    pub(crate) address: SocketAddr,
    path: String,
    _profile: TempDir,
}

impl Running {
    pub(crate) async fn start(url: &str) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut child = Command::new(find().unwrap())
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(url)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let listening = lines
            .find_map(|line| line.unwrap().strip_prefix("DevTools listening on ws://").map(str::to_owned));
        std::thread::spawn(move || lines.for_each(drop));
        let listening = listening.unwrap();
        let (address, path) = listening.split_once('/').unwrap();
        Self { child, address: address.parse().unwrap(), path: format!("/{path}"), _profile: profile }
    }

    pub(crate) async fn attach(&self, options: AttachOptions) -> Result<Trial, LaunchError> {
        let transport = websocket(self.address, &self.path).await.unwrap();
        let (record, sink) = recorded();
        let browser = attach(transport, options, sink).await?;
        Ok(Trial { browser, record })
    }

    /// The ids of all pages in all contexts.
    pub(crate) async fn pages(&self) -> BTreeSet<String> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let host = self.address;
        write!(stream, "GET /json/list HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut reader = BufReader::new(stream);
        // The connection stays open: the head says how long the body is.
        let head = Head::read(&mut reader).unwrap();
        let mut body = vec![0; head.header("content-length").unwrap().parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        let targets: Vec<Value> = serde_json::from_slice(&body).unwrap();
        let pages = targets.iter().filter(|target| target["type"] == "page");
        pages.map(|page| page["id"].as_str().unwrap().to_owned()).collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
