//! The display that pages are drawn on. Without a person to see them that is an Xvfb of our own, which nobody else can
//! enter and which ends with us: by a signal when we end, and by itself when its last client is gone.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    os::{
        fd::{AsRawFd, FromRawFd},
        unix::{fs::OpenOptionsExt, process::CommandExt},
    },
    path::Path,
    process::{Child, Command, Stdio},
};

/// Larger windows than this are drawn all the same.
const SCREEN: &str = "64x64x24";

/// Xvfb.
pub(crate) struct Display {
    server: Child,
    /// What it is called: `:99`.
    pub(crate) name: String,
}

impl Display {
    /// Starts Xvfb on a free display, with a cookie in this directory that its clients must have.
    pub(crate) fn start(directory: &Path) -> io::Result<Self> {
        let cookies = directory.join("Xauthority");
        write_cookie(&cookies)?;
        let (ready, number) = pipe()?;
        let mut command = Command::new("Xvfb");
        command.args(["-screen", "0", SCREEN, "-nolisten", "tcp", "-terminate", "-displayfd"]);
        command.arg(number.as_raw_fd().to_string()).arg("-auth").arg(&cookies);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Its own group: whoever kills ours must leave it the time to remove its lock.
        command.process_group(0);
        // SAFETY: `prctl` is allowed between fork and exec, and touches nothing of ours.
        unsafe {
            command.pre_exec(|| {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
                Ok(())
            });
        }
        let mut server = command.spawn()?;
        drop(number);
        let mut line = String::new();
        BufReader::new(ready).read_line(&mut line)?;
        if line.trim().is_empty() {
            let _ = server.wait();
            return Err(io::Error::other("Xvfb ended before it was ready"));
        }
        // SAFETY: no other thread runs yet that reads the environment.
        unsafe { std::env::set_var("XAUTHORITY", &cookies) };
        Ok(Self { server, name: format!(":{}", line.trim()) })
    }

    /// Ends it; returns when its lock is gone.
    pub(crate) fn end(mut self) {
        // SAFETY: the process is our child, and was not waited for yet: its number is still its own.
        unsafe { libc::kill(self.server.id().cast_signed(), libc::SIGTERM) };
        let _ = self.server.wait();
    }
}

/// A pipe whose writing end is inherited.
fn pipe() -> io::Result<(File, File)> {
    let mut ends = [0; 2];
    // SAFETY: the array has room for both ends, which nobody else owns.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) < 0 || libc::fcntl(ends[1], libc::F_SETFD, 0) < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])))
    }
}

/// Writes an authority file with one cookie, for any display of this machine.
fn write_cookie(path: &Path) -> io::Result<()> {
    const ANY_ADDRESS: u16 = 0xffff;
    const SCHEME: &[u8] = b"MIT-MAGIC-COOKIE-1";
    let mut cookie = [0; 16];
    io::Read::read_exact(&mut File::open("/dev/urandom")?, &mut cookie)?;
    let mut entry = ANY_ADDRESS.to_be_bytes().to_vec();
    for field in [&b""[..], b"", SCHEME, &cookie] {
        entry.extend(u16::try_from(field.len()).unwrap_or_default().to_be_bytes());
        entry.extend(field);
    }
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?.write_all(&entry)
}
