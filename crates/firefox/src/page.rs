//! One page: its main context, and the driver's primitives on it.

use std::{
    path::PathBuf,
    sync::{Mutex, Weak},
    time::Duration,
};

use async_trait::async_trait;
use cicerone_driver::{
    Bodies, BrowserEvent, ClosedShadowRoots, Crashing, DriverError, Emulation, ExtraHeaders, Fetching,
    FrameId, Input, Interception, Navigation, NetworkCapture, NodeHandle, PageDriver, PageEvent, PageId,
    Printing, Proxy, Result, ScriptSandbox, Shot, Sink, Size, lock,
};
use cicerone_driver_kit::{Lifecycle, driver_error};
use cicerone_wire::{Session, WireError};

use crate::{
    browser::Shared,
    emulation::EmulationState,
    events::{CRASHED, loading_ended},
    input::Pointer,
    navigate::Navigations,
    protocol::{
        browsing_context::{Activate, Close, HandleUserPrompt, Info, Reload, TraverseHistory},
        input::SetFiles,
        script::{LocalValue, SerializationOptions, SharedReference},
    },
    requests::Requests,
    window::Window,
};

/// Who gets a page's events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Visibility {
    Sink,
    /// Nobody: it is an internal page.
    Nobody,
}

/// Time limit for the title. A hung page keeps its last one.
const TITLE: Duration = Duration::from_millis(300);

pub(crate) struct FirefoxPage {
    pub(crate) id: PageId,
    pub(crate) user_context: String,
    pub(crate) root: Session,
    pub(crate) shared: Weak<Shared>,
    /// Receives its events; `None` for an internal page.
    sink: Option<Sink>,
    title: Mutex<String>,
    /// The proxy to authenticate with.
    pub(crate) proxy_auth: Mutex<Option<Proxy>>,
    /// The message of its open dialog.
    pub(crate) dialog: Mutex<Option<String>>,
    /// Its overrides.
    pub(crate) emulated: Mutex<EmulationState>,
    pub(crate) requests: Requests,
    pub(crate) window: Window,
    pub(crate) pointer: Pointer,
    pub(crate) navigations: Navigations,
    /// Its status; also notified when one of the above changes.
    pub(crate) lifecycle: Lifecycle,
}

impl FirefoxPage {
    pub(crate) fn new(info: &Info, root: Session, shared: Weak<Shared>, sink: Option<Sink>) -> Self {
        Self {
            id: PageId::from(info.context.as_str()),
            user_context: info.user_context.clone(),
            lifecycle: Lifecycle::new(root.connection()),
            root,
            shared,
            sink,
            title: Mutex::default(),
            proxy_auth: Mutex::default(),
            dialog: Mutex::default(),
            emulated: Mutex::default(),
            requests: Requests::default(),
            window: Window::new(&info.client_window),
            pointer: Pointer::default(),
            navigations: Navigations::default(),
        }
    }

    pub(crate) fn context(&self) -> &str {
        self.id.as_str()
    }

    pub(crate) fn is_main(&self, frame: &FrameId) -> bool {
        frame.as_str() == self.context()
    }

    /// Whether its events are reported.
    pub(crate) fn is_reported(&self) -> bool {
        self.sink.is_some()
    }

