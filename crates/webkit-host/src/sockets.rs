//! The inspector's server, made private.
//!
//! WebKit's inspector listens on a port of loopback, and whoever connects controls every page. Before any page has loaded
//! anything, a listening socket in a directory of ours is put in place of that listener, we connect to it, and its name is
//! removed: from then on nobody else can. The port stays taken, by a listener that nobody answers at, so that no other
//! program can pose as the server to the browser's own processes.

use std::{
    io,
    net::TcpListener,
    os::{
        fd::{AsRawFd, RawFd},
        unix::net::{UnixListener, UnixStream},
    },
    path::Path,
    time::{Duration, Instant},
};

use gtk::glib;

/// The variable that WebKit takes the address of its inspector's server from.
const VARIABLE: &str = "WEBKIT_INSPECTOR_SERVER";

/// The sockets of a server that only the browser's own process is connected to: the listener and both ends of that connection.
const ALONE: usize = 3;

/// How long WebKit may take to start its server.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Why the inspector cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InspectorError {
    /// The port was taken, or WebKit has no inspector.
    #[error("WebKit started no inspector")]
    Missing,
    /// Somebody connected before us.
    #[error("another program connected to the inspector while it started")]
    NotAlone,
    /// A socket could not be made.
    #[error("the inspector's socket: {0}")]
    Io(#[from] io::Error),
}

/// Has WebKit start the server, at a free port, when its first page is made.
pub(crate) fn announce() -> io::Result<()> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    // SAFETY: no other thread runs yet that reads the environment.
    unsafe { std::env::set_var(VARIABLE, format!("127.0.0.1:{port}")) };
    Ok(())
}

/// Takes the server over, after the first page was made; our connection to it.
pub(crate) fn take_over(directory: &Path) -> Result<UnixStream, InspectorError> {
    let by = Instant::now() + TIMEOUT;
    while inet_sockets().len() < ALONE {
        if Instant::now() > by {
            return Err(InspectorError::Missing);
        }
        // Not for ever: nothing may come.
        glib::timeout_add_once(Duration::from_millis(50), || {});
        glib::MainContext::default().iteration(true);
    }
    let sockets = inet_sockets();
    let listeners: Vec<RawFd> =
        sockets.iter().copied().filter(|socket| option(*socket, libc::SO_ACCEPTCONN) == 1).collect();
    check(sockets.len(), listeners.len())?;
    let [listener] = listeners[..] else { return Err(InspectorError::Missing) };
    let path = directory.join("inspector");
    let private = UnixListener::bind(&path)?;
    private.set_nonblocking(true)?;
    // SAFETY: system calls on descriptors that are open, as was just seen. The copy of the listener is never closed: it
    // keeps the port.
    unsafe {
        if libc::fcntl(listener, libc::F_DUPFD_CLOEXEC, 3) < 0
            || libc::dup3(private.as_raw_fd(), listener, libc::O_CLOEXEC) < 0
        {
            return Err(io::Error::last_os_error().into());
        }
        std::env::remove_var(VARIABLE);
    }
    for socket in sockets.into_iter().filter(|socket| *socket != listener) {
        send_at_once(socket);
    }
    let connected = UnixStream::connect(&path)?;
    std::fs::remove_file(&path)?;
    Ok(connected)
}

/// Whether these are the sockets of a server that nobody else is connected to.
fn check(sockets: usize, listeners: usize) -> Result<(), InspectorError> {
    match (listeners, sockets) {
        (1, ALONE) => Ok(()),
        (1, more) if more > ALONE => Err(InspectorError::NotAlone),
        _ => Err(InspectorError::Missing),
    }
}

/// The open sockets of the internet's families.
fn inet_sockets() -> Vec<RawFd> {
    let open = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers = open.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers
        .filter(|number| [libc::AF_INET, libc::AF_INET6].contains(&option(*number, libc::SO_DOMAIN)))
        .collect()
}

/// An option of a socket; -1 for what is none.
fn option(socket: RawFd, name: libc::c_int) -> libc::c_int {
    let (mut value, mut size): (libc::c_int, libc::socklen_t) =
        (0, size_of::<libc::c_int>() as libc::socklen_t);
    // SAFETY: value and size are ours, and have room for what an option of this kind is.
    let got =
        unsafe { libc::getsockopt(socket, libc::SOL_SOCKET, name, (&raw mut value).cast(), &raw mut size) };
    if got == 0 { value } else { -1 }
}

/// Without this every message waits 40 ms for an acknowledgement.
fn send_at_once(socket: RawFd) {
    let one: libc::c_int = 1;
    // SAFETY: the value is ours, and of the size that is said.
    unsafe {
        libc::setsockopt(
            socket,
            libc::IPPROTO_TCP,
            libc::TCP_NODELAY,
            (&raw const one).cast(),
            size_of::<libc::c_int>() as libc::socklen_t,
        )
    };
}

#[cfg(test)]
mod tests {
    use super::{InspectorError, check};

    #[test]
    fn the_inspector_is_used_only_by_us() {
        assert!(check(3, 1).is_ok());
        // Somebody else connected, and perhaps more.
        for sockets in [4, 5] {
            assert!(matches!(check(sockets, 1), Err(InspectorError::NotAlone)));
        }
        // The port was taken, or the server is not connected yet, or another listener is there.
        for (sockets, listeners) in [(0, 0), (2, 0), (2, 1), (3, 0), (3, 2)] {
            assert!(matches!(check(sockets, listeners), Err(InspectorError::Missing)));
        }
    }
}
