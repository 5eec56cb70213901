//! One page: its sessions, frames and worlds, and the driver's primitives on them.

use std::{
    path::PathBuf,
    sync::{Mutex, atomic::AtomicBool},
};

use async_trait::async_trait;
use cicerone_driver::{
    Bodies, ClosedShadowRoots, Crashing, DocumentId, DriverError, Emulation, ExtraHeaders, Fetching, FrameId,
    FrameSink, Input, Interception, Interceptor, Interruption, LayoutMetrics, Listeners, Navigation,
    NetworkCapture, NodeHandle, PageDriver, PageId, Printing, Result, Screencast, ScriptSandbox, Shot, Size,
    Tracing, lock,
};
use cicerone_driver_kit::{Lifecycle, driver_error};
use cicerone_wire::{Command, Session, WireError};
use futures::future::try_join_all;
use tokio::sync::oneshot;

use crate::{
    attach::Powers,
    emulation::EmulationState,
    frames::{Frames, World},
    injected::GROUP,
    input::InputState,
    internal_page::Purpose,
    network_capture::Chains,
    nodes::{backend_node, node_handle},
    protocol::{
        dom::{DescribeNode, SetFileInputFiles},
        page::{
            GetNavigationHistory, HandleJavaScriptDialog, Navigate, NavigateToHistoryEntry, Reload,
            StopLoading,
        },
        runtime::CallArgument,
        target::{ActivateTarget, CloseTarget, GetTargetInfo},
    },
};

/// Error codes of the extension: the person does not allow it; Chrome detached it.
const WITHHELD: i64 = -32090;
const INTERRUPTED: i64 = -32091;

/// How often a page between two documents is asked again.
const BETWEEN_DOCUMENTS: u32 = 5;

pub(crate) struct ChromiumPage {
    pub(crate) id: PageId,
    /// The purpose of an internal page, which the sink does not hear of.
    pub(crate) purpose: Option<Purpose>,
    /// The page that opened it.
    pub(crate) opener: Option<PageId>,
    /// Whether the proxy asked it for credentials.
    pub(crate) challenged: AtomicBool,
    /// Whether a proxy other than its context's asked for credentials.
    pub(crate) challenged_by_another: AtomicBool,
    /// The page's own session; frames in other processes have theirs.
    pub(crate) session: Session,
    /// The browser's session, for target commands.
    root: Session,
    frames: Mutex<Frames>,
    /// Its status; also notified when its frames change.
    pub(crate) lifecycle: Lifecycle,
    input_state: Mutex<InputState>,
    pub(crate) viewport: Mutex<Size>,
    pub(crate) emulated: Mutex<EmulationState>,
    /// The sessions of its workers.
    pub(crate) workers: Mutex<Vec<Session>>,
    /// Its request interceptor.
    pub(crate) interceptor: Mutex<Option<Interceptor>>,
    /// The requests of a running capture.
    pub(crate) capture: Mutex<Option<Chains>>,
    /// Receives the stream of a stopped trace.
    pub(crate) trace_complete: Mutex<Option<oneshot::Sender<String>>>,
    /// Receives screencast frames.
    pub(crate) screencast: Mutex<Option<FrameSink>>,
    /// Whether performance traces can be recorded.
    pub(crate) traces: bool,
    pub(crate) navigated: AtomicBool,
    /// The last document that loaded completely.
    pub(crate) complete: Mutex<Option<DocumentId>>,
    /// Whether it was reported to the sink.
    pub(crate) told: AtomicBool,
    /// Whether its initial content was reported to the sink.
    pub(crate) adopted: AtomicBool,
}

impl ChromiumPage {
    pub(crate) fn new(
        id: PageId,
        session: Session,
        root: Session,
        viewport: Size,
        purpose: Option<Purpose>,
    ) -> Self {
        let page = Self {
            purpose,
            opener: None,
            challenged: AtomicBool::new(false),
            challenged_by_another: AtomicBool::new(false),
            lifecycle: Lifecycle::new(session.connection()),
            session,
            root,
            frames: Mutex::default(),
            input_state: Mutex::default(),
            viewport: Mutex::new(viewport),
            emulated: Mutex::default(),
            workers: Mutex::default(),
            interceptor: Mutex::default(),
            capture: Mutex::default(),
            trace_complete: Mutex::default(),
            screencast: Mutex::default(),
            traces: true,
            navigated: AtomicBool::new(false),
            complete: Mutex::default(),
            told: AtomicBool::new(false),
            adopted: AtomicBool::new(false),
            id,
        };
        page.with_frames(|frames| frames.place(page.main_frame(), &page.session));
        page
    }

