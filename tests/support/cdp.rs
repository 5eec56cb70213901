use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::socket::accepted;

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A connection to a browser's debugging port, beside the one that is tested: it sees what a person sees.
pub struct Cdp {
    socket: WebSocket,
    next_id: u64,
}

impl Cdp {
    pub fn dial(address: SocketAddr, path: &str) -> Self {
        let socket = WebSocket::dial(address, path, &[]).unwrap();
        Self { socket, next_id: 1 }
    }

    /// A command and its result.
    #[track_caller]
    pub fn send(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.try_send(session, method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    pub fn try_send(&mut self, session: Option<&str>, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.next_id;
        self.next_id += 1;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        self.socket.send(&message.to_string());
        let until = Instant::now() + TIMEOUT;
        while Instant::now() < until {
            let text = self.socket.read().unwrap_or_else(|| panic!("{method}: the connection ended"));
            let answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == id {
                return match answer.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(answer["result"].clone()),
                };
            }
        }
        panic!("{method}: no answer")
    }

    /// All targets of a type.
    pub fn targets(&mut self, kind: &str) -> Vec<Value> {
        let found = self.send(None, "Target.getTargets", json!({ "filter": [{}] }));
        let targets = found["targetInfos"].as_array().unwrap();
        targets.iter().filter(|target| target["type"] == kind).cloned().collect()
    }

    /// Does something on a session of a target, and leaves it.
    #[track_caller]
    pub fn on<T>(&mut self, target: &str, work: impl FnOnce(&mut Self, &str) -> T) -> T {
        self.try_on(target, work).unwrap_or_else(|error| panic!("{target}: {error}"))
    }

    /// The same where the target may just be gone.
    pub fn try_on<T>(&mut self, target: &str, work: impl FnOnce(&mut Self, &str) -> T) -> Result<T, Value> {
        let params = json!({ "targetId": target, "flatten": true });
        let attached = self.try_send(None, "Target.attachToTarget", params)?;
        let session = attached["sessionId"].as_str().unwrap().to_owned();
        let done = work(self, &session);
        let _ = self.try_send(None, "Target.detachFromTarget", json!({ "sessionId": session }));
        Ok(done)
    }

    /// Whether an expression without effects is true in a target. In one that ends, or whose document is being replaced, nothing
    /// is.
    pub fn holds(&mut self, target: &str, expression: &str) -> bool {
        let params = json!({ "expression": expression, "returnByValue": true });
        let asked =
            self.try_on(target, |cdp, session| cdp.try_send(Some(session), "Runtime.evaluate", params));
        matches!(asked, Ok(Ok(done)) if done["result"]["value"] == true)
    }

    /// The value of an expression in a target; promises are waited for.
    #[track_caller]
    pub fn evaluate(&mut self, target: &str, expression: &str) -> Value {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let done = self.on(target, |cdp, session| cdp.send(Some(session), "Runtime.evaluate", params));
        assert!(done.get("exceptionDetails").is_none(), "{expression}: {}", done["exceptionDetails"]);
        done["result"]["value"].clone()
    }
}

/// A WebSocket of texts, blocking.
pub struct WebSocket {
    reader: BufReader<TcpStream>,
    /// Clients mask what they send, and servers must not.
    masks: bool,
}

impl WebSocket {
    /// Opens one with more header lines; the status where it is refused.
    pub fn dial(address: SocketAddr, path: &str, headers: &[&str]) -> Result<Self, u16> {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let mut head = format!("GET {path} HTTP/1.1\r\n");
        if !headers.iter().any(|header| header.to_lowercase().starts_with("host:")) {
            head += &format!("Host: {address}\r\n");
        }
        for header in headers {
            head += &format!("{header}\r\n");
        }
        head += "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
        head += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        while line.trim() != "" {
            line.clear();
            reader.read_line(&mut line).unwrap();
        }
        if status == 101 { Ok(Self { reader, masks: true }) } else { Err(status) }
    }

    /// Takes what somebody else dials: the head of the request, and the server's end.
    pub fn accept(stream: TcpStream) -> (String, Self) {
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(reader.read_line(&mut head).unwrap(), 0, "{head}");
        }
        let headers = || head.lines().filter_map(|line| line.split_once(": "));
        let key = headers().find(|(name, _)| name.eq_ignore_ascii_case("sec-websocket-key")).unwrap().1;
        reader.get_mut().write_all(&accepted(key)).unwrap();
        (head, Self { reader, masks: false })
    }

    pub fn send(&mut self, text: &str) {
        self.send_part(text.len(), text.as_bytes());
    }

    /// Announces a text of this length, and sends the beginning of it.
    pub fn send_part(&mut self, length: usize, text: &[u8]) {
        let masked = if self.masks { 0x80 } else { 0 };
        let mut frame = vec![0x81];
        match length {
            0..126 => frame.push(masked | length as u8),
            126..=0xffff => {
                frame.push(masked | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            _ => {
                frame.push(masked | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        if self.masks {
            // Any mask will do, but Firefox takes none of zeros.
            const MASK: [u8; 4] = [1, 2, 3, 4];
            frame.extend(MASK);
            frame.extend(unmasked(text, MASK));
        } else {
            frame.extend(text);
        }
        // Whoever refused it has closed it: the next read tells.
        let _ = self.reader.get_mut().write_all(&frame);
    }

    /// The next text; nothing at the end.
    pub fn read(&mut self) -> Option<String> {
        let mut whole = Vec::new();
        loop {
            let mut head = [0; 2];
            self.reader.read_exact(&mut head).ok()?;
            let length = match head[1] & 0x7f {
                126 => u64::from(u16::from_be_bytes(self.bytes()?)),
                127 => u64::from_be_bytes(self.bytes()?),
                short => u64::from(short),
            };
            let mask = if head[1] & 0x80 == 0 { [0; 4] } else { self.bytes()? };
            let mut payload = vec![0; usize::try_from(length).unwrap()];
            self.reader.read_exact(&mut payload).ok()?;
            let payload = unmasked(&payload, mask);
            match head[0] & 0xf {
                8 => return None,
                0..=2 => whole.extend(payload),
                _ => continue,
            }
            if head[0] & 0x80 != 0 {
                return Some(String::from_utf8(whole).unwrap());
            }
        }
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.reader.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }
}

/// Masking twice gives back what it was.
fn unmasked(bytes: &[u8], mask: [u8; 4]) -> Vec<u8> {
    bytes.iter().zip(mask.into_iter().cycle()).map(|(byte, mask)| byte ^ mask).collect()
}
