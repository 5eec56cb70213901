//! `cicerone-webkit`: shows pages with WebKitGTK, for cicerone.
//!
//! It reads requests from standard input and writes answers and events to standard output, one line of JSON each. Requests
//! whose names begin with `Host.` are its own ([`commands`]); all others of a page go to that page's inspector
//! ([`inspector`]). It ends when its standard input does.

mod commands;
mod content_filter;
mod contexts;
mod cookies;
mod cursor;
mod display;
mod host;
mod input;
mod inspector;
mod interruption;
mod page;
mod pipe;
mod policy;
mod pool;
mod print;
mod redirects;
mod screenshot;
mod sockets;
mod webp;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    rc::Rc,
};

use display::Display;
use gtk::gdk;
use host::Host;
use serde_json::json;

/// The status of a process whose inspector went away.
pub(crate) const LOST_INSPECTOR: i32 = 3;

/// The version of the protocol of requests, answers and events. A driver of another version refuses to work with this
/// program; to be raised with every change that is not compatible.
const PROTOCOL: &str = include_str!("../PROTOCOL").trim_ascii();

/// What runs in every web process.
const EXTENSION: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/extension.so"));

/// Why the host does not run.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("usage: cicerone-webkit [--headed] DIRECTORY; or --version")]
    Usage,
    #[error("Xvfb: {0}")]
    Display(std::io::Error),
    #[error("GTK: {0}")]
    Toolkit(#[from] gtk::glib::BoolError),
    #[error("{0}")]
    Inspector(#[from] sockets::InspectorError),
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("cicerone-webkit: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (headed, directory) = match arguments[..] {
        ["--version"] => {
            println!("WebKitGTK {} (protocol {PROTOCOL})", version());
            return Ok(());
        }
        ["--headed", directory] => (true, Path::new(directory)),
        [directory] if !directory.starts_with('-') => (false, Path::new(directory)),
        _ => return Err(Failure::Usage),
    };
    let display = if headed { None } else { Some(Display::start(directory).map_err(Failure::Display)?) };
    let done = serve(headed, directory.to_owned(), display.as_ref());
    if let Some(display) = display {
        display.end();
    }
    done
}

fn serve(headed: bool, directory: PathBuf, display: Option<&Display>) -> Result<(), Failure> {
    prepare(&directory, display)?;
    redirects::open(&directory)?;
    sockets::announce()?;
    // Windows of X only: its displays have a scale each.
    gdk::set_allowed_backends("x11");
    gtk::init()?;
    let host = Host::new(directory, headed);
    let first = Host::start_inspector(&host)?;
    let receiver = Rc::clone(&host);
    pipe::open(move |request| match request {
        Some(request) => commands::handle(&receiver, request),
        None => receiver.quit(),
    })?;
    host.close_context(&first);
    pipe::report(None, "Host.started", json!({ "version": version(), "protocol": PROTOCOL }));
    gtk::main();
    Ok(())
}

/// What the browser finds when it starts.
fn prepare(directory: &Path, display: Option<&Display>) -> Result<(), Failure> {
    for name in ["downloads", "extensions", "cache", "data"] {
        std::fs::create_dir_all(directory.join(name))?;
    }
    std::fs::write(directory.join("extensions").join("libcicerone.so"), EXTENSION)?;
    // SAFETY: no other thread runs yet.
    unsafe {
        if let Some(display) = display {
            std::env::set_var("DISPLAY", &display.name);
        }
        std::env::set_var("XDG_CACHE_HOME", directory.join("cache"));
        std::env::set_var("XDG_DATA_HOME", directory.join("data"));
        for (name, value) in [
            ("NO_AT_BRIDGE", "1"),
            ("GTK_USE_PORTAL", "0"),
            ("GIO_USE_VFS", "local"),
            ("GSETTINGS_BACKEND", "memory"),
        ] {
            std::env::set_var(name, value);
        }
    }
    Ok(())
}

fn version() -> String {
    // SAFETY: these only return constants of the library.
    let (major, minor, micro) = unsafe {
        use webkit2gtk::ffi::{webkit_get_major_version, webkit_get_micro_version, webkit_get_minor_version};
        (webkit_get_major_version(), webkit_get_minor_version(), webkit_get_micro_version())
    };
    format!("{major}.{minor}.{micro}")
}

impl Host {
    /// The inspector starts with the first page, which nobody hears of. Its context is what is returned.
    fn start_inspector(host: &Rc<Self>) -> Result<String, Failure> {
        let context = contexts::Context::make(host, contexts::Wanted::default());
        let _page = page::Page::make(host, &context, (1, 1), page::From::Driver { hidden: true });
        inspector::open(sockets::take_over(&host.directory)?)?;
        Ok(context)
    }
}
