//! The private pipe to the driver: newline-delimited JSON, read and written by threads of their own, so that neither a slow
//! driver nor a long message ever holds up the pages.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    os::fd::{FromRawFd, RawFd},
    sync::{OnceLock, mpsc},
};

use gtk::glib;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json, value::RawValue};

/// A request of the driver.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request {
    pub(crate) id: u64,
    /// The page that it is for; none for the host itself.
    pub(crate) session_id: Option<String>,
    pub(crate) method: String,
    #[serde(default = "nothing")]
    pub(crate) params: Box<RawValue>,
}

fn nothing() -> Box<RawValue> {
    RawValue::NULL.to_owned()
}

static OUTGOING: OnceLock<mpsc::Sender<String>> = OnceLock::new();

/// Takes standard input and output for ourselves: what the browser's own processes read and write is something else.
pub(crate) fn open(receive: impl FnMut(Option<Request>) + 'static) -> io::Result<()> {
    let (input, output) = (private(0)?, private(1)?);
    let (outgoing, queue) = mpsc::channel::<String>();
    // It is opened once.
    let _ = OUTGOING.set(outgoing);
    std::thread::spawn(move || write_all(output, &queue));
    let (sender, receiver) = mpsc::channel();
    let wake = glib::MainContext::default();
    receive_on_main_thread(receiver, receive);
    std::thread::spawn(move || read_all(input, &sender, &wake));
    Ok(())
}

thread_local! {
    static RECEIVE: std::cell::RefCell<Option<Box<dyn FnMut()>>> = const { std::cell::RefCell::new(None) };
}

fn receive_on_main_thread(
    receiver: mpsc::Receiver<Option<Request>>,
    mut receive: impl FnMut(Option<Request>) + 'static,
) {
    let drain = move || {
        while let Ok(request) = receiver.try_recv() {
            receive(request);
        }
    };
    RECEIVE.set(Some(Box::new(drain)));
}

/// Calls what receives requests, on the main thread.
fn drain() {
    // Not while it runs: a nested main loop (there is none of ours) would find it taken, and the outer run drains the rest.
    if let Some(mut drain) = RECEIVE.take() {
        drain();
        RECEIVE.set(Some(drain));
    }
}

fn read_all(input: File, sender: &mpsc::Sender<Option<Request>>, wake: &glib::MainContext) {
    for line in BufReader::with_capacity(1 << 16, input).lines() {
        let Ok(line) = line else { break };
        match serde_json::from_str(&line) {
            Ok(request) => {
                if sender.send(Some(request)).is_err() {
                    return;
                }
                wake.invoke_with_priority(glib::Priority::DEFAULT, drain);
            }
            Err(error) => eprintln!("cicerone-webkit: not a valid request: {error}"),
        }
    }
    let _ = sender.send(None);
    wake.invoke_with_priority(glib::Priority::DEFAULT, drain);
}

fn write_all(mut output: File, queue: &mpsc::Receiver<String>) {
    while let Ok(mut line) = queue.recv() {
        line.push('\n');
        if output.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

/// A descriptor of standard input or output under a number that no child inherits, with `/dev/null` in its place.
fn private(number: RawFd) -> io::Result<File> {
    // SAFETY: plain system calls on descriptors of our own, whose results are checked; the new one is owned by nobody else.
    unsafe {
        let own = libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 3);
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        if own < 0 || null < 0 || libc::dup2(null, number) < 0 {
            return Err(io::Error::last_os_error());
        }
        libc::close(null);
        Ok(File::from_raw_fd(own))
    }
}

/// Sends a whole line.
pub(crate) fn send(line: String) {
    if let Some(outgoing) = OUTGOING.get() {
        let _ = outgoing.send(line);
    }
}

/// Reports something that the driver did not ask for.
pub(crate) fn report(page: Option<&str>, method: &str, params: Value) {
    match page {
        Some(page) => send(json!({ "sessionId": page, "method": method, "params": params }).to_string()),
        None => send(json!({ "method": method, "params": params }).to_string()),
    }
}

/// What answers a request, once. Dropped without an answer it refuses.
pub(crate) struct Responder(Option<u64>);

impl Responder {
    pub(crate) fn to(id: u64) -> Self {
        Self(Some(id))
    }

    pub(crate) fn give(mut self, result: impl Serialize) {
        if let Some(id) = self.0.take() {
            send(json!({ "id": id, "result": result }).to_string());
        }
    }

    pub(crate) fn refuse(mut self, why: &str) {
        self.refuse_once(why);
    }

    fn refuse_once(&mut self, why: &str) {
        if let Some(id) = self.0.take() {
            send(json!({ "id": id, "error": { "code": 0, "message": why } }).to_string());
        }
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        self.refuse_once("the page is closed");
    }
}
