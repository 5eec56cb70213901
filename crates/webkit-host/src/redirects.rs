//! Redirects of requests that the driver intercepts. The inspector does not tell of them, so the extension in the web process
//! asks at a socket of ours, and waits. No thread of the browser's own answers: threads here do, with what the driver says.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
    io::{self, BufRead, BufReader, Write},
    os::unix::net::{UnixListener, UnixStream},
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError, mpsc},
    time::Duration,
};

use serde::Deserialize;
use serde_json::json;

use crate::pipe::report;

/// How long the driver may take; less than the extension waits.
const DECISION: Duration = Duration::from_secs(5);

/// What the driver says to a redirect.
#[derive(Deserialize)]
pub(crate) struct Decision {
    number: u64,
    stop: bool,
    url: Option<String>,
    headers: Vec<(String, String)>,
}

#[derive(Default)]
struct State {
    /// Pages whose redirects the driver is asked about.
    intercepted: HashSet<String>,
    /// Pages by what their web process calls them, where that is another one than they began with.
    renamed: HashMap<String, String>,
    waiting: HashMap<u64, mpsc::Sender<Decision>>,
    count: u64,
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(Mutex::default);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where the extension asks.
pub(crate) fn path(directory: &Path) -> PathBuf {
    directory.join("redirects")
}

/// Begins to answer.
pub(crate) fn open(directory: &Path) -> io::Result<()> {
    let listener = UnixListener::bind(path(directory))?;
    std::thread::spawn(move || {
        for asking in listener.incoming().flatten() {
            std::thread::spawn(move || answer(asking));
        }
    });
    Ok(())
}

/// Whether the driver is asked about the redirects of a page from now on.
pub(crate) fn intercept(page: &str, enabled: bool) {
    let intercepted = &mut state().intercepted;
    if enabled {
        intercepted.insert(page.to_owned())
    } else {
        intercepted.remove(page)
    };
}

/// A page is in another process, which calls it `name`.
pub(crate) fn process_swapped(page: &str, name: &str) {
    state().renamed.insert(name.to_owned(), page.to_owned());
}

/// A page is gone.
pub(crate) fn page_closed(page: &str) {
    intercept(page, false);
    state().renamed.retain(|_, renamed| renamed != page);
}

/// The driver has decided.
pub(crate) fn decided(decision: Decision) {
    if let Some(waiting) = state().waiting.remove(&decision.number) {
        let _ = waiting.send(decision);
    }
}

fn answer(mut asking: UnixStream) {
    let mut line = String::new();
    if BufReader::new(&asking).read_line(&mut line).is_err() {
        return;
    }
    // Who gets no answer does not follow the redirect.
    if let Some(words) = decide(line.trim_end()) {
        let _ = asking.write_all(words.as_bytes());
    }
}

/// What is answered to `PAGE METHOD URL`.
fn decide(line: &str) -> Option<String> {
    let mut words = line.splitn(3, ' ');
    let (name, method, url) = (format!("page-{}", words.next()?), words.next()?, words.next()?);
    let (sender, decision) = mpsc::channel();
    let page;
    let number = {
        let mut state = state();
        page = state.renamed.get(&name).cloned().unwrap_or(name);
        if !state.intercepted.contains(&page) {
            return Some("go\n".into());
        }
        state.count += 1;
        let number = state.count;
        state.waiting.insert(number, sender);
        number
    };
    report(
        Some(&page),
        "Host.redirectIntercepted",
        json!({ "number": number, "method": method, "url": url }),
    );
    let decision = decision.recv_timeout(DECISION);
    state().waiting.remove(&number);
    let Decision { stop, url, headers, .. } = decision.ok()?;
    let mut told = String::new();
    for line in url
        .map(|url| format!("url {url}"))
        .into_iter()
        .chain(headers.into_iter().map(|(name, value)| format!("header {name} {value}")))
    {
        // A line break would say something else.
        let _ = writeln!(told, "{}", line.replace(['\r', '\n'], ""));
    }
    told.push_str(if stop { "stop\n" } else { "go\n" });
    Some(told)
}
