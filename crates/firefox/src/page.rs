//! One page: its main context, and the driver's primitives on it.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    path::PathBuf,
    sync::{
        Mutex, MutexGuard, Weak,
        atomic::{AtomicBool, AtomicU16, AtomicU32, AtomicU64},
    },
    time::Duration,
};

use async_trait::async_trait;
use cicerone_driver::{
    Bodies, DriverError, Emulation, Fetching, FrameId, Happening, Input, Interception, Interceptor,
    Navigation, NetworkCapture, NodeHandle, PageDriver, PageEvent, PageId, Point, Printing, Proxy, RequestId,
    Result, ScriptSandbox, Shot, Sink, Size,
};
use cicerone_wire::{Session, WireError};
use tokio::sync::{Notify, OnceCell};

use crate::{
    browser::Shared,
    emulation::EmulationState,
    navigate::Detour,
    protocol::{
        browsing_context::{Activate, Close, HandleUserPrompt, Info, Reload, TraverseHistory},
        input::SetFiles,
        network::{BytesValue, Header, SetExtraHeaders},
        script::{LocalValue, SerializationOptions, SharedReference},
    },
};

/// Who hears of what happens in a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Audience {
    /// The sink.
    Sink,
    /// Nobody: it is a page of our own.
    Nobody,
}

/// How long a title is waited for. A page that hangs has the one that it had.
const TITLE: Duration = Duration::from_millis(300);

pub(crate) struct FirefoxPage {
    pub(crate) id: PageId,
    pub(crate) user_context: String,
    pub(crate) root: Session,
    pub(crate) shared: Weak<Shared>,
    /// Who hears of what happens in it; nobody where it is a page of our own.
    sink: Option<Sink>,
    /// The last navigations that became something else than a document.
    pub(crate) detours: Mutex<VecDeque<(String, Detour)>>,
    title: Mutex<String>,
    /// The proxy that it is to make itself known to.
    pub(crate) errand: Mutex<Option<Proxy>>,
    /// The status of the last answer to a page of our own.
    pub(crate) status: AtomicU16,
    /// The requests that are under way.
    pub(crate) under_way: Mutex<HashSet<RequestId>>,
    /// Those that have ended, which the page has perhaps not heard of yet.
    pub(crate) unheard: Mutex<HashSet<RequestId>>,
    /// What decides about its requests.
    pub(crate) interceptor: Mutex<Option<Interceptor>>,
    /// What keeps the requests of a page of our own in the browser.
    pub(crate) closed_off: Mutex<Option<String>>,
    /// What keeps bodies, while somebody wants some.
    pub(crate) collector: tokio::sync::Mutex<Option<String>>,
    /// What keeps the bodies of requests that may be sent elsewhere, where the browser can.
    pub(crate) sent_collector: OnceCell<Option<String>>,
    /// Whether its network traffic is reported in detail.
    pub(crate) capturing: AtomicBool,
    /// Why the last request that failed did.
    pub(crate) failure: Mutex<Option<String>>,
    /// The words of the dialog that holds it.
    pub(crate) dialog: Mutex<Option<String>>,
    /// The window that it is in.
    pub(crate) client_window: String,
    pub(crate) viewport: Mutex<Size>,
    /// What it observes in place of the truth.
    pub(crate) emulated: Mutex<EmulationState>,
    /// How large the window is, as far as that is known.
    pub(crate) room: tokio::sync::Mutex<Size>,
    /// Where the pointer is.
    pub(crate) pointer: Mutex<Point>,
    /// How many of its buttons are held down, and the turn that it has while they are.
    pub(crate) pressed: AtomicU32,
    pub(crate) turn: Mutex<Option<tokio::sync::OwnedMutexGuard<()>>>,
    /// Counts navigations, begun and done.
    pub(crate) movements: AtomicU64,
    /// The agent's realm in each frame, as it was last seen.
    pub(crate) realms: Mutex<HashMap<FrameId, String>>,
    /// Whether a navigation was given up for one that began after it.
    pub(crate) interrupted: AtomicBool,
    pub(crate) arrived: AtomicBool,
    pub(crate) crashed: AtomicBool,
    pub(crate) closed: AtomicBool,
    /// Rings whenever one of these changed.
    pub(crate) changed: Notify,
}

