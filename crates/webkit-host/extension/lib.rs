//! What runs in every web process, for what the host and the inspector cannot do from outside.
//!
//! - Interruption: the engine asks a callback from time to time whether a script that runs for long may go on. Ours says no
//!   once the host has sent the signal `INTERRUPT`. The host learns the process of each page from the message `process`.
//! - Redirects, which the inspector does not intercept: the host is asked about each one, and the process waits for its word.
//! - The time zone, which has no public function: `WTF::setTimeZoneOverride` is looked up by its name, and not used where it is
//!   missing.
//!
//! `build.rs` compiles this file alone, without crates, and the host embeds the result.

use std::{
    ffi::{CStr, CString, c_char, c_double, c_int, c_void},
    io::{BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    ptr::null_mut,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering},
    },
    time::Duration,
};

type Pointer = *mut c_void;

unsafe extern "C" {
    fn g_signal_connect_data(object: Pointer, signal: *const c_char, handler: Pointer, data: Pointer, free: Pointer, flags: c_int) -> u64;
    fn g_variant_new(format: *const c_char, ...) -> Pointer;
    fn webkit_script_world_get_default() -> Pointer;
    fn webkit_frame_get_javascript_global_context(frame: Pointer) -> Pointer;
    fn webkit_web_page_send_message_to_view(page: Pointer, message: Pointer, cancellable: Pointer, callback: Pointer, data: Pointer);
    fn webkit_user_message_new(name: *const c_char, parameters: Pointer) -> Pointer;
    fn JSContextGetGroup(context: Pointer) -> Pointer;
    fn JSContextGroupSetExecutionTimeLimit(group: Pointer, limit: c_double, callback: extern "C" fn(Pointer, Pointer) -> bool, data: Pointer);
    fn webkit_user_message_get_parameters(message: Pointer) -> Pointer;
    fn webkit_user_message_send_reply(message: Pointer, reply: Pointer);
    fn webkit_web_page_get_id(page: Pointer) -> u64;
    fn webkit_uri_request_get_uri(request: Pointer) -> *const c_char;
    fn webkit_uri_request_set_uri(request: Pointer, uri: *const c_char);
    fn webkit_uri_request_get_http_method(request: Pointer) -> *const c_char;
    fn webkit_uri_request_get_http_headers(request: Pointer) -> Pointer;
    fn soup_message_headers_replace(headers: Pointer, name: *const c_char, value: *const c_char);
    fn g_variant_get_string(variant: Pointer, length: *mut usize) -> *const c_char;
    fn dlsym(library: Pointer, name: *const c_char) -> Pointer;
    fn signal(number: c_int, handler: extern "C" fn(c_int)) -> Pointer;
    fn getpid() -> c_int;
    fn pthread_self() -> u64;
    fn pthread_getcpuclockid(thread: u64, clock: *mut c_int) -> c_int;
    fn clock_gettime(clock: c_int, time: *mut i64) -> c_int;
}

/// The signal that asks for it; the host knows it by the same number.
const INTERRUPT: c_int = 40;

/// How long a script may run between two questions, in seconds.
const INTERVAL: c_double = 0.1;

/// The time that the main thread had used when the signal came, in nanoseconds; 0 where none came.
static INTERRUPTED: AtomicU64 = AtomicU64::new(0);

/// How much more of it may be used before the question. A script that ran when the signal came is asked about by then; one
/// that began later is not the one that was meant.
const MEANT: u64 = 140_000_000;

/// The clock of the main thread.
static CLOCK: AtomicI32 = AtomicI32::new(0);

/// The time that the main thread has used.
fn used() -> u64 {
    let mut time = [0_i64; 2];
    // SAFETY: the array is a `timespec` of 64 bits, and the clock one of a thread that lives as long as the process. This is
    // allowed in a signal handler.
    unsafe { clock_gettime(CLOCK.load(Ordering::Relaxed), time.as_mut_ptr()) };
    (time[0] * 1_000_000_000 + time[1]).max(1).unsigned_abs()
}
static WATCHED: AtomicBool = AtomicBool::new(false);

extern "C" fn interrupted(_: c_int) {
    INTERRUPTED.store(used(), Ordering::SeqCst);
}

/// Whether the script that runs is to end.
extern "C" fn is_to_end(context: Pointer, _: Pointer) -> bool {
    // SAFETY: the engine passes a context that lives during this call. A limit counts once, so it is set again.
    unsafe { watch(context) };
    let at = INTERRUPTED.swap(0, Ordering::SeqCst);
    at != 0 && used().saturating_sub(at) < MEANT
}

/// # Safety
/// The context must be alive.
unsafe fn watch(context: Pointer) {
    // SAFETY: the context is alive, and the callback lives as long as the process.
    unsafe { JSContextGroupSetExecutionTimeLimit(JSContextGetGroup(context), INTERVAL, is_to_end, null_mut()) }
}

extern "C" fn window_object_cleared(_world: Pointer, _page: Pointer, frame: Pointer, _data: Pointer) {
    // An interruption that came when no script ran is not meant for the next document.
    INTERRUPTED.store(0, Ordering::SeqCst);
    if !WATCHED.swap(true, Ordering::SeqCst) {
        // SAFETY: the frame is alive during the signal. All documents of a process share one group.
        unsafe { watch(webkit_frame_get_javascript_global_context(frame)) }
    }
}

/// Where the host answers about redirects: said once, when the process starts.
static HOST: OnceLock<String> = OnceLock::new();

/// How long the host may take to answer. A redirect that nobody allowed is not followed.
const ANSWER: Duration = Duration::from_secs(10);

