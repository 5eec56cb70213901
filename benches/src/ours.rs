//! The server, as a client starts it.

use std::{fs, path::Path, process::Command};

use cicerone_testkit::{Client, Reply};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::Failure;

pub(crate) struct Ours {
    pub(crate) client: Client,
    _pictures: TempDir,
}

impl Ours {
    /// Starts it; returns when `initialize` is answered.
    pub(crate) fn start(program: &Path) -> Result<Self, Failure> {
        Self::start_with(program, &[])
    }

    /// The same, with more flags.
    pub(crate) fn start_with(program: &Path, flags: &[&str]) -> Result<Self, Failure> {
        let pictures = tempfile::tempdir()?;
        let mut command = Command::new(program);
        command.args(flags);
        command.args(["--log", "error", "--screenshot-dir"]).arg(pictures.path());
        Ok(Self { client: Client::start(&mut command)?, _pictures: pictures })
    }

    /// Starts it for the person's own Chrome, whose extension is in this data directory.
    pub(crate) fn extended(program: &Path, data: &Path) -> Result<Self, Failure> {
        let pictures = tempfile::tempdir()?;
        let mut command = Command::new(program);
        command.args(["--extension", "--log", "error", "--screenshot-dir"]).arg(pictures.path());
        command.env("XDG_DATA_HOME", data);
        Ok(Self { client: Client::start(&mut command)?, _pictures: pictures })
    }

    pub(crate) fn open(&mut self, url: &str) -> Result<Reply, Failure> {
        self.call("browser_navigate", &json!({ "url": url }))
    }

    /// Calls a tool that must succeed: a failed call is not a measurement.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Reply, Failure> {
        let reply = self.client.call(tool, arguments)?;
        if reply.failed { Err(format!("{tool} {arguments}: {}", reply.text).into()) } else { Ok(reply) }
    }

    /// How the server started its browser.
    pub(crate) fn browser_command_line(&self) -> Result<Vec<String>, Failure> {
        let parent = format!("\nPPid:\t{}\n", self.client.process_id());
        for process in fs::read_dir("/proc").map_err(|error| format!("only on Linux: {error}"))?.flatten() {
            // Processes come and go while they are listed.
            let Ok(status) = fs::read_to_string(process.path().join("status")) else { continue };
            let Ok(line) = fs::read_to_string(process.path().join("cmdline")) else { continue };
            if status.contains(&parent) && line.contains("--remote-debugging-p") {
                return Ok(line.split_terminator('\0').map(str::to_owned).collect());
            }
        }
        Err("the server's browser was not found".into())
    }

    /// The server's own memory in MB, without the browser's: its share of all pages that it uses.
    pub(crate) fn memory(&self) -> Result<f64, Failure> {
        memory(self.client.process_id())
    }
}

/// The proportional set size of a process in MB.
pub(crate) fn memory(process: u32) -> Result<f64, Failure> {
    let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup"))?;
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:")).ok_or("no Pss")?;
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kilobytes / 1024.0)
}
