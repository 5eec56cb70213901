use std::{
    io,
    sync::{Mutex, PoisonError},
    thread,
};

use tokio::runtime::{Builder, Handle};

/// The runtime of the thread that all relays share. Started on first use, it runs until the process ends.
///
/// The server's own runtime is single-threaded, and a download must not delay its calls.
pub(crate) fn runtime() -> io::Result<Handle> {
    static RUNTIME: Mutex<Option<Handle>> = Mutex::new(None);
    let mut started = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(handle) = &*started {
        return Ok(handle.clone());
    }
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    thread::Builder::new()
        .name("relay".to_owned())
        .spawn(move || runtime.block_on(std::future::pending::<()>()))?;
    Ok(started.insert(handle).clone())
}

/// How many browser connections the process can hold, at two file descriptors each, with some reserved.
///
/// Raises the soft limit of open files to the hard limit first: 1,024 is a common default, and one busy page can use a
/// quarter of it.
#[cfg(unix)]
pub(crate) fn room() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let files = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    let files = files.and_then(|files| usize::try_from(files).ok()).unwrap_or(MOST * 4);
    (files.saturating_sub(KEPT) / 2).clamp(LEAST, MOST)
}

#[cfg(not(unix))]
pub(crate) fn room() -> usize {
    MOST
}

/// File descriptors reserved for the rest of the process.
#[cfg(unix)]
const KEPT: usize = 256;
#[cfg(unix)]
const LEAST: usize = 64;
const MOST: usize = 16_384;
