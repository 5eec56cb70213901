//! Watches for the removal of a file, with inotify.

use std::{io, mem::MaybeUninit, os::fd::OwnedFd, path::Path};

use rustix::fs::inotify::{CreateFlags, Reader, WatchFlags, add_watch, init};
use tokio::sync::oneshot;

use super::server::Ours;

/// The events of removing or moving a file.
const TAKEN_AWAY: WatchFlags = WatchFlags::DELETE
    .union(WatchFlags::MOVED_FROM)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF);

/// Resolves when the file is gone, or with the error that ended the watch.
pub(super) fn watch(file: Ours) -> io::Result<oneshot::Receiver<io::Result<()>>> {
    let events = init(CreateFlags::CLOEXEC)?;
    // Watch the directory: unlinking a socket in use removes only its name.
    add_watch(&events, file.path.parent().unwrap_or(Path::new("/")), TAKEN_AWAY)?;
    let (tell, removed) = oneshot::channel();
    // A separate thread, since the runtime waits for its own at shutdown.
    std::thread::spawn(move || tell.send(wait(&file, &events)));
    Ok(removed)
}

fn wait(file: &Ours, events: &OwnedFd) -> io::Result<()> {
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut events = Reader::new(events, &mut buffer);
    // The event's file name does not matter: check for ours.
    while file.is_there() {
        events.next()?;
    }
    Ok(())
}
