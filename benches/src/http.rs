//! Many clients over HTTP on one browser: how long their steps take beside those of few, what the server needs, and what is
//! left of a thousand sessions.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use cicerone_testkit::Site;
use serde_json::{Value, json};

use crate::{
    Failure, median,
    ours::{Ours, memory},
    table::{Limit, Table, Unit},
};

const FEW: usize = 5;
const MANY: usize = 50;
const SESSIONS: usize = 1_000;

/// How long one answer may take.
const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) fn measure(table: &mut Table, site: &Site, program: &Path) -> Result<(), Failure> {
    let server = Server::start(program)?;
    // The browser is warm for both.
    tasks(&server, site, 1)?;
    let few = percentile(tasks(&server, site, FEW)?);
    let many = percentile(tasks(&server, site, MANY)?);
    table.milliseconds("p95 of a step, 50 clients; raw: 5 clients", many, Some(few), Limit::TimesRaw(3.0));
    table.measured(
        "server's memory after 50 clients",
        server.memory()?,
        Unit::Megabytes,
        Limit::AtMost(60.0),
    );
    against_stdio(table, site, program, &server)?;

    open_and_close(&server, SESSIONS / 10)?;
    let before = server.memory()?;
    open_and_close(&server, SESSIONS)?;
    let grown = server.memory()? - before;
    table.measured("memory left by 1,000 sessions", grown, Unit::Megabytes, Limit::AtMost(4.0));
    Ok(())
}

/// The same call over HTTP and over standard input and output, in turn.
fn against_stdio(table: &mut Table, site: &Site, program: &Path, server: &Server) -> Result<(), Failure> {
    let mut client = Client::open(&server.address)?;
    client.call("browser_navigate", &json!({ "url": site.url("/quiet") }))?;
    let mut ours = Ours::start(program)?;
    ours.open(&site.url("/quiet"))?;
    let script = json!({ "function": "() => 1" });
    let (mut http, mut stdio) = (Vec::new(), Vec::new());
    for _ in 0..200 {
        http.push(milliseconds(|| client.call("browser_evaluate", &script))?);
        stdio.push(milliseconds(|| ours.call("browser_evaluate", &script).map(drop))?);
    }
    table.milliseconds(
        "a call over HTTP; raw: stdio",
        median(http),
        Some(median(stdio)),
        Limit::AboveRaw(2.0),
    );
    client.close()
}

fn milliseconds(work: impl FnOnce() -> Result<(), Failure>) -> Result<f64, Failure> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed().as_secs_f64() * 1_000.0)
}

/// So many clients at once, each with a task of ten steps: how long each step took.
fn tasks(server: &Server, site: &Site, clients: usize) -> Result<Vec<f64>, Failure> {
    let (field, counter) = (site.url("/field"), site.url("/counter"));
    let threads: Vec<_> = (0..clients)
        .map(|_| {
            let (address, field, counter) = (server.address.clone(), field.clone(), counter.clone());
            // What ends a thread must be sendable.
            thread::spawn(move || task(&address, &field, &counter).map_err(|error| error.to_string()))
        })
        .collect();
    let mut times = Vec::new();
    for client in threads {
        times.extend(client.join().map_err(|_| "a client panicked")??);
    }
    Ok(times)
}

fn task(address: &str, field: &str, counter: &str) -> Result<Vec<f64>, Failure> {
    let mut client = Client::open(address)?;
    let steps = [
        ("browser_navigate", json!({ "url": field })),
        ("browser_snapshot", json!({})),
        ("browser_type", json!({ "ref": "label:Name", "text": "Ada" })),
        ("browser_evaluate", json!({ "function": "() => document.querySelector('input').value" })),
        ("browser_navigate", json!({ "url": counter })),
        ("browser_click", json!({ "ref": "button" })),
        ("browser_click", json!({ "ref": "button" })),
        ("browser_snapshot", json!({})),
        ("browser_navigate_back", json!({})),
        ("browser_snapshot", json!({})),
    ];
    let mut times = Vec::new();
    for (tool, arguments) in &steps {
        times.push(milliseconds(|| client.call(tool, arguments))?);
    }
    client.close()?;
    Ok(times)
}

