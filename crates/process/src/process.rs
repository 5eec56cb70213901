//! The browser's process: started, watched, ended together with all its children.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, ChildStderr},
    sync::{Notify, watch},
};

use crate::Profile;

/// How long the browser may take to end by itself.
const GRACE: Duration = Duration::from_secs(3);

/// How long its helpers may take to end after they were killed.
#[cfg(target_os = "linux")]
const HELPERS: Duration = Duration::from_millis(500);

/// The last lines that the browser wrote to its standard error.
pub type LastWords = Arc<Mutex<VecDeque<String>>>;

/// A running browser.
pub struct Process {
    id: Option<u32>,
    ended: watch::Receiver<bool>,
    kill: Arc<Notify>,
}

impl Process {
    /// Takes the child over. Its profile goes when it has ended.
    pub fn watch(mut child: Child, profile: Profile) -> (Self, LastWords) {
        let words = LastWords::default();
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(listen(stderr, Arc::clone(&words)));
        }
        let (tell, ended) = watch::channel(false);
        let kill = Arc::new(Notify::new());
        let id = child.id();
        tokio::spawn(live(child, profile, Arc::clone(&kill), tell));
        (Self { id, ended, kill }, words)
    }

    /// Resolves when the process has ended and its profile is gone.
    pub async fn ended(&self) {
        let mut ended = self.ended.clone();
        // An error means that its task is gone, and the process with it.
        let _ = ended.wait_for(|ended| *ended).await;
    }

    /// Waits for its end, and ends it with all its children when it takes too long.
    pub async fn end(&self) {
        if tokio::time::timeout(GRACE, self.ended()).await.is_err() {
            self.kill().await;
        }
    }

    /// Ends it with all its children, at once.
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

async fn live(mut child: Child, profile: Profile, kill: Arc<Notify>, tell: watch::Sender<bool>) {
    let id = child.id();
    tokio::select! {
        _ = child.wait() => {}
        () = kill.notified() => {
            kill_group(id);
            let _ = child.wait().await;
        }
    }
    // Its helpers outlive it for a moment, and write into the profile.
    kill_group(id);
    let _ = tokio::task::spawn_blocking(move || {
        await_group(id);
        drop(profile);
    })
    .await;
    tell.send_replace(true);
}

async fn listen(stderr: ChildStderr, words: LastWords) {
    let mut lines = BufReader::new(stderr).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::debug!(target: "cicerone::browser", "{line}");
        // What a crash leaves would push out its reason.
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

/// Whether a line is one of a stack: `#0 0x55…`.
fn is_of_a_stack(line: &str) -> bool {
    line.strip_prefix('#').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(unix)]
fn kill_group(id: Option<u32>) {
    let pid = id.and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        // It may have ended meanwhile, which is what is wanted.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

/// Waits until all processes of a group have ended, which nothing tells: they are no children of ours.
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

/// Whether a process of this group runs. One that has ended and that nobody has asked about (`Z`, `X`) does not.
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

/// No code panics while it holds this lock, so a poisoned one is still good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
