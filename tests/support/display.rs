use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

/// A display of its own for browsers with windows.
pub struct Display {
    child: Child,
    name: String,
}

impl Display {
    pub fn start() -> Self {
        let mut command = Command::new("Xvfb");
        command.args(["-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("tests of browsers with windows need Xvfb: install xvfb");
        let mut number = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { child, name: format!(":{}", number.trim()) }
    }

    /// For `DISPLAY`.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
