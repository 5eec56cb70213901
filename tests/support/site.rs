use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    time::Duration,
};

use super::socket;

/// What a site answers for a path.
#[derive(Clone)]
pub enum Answer {
    /// A page of this HTML.
    Html(String),
    /// This body with this media type.
    Body(&'static str, Vec<u8>),
    /// This status with this HTML.
    Status(u16, String),
    /// A redirect to there.
    Redirect(String),
    /// A download with this name.
    Download(&'static str, Vec<u8>),
    /// A page of this HTML, with more headers: whole lines.
    Headed(&'static [&'static str], String),
    /// What was asked, as JSON: `method`, `target`, `headers` by their names in lower case, `body`.
    Echo,
    /// This status with these header lines and this body.
    Raw(u16, Vec<String>, Vec<u8>),
    /// A WebSocket that says one thing.
    Socket(&'static str),
    /// The same, after a while.
    Slow(Duration, Box<Answer>),
    /// The head and some of the body, then nothing more until the test is over. So much comes that no browser waits for more
    /// to guess what it is.
    Endless(String),
    /// Nothing at all until the test is over.
    Silent,
}

/// A site on loopback, served until it is dropped. It answers on every name and address of the machine's loopback.
pub struct Site {
    port: u16,
    answers: Arc<Mutex<HashMap<String, Answer>>>,
    requests: Arc<Mutex<Vec<String>>>,
    cookies: Arc<Mutex<Vec<String>>>,
    /// The headers of all requests, with what they were for.
    headers: Headers,
}

/// The targets of requests, with the names and values of their headers.
type Headers = Arc<Mutex<Vec<(String, Vec<(String, String)>)>>>;

impl Site {
    /// A site with this as its first page.
    pub fn of(html: &str) -> Self {
        Self::with(&[("/", html)])
    }

    /// A site of pages.
    pub fn with(pages: &[(&str, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let site = Self {
            port,
            answers: Arc::default(),
            requests: Arc::default(),
            cookies: Arc::default(),
            headers: Arc::default(),
        };
        for (path, html) in pages {
            site.answer(path, Answer::Html((*html).to_owned()));
        }
        let (answers, requests) = (Arc::clone(&site.answers), Arc::clone(&site.requests));
        let (cookies, headers) = (Arc::clone(&site.cookies), Arc::clone(&site.headers));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answers, requests) = (Arc::clone(&answers), Arc::clone(&requests));
                let (cookies, headers) = (Arc::clone(&cookies), Arc::clone(&headers));
                std::thread::spawn(move || serve(stream, &answers, &requests, &cookies, &headers));
            }
        });
        site
    }

    /// Answers a path.
    pub fn answer(&self, path: &str, answer: Answer) -> &Self {
        self.answers.lock().unwrap().insert(path.to_owned(), answer);
        self
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The same on another host name, so on another site: its frames live in another process.
    pub fn other_url(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }

    /// The same on any name that leads here.
    pub fn url_on(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.port)
    }

    /// The port, which all its names share.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The cookies that came: `/path name=value; name=value`.
    pub fn cookies(&self) -> Vec<String> {
        self.cookies.lock().unwrap().clone()
    }

    /// Those that came with requests for a path.
    pub fn cookies_for(&self, path: &str) -> Vec<String> {
        self.cookies().into_iter().filter(|cookies| cookies.starts_with(&format!("{path} "))).collect()
    }

