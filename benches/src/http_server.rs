//! The server over HTTP, and what it holds while it runs.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

use tempfile::TempDir;

use crate::{Failure, ours::memory};

/// A server over HTTP, as long as this lives.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    temporary: TempDir,
}

/// What its sessions need beside memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    /// Processes of its browser that draw pages.
    pub(crate) renderers: usize,
    /// Its own file descriptors.
    pub(crate) descriptors: usize,
    /// Files and directories that it made for the time being.
    pub(crate) files: usize,
}

impl Held {
    /// What is left of it beyond what there was before.
    pub(crate) fn beyond(self, before: Self) -> Self {
        Self {
            renderers: self.renderers.saturating_sub(before.renderers),
            descriptors: self.descriptors.saturating_sub(before.descriptors),
            files: self.files.saturating_sub(before.files),
        }
    }

    pub(crate) fn is_nothing(self) -> bool {
        self == Self { renderers: 0, descriptors: 0, files: 0 }
    }
}

impl Server {
    pub(crate) fn start(program: &Path) -> Result<Self, Failure> {
        let temporary = tempfile::tempdir()?;
        let mut command = Command::new(program);
        command.args(["serve", "--http", "127.0.0.1:0"]).env("TMPDIR", temporary.path());
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(child.stderr.take().ok_or("no standard error")?).lines();
        let said = lines.by_ref().map_while(Result::ok).find(|line| line.contains("listening on"));
        thread::spawn(move || lines.for_each(drop));
        let address =
            said.and_then(|line| Some(line.split_once("http://")?.1.strip_suffix("/mcp")?.to_owned()));
        Ok(Self { child, address: address.ok_or("the server did not start")?, temporary })
    }

    /// Its own memory, in megabytes.
    pub(crate) fn memory(&self) -> Result<f64, Failure> {
        memory(self.child.id())
    }

    pub(crate) fn held(&self) -> Result<Held, Failure> {
        let process = self.child.id();
        let draws = |process: &u32| {
            fs::read_to_string(format!("/proc/{process}/cmdline"))
                .is_ok_and(|line| line.contains("--type=renderer"))
        };
        Ok(Held {
            renderers: below(process).iter().filter(|process| draws(process)).count(),
            descriptors: fs::read_dir(format!("/proc/{process}/fd"))?.count(),
            files: fs::read_dir(self.temporary.path())?.count(),
        })
    }
}

/// The processes that a process has begun, and those that they have.
fn below(process: u32) -> Vec<u32> {
    // Processes come and go while they are listed.
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let listed = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let children: Vec<u32> =
        listed.flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<_>>()).collect();
    children.into_iter().flat_map(|child| [vec![child], below(child)].concat()).collect()
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its browser ends with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
