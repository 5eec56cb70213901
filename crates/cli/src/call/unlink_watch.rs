//! The removal of a file, told by the system.

use std::{io, mem::MaybeUninit, os::fd::OwnedFd, path::Path};

use rustix::fs::inotify::{CreateFlags, Reader, WatchFlags, add_watch, init};
use tokio::sync::oneshot;

use super::server::Ours;

/// What happens to a file that is taken away from its place.
const TAKEN_AWAY: WatchFlags = WatchFlags::DELETE
    .union(WatchFlags::MOVED_FROM)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF);

/// Resolves to nothing when the file is no longer there, or to why that cannot be told any more.
pub(super) fn watch(file: Ours) -> io::Result<oneshot::Receiver<io::Result<()>>> {
    let events = init(CreateFlags::CLOEXEC)?;
    // The directory is watched: a socket that somebody listens on is not deleted, only its name is.
    add_watch(&events, file.path.parent().unwrap_or(Path::new("/")), TAKEN_AWAY)?;
    let (tell, removed) = oneshot::channel();
    // A thread of its own, which sleeps until then: it must not count among those that the runtime waits for.
    std::thread::spawn(move || tell.send(wait(&file, &events)));
    Ok(removed)
}

fn wait(file: &Ours, events: &OwnedFd) -> io::Result<()> {
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut events = Reader::new(events, &mut buffer);
    // Which file an event is about does not matter: ours is looked for.
    while file.is_there() {
        events.next()?;
    }
    Ok(())
}