    /// A header of the last request for a path, by its name in small letters.
    pub fn header(&self, path: &str, name: &str) -> Option<String> {
        let headers = self.headers.lock().unwrap();
        let (_, head) = headers.iter().rev().find(|(target, _)| target == path)?;
        head.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    /// The requests so far: `GET /path`, and the body after a space where there was one.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn serve(
    stream: TcpStream,
    answers: &Mutex<HashMap<String, Answer>>,
    requests: &Mutex<Vec<String>>,
    cookies: &Mutex<Vec<String>>,
    headers: &Headers,
) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let mut words = line.split_whitespace();
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        let (mut length, mut key) = (0, String::new());
        let mut head = Vec::new();
        loop {
            let mut header = String::new();
            reader.read_line(&mut header).ok()?;
            if header.trim().is_empty() {
                break;
            }
            let Some((name, value)) = header.split_once(':') else { continue };
            head.push((name.to_ascii_lowercase(), value.trim().to_owned()));
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap_or(0),
                "sec-websocket-key" => value.trim().clone_into(&mut key),
                "cookie" => cookies.lock().unwrap().push(format!("{target} {}", value.trim())),
                _ => {}
            }
        }
        headers.lock().unwrap().push((target.clone(), head.clone()));
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let body = String::from_utf8_lossy(&body);
        requests.lock().unwrap().push(format!("{method} {target} {body}").trim_end().to_owned());
        let path = target.split('?').next().unwrap_or_default();
        let mut answer = answers.lock().unwrap().get(path).cloned();
        if matches!(answer, Some(Answer::Echo)) {
            let headers: serde_json::Map<_, _> =
                head.into_iter().map(|(name, value)| (name, value.into())).collect();
            let told =
                serde_json::json!({ "method": method, "target": target, "headers": headers, "body": body });
            answer = Some(Answer::Body("application/json", told.to_string().into_bytes()));
        }
        if let Some(Answer::Socket(says)) = answer {
            stream.write_all(&socket::opened(&key, says)).ok()?;
            return wait_for_close(&mut stream);
        }
        let head_only = method == "HEAD";
        respond(
            &mut stream,
            head_only,
            answer.unwrap_or_else(|| Answer::Status(404, "<h1>Not found</h1>".into())),
        )?;
    }
}

fn respond(stream: &mut TcpStream, head_only: bool, answer: Answer) -> Option<()> {
    let head = |status: &str, kind: &str, length: usize, more: &str| {
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{more}\r\n")
    };
    let html = "text/html; charset=utf-8";
    let (head, body) = match answer {
        Answer::Slow(delay, answer) => {
            std::thread::sleep(delay);
            return respond(stream, head_only, *answer);
        }
        Answer::Html(page) => (head("200 OK", html, page.len(), ""), page.into_bytes()),
        Answer::Body(kind, body) => (head("200 OK", kind, body.len(), ""), body),
        Answer::Status(status, page) => {
            let words = if status == 404 { "Not Found" } else { "Whatever" };
            (head(&format!("{status} {words}"), html, page.len(), ""), page.into_bytes())
        }
        Answer::Redirect(to) => (head("302 Found", html, 0, &format!("Location: {to}\r\n")), Vec::new()),
        Answer::Download(name, body) => {
            let more = format!("Content-Disposition: attachment; filename=\"{name}\"\r\n");
            (head("200 OK", "application/octet-stream", body.len(), &more), body)
        }
        Answer::Endless(begin) => {
            stream.write_all(head("200 OK", html, 1 << 30, "").as_bytes()).ok()?;
            stream.write_all(format!("{begin:<1024}").as_bytes()).ok()?;
            stream.flush().ok()?;
            return wait_for_close(stream);
        }
        Answer::Headed(headers, page) => {
            let more: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
            (head("200 OK", html, page.len(), &more), page.into_bytes())
        }
        Answer::Raw(status, headers, body) => {
            let more: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
            (format!("HTTP/1.1 {status} Whatever\r\nContent-Length: {}\r\n{more}\r\n", body.len()), body)
        }
        Answer::Silent | Answer::Socket(_) | Answer::Echo => return wait_for_close(stream),
    };
    stream.write_all(head.as_bytes()).ok()?;
    if !head_only {
        stream.write_all(&body).ok()?;
    }
    stream.flush().ok()
}

/// Until the other side gives up.
fn wait_for_close(stream: &mut TcpStream) -> Option<()> {
    let mut rest = [0; 1024];
    while stream.read(&mut rest).is_ok_and(|read| read > 0) {}
    None
}