    /// The page as opened by another one, with its settings.
    pub(crate) fn opened_by(self, opener: Option<PageId>, emulated: EmulationState) -> Self {
        Self { opener, emulated: Mutex::new(emulated), ..self }
    }

    /// The page in a browser with these powers.
    pub(crate) fn with(self, powers: Powers) -> Self {
        Self { traces: powers.tracing, ..self }
    }

    /// Accesses the frames and notifies waiters.
    pub(crate) fn with_frames<T>(&self, change: impl FnOnce(&mut Frames) -> T) -> T {
        let done = change(&mut lock(&self.frames));
        self.lifecycle.notify();
        done
    }

    /// The sessions of its frames in other processes.
    pub(crate) fn frame_sessions(&self) -> Vec<Session> {
        lock(&self.frames).sessions_beside(&self.session)
    }

    /// The injected script's world of a frame; waits for it.
    pub(crate) async fn injected_world(&self, frame: &FrameId) -> Result<(Session, World)> {
        self.world(frame, |there| there.injected.clone()).await
    }

    /// The main world of a frame; waits for it.
    pub(crate) async fn main_world(&self, frame: &FrameId) -> Result<(Session, World)> {
        self.world(frame, |there| there.main.clone()).await
    }

    async fn world(
        &self,
        frame: &FrameId,
        which: impl Fn(&crate::frames::FrameState) -> Option<World>,
    ) -> Result<(Session, World)> {
        let found = || match lock(&self.frames).get(frame) {
            None => Some(Err(DriverError::Gone)),
            Some(there) => which(there).map(|world| Ok((there.session.clone(), world))),
        };
        self.lifecycle.until(found).await?
    }

    pub(crate) async fn send<C: Command>(&self, command: &C) -> Result<C::Reply> {
        self.lifecycle.alive()?;
        self.session.send(command).await.map_err(failed)
    }

    /// The same for commands that the browser refuses between two documents: the new process reports its
    /// document a moment before the browser has switched to it, which is done after the first paint.
    async fn send_to_document<C: Command>(&self, command: &C) -> Result<C::Reply> {
        for _ in 0..BETWEEN_DOCUMENTS {
            match self.send(command).await {
                Err(DriverError::Refused { .. }) => {}
                answered => return answered,
            }
            match self.call(&self.main_frame(), "frames", r#"{"count":2}"#).await {
                Ok(_) | Err(DriverError::Gone) => {}
                Err(error) => return Err(error),
            }
        }
        self.send(command).await
    }
}

#[async_trait]
impl PageDriver for ChromiumPage {
    fn id(&self) -> PageId {
        self.id.clone()
    }

    fn main_frame(&self) -> FrameId {
        // In Chromium the main frame's id is the target's.
        self.id.as_str().into()
    }

    async fn navigate(&self, url: &str) -> Result<Navigation> {
        let reply = self.send(&Navigate { url }).await?;
        Ok(match (reply.error_text, reply.loader_id) {
            _ if reply.is_download => Navigation::Download,
            (Some(error), _) if !error.is_empty() => Navigation::Failed(error),
            (_, Some(loader)) => Navigation::Document(DocumentId::from(loader.as_str())),
            (_, None) => Navigation::SameDocument,
        })
    }

    async fn traverse(&self, steps: i32) -> Result<bool> {
        let history = self.send_to_document(&GetNavigationHistory {}).await?;
        let wanted = usize::try_from(history.current_index + steps).ok();
        let Some(entry) = wanted.and_then(|index| history.entries.get(index)) else { return Ok(false) };
        // The initial blank page is sometimes in the history, but nobody can go back to it.
        if wanted == Some(0) && entry.url == "about:blank" {
            return Ok(false);
        }
        self.send(&NavigateToHistoryEntry { entry_id: entry.id }).await?;
        Ok(true)
    }