fn open_and_close(server: &Server, sessions: usize) -> Result<(), Failure> {
    (0..sessions).try_for_each(|_| Client::open(&server.address)?.close())?;
    let until = Instant::now() + TIMEOUT;
    while Client::health(&server.address)?["sessions"] != 0 {
        if Instant::now() > until {
            return Err("sessions are left".into());
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

fn percentile(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() * 95 / 100).copied().unwrap_or(f64::NAN)
}

/// A server over HTTP, as long as this lives.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(program: &Path) -> Result<Self, Failure> {
        let mut command = Command::new(program);
        command.args(["serve", "--http", "127.0.0.1:0"]).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let mut lines = BufReader::new(child.stderr.take().ok_or("no standard error")?).lines();
        let said = lines.by_ref().map_while(Result::ok).find(|line| line.contains("listening on"));
        thread::spawn(move || lines.for_each(drop));
        let address =
            said.and_then(|line| Some(line.split_once("http://")?.1.strip_suffix("/mcp")?.to_owned()));
        Ok(Self { child, address: address.ok_or("the server did not start")? })
    }

    /// Its own memory, in megabytes.
    fn memory(&self) -> Result<f64, Failure> {
        memory(self.child.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its browser ends with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client on one connection, as clients have them.
struct Client {
    stream: BufReader<TcpStream>,
    address: String,
    session: String,
    asked: u64,
}

impl Client {
    fn open(address: &str) -> Result<Self, Failure> {
        let mut client = Self::connect(address)?;
        let info = json!({ "name": "bench", "version": "1" });
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
        client.ask("initialize", &params)?;
        client
            .send("POST", &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string())?;
        Ok(client)
    }

    fn connect(address: &str) -> Result<Self, Failure> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_nodelay(true)?;
        let stream = BufReader::new(stream);
        Ok(Self { stream, address: address.to_owned(), session: String::new(), asked: 0 })
    }

    fn health(address: &str) -> Result<Value, Failure> {
        let mut client = Self::connect(address)?;
        write!(client.stream.get_mut(), "GET /health HTTP/1.1\r\nHost: {address}\r\n\r\n")?;
        Ok(serde_json::from_str(&client.response()?)?)
    }

    fn close(mut self) -> Result<(), Failure> {
        self.send("DELETE", "").map(drop)
    }

    /// Calls a tool, which must not fail.
    fn call(&mut self, tool: &str, arguments: &Value) -> Result<(), Failure> {
        let result = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))?;
        if result["isError"] == true { Err(format!("{tool}: {}", result["content"]).into()) } else { Ok(()) }
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Failure> {
        self.asked += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        let body = self.send("POST", &request.to_string())?;
        let messages = body.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
        let mut messages = messages.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let answer = messages.find(|message| message["id"] == self.asked).ok_or("no answer")?;
        if answer["result"].is_null() {
            Err(answer["error"].to_string().into())
        } else {
            Ok(answer["result"].clone())
        }
    }

    fn send(&mut self, method: &str, body: &str) -> Result<String, Failure> {
        let session = match self.session.as_str() {
            "" => String::new(),
            id => format!("Mcp-Session-Id: {id}\r\n"),
        };
        let head = format!(
            "{method} /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, \
             text/event-stream\r\nContent-Length: {}\r\n{session}\r\n",
            self.address,
            body.len()
        );
        self.stream.get_mut().write_all((head + body).as_bytes())?;
        self.response()
    }

    fn response(&mut self) -> Result<String, Failure> {
        let (mut length, mut chunked) = (0, false);
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let is_good = line.split(' ').nth(1).is_some_and(|status| status.starts_with('2'));
        let status = line.clone();
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse()?,
                "transfer-encoding" => chunked = true,
                "mcp-session-id" => self.session = value.trim().to_owned(),
                _ => {}
            }
        }
        let mut body = Vec::new();
        if chunked {
            while let Some(chunk) = self.chunk()? {
                body.extend(chunk);
            }
        } else {
            body.resize(length, 0);
            self.stream.read_exact(&mut body)?;
        }
        let body = String::from_utf8(body)?;
        if is_good { Ok(body) } else { Err(format!("{status}{body}").into()) }
    }

    fn chunk(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let mut size = String::new();
        self.stream.read_line(&mut size)?;
        let size = usize::from_str_radix(size.trim(), 16)?;
        let mut chunk = vec![0; size + 2];
        self.stream.read_exact(&mut chunk)?;
        chunk.truncate(size);
        Ok((size > 0).then_some(chunk))
    }
}
