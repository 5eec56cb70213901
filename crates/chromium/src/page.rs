//! One page: its sessions, frames and worlds, and the driver's primitives on them.

use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, atomic::AtomicBool},
};

use async_trait::async_trait;
use cicerone_driver::{
    Bodies, DocumentId, DriverError, Emulation, Fetching, FrameId, FrameSink, Input, Interception,
    Interceptor, Navigation, NetworkCapture, NodeHandle, PageDriver, PageId, Printing, Result, Screencast,
    ScriptSandbox, Shot, Size, Tracing,
};
use cicerone_wire::{Command, Session, WireError};
use futures::future::try_join_all;
use tokio::sync::{Notify, oneshot};

use crate::{
    agent::GROUP,
    emulation::Beliefs,
    frames::{Frames, World},
    hidden::Errand,
    input::Hands,
    network_capture::Chains,
    nodes::{backend_node, node_handle},
    protocol::{
        dom::{DescribeNode, SetFileInputFiles},
        network::SetExtraHttpHeaders,
        page::{
            Crash, GetLayoutMetrics, GetNavigationHistory, HandleJavaScriptDialog, Navigate,
            NavigateToHistoryEntry, Reload, StopLoading,
        },
        runtime::{CallArgument, TerminateExecution},
        target::{ActivateTarget, CloseTarget, GetTargetInfo},
    },
};

/// How often a page that is between two documents is asked again.
const BETWEEN_DOCUMENTS: u32 = 5;

pub(crate) struct ChromiumPage {
    pub(crate) id: PageId,
    /// What it is for, when it is one of our own that nobody hears of.
    pub(crate) errand: Option<Errand>,
    /// The page that opened it.
    pub(crate) opener: Option<PageId>,
    /// Whether it was asked for credentials.
    pub(crate) challenged: AtomicBool,
    /// The session of the page itself; frames in other processes have their own.
    pub(crate) session: Session,
    /// The session of the browser, for what concerns the page as a target.
    root: Session,
    frames: Mutex<Frames>,
    /// Rings whenever the frames or the page's fate changed.
    pub(crate) changed: Notify,
    hands: Mutex<Hands>,
    pub(crate) viewport: Mutex<Size>,
    pub(crate) beliefs: Mutex<Beliefs>,
    /// The sessions of its workers.
    pub(crate) workers: Mutex<Vec<Session>>,
    /// What decides about its requests.
    pub(crate) interceptor: Mutex<Option<Interceptor>>,
    /// The requests that a capture reports, while one runs.
    pub(crate) capture: Mutex<Option<Chains>>,
    /// Gets the stream of the trace that was stopped.
    pub(crate) trace_complete: Mutex<Option<oneshot::Sender<String>>>,
    /// Where pictures of its screencast go.
    pub(crate) screencast: Mutex<Option<FrameSink>>,
    pub(crate) navigated: AtomicBool,
    /// The last document that was loaded whole.
    pub(crate) complete: Mutex<Option<DocumentId>>,
    /// Whether the sink was told of it.
    pub(crate) told: AtomicBool,
    pub(crate) crashed: AtomicBool,
    pub(crate) closed: AtomicBool,
}

impl ChromiumPage {
    pub(crate) fn new(
        id: PageId,
        session: Session,
        root: Session,
        viewport: Size,
        errand: Option<Errand>,
    ) -> Self {
        let page = Self {
            errand,
            opener: None,
            challenged: AtomicBool::new(false),
            session,
            root,
            frames: Mutex::default(),
            changed: Notify::new(),
            hands: Mutex::default(),
            viewport: Mutex::new(viewport),
            beliefs: Mutex::default(),
            workers: Mutex::default(),
            interceptor: Mutex::default(),
            capture: Mutex::default(),
            trace_complete: Mutex::default(),
            screencast: Mutex::default(),
            navigated: AtomicBool::new(false),
            complete: Mutex::default(),
            told: AtomicBool::new(false),
            crashed: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            id,
        };
        page.with_frames(|frames| frames.place(page.main_frame(), &page.session));
        page
    }

    /// The same page, opened by another one and set to the same.
    pub(crate) fn opened_by(self, opener: Option<PageId>, beliefs: Beliefs) -> Self {
        Self { opener, beliefs: Mutex::new(beliefs), ..self }
    }

    /// Looks at or changes the frames, and rings.
    pub(crate) fn with_frames<T>(&self, change: impl FnOnce(&mut Frames) -> T) -> T {
        let done = change(&mut lock(&self.frames));
        self.changed.notify_waiters();
        done
    }

    /// The sessions of its frames in other processes.
    pub(crate) fn frame_sessions(&self) -> Vec<Session> {
        lock(&self.frames).sessions_beside(&self.session)
    }

    /// The agent's world of a frame, as soon as it is there.
    pub(crate) async fn agent_world(&self, frame: &FrameId) -> Result<(Session, World)> {
        self.world(frame, |there| there.agent.clone()).await
    }

    /// The page's own world of a frame, as soon as it is there.
    pub(crate) async fn main_world(&self, frame: &FrameId) -> Result<(Session, World)> {
        self.world(frame, |there| there.main.clone()).await
    }

