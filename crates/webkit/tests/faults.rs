//! What becomes of a host whose display, driver or pages fail, and who else can reach its inspector.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::zombie_processes, reason = "a test may fail so")]

mod support;

use std::{
    fs,
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::{Ipv4Addr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    time::{Duration, Instant},
};

use cicerone_driver::{BrowserEvent, DriverError, PageEvent};
use cicerone_driver_tests::{Site, Trial, value};
use tempfile::TempDir;

use support::{DRIVER, find};

/// What is over by then never ends.
const IN_TIME: Duration = Duration::from_secs(10);

/// A host without a driver.
struct Host {
    process: Child,
    input: Option<ChildStdin>,
    _directory: TempDir,
}

impl Host {
    /// Starts one, and waits until it is ready.
    fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut command = Command::new(find().unwrap());
        command.arg(directory.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let started = lines.any(|line| line.unwrap().contains("Host.started"));
        assert!(started, "it ended before it was ready");
        let input = process.stdin.take();
        Self { process, input, _directory: directory }
    }

    /// Its processes, itself not among them.
    fn children(&self) -> Vec<u32> {
        let pid = self.process.id();
        let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
        children.split_whitespace().map(|child| child.parse().unwrap()).collect()
    }

    /// The socket of its display; it has no lock beside it.
    fn display(&self) -> PathBuf {
        let inodes: Vec<String> = self.children().into_iter().flat_map(sockets).collect();
        let table = fs::read_to_string("/proc/net/unix").unwrap();
        let of_display = |line: &str| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (inode, path) = (fields.get(6)?, fields.get(7)?);
            let is_ours =
                path.starts_with("/tmp/.X11-unix/") && inodes.contains(&format!("socket:[{inode}]"));
            is_ours.then(|| PathBuf::from(path))
        };
        table.lines().find_map(of_display).expect("its display has a socket")
    }
}

/// The sockets of a process.
fn sockets(pid: u32) -> Vec<String> {
    let links = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    links.filter_map(|link| Some(fs::read_link(link.path()).ok()?.to_str()?.to_owned())).collect()
}

fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

#[track_caller]
fn until(what: &str, is_so: impl Fn() -> bool) {
    let by = Instant::now() + IN_TIME;
    while !is_so() {
        assert!(Instant::now() < by, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The ports that a process listens at.
fn ports(pid: u32) -> Vec<u16> {
    let sockets = sockets(pid);
    let table = fs::read_to_string(format!("/proc/{pid}/net/tcp")).unwrap();
    let listens = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (address, state, inode) = (fields.get(1)?, fields.get(3)?, fields.get(9)?);
        let is_ours = *state == "0A" && sockets.contains(&format!("socket:[{inode}]"));
        is_ours.then(|| u16::from_str_radix(address.split_once(':')?.1, 16).ok())?
    };
    table.lines().filter_map(listens).collect()
}

#[test]
fn nobody_else_is_answered_at_the_inspectors_port() {
    let host = Host::start();
    let ports = ports(host.process.id());
    assert_eq!(ports.len(), 1, "the port of the inspector stays taken");
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, ports[0])).unwrap();
    stream.write_all(b"\0\0\0\x16\x01SetupInspectorClient\0\0").unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    let answer = stream.read(&mut [0; 64]);
    let silent = |error: &std::io::Error| {
        matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::ConnectionReset)
    };
    assert!(answer.as_ref().is_err_and(silent), "{answer:?}");
    end(host);
}

/// Closes its input, upon which it ends.
fn end(mut host: Host) {
    let children = host.children();
    drop(host.input.take());
    let by = Instant::now() + IN_TIME;
    while host.process.try_wait().unwrap().is_none() {
        assert!(Instant::now() < by, "it does not end with its input");
        std::thread::sleep(Duration::from_millis(10));
    }
    until("its processes end", || !children.iter().any(|pid| is_alive(*pid)));
}

#[test]
fn a_host_that_is_killed_leaves_no_process_and_no_display() {
    let mut host = Host::start();
    let (children, display) = (host.children(), host.display());
    assert!(!children.is_empty());
    host.process.kill().unwrap();
    host.process.wait().unwrap();
    until("its processes end", || !children.iter().any(|pid| is_alive(*pid)));
    until("its display goes", || !display.exists());
}

#[test]
fn without_a_display_server_it_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = Command::new(find().unwrap());
    command.arg(directory.path()).env("PATH", Path::new("/nonexistent")).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("Xvfb"), "{said}");
}

#[tokio::test]
async fn two_browsers_at_once_know_nothing_of_each_other() {
    let (one, other) = (Trial::start(&DRIVER).await, Trial::start(&DRIVER).await);
    let site = Site::blank();
    let first = one.page_at(&*one.browser.default_context(), &site.url("/one")).await;
    let second = other.page_at(&*other.browser.default_context(), &site.url("/two")).await;
    value(&*first, "document.cookie = 'mine=1'").await;
    assert_eq!(value(&*second, "document.cookie + location.pathname").await, "/two");
    one.browser.close().await;
    assert_eq!(value(&*second, "6 * 7").await, 42);
    other.browser.close().await;
}

#[tokio::test]
async fn a_page_in_an_endless_loop_is_ended_and_no_other() {
    let (trial, site) = (Trial::start(&DRIVER).await, Site::blank());
    let context = trial.browser.default_context();
    let hung = trial.page_at(&*context, &site.url("/hung")).await;
    let other = trial.page_at(&*context, &site.url("/other")).await;
    let main = hung.main_frame();
    let looping = hung.evaluate(&main, "for (;;);", None);
    let crashing = async {
        assert_eq!(value(&*other, "6 * 7").await, 42);
        hung.crashing().unwrap().crash().await
    };
    let (ended, crashed) = tokio::join!(looping, crashing);
    assert!(matches!(ended, Err(DriverError::Crashed)), "{ended:?}");
    crashed.unwrap();
    let told = |event: &BrowserEvent| match event {
        BrowserEvent::Page(id, PageEvent::Crashed) => (*id == hung.id()).then_some(()),
        _ => None,
    };
    trial.record.wait_for("the crash", told).await;
    assert_eq!(value(&*other, "location.pathname").await, "/other");
    trial.browser.close().await;
}

#[tokio::test]
async fn a_script_that_begins_after_an_interruption_of_nothing_goes_on() {
    let (trial, site) = (Trial::start(&DRIVER).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    page.interruption().unwrap().interrupt().await.unwrap();
    let busy = "() => { const by = performance.now() + 600; while (performance.now() < by); return 'done' }";
    assert_eq!(value(&*page, busy).await, "done");

    let main = page.main_frame();
    let looping = page.evaluate(&main, "for (;;);", None);
    let interrupting = async {
        // It takes a moment until the loop runs; interruptions before that are of nothing.
        loop {
            tokio::time::sleep(Duration::from_millis(50)).await;
            page.interruption().unwrap().interrupt().await.unwrap();
        }
    };
    tokio::select! {
        ended = looping => drop(ended.expect_err("it was interrupted")),
        () = interrupting => unreachable!("it goes on until the loop has ended"),
        () = tokio::time::sleep(IN_TIME) => panic!("the loop goes on"),
    }
    assert_eq!(value(&*page, "6 * 7").await, 42);
    trial.browser.close().await;
}