impl FirefoxPage {
    pub(crate) fn new(info: &Info, root: Session, shared: Weak<Shared>, sink: Option<Sink>) -> Self {
        Self {
            id: PageId::from(info.context.as_str()),
            user_context: info.user_context.clone(),
            root,
            shared,
            sink,
            detours: Mutex::default(),
            title: Mutex::default(),
            errand: Mutex::default(),
            status: AtomicU16::new(0),
            under_way: Mutex::default(),
            unheard: Mutex::default(),
            interceptor: Mutex::default(),
            closed_off: Mutex::default(),
            collector: tokio::sync::Mutex::default(),
            sent_collector: OnceCell::new(),
            capturing: AtomicBool::new(false),
            failure: Mutex::default(),
            dialog: Mutex::default(),
            client_window: info.client_window.clone(),
            viewport: Mutex::new(Size { width: 0, height: 0 }),
            emulated: Mutex::default(),
            room: tokio::sync::Mutex::new(Size { width: 0, height: 0 }),
            pointer: Mutex::new(Point { x: 0.0, y: 0.0 }),
            pressed: AtomicU32::new(0),
            turn: Mutex::default(),
            movements: AtomicU64::new(0),
            realms: Mutex::default(),
            interrupted: AtomicBool::new(false),
            arrived: AtomicBool::new(false),
            crashed: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            changed: Notify::new(),
        }
    }

    pub(crate) fn context(&self) -> &str {
        self.id.as_str()
    }

    pub(crate) fn is_main(&self, frame: &FrameId) -> bool {
        frame.as_str() == self.context()
    }

    /// Whether it is one that the sink hears of.
    pub(crate) fn is_told(&self) -> bool {
        self.sink.is_some()
    }

    pub(crate) fn tell(&self, event: PageEvent) {
        if let Some(sink) = &self.sink {
            sink(Happening::Page(self.id.clone(), event));
        }
    }
}

#[async_trait]
impl PageDriver for FirefoxPage {
    fn id(&self) -> PageId {
        self.id.clone()
    }

    fn main_frame(&self) -> FrameId {
        self.context().into()
    }

    async fn navigate(&self, url: &str) -> Result<Navigation> {
        self.go_to(url).await
    }

    async fn traverse(&self, steps: i32) -> Result<bool> {
        self.alive()?;
        let command = TraverseHistory { context: self.context(), delta: steps };
        match self.answer(self.root.send(&command)).await? {
            Ok(_) => Ok(true),
            Err(WireError::Refused { kind, .. }) if kind == "no such history entry" => Ok(false),
            Err(error) => Err(self.failed(error)),
        }
    }

    async fn extra_headers(&self, headers: &[(String, String)]) -> Result<()> {
        let header =
            |(name, value): &(String, String)| Header { name: name.clone(), value: BytesValue::text(value) };
        let headers = headers.iter().map(header).collect();
        let command = SetExtraHeaders { headers, contexts: [self.context()] };
        self.send_if_known(&command, "send extra headers").await
    }

    async fn reload(&self) -> Result<()> {
        self.send(&Reload { context: self.context(), wait: "none" }).await.map(drop)
    }

    async fn stop(&self) -> Result<()> {
        let stop = "function(){window.stop()}";
        self.in_sandbox(&self.main_frame(), stop, &[], SerializationOptions::default()).await.map(drop)
    }

    async fn call(&self, frame: &FrameId, function: &str, args: &str) -> Result<String> {
        self.call_agent(frame, function, args).await
    }

    async fn enlighten(&self, _: &FrameId) -> Result<()> {
        // Listeners are nothing that BiDi knows of.
        Ok(())
    }

    async fn uncover(&self, frame: &FrameId) -> Result<usize> {
        self.tell_closed_roots(frame).await
    }

    async fn owner(&self, frame: &FrameId, parent: &FrameId) -> Result<u32> {
        self.frame_element(frame, parent).await
    }

    async fn node(&self, frame: &FrameId, number: u32) -> Result<NodeHandle> {
        let arguments = [LocalValue::Number(number)];
        let node = "function(n){return cicerone.node(n)}";
        let answer = self.with_agent(frame, node, &arguments, SerializationOptions::default()).await?;
        Ok(node_handle(frame.as_str(), &answer.shared_id.ok_or(DriverError::Gone)?))
    }