    pub(crate) fn tell(&self, event: PageEvent) {
        if let Some(sink) = &self.sink {
            sink(BrowserEvent::Page(self.id.clone(), event));
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
        self.navigate(url).await
    }

    async fn traverse(&self, steps: i32) -> Result<bool> {
        self.lifecycle.alive()?;
        let command = TraverseHistory { context: self.context(), delta: steps };
        match self.lifecycle.unless_ended(self.root.send(&command)).await? {
            Ok(_) => {
                self.tell_restored().await;
                Ok(true)
            }
            Err(WireError::Refused { kind, .. }) if kind == "no such history entry" => Ok(false),
            Err(error) => Err(self.failed(error)),
        }
    }

    async fn reload(&self) -> Result<()> {
        self.send(&Reload { context: self.context(), wait: "none" }).await.map(drop)
    }

    async fn stop(&self) -> Result<()> {
        let shared = self.shared.upgrade().ok_or(DriverError::Disconnected)?;
        let loading = shared.frames().loading_in(&self.id);
        let stop = "function(){window.stop()}";
        self.in_sandbox(&self.main_frame(), stop, &[], SerializationOptions::default()).await?;
        // The browser does not report that documents stopped loading.
        for (frame, navigation) in loading {
            loading_ended(&shared, &frame, &navigation);
        }
        Ok(())
    }

    async fn call(&self, frame: &FrameId, function: &str, args: &str) -> Result<String> {
        self.call(frame, function, args).await
    }

    async fn owner(&self, frame: &FrameId, parent: &FrameId) -> Result<u32> {
        self.owner(frame, parent).await
    }

    async fn node(&self, frame: &FrameId, number: u32) -> Result<NodeHandle> {
        let arguments = [LocalValue::Number(number)];
        let node = "function(n){return cicerone.node(n)}";
        let answer = self.with_injected(frame, node, &arguments, SerializationOptions::default()).await?;
        Ok(NodeHandle::new(frame.as_str(), &answer.shared_id.ok_or(DriverError::Gone)?))
    }

    async fn evaluate(
        &self,
        frame: &FrameId,
        source: &str,
        node: Option<&NodeHandle>,
    ) -> Result<Option<serde_json::Value>> {
        self.evaluate(frame, source, node).await
    }

    async fn input(&self, steps: &[Input]) -> Result<()> {
        self.input(steps).await
    }

    async fn screenshot(&self, shot: &Shot) -> Result<Vec<u8>> {
        self.screenshot(shot).await
    }

    async fn title(&self) -> Result<String> {
        self.lifecycle.alive()?;
        // Versions before 153 do not tell that a page crashed: they show another one in its place.
        let (main, title) =
            (self.main_frame(), "function(){return document.documentURI+'\\n'+document.title}");
        let asked = self.in_sandbox(&main, title, &[], SerializationOptions::default());
        if let Ok(answer) = tokio::time::timeout(TITLE, asked).await
            && let Some(serde_json::Value::String(answer)) = answer?.and_then(|answer| answer.value)
            && let Some((uri, title)) = answer.split_once('\n')
        {
            if uri.starts_with(CRASHED) {
                self.crashed();
                return Err(DriverError::Crashed);
            }
            *lock(&self.title) = title.to_owned();
        }
        Ok(lock(&self.title).clone())
    }

    async fn attach_files(&self, field: &NodeHandle, paths: &[PathBuf]) -> Result<()> {
        let element = SharedReference { shared_id: field.node().to_owned() };
        self.send_to_document(&SetFiles { context: field.scope(), element, files: paths }).await.map(drop)
    }

    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()> {
        let command = HandleUserPrompt { context: self.context(), accept, user_text: text };
        self.send(&command).await.map(drop)
    }

    async fn resize(&self, size: Size) -> Result<()> {
        self.resize(size).await
    }

    async fn activate(&self) -> Result<()> {
        match self.send(&Activate { context: self.context() }).await {
            // A closed page needs no activation.
            Ok(_) | Err(DriverError::Crashed) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn close(&self) -> Result<()> {
        let command = Close { context: self.context(), prompt_unload: false };
        self.root.send(&command).await.map_err(|error| self.failed(error))?;
        // The close event comes after the answer.
        self.gone().await;
        Ok(())
    }

    fn bodies(&self) -> Option<&dyn Bodies> {
        Some(self)
    }

    fn closed_shadow_roots(&self) -> Option<&dyn ClosedShadowRoots> {
        Some(self)
    }

    fn crashing(&self) -> Option<&dyn Crashing> {
        Some(self)
    }

    fn emulation(&self) -> Option<&dyn Emulation> {
        Some(self)
    }

    fn extra_headers(&self) -> Option<&dyn ExtraHeaders> {
        Some(self)
    }

    fn fetching(&self) -> Option<&dyn Fetching> {
        Some(self)
    }

    fn interception(&self) -> Option<&dyn Interception> {
        Some(self)
    }

    fn network_capture(&self) -> Option<&dyn NetworkCapture> {
        Some(self)
    }

    fn printing(&self) -> Option<&dyn Printing> {
        Some(self)
    }

    fn script_sandbox(&self) -> Option<&dyn ScriptSandbox> {
        Some(self)
    }
}

/// Maps wire errors to driver errors.
pub(crate) fn failed(error: WireError) -> DriverError {
    let lost = |command| DriverError::Refused { command, message: "the connection broke meanwhile".into() };
    driver_error(error, lost)
}
