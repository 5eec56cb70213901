//! Stops the server on signals and when its parent process exits.

use tokio_util::sync::CancellationToken;

/// The exit code of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Cancels `stop` at a signal. A second signal ends the program at once.
pub(crate) fn on_signals(stop: CancellationToken) {
    tokio::spawn(async move {
        signal().await;
        stop.cancel();
        signal().await;
        std::process::exit(INTERRUPTED);
    });
}

/// Cancels `stop` when the program that started us ends.
pub(crate) fn with_parent(stop: CancellationToken) {
    tokio::spawn(async move {
        parent_ended().await;
        tracing::debug!("the program that started us has ended");
        stop.cancel();
    });
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut hang_up)) =
        (signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

#[cfg(not(unix))]
async fn signal() {
    // Without a way to hear it there is nothing to wait for.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Resolves when the program that started us ends: behind a shell or a package runner, our input may stay open.
#[cfg(target_os = "linux")]
async fn parent_ended() {
    use rustix::{
        event::{PollFd, PollFlags, poll},
        process::{PidfdFlags, getppid, pidfd_open},
    };

    let parent = getppid().filter(|parent| !parent.is_init());
    let watched = parent.and_then(|parent| pidfd_open(parent, PidfdFlags::empty()).ok());
    // Without a parent that can be watched there is nothing to wait for.
    let Some(watched) = watched else { return std::future::pending().await };
    let (tell, ended) = tokio::sync::oneshot::channel();
    // A thread of its own, which sleeps until then: it must not count among those that the runtime waits for.
    std::thread::spawn(move || {
        let done = poll(&mut [PollFd::new(&watched, PollFlags::IN)], None);
        if done.is_ok() {
            let _ = tell.send(());
        }
    });
    if ended.await.is_err() {
        std::future::pending().await
    }
}

#[cfg(not(target_os = "linux"))]
async fn parent_ended() {
    std::future::pending().await
}