    async fn reload(&self) -> Result<()> {
        self.send_to_document(&Reload {}).await.map(drop)
    }

    async fn stop(&self) -> Result<()> {
        self.send(&StopLoading {}).await.map(drop)
    }

    async fn call(&self, frame: &FrameId, function: &str, args: &str) -> Result<String> {
        self.call(frame, function, args).await
    }

    async fn owner(&self, frame: &FrameId, parent: &FrameId) -> Result<u32> {
        self.owner(frame, parent).await
    }

    async fn node(&self, frame: &FrameId, number: u32) -> Result<NodeHandle> {
        let place = self.injected_world(frame).await?;
        let arguments = [CallArgument::Number(number)];
        let answer = self
            .in_injected_world(&place, "function(n){return cicerone.node(n)}", &arguments, Some(GROUP))
            .await?;
        let element = answer.result.object_id.ok_or(DriverError::Gone)?;
        let described = place.0.send(&DescribeNode { object_id: &element }).await.map_err(failed)?;
        Ok(node_handle(&place.0, described.node.backend_node_id))
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
        self.lifecycle.alive()?;
        let sent: Vec<_> = {
            let mut input_state = lock(&self.input_state);
            steps.iter().map(|step| input_state.send(&self.session, step)).collect()
        };
        try_join_all(sent).await.map(drop).map_err(|error| {
            lock(&self.input_state).release_all();
            failed(error)
        })
    }

    async fn screenshot(&self, shot: &Shot) -> Result<Vec<u8>> {
        self.screenshot(shot).await
    }

    async fn title(&self) -> Result<String> {
        self.lifecycle.alive()?;
        let info = self.root.send(&GetTargetInfo { target_id: self.id.as_str() }).await.map_err(failed)?;
        Ok(info.target_info.title)
    }

    async fn attach_files(&self, field: &NodeHandle, paths: &[PathBuf]) -> Result<()> {
        let session = self.session_of(field);
        let command = SetFileInputFiles { files: paths, backend_node_id: backend_node(field)? };
        session.send(&command).await.map(drop).map_err(failed)
    }

    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()> {
        self.send(&HandleJavaScriptDialog { accept, prompt_text: text }).await.map(drop)
    }

    async fn resize(&self, size: Size) -> Result<()> {
        *lock(&self.viewport) = size;
        let metrics = lock(&self.emulated).metrics(size);
        self.send(&metrics).await.map(drop)
    }

    async fn activate(&self) -> Result<()> {
        self.lifecycle.alive()?;
        let command = ActivateTarget { target_id: self.id.as_str() };
        self.root.send(&command).await.map(drop).map_err(failed)
    }

    async fn close(&self) -> Result<()> {
        let command = CloseTarget { target_id: self.id.as_str() };
        self.root.send(&command).await.map(drop).map_err(failed)
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

    fn interruption(&self) -> Option<&dyn Interruption> {
        Some(self)
    }

    fn layout_metrics(&self) -> Option<&dyn LayoutMetrics> {
        Some(self)
    }

    fn listeners(&self) -> Option<&dyn Listeners> {
        Some(self)
    }

    fn network_capture(&self) -> Option<&dyn NetworkCapture> {
        Some(self)
    }

    fn printing(&self) -> Option<&dyn Printing> {
        Some(self)
    }

    fn screencast(&self) -> Option<&dyn Screencast> {
        Some(self)
    }

    fn script_sandbox(&self) -> Option<&dyn ScriptSandbox> {
        Some(self)
    }

    fn tracing(&self) -> Option<&dyn Tracing> {
        self.traces.then_some(self as _)
    }
}

/// Maps wire errors to driver errors.
pub(crate) fn failed(error: WireError) -> DriverError {
    match error {
        WireError::Refused { code: INTERRUPTED, .. } => DriverError::Interrupted,
        WireError::Refused { code: WITHHELD, message, .. } => DriverError::Withheld(message),
        error => driver_error(error, |_| DriverError::Crashed),
    }
}

/// The same for commands that fail only if their document went away.
pub(crate) fn failed_in_document(error: WireError) -> DriverError {
    match failed(error) {
        DriverError::Refused { .. } => DriverError::Gone,
        other => other,
    }
}
