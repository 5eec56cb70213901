//! A CDP browser played by the test: a transport whose other end answers from a script.

use std::sync::{Arc, Mutex};

use cicerone_chromium::{AttachOptions, attach};
use cicerone_driver::LaunchError;
use cicerone_driver_tests::{Trial, VIEWPORT, recorded};
use cicerone_wire::transport::nul_terminated;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf},
    sync::mpsc,
};

/// A command that the browser got.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) id: u64,
    pub(crate) session: Option<String>,
    pub(crate) method: String,
    pub(crate) params: Value,
}

impl Call {
    /// The reply with a result.
    pub(crate) fn result(&self, result: Value) -> Value {
        json!({ "id": self.id, "result": result })
    }

    /// The reply with an error.
    pub(crate) fn error(&self, message: &str) -> Value {
        json!({ "id": self.id, "error": { "code": -32000, "message": message } })
    }
}

/// An event of the browser itself, or of a session.
pub(crate) fn event(session: Option<&str>, method: &str, params: Value) -> Value {
    match session {
        Some(session) => json!({ "method": method, "params": params, "sessionId": session }),
        None => json!({ "method": method, "params": params }),
    }
}

/// What a script says to a command: messages in this order, or what a browser would say.
pub(crate) enum Says {
    Messages(Vec<Value>),
    AsUsual,
}

/// The one page that it has.
pub(crate) const PAGE: &str = "page";
pub(crate) const SESSION: &str = "session";

/// The browser's end.
#[derive(Clone)]
pub(crate) struct FakeBrowser {
    /// `None` ends the connection.
    outgoing: mpsc::UnboundedSender<Option<String>>,
    calls: Arc<Mutex<Vec<Call>>>,
    arrived: Arc<tokio::sync::Notify>,
}

impl FakeBrowser {
    /// Attaches the driver to a browser that follows a script.
    pub(crate) async fn attached(
        script: impl FnMut(&Call) -> Says + Send + 'static,
    ) -> (Result<Trial, LaunchError>, Self) {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (reader, writer) = tokio::io::split(ours);
        let browser = Self::play(theirs, script);
        let (record, sink) = recorded();
        let attached = attach(nul_terminated(reader, writer), AttachOptions::new("a fake", VIEWPORT), sink);
        (attached.await.map(|browser| Trial { browser, record }), browser)
    }

    fn play(stream: DuplexStream, mut script: impl FnMut(&Call) -> Says + Send + 'static) -> Self {
        let (mut reader, mut writer) = tokio::io::split(stream);
        let (outgoing, mut to_send) = mpsc::unbounded_channel::<Option<String>>();
        tokio::spawn(async move {
            while let Some(Some(message)) = to_send.recv().await {
                writer.write_all(message.as_bytes()).await.ok();
                writer.write_all(&[0]).await.ok();
            }
            writer.shutdown().await.ok();
        });
        let browser = Self { outgoing, calls: Arc::default(), arrived: Arc::default() };
        let playing = browser.clone();
        tokio::spawn(async move {
            let mut usual = Usual::default();
            while let Some(call) = next_call(&mut reader).await {
                let usually = usual.answer(&call);
                let says = match script(&call) {
                    Says::Messages(messages) => messages,
                    Says::AsUsual => usually,
                };
                playing.calls.lock().unwrap().push(call);
                playing.arrived.notify_waiters();
                says.iter().for_each(|message| playing.say(message));
            }
        });
        browser
    }

    /// Says something without being asked.
    pub(crate) fn say(&self, message: &Value) {
        self.say_text(&message.to_string());
    }

    /// Says something that may not even be JSON.
    pub(crate) fn say_text(&self, text: &str) {
        self.outgoing.send(Some(text.to_owned())).ok();
    }

    /// Ends the connection.
    pub(crate) fn hang_up(&self) {
        self.outgoing.send(None).ok();
    }

    /// The calls of a method, as soon as there are so many.
    pub(crate) async fn calls(&self, method: &str, count: usize) -> Vec<Call> {
        loop {
            let arrived = self.arrived.notified();
            let calls: Vec<Call> =
                self.calls.lock().unwrap().iter().filter(|call| call.method == method).cloned().collect();
            if calls.len() >= count {
                return calls;
            }
            arrived.await;
        }
    }
}

async fn next_call(reader: &mut ReadHalf<DuplexStream>) -> Option<Call> {
    let mut bytes = Vec::new();
    loop {
        match reader.read_u8().await.ok()? {
            0 => break,
            byte => bytes.push(byte),
        }
    }
    let message: Value = serde_json::from_slice(&bytes).unwrap();
    Some(Call {
        id: message["id"].as_u64().unwrap(),
        session: message["sessionId"].as_str().map(str::to_owned),
        method: message["method"].as_str().unwrap().to_owned(),
        params: message["params"].clone(),
    })
}

/// What a browser with one page says.
#[derive(Default)]
struct Usual {
    /// The name of the injected script's world.
    world: String,
}

impl Usual {
    fn answer(&mut self, call: &Call) -> Vec<Value> {
        let reply = |result| vec![call.result(result)];
        match call.method.as_str() {
            "Browser.getVersion" => reply(json!({ "product": "Chrome/156.0.0.0", "userAgent": "fake" })),
            "Target.createBrowserContext" => reply(json!({ "browserContextId": "context" })),
            "Target.createTarget" => {
                let info = json!({
                    "targetId": PAGE, "type": "page", "url": "about:blank", "browserContextId": "context",
                });
                let params = json!({ "sessionId": SESSION, "targetInfo": info, "waitingForDebugger": true });
                vec![event(None, "Target.attachedToTarget", params), call.result(json!({ "targetId": PAGE }))]
            }
            "Page.addScriptToEvaluateOnNewDocument" => {
                self.world = call.params["worldName"].as_str().unwrap_or_default().to_owned();
                reply(json!({ "identifier": "1" }))
            }
            "Runtime.enable" => {
                let world = |id: u8, name: &str, is_default: bool| {
                    let data = json!({ "frameId": PAGE, "isDefault": is_default });
                    let context = json!({
                        "id": id, "uniqueId": format!("world {id}"), "name": name, "auxData": data,
                    });
                    event(
                        call.session.as_deref(),
                        "Runtime.executionContextCreated",
                        json!({ "context": context }),
                    )
                };
                vec![world(1, "", true), world(2, &self.world, false), call.result(json!({}))]
            }
            "Page.getFrameTree" => {
                let frame = json!({ "id": PAGE, "loaderId": "document", "url": "about:blank" });
                reply(json!({ "frameTree": { "frame": frame } }))
            }
            // Whatever is called returns the name of its function, or its last argument.
            "Runtime.callFunctionOn" => {
                let arguments = call.params["arguments"].as_array();
                let last = arguments.and_then(|all| all.last()).map(|last| last["value"].clone());
                let value = last.unwrap_or_else(|| json!("called"));
                reply(json!({ "result": { "type": "string", "value": value } }))
            }
            _ => reply(json!({})),
        }
    }
}
