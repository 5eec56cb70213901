//! The inspector protocol of every page, carried over the driver's pipe.
//!
//! A page's session on the pipe has the name that the inspector gives its first target, `page-7`. Requests of a session that are
//! not the host's own go to its target, and what the target says comes back as it is. Requests wait until the target
//! is known and the page has a process: before that WebKit loses them without a word. A document that WebKit shows in
//! another process (`Cross-Origin-Opener-Policy`) has another target, which knows nothing of what the one before was told.

use std::{
    cell::RefCell,
    collections::HashMap,
    io::{self, Read, Write},
    os::unix::net::UnixStream,
    sync::mpsc,
};

use gtk::glib;
use serde::Deserialize;
use serde_json::{json, value::RawValue};

use crate::{
    pipe::{Request, Responder, report, send},
    redirects,
};

/// Numbers of a target: the connection that offers it, and its own.
type Address = (u64, u64);

#[derive(Default)]
struct Sessions {
    outgoing: Option<mpsc::Sender<Vec<u8>>>,
    /// Targets that were set up, as long as they are there.
    addresses: HashMap<u64, Address>,
    by_name: HashMap<String, Session>,
    /// The pages of targets, by their numbers.
    pages: HashMap<u64, String>,
}

#[derive(Default)]
struct Session {
    address: Option<Address>,
    /// The name of its target.
    target: String,
    /// Whether its target listens.
    is_set_up: bool,
    /// Whether the page has a process.
    is_live: bool,
    waiting: Vec<Request>,
}

thread_local! {
    static SESSIONS: RefCell<Sessions> = RefCell::default();
}

/// What comes from the server: a name and its parameters.
struct Frame {
    name: String,
    data: Vec<u8>,
}

/// Starts to carry messages over this connection to the server.
pub(crate) fn open(connection: UnixStream) -> io::Result<()> {
    let (outgoing, queue) = mpsc::channel();
    let (reader, writer) = (connection.try_clone()?, connection);
    std::thread::spawn(move || write_all(writer, &queue));
    let wake = glib::MainContext::default();
    std::thread::spawn(move || read_all(reader, &wake));
    SESSIONS.with_borrow_mut(|sessions| sessions.outgoing = Some(outgoing));
    post("SetupInspectorClient", b"\0");
    Ok(())
}

/// The page has a process from now on.
pub(crate) fn page_is_live(page: &str) {
    let again = SESSIONS.with_borrow(|sessions| {
        sessions.by_name.get(page).filter(|session| !session.is_set_up).and_then(|session| session.address)
    });
    // A target that lost its process has to be set up once more.
    if let Some(address) = again {
        set_up(address);
    }
    change(page, |session| session.is_live = true);
}

/// The page's process is gone; what is asked of it waits for the next.
pub(crate) fn page_crashed(page: &str) {
    change(page, |session| (session.is_live, session.is_set_up) = (false, false));
}

/// The page is gone.
pub(crate) fn page_closed(page: &str) {
    let gone = SESSIONS.with_borrow_mut(|sessions| {
        sessions.pages.retain(|_, name| name != page);
        sessions.by_name.remove(page)
    });
    for request in gone.into_iter().flat_map(|session| session.waiting) {
        Responder::to(request.id).refuse("the page is closed");
    }
}

/// A request of the driver for a page's target.
pub(crate) fn request(page: &str, request: Request) {
    change(page, |session| session.waiting.push(request));
}

/// Changes a session, and sends what can be sent then.
fn change(page: &str, change: impl FnOnce(&mut Session)) {
    let ready = SESSIONS.with_borrow_mut(|sessions| {
        let session = sessions.by_name.entry(page.to_owned()).or_default();
        change(session);
        match session.address.filter(|_| session.is_live && session.is_set_up) {
            Some(address) => Some((address, session.target.clone(), std::mem::take(&mut session.waiting))),
            None => None,
        }
    });
    let Some((address, target, requests)) = ready else { return };
    for request in requests {
        forward(&target, address, &request);
    }
}

fn forward(name: &str, (connection, target): Address, Request { id, method, params, .. }: &Request) {
    let message = json!({ "id": id, "method": method, "params": params }).to_string();
    // The same id outside: it is answered there only when the target is gone.
    let outer = json!({
        "id": id,
        "method": "Target.sendMessageToTarget",
        "params": { "targetId": name, "message": message },
    });
    let mut data = [connection.to_le_bytes(), target.to_le_bytes()].concat();
    data.extend(outer.to_string().into_bytes());
    data.push(0);
    post("SendMessageToBackend", &data);
}

fn post(name: &str, data: &[u8]) {
    let mut body = name.as_bytes().to_vec();
    body.push(0);
    body.extend(data);
    let mut frame = u32::try_from(body.len()).unwrap_or(u32::MAX).to_be_bytes().to_vec();
    // That numbers are in little-endian order.
    frame.push(1);
    frame.extend(body);
    SESSIONS.with_borrow(|sessions| {
        if let Some(outgoing) = &sessions.outgoing {
            let _ = outgoing.send(frame);
        }
    });
}