    async fn evaluate(
        &self,
        frame: &FrameId,
        source: &str,
        node: Option<&NodeHandle>,
    ) -> Result<Option<serde_json::Value>> {
        self.run_script(frame, source, node).await
    }

    async fn interrupt(&self) -> Result<()> {
        // BiDi ends no scripts. Whether one keeps the page busy shows in whether this is answered; if it is not, the
        // page has to go.
        let nothing = "function(){return 1}";
        self.in_sandbox(&self.main_frame(), nothing, &[], SerializationOptions::default()).await.map(drop)
    }

    async fn crash(&self) -> Result<()> {
        self.alive()?;
        // A page that hangs closes at once, and its script ends with it. To everybody it is a page that crashed.
        self.root.tell(&Close { context: self.context(), prompt_unload: false });
        if self.mark_crashed() {
            self.tell(PageEvent::Crashed);
        }
        Ok(())
    }

    async fn input(&self, steps: &[Input]) -> Result<()> {
        self.perform(steps).await
    }

    async fn screenshot(&self, shot: &Shot) -> Result<Vec<u8>> {
        self.picture(shot).await
    }

    async fn title(&self) -> Result<String> {
        self.alive()?;
        let (main, title) = (self.main_frame(), "function(){return document.title}");
        let asked = self.in_sandbox(&main, title, &[], SerializationOptions::default());
        if let Ok(answer) = tokio::time::timeout(TITLE, asked).await
            && let Some(serde_json::Value::String(title)) = answer?.and_then(|answer| answer.value)
        {
            *lock(&self.title) = title;
        }
        Ok(lock(&self.title).clone())
    }

    async fn content_size(&self) -> Result<Size> {
        self.extent().await
    }

    async fn attach_files(&self, field: &NodeHandle, paths: &[PathBuf]) -> Result<()> {
        let element = SharedReference { shared_id: shared_id(field).to_owned() };
        let context = field.as_str().split(' ').next().unwrap_or_default();
        self.send_to_document(&SetFiles { context, element, files: paths }).await.map(drop)
    }

    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()> {
        let command = HandleUserPrompt { context: self.context(), accept, user_text: text };
        self.send(&command).await.map(drop)
    }

    async fn resize(&self, size: Size) -> Result<()> {
        self.set_viewport(size).await
    }

    async fn activate(&self) -> Result<()> {
        match self.send(&Activate { context: self.context() }).await {
            // One that is no more is as much in front as it can be.
            Ok(_) | Err(DriverError::Crashed) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn close(&self) -> Result<()> {
        let command = Close { context: self.context(), prompt_unload: false };
        self.root.send(&command).await.map_err(|error| self.failed(error))?;
        // That it is gone is told after the answer.
        self.gone().await;
        Ok(())
    }

    fn printing(&self) -> Option<&dyn Printing> {
        Some(self)
    }

    fn script_sandbox(&self) -> Option<&dyn ScriptSandbox> {
        Some(self)
    }

    fn fetching(&self) -> Option<&dyn Fetching> {
        Some(self)
    }

    fn emulation(&self) -> Option<&dyn Emulation> {
        Some(self)
    }

    fn bodies(&self) -> Option<&dyn Bodies> {
        Some(self)
    }

    fn interception(&self) -> Option<&dyn Interception> {
        Some(self)
    }

    fn network_capture(&self) -> Option<&dyn NetworkCapture> {
        Some(self)
    }
}

/// Nodes are named within their document; a handle says in which context that is.
pub(crate) fn node_handle(context: &str, shared_id: &str) -> NodeHandle {
    NodeHandle::from(format!("{context} {shared_id}").as_str())
}

pub(crate) fn shared_id(handle: &NodeHandle) -> &str {
    handle.as_str().rsplit(' ').next().unwrap_or_default()
}

/// The wire's errors in the driver's words.
pub(crate) fn failed(error: WireError) -> DriverError {
    match error {
        WireError::Refused { method, message, .. } => DriverError::Refused { command: method, message },
        WireError::Malformed { source, .. } => DriverError::Garbled(source),
        WireError::Lost { method } => {
            DriverError::Refused { command: method, message: "the connection broke meanwhile".into() }
        }
        _ => DriverError::Disconnected,
    }
}

/// No code panics while it holds these locks, so a poisoned one is still good.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
