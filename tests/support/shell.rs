use std::{
    ffi::OsStr,
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// A shell of somebody who uses the program: a working directory, a place for sockets, variables.
pub struct Shell {
    directory: TempDir,
    variables: Vec<(String, String)>,
}

/// What a command did.
#[derive(Debug)]
pub struct CommandOutput {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Shell {
    pub fn new() -> Self {
        let shell = Self { directory: tempfile::tempdir().unwrap(), variables: Vec::new() };
        for name in ["work", "tmp", "run"] {
            std::fs::create_dir(shell.directory.path().join(name)).unwrap();
        }
        shell
    }

    /// Sets a variable.
    pub fn set(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Writes a file into the working directory.
    pub fn file(self, name: &str, content: &str) -> Self {
        std::fs::write(self.path(name), content).unwrap();
        self
    }

    /// A path in the working directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join("work").join(name)
    }

    pub fn temporary_directory(&self) -> PathBuf {
        self.directory.path().join("tmp")
    }

    /// Where the sockets of servers are.
    pub fn sockets(&self) -> PathBuf {
        self.directory.path().join("run/cicerone")
    }

    /// The program, with some arguments.
    pub fn command<A: AsRef<OsStr>>(&self, arguments: &[A]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
        command
            .args(arguments)
            .env("TMPDIR", self.temporary_directory())
            .env("XDG_RUNTIME_DIR", self.directory.path().join("run"))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.path(""))
            .stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub fn run<A: AsRef<OsStr>>(&self, arguments: &[A]) -> CommandOutput {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        CommandOutput { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// The files of this kind beside the sockets.
    pub fn beside_sockets(&self, extension: &str) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.sockets()).into_iter().flatten().flatten();
        files.map(|file| file.path()).filter(|path| path.extension() == Some(extension.as_ref())).collect()
    }

    /// Waits until all servers have ended: each holds a lock on its log.
    pub fn wait_for_servers(&self) {
        for log in self.beside_sockets("log") {
            std::fs::File::open(log).unwrap().lock().unwrap();
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        for socket in self.beside_sockets("sock") {
            let _ = std::fs::remove_file(socket);
        }
        self.wait_for_servers();
    }
}

impl CommandOutput {
    /// It must have worked.
    #[track_caller]
    pub fn ok(&self) -> &Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self
    }

    /// It must have worked, and print this.
    #[track_caller]
    pub fn prints(&self, words: &str) -> &Self {
        self.ok();
        assert!(self.out.contains(words), "{words:?} is not in:\n{}", self.out);
        self
    }

    /// It must have ended with this code, print nothing, and say this on standard error.
    #[track_caller]
    pub fn fails(&self, code: i32, words: &str) -> &Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert_eq!(self.out, "");
        assert!(self.err.contains(words), "{words:?} is not in:\n{}", self.err);
        self
    }

    /// What it printed, as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}