fn write_all(mut connection: UnixStream, queue: &mpsc::Receiver<Vec<u8>>) {
    while let Ok(frame) = queue.recv() {
        if connection.write_all(&frame).is_err() {
            return;
        }
    }
}

fn read_all(mut connection: UnixStream, wake: &glib::MainContext) {
    while let Ok(frame) = read_frame(&mut connection) {
        wake.invoke_with_priority(glib::Priority::DEFAULT, move || receive(&frame));
    }
    // Without the inspector the pages cannot be driven.
    wake.invoke(|| std::process::exit(crate::LOST_INSPECTOR));
}

fn read_frame(connection: &mut impl Read) -> io::Result<Frame> {
    let mut head = [0; 5];
    connection.read_exact(&mut head)?;
    let size = u32::from_be_bytes([head[0], head[1], head[2], head[3]]);
    let mut body = vec![0; size as usize];
    connection.read_exact(&mut body)?;
    let end = body.iter().position(|byte| *byte == 0).ok_or(io::ErrorKind::InvalidData)?;
    let name = String::from_utf8_lossy(&body[..end]).into_owned();
    Ok(Frame { name, data: body.split_off(end + 1) })
}

fn receive(Frame { name, data }: &Frame) {
    match name.as_str() {
        "SetTargetList" => targets(data),
        "SendMessageToFrontend" if data.len() > 16 => {
            let target = u64::from_le_bytes(data[8..16].try_into().unwrap_or_default());
            let text = data[16..].strip_suffix(b"\0").unwrap_or(&data[16..]);
            if let Ok(text) = std::str::from_utf8(text) {
                message(target, text);
            }
        }
        _ => {}
    }
}

/// All targets there are; those that are new are set up.
fn targets(data: &[u8]) {
    let Ok(kind) = glib::VariantTy::new("(ta(tsssb))") else { return };
    let list = glib::Variant::from_data_with_type(data, kind);
    let Some((connection, list)) = list.get::<(u64, Vec<(u64, String, String, String, bool)>)>() else {
        return;
    };
    let pages: Vec<u64> =
        list.into_iter().filter(|target| target.1 == "WebPage").map(|(target, ..)| target).collect();
    // Here and not when a page is closed: a list that was on its way then would set its target up again.
    SESSIONS.with_borrow_mut(|sessions| {
        sessions
            .addresses
            .retain(|target, (offered_by, _)| *offered_by != connection || pages.contains(target));
    });
    for target in pages {
        let news = SESSIONS
            .with_borrow_mut(|sessions| sessions.addresses.insert(target, (connection, target)).is_none());
        if news {
            set_up((connection, target));
        }
    }
}

fn set_up((connection, target): Address) {
    post("Setup", &[connection.to_le_bytes(), target.to_le_bytes()].concat());
}

/// What targets say; only what is looked at.
#[derive(Deserialize)]
struct Outer<'a> {
    id: Option<u64>,
    method: Option<&'a str>,
    params: Option<Params>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Params {
    target_id: String,
    message: String,
    new_target_id: String,
    target_info: TargetInfo,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct TargetInfo {
    target_id: String,
    #[serde(rename = "type")]
    kind: String,
    is_provisional: bool,
}

fn message(target: u64, text: &str) {
    let Ok(outer) = serde_json::from_str::<Outer<'_>>(text) else { return };
    let params = outer.params.unwrap_or_default();
    match (outer.method, outer.id, outer.error) {
        (Some("Target.dispatchMessageFromTarget"), ..) => {
            // An object; its session is put in front of what it has.
            if let Some(rest) = params.message.strip_prefix('{') {
                let session = json!(page_of(target, params.target_id));
                send(format!("{{\"sessionId\":{session},{rest}"));
            }
        }
        // What is not shown yet may never be; and workers are targets too.
        (Some("Target.targetCreated"), ..)
            if params.target_info.kind == "page" && !params.target_info.is_provisional =>
        {
            let name = params.target_info.target_id;
            let (page, address) = SESSIONS.with_borrow_mut(|sessions| {
                let page = sessions.pages.entry(target).or_insert_with(|| name.clone()).clone();
                (page, sessions.addresses.get(&target).copied())
            });
            change(&page, |session| {
                (session.address, session.target, session.is_set_up) = (address, name, true)
            });
        }
        (Some("Target.didCommitProvisionalTarget"), ..) => {
            let (page, name) = (page_of(target, String::new()), params.new_target_id);
            redirects::process_swapped(&page, &name);
            change(&page, |session| session.target = name);
            report(Some(&page), "Host.processSwapped", json!({}));
        }
        // Only a target that is gone is answered for here.
        (None, Some(id), Some(error)) => send(format!("{{\"id\":{id},\"error\":{error}}}")),
        _ => {}
    }
}

/// The page that a target belongs to; the name of the target where it is its first.
fn page_of(target: u64, name: String) -> String {
    SESSIONS.with_borrow(|sessions| sessions.pages.get(&target).cloned()).unwrap_or(name)
}