/// A request is about to be sent; whether it is not to be.
extern "C" fn send_request(page: Pointer, request: Pointer, redirect: Pointer, _data: Pointer) -> c_int {
    if redirect.is_null() {
        return 0;
    }
    // SAFETY: page and request are alive during the signal.
    let allowed = unsafe { ask_about_redirect(page, request) };
    c_int::from(allowed.is_none())
}

/// # Safety
/// The page and the request must be alive.
unsafe fn ask_about_redirect(page: Pointer, request: Pointer) -> Option<()> {
    let text = |text: *const c_char| {
        // SAFETY: what the request returns are strings of its own.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    };
    // SAFETY: the page and the request are alive.
    let (page, url, method) = unsafe {
        (webkit_web_page_get_id(page), text(webkit_uri_request_get_uri(request))?, text(webkit_uri_request_get_http_method(request)))
    };
    let mut host = UnixStream::connect(HOST.get()?).ok()?;
    host.set_read_timeout(Some(ANSWER)).ok()?;
    let method = method.unwrap_or_else(|| "GET".into());
    host.write_all(format!("{page} {method} {url}\n").as_bytes()).ok()?;
    // `go` or `stop`; changes come before, one a line: `url U`, `header N V`.
    for line in BufReader::new(host).lines() {
        let line = line.ok()?;
        match line.split_once(' ') {
            None if line == "go" => return Some(()),
            Some(("url", url)) => {
                let url = CString::new(url).ok()?;
                // SAFETY: the request is alive, and copies the string.
                unsafe { webkit_uri_request_set_uri(request, url.as_ptr()) };
            }
            Some(("header", header)) => {
                let (name, value) = header.split_once(' ')?;
                let (name, value) = (CString::new(name).ok()?, CString::new(value).ok()?);
                // SAFETY: the headers belong to the request, which is alive; strings are copied. Only HTTP has headers.
                unsafe {
                    let headers = webkit_uri_request_get_http_headers(request);
                    if !headers.is_null() {
                        soup_message_headers_replace(headers, name.as_ptr(), value.as_ptr());
                    }
                }
            }
            _ => return None,
        }
    }
    None
}

/// `WTF::StringView`, which has been this for many years.
#[repr(C)]
struct StringView {
    characters: *const u8,
    length: u32,
    is_8_bit: bool,
}

/// `bool WTF::setTimeZoneOverride(WTF::StringView)`
const SET_TIME_ZONE: &CStr = c"_ZN3WTF19setTimeZoneOverrideENS_10StringViewE";

/// A message of the host: the name of a time zone, or nothing for the machine's own. The answer is whether there is such a
/// zone; none where it cannot be set.
extern "C" fn message_received(_page: Pointer, message: Pointer, _data: Pointer) -> c_int {
    // Whatever was to end has ended.
    INTERRUPTED.store(0, Ordering::SeqCst);
    // SAFETY: the message is alive during the signal, and its parameter is a string; a null library means all that is
    // loaded. The function, where there is one, has this type: it is called by its full name, which says so.
    unsafe {
        let parameters = webkit_user_message_get_parameters(message);
        let set = dlsym(null_mut(), SET_TIME_ZONE.as_ptr());
        let answer = if parameters.is_null() || set.is_null() {
            -1
        } else {
            let mut length = 0;
            let name = g_variant_get_string(parameters, &raw mut length);
            let set: extern "C" fn(StringView) -> bool = std::mem::transmute(set);
            c_int::from(set(StringView { characters: name.cast(), length: length as u32, is_8_bit: true }))
        };
        let reply = webkit_user_message_new(c"set".as_ptr(), g_variant_new(c"i".as_ptr(), answer));
        webkit_user_message_send_reply(message, reply);
    }
    1
}

extern "C" fn page_created(_extension: Pointer, page: Pointer, _data: Pointer) {
    // SAFETY: the page is alive during the signal; the message takes the variant over, and sending takes the message over.
    unsafe {
        let parameters = g_variant_new(c"i".as_ptr(), getpid());
        let message = webkit_user_message_new(c"process".as_ptr(), parameters);
        webkit_web_page_send_message_to_view(page, message, null_mut(), null_mut(), null_mut());
    }
    connect(page, c"send-request", send_request as *const () as Pointer);
    connect(page, c"user-message-received", message_received as *const () as Pointer);
}

fn connect(object: Pointer, name: &CStr, handler: Pointer) {
    // SAFETY: the object is alive, and the handler has the type of its signal and lives as long as the process.
    unsafe { g_signal_connect_data(object, name.as_ptr(), handler, null_mut(), null_mut(), 0) };
}

/// What WebKit calls when it has loaded this library, with what the host has for it: the path of its socket.
#[unsafe(no_mangle)]
pub extern "C" fn webkit_web_extension_initialize_with_user_data(extension: Pointer, data: Pointer) {
    // SAFETY: the host passes a string.
    let path = unsafe { CStr::from_ptr(g_variant_get_string(data, null_mut())) };
    let _ = HOST.set(path.to_string_lossy().into_owned());
    let mut clock = 0;
    // SAFETY: extensions are loaded on the main thread. The handler only reads a clock and stores its time, which is allowed
    // in a signal handler.
    unsafe {
        pthread_getcpuclockid(pthread_self(), &raw mut clock);
        CLOCK.store(clock, Ordering::Relaxed);
        signal(INTERRUPT, interrupted);
    }
    // SAFETY: there is always a default world.
    let world = unsafe { webkit_script_world_get_default() };
    connect(world, c"window-object-cleared", window_object_cleared as *const () as Pointer);
    connect(extension, c"page-created", page_created as *const () as Pointer);
}
