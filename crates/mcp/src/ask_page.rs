//! A loopback page that asks one question. The answer goes to the server, not through the client.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use base64::Engine as _;
use bytes::Bytes;
use cicerone_tools::question::{Kind, Question};
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    net::TcpListener,
    sync::mpsc,
    task::{AbortHandle, JoinSet},
};

/// Size limit of the answer.
const LONGEST: usize = 64 << 10;

/// A page that asks one question. Closed on drop.
pub(crate) struct AskPage {
    url: String,
    id: String,
    answers: mpsc::Receiver<String>,
    serving: AbortHandle,
}

/// The page's content.
struct Content {
    address: SocketAddr,
    path: String,
    html: String,
    answers: mpsc::Sender<String>,
}

impl AskPage {
    /// Serves it on a free port, at an unguessable path.
    pub(crate) async fn open(question: &Question) -> io::Result<Self> {
        let mut bits = [0_u8; 16];
        getrandom::fill(&mut bits).map_err(io::Error::other)?;
        let id = format!("{:032x}", u128::from_be_bytes(bits));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let (sender, answers) = mpsc::channel(1);
        let path = format!("/{id}");
        let content = Content { address, path, html: html(question), answers: sender };
        let serving = tokio::spawn(serve(listener, Arc::new(content))).abort_handle();
        Ok(Self { url: format!("http://{address}/{id}"), id, answers, serving })
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The answer, if one came in time.
    pub(crate) async fn answer(mut self, timeout: Duration) -> Option<String> {
        tokio::time::timeout(timeout, self.answers.recv()).await.ok()?
    }
}

impl Drop for AskPage {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(listener: TcpListener, content: Arc<Content>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        let content = Arc::clone(&content);
        connections.spawn(async move {
            let answer = service_fn(move |request| respond(Arc::clone(&content), request));
            // A browser that disconnects is not an error.
            let _ = hyper::server::conn::http1::Builder::new()
                .keep_alive(false)
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn respond(
    content: Arc<Content>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    // A name that was rebound to this machine is not ours.
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let is_ours = host == Some(content.address.to_string().as_str());
    if !is_ours || request.uri().path() != content.path {
        return Ok(page(StatusCode::NOT_FOUND, "<p>Not found.</p>"));
    }
    Ok(match *request.method() {
        Method::GET => page(StatusCode::OK, &content.html),
        Method::POST => match typed(request).await {
            // Only the first answer counts.
            Some(text) => match content.answers.try_send(text) {
                Ok(()) => page(StatusCode::OK, "<p>Thank you. You can close this page.</p>"),
                Err(_) => page(StatusCode::CONFLICT, "<p>This was answered already.</p>"),
            },
            None => page(StatusCode::BAD_REQUEST, "<p>The answer is missing or too long.</p>"),
        },
        _ => page(StatusCode::METHOD_NOT_ALLOWED, "<p>Not allowed.</p>"),
    })
}

async fn typed(request: Request<Incoming>) -> Option<String> {
    let body = Limited::new(request.into_body(), LONGEST).collect().await.ok()?.to_bytes();
    let mut fields = url::form_urlencoded::parse(&body);
    fields
        .find(|(name, _)| name == "answer")
        .map(|(_, value)| value.into_owned())
        .filter(|text| !text.is_empty())
}

fn html(question: &Question) -> String {
    let kind = if question.kind == Kind::Secret { "password" } else { "text" };
    let picture = question.picture.as_ref().map(|picture| {
        let data = base64::engine::general_purpose::STANDARD.encode(&picture.bytes);
        format!("<p><img alt=\"The page\" src=\"data:image/png;base64,{data}\"></p>")
    });
    format!(
        "<h1>A question of cicerone</h1><p><label for=\"answer\">{}</label></p>{}\
         <form method=\"post\"><input id=\"answer\" name=\"answer\" type=\"{kind}\" autocomplete=\"off\" autofocus required> \
         <button>Send</button></form>",
        escaped(&question.message),
        picture.unwrap_or_default(),
    )
}

fn page(status: StatusCode, body: &str) -> Response<Full<Bytes>> {
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>cicerone</title>\
         <style>body{{font:1rem sans-serif;margin:2rem}}img{{max-width:100%}}</style>{body}</html>"
    );
    let mut response = Response::new(Full::new(Bytes::from(html)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CONTENT_SECURITY_POLICY, policy),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
