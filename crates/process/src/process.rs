//! The browser's process: watched, and killed together with all its children.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use cicerone_driver::lock;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, ChildStderr},
    sync::{Notify, oneshot, watch},
};

use crate::Profile;

/// Time for the browser to exit.
const GRACE: Duration = Duration::from_secs(3);

/// Time for its helper processes to exit after a kill.
#[cfg(target_os = "linux")]
const HELPERS: Duration = Duration::from_millis(500);

/// The last lines of the browser's standard error.
pub type StderrTail = Arc<Mutex<VecDeque<String>>>;

/// A running browser process.
pub struct Process {
    id: Option<u32>,
    ended: watch::Receiver<bool>,
    kill: Arc<Notify>,
    heir: Heir,
}

/// Who gets the profile, if anybody does.
type Heir = Arc<Mutex<Option<oneshot::Sender<Profile>>>>;

impl Process {
    /// Takes ownership of the child. Its profile is deleted when it has exited.
    pub fn watch(mut child: Child, profile: Profile) -> (Self, StderrTail) {
        let words = StderrTail::default();
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(listen(stderr, Arc::clone(&words)));
        }
        let (tell, ended) = watch::channel(false);
        let kill = Arc::new(Notify::new());
        let (id, heir) = (child.id(), Heir::default());
        tokio::spawn(live(child, profile, Arc::clone(&kill), Arc::clone(&heir), tell));
        (Self { id, ended, kill, heir }, words)
    }

    /// Resolves when the process has exited and its profile is deleted.
    pub async fn ended(&self) {
        let mut ended = self.ended.clone();
        // An error means that its task is gone, and the process with it.
        let _ = ended.wait_for(|ended| *ended).await;
    }

    /// Waits for the exit, and kills it with all its children after a timeout.
    pub async fn end(&self) {
        if tokio::time::timeout(GRACE, self.ended()).await.is_err() {
            self.kill().await;
        }
    }

    /// The same; its profile stays, for another process.
    pub async fn end_and_keep(&self) -> Option<Profile> {
        let profile = self.inherit();
        self.end().await;
        profile.await.ok()
    }

    /// Its profile when it has exited. It is deleted if nobody waits for it any more.
    pub fn inherit(&self) -> oneshot::Receiver<Profile> {
        let (heir, profile) = oneshot::channel();
        *lock(&self.heir) = Some(heir);
        profile
    }

    /// Kills it with all its children.
    pub async fn kill(&self) {
        self.kill.notify_one();
        self.ended().await;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !*self.ended.borrow() {
            kill_group(self.id);
        }
    }
}

async fn live(mut child: Child, profile: Profile, kill: Arc<Notify>, heir: Heir, tell: watch::Sender<bool>) {
    let id = child.id();
    tokio::select! {
        _ = child.wait() => {}
        () = kill.notified() => {
            kill_group(id);
            let _ = child.wait().await;
        }
    }
    // Its helper processes outlive it briefly and write into the profile.
    kill_group(id);
    let _ = tokio::task::spawn_blocking(move || {
        await_group(id);
        match lock(&heir).take() {
            // One who does not want it any more lets it be deleted.
            Some(heir) => drop(heir.send(profile)),
            None => drop(profile),
        }
    })
    .await;
    tell.send_replace(true);
}

async fn listen(stderr: ChildStderr, words: StderrTail) {
    let mut lines = BufReader::new(stderr).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::debug!(target: "cicerone::browser", "{line}");
        // The stack trace of a crash would displace its reason.
        if is_of_a_stack(&line) {
            continue;
        }
        let mut words = lock(&words);
        if words.len() == 8 {
            words.pop_front();
        }
        words.push_back(line);
    }
}

/// Whether a line is part of a stack trace: `#0 0x55…`.
fn is_of_a_stack(line: &str) -> bool {
    line.strip_prefix('#').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(unix)]
fn kill_group(id: Option<u32>) {
    let pid = id.and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        // It may have exited meanwhile, which is fine.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

/// Waits until all processes of a group have exited. There is no event: they are not our children.
#[cfg(target_os = "linux")]
fn await_group(id: Option<u32>) {
    let by = std::time::Instant::now() + HELPERS;
    while id.is_some_and(group_runs) {
        if std::time::Instant::now() > by {
            tracing::debug!(group = id, "some of the browser's processes take long to end");
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(not(target_os = "linux"))]
fn await_group(_: Option<u32>) {}

/// Whether a process of this group is running; zombies (`Z`, `X`) do not count.
#[cfg(target_os = "linux")]
fn group_runs(group: u32) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    let stats =
        processes.flatten().filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    let mut of_group = stats.filter_map(|stat| {
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let (state, its_group) = (fields.next()?.to_owned(), fields.nth(1)?.parse::<u32>().ok()?);
        (its_group == group).then_some(state)
    });
    of_group.any(|state| state != "Z" && state != "X")
}

#[cfg(not(unix))]
fn kill_group(_: Option<u32>) {}