    async fn world(
        &self,
        frame: &FrameId,
        which: impl Fn(&crate::frames::Whereabouts) -> Option<World>,
    ) -> Result<(Session, World)> {
        loop {
            let changed = self.changed.notified();
            self.alive()?;
            match lock(&self.frames).get(frame) {
                None => return Err(DriverError::Gone),
                Some(there) => {
                    if let Some(world) = which(there) {
                        return Ok((there.session.clone(), world));
                    }
                }
            }
            changed.await;
        }
    }

    pub(crate) async fn send<C: Command>(&self, command: &C) -> Result<C::Reply> {
        self.alive()?;
        self.session.send(command).await.map_err(failed)
    }

    /// The same for what the browser refuses between two documents: the new one's process speaks of it a moment before the
    /// browser has taken it over, and that is done by the time it has drawn something.
    async fn send_to_document<C: Command>(&self, command: &C) -> Result<C::Reply> {
        for _ in 0..BETWEEN_DOCUMENTS {
            match self.send(command).await {
                Err(DriverError::Refused { .. }) => {}
                answered => return answered,
            }
            match self.call_agent(&self.main_frame(), "frames", r#"{"count":2}"#).await {
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
        // Chromium names the main frame like its target.
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
        // The blank page that every tab begins with is sometimes kept in the history; it is nowhere to go back to.
        if wanted == Some(0) && entry.url == "about:blank" {
            return Ok(false);
        }
        self.send(&NavigateToHistoryEntry { entry_id: entry.id }).await?;
        Ok(true)
    }

    async fn extra_headers(&self, headers: &[(String, String)]) -> Result<()> {
        self.send(&SetExtraHttpHeaders { headers: headers.iter().cloned().collect() }).await.map(drop)
    }

    async fn reload(&self) -> Result<()> {
        self.send_to_document(&Reload {}).await.map(drop)
    }

    async fn stop(&self) -> Result<()> {
        self.send(&StopLoading {}).await.map(drop)
    }

    async fn call(&self, frame: &FrameId, function: &str, args: &str) -> Result<String> {
        self.call_agent(frame, function, args).await
    }

    async fn enlighten(&self, frame: &FrameId) -> Result<()> {
        self.tell_listeners(frame).await
    }

    async fn uncover(&self, frame: &FrameId) -> Result<usize> {
        self.tell_closed_roots(frame).await
    }

    async fn owner(&self, frame: &FrameId, parent: &FrameId) -> Result<u32> {
        self.owner_number(frame, parent).await
    }

    async fn node(&self, frame: &FrameId, number: u32) -> Result<NodeHandle> {
        let place = self.agent_world(frame).await?;
        let arguments = [CallArgument::Number(number)];
        let answer = self
            .in_agent_world(&place, "function(n){return cicerone.node(n)}", &arguments, Some(GROUP))
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
        self.run_script(frame, source, node).await
    }

    async fn interrupt(&self) -> Result<()> {
        self.send(&TerminateExecution {}).await.map(drop)
    }

    async fn crash(&self) -> Result<()> {
        self.alive()?;
        // A crashed page never answers; the event tells.
        self.session.tell(&Crash {});
        Ok(())
    }

    async fn input(&self, steps: &[Input]) -> Result<()> {
        self.alive()?;
        let sent: Vec<_> = {
            let mut hands = lock(&self.hands);
            steps.iter().map(|step| hands.send(&self.session, step)).collect()
        };
        try_join_all(sent).await.map(drop).map_err(|error| {
            lock(&self.hands).release_all();
            failed(error)
        })
    }

    async fn screenshot(&self, shot: &Shot) -> Result<Vec<u8>> {
        self.take_shot(shot).await
    }

    async fn title(&self) -> Result<String> {
        self.alive()?;
        let info = self.root.send(&GetTargetInfo { target_id: self.id.as_str() }).await.map_err(failed)?;
        Ok(info.target_info.title)
    }

    async fn content_size(&self) -> Result<Size> {
        let size = self.send(&GetLayoutMetrics {}).await?.css_content_size;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "document sizes are small and positive, and casts saturate"
        )]
        Ok(Size { width: size.width.ceil() as u32, height: size.height.ceil() as u32 })
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
        let metrics = lock(&self.beliefs).metrics(size);
        self.send(&metrics).await.map(drop)
    }

    async fn activate(&self) -> Result<()> {
        self.alive()?;
        let command = ActivateTarget { target_id: self.id.as_str() };
        self.root.send(&command).await.map(drop).map_err(failed)
    }

    async fn close(&self) -> Result<()> {
        let command = CloseTarget { target_id: self.id.as_str() };
        self.root.send(&command).await.map(drop).map_err(failed)
    }

    fn fetching(&self) -> Option<&dyn Fetching> {
        Some(self)
    }

    fn screencast(&self) -> Option<&dyn Screencast> {
        Some(self)
    }

    fn script_sandbox(&self) -> Option<&dyn ScriptSandbox> {
        Some(self)
    }

    fn printing(&self) -> Option<&dyn Printing> {
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

    fn tracing(&self) -> Option<&dyn Tracing> {
        Some(self)
    }
}

/// The wire's errors in the driver's words.
pub(crate) fn failed(error: WireError) -> DriverError {
    match error {
        WireError::Lost { .. } => DriverError::Crashed,
        WireError::Refused { method, message, .. } => DriverError::Refused { command: method, message },
        WireError::Malformed { source, .. } => DriverError::Garbled(source),
        _ => DriverError::Disconnected,
    }
}

/// No code panics while it holds these locks, so a poisoned one is still good.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
