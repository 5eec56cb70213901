//! A [`TestMirror`] is an HTTP/1.1 server on loopback that supports `Range`. A [`Quirk`] is a fault for one request of
//! the archive.

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::build;

#[derive(Clone, Copy)]
pub(crate) enum Quirk {
    /// Sends this many bytes of the body and closes the connection.
    DropAfter(usize),
    /// Sends this many bytes of the body and then nothing.
    StallAfter(usize),
    /// Sends the whole file, ignoring the range.
    IgnoreRange,
    /// Closes the connection without a response.
    Silent,
    /// Answers with this status.
    Status(u16),
}

#[derive(Default)]
pub(crate) struct TestMirror {
    base: String,
    files: HashMap<String, Vec<u8>>,
    quirks: Mutex<VecDeque<Quirk>>,
    requests: Mutex<Vec<Option<usize>>>,
}

struct MirrorResponse<'a> {
    status: u16,
    range: String,
    length: usize,
    body: &'a [u8],
}

impl TestMirror {
    /// A mirror with this archive and its checksum.
    pub(crate) fn with(archive: Vec<u8>) -> Arc<Self> {
        let checksum = build::checksum(&archive).into_bytes();
        Self::serving([(build::path(), archive), (build::path() + ".sha256", checksum)], [])
    }

    /// A mirror with a usable build and these faults, one per request.
    pub(crate) fn faulty<const N: usize>(quirks: [Quirk; N]) -> Arc<Self> {
        let archive = build::Build::usable().bytes();
        let checksum = build::checksum(&archive).into_bytes();
        Self::serving([(build::path(), archive), (build::path() + ".sha256", checksum)], quirks)
    }

    pub(crate) fn serving<const N: usize, const M: usize>(
        files: [(String, Vec<u8>); N],
        quirks: [Quirk; M],
    ) -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mirror = Arc::new(TestMirror {
            base: format!("http://{}", listener.local_addr().unwrap()),
            files: files.into(),
            quirks: Mutex::new(quirks.into()),
            requests: Mutex::default(),
        });
        let server = Arc::clone(&mirror);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = Arc::clone(&server);
                thread::spawn(move || server.serve(stream));
            }
        });
        mirror
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The start offset of each request for the archive.
    pub(crate) fn requests(&self) -> Vec<Option<usize>> {
        self.requests.lock().unwrap().clone()
    }

    fn serve(&self, mut stream: TcpStream) {
        let (path, from) = read_request(&stream);
        let mut quirk = None;
        if path == build::path() {
            self.requests.lock().unwrap().push(from);
            quirk = self.quirks.lock().unwrap().pop_front();
        }
        let (answer, then) = match quirk {
            Some(Quirk::Silent) => return,
            Some(Quirk::Status(status)) => (refusal(status), None),
            Some(Quirk::IgnoreRange) => (self.answer(&path, None), None),
            Some(Quirk::DropAfter(length)) => (cut(self.answer(&path, from), length), None),
            Some(Quirk::StallAfter(length)) => {
                (cut(self.answer(&path, from), length), Some(Duration::from_secs(30)))
            }
            None => (self.answer(&path, from), None),
        };
        let MirrorResponse { status, range, length, body } = answer;
        let head =
            format!("HTTP/1.1 {status} X\r\n{range}Content-Length: {length}\r\nConnection: close\r\n\r\n");
        // A client that cancels closes the connection.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        thread::sleep(then.unwrap_or_default());
    }

    fn answer(&self, path: &str, from: Option<usize>) -> MirrorResponse<'_> {
        let Some(file) = self.files.get(path) else { return refusal(404) };
        let whole = file.len();
        match from {
            None => MirrorResponse { status: 200, range: String::new(), length: whole, body: file },
            Some(from) if from < whole => MirrorResponse {
                status: 206,
                range: format!("Content-Range: bytes {from}-{}/{whole}\r\n", whole - 1),
                length: whole - from,
                body: &file[from..],
            },
            Some(_) => {
                MirrorResponse { range: format!("Content-Range: bytes */{whole}\r\n"), ..refusal(416) }
            }
        }
    }
}

fn cut(answer: MirrorResponse<'_>, length: usize) -> MirrorResponse<'_> {
    MirrorResponse { body: &answer.body[..length], ..answer }
}

fn refusal(status: u16) -> MirrorResponse<'static> {
    MirrorResponse { status, range: String::new(), length: 0, body: b"" }
}

fn read_request(stream: &TcpStream) -> (String, Option<usize>) {
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    let path = lines.next().unwrap_or_default().split(' ').nth(1).unwrap_or_default().to_owned();
    let headers = lines.take_while(|line| !line.is_empty());
    let from = headers.filter_map(|line| {
        let line = line.to_ascii_lowercase();
        line.strip_prefix("range: bytes=")?.strip_suffix('-')?.parse().ok()
    });
    (path, from.last())
}
