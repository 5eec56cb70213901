//! One page: its session, its frames and worlds, and the driver's primitives on them.

use std::{
    path::PathBuf,
    sync::{
        Mutex, Weak,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
};

use async_trait::async_trait;
pub(crate) use cicerone_driver::lock;
use cicerone_driver::{
    Bodies, BrowserEvent, ClosedShadowRoots, ContextId, Crashing, DocumentId, DriverError, Emulation,
    ExtraHeaders, Fetching, FrameId, Input, Interception, Interruption, Listeners, Navigation,
    NetworkCapture, NodeHandle, PageDriver, PageEvent, PageId, Printing, Result, ScriptSandbox, Shot, Sink,
    Size,
};
use cicerone_driver_kit::Lifecycle;
use cicerone_wire::Session;

use crate::{
    browser::Shared,
    closed_shadow_roots::ClosedRoots,
    emulation::EmulationState,
    frames::{Frames, World, WorldKind},
    interception::Filter,
    network_capture::Capture,
    protocol::{
        host::{Activate, AnswerDialog, Close, GetTitle, Reload, Resize, Stop, Traverse},
        runtime::{CallArgument, CallFunctionOn, Evaluate, Evaluated},
    },
};

pub(crate) struct WebKitPage {
    pub(crate) id: PageId,
    pub(crate) context: ContextId,
    pub(crate) session: Session,
    pub(crate) shared: Weak<Shared>,
    /// Who hears of what happens in it; nobody where it is a page of our own.
    sink: Option<Sink>,
    /// What the inspector calls its main frame.
    pub(crate) main: Mutex<Option<String>>,
    pub(crate) frames: Mutex<Frames>,
    /// Counts the documents of the main frame.
    pub(crate) documents: AtomicU64,
    /// Whether its main frame was set up.
    pub(crate) is_set_up: AtomicBool,
    pub(crate) viewport: Mutex<Size>,
    pub(crate) emulated: Mutex<EmulationState>,
    /// Held while numbers of nodes are in use: asking for the document makes them void.
    pub(crate) numbering: tokio::sync::Mutex<()>,
    pub(crate) closed_roots: Mutex<ClosedRoots>,
    /// Requests whose responses had no bytes yet.
    pub(crate) without_bytes: Mutex<std::collections::HashSet<String>>,
    /// How often the document that is loaded was redirected.
    pub(crate) redirects: AtomicU32,
    /// Why the last request failed.
    pub(crate) last_failure: Mutex<Option<String>>,
    /// Whether the file chooser that opens next is one that we open.
    pub(crate) attaching: AtomicBool,
    /// Whether a file chooser is open that we opened.
    pub(crate) chooser_open: AtomicBool,
    /// Whether a dialog is open that does not belong to a navigation.
    pub(crate) dialog_open: AtomicBool,
    /// The last line of the console: it is told again by a number only.
    pub(crate) last_line: Mutex<Option<cicerone_driver::ConsoleMessage>>,
    /// What was sent with the last requests.
    pub(crate) sent: Mutex<std::collections::HashMap<String, Vec<u8>>>,
    /// The document requests of frames.
    pub(crate) documents_asked: Mutex<std::collections::HashMap<String, FrameId>>,
    /// What decides about its requests.
    pub(crate) filter: Mutex<Filter>,
    /// Headers that are sent with every request.
    pub(crate) extra_headers: Mutex<Vec<(String, String)>>,
    /// Those that the inspector has.
    pub(crate) sent_headers: Mutex<std::collections::BTreeMap<String, String>>,
    /// Whether its blank document is about to be replaced by the first that it loads, as that of a popup is.
    pub(crate) is_to_navigate: AtomicBool,
    pub(crate) capture: Mutex<Option<Capture>>,
    /// Notified whenever one of the others changed.
    pub(crate) lifecycle: Lifecycle,
}

impl WebKitPage {
    pub(crate) fn new(
        id: PageId,
        context: ContextId,
        session: Session,
        shared: Weak<Shared>,
        sink: Option<Sink>,
        viewport: Size,
    ) -> Self {
        Self {
            id,
            context,
            lifecycle: Lifecycle::new(session.connection()),
            session,
            shared,
            sink,
            main: Mutex::default(),
            frames: Mutex::default(),
            documents: AtomicU64::new(0),
            is_set_up: AtomicBool::new(false),
            viewport: Mutex::new(viewport),
            emulated: Mutex::default(),
            numbering: tokio::sync::Mutex::default(),
            closed_roots: Mutex::default(),
            without_bytes: Mutex::default(),
            redirects: AtomicU32::new(0),
            last_failure: Mutex::default(),
            attaching: AtomicBool::new(false),
            chooser_open: AtomicBool::new(false),
            dialog_open: AtomicBool::new(false),
            last_line: Mutex::default(),
            sent: Mutex::default(),
            documents_asked: Mutex::default(),
            filter: Mutex::default(),
            extra_headers: Mutex::default(),
            sent_headers: Mutex::default(),
            is_to_navigate: AtomicBool::new(false),
            capture: Mutex::default(),
        }
    }

    pub(crate) fn is_told(&self) -> bool {
        self.sink.is_some()
    }

    pub(crate) fn tell(&self, event: PageEvent) {
        if let Some(sink) = &self.sink {
            sink(BrowserEvent::Page(self.id.clone(), event));
        }
    }

    /// Reads or changes the frames, and notifies what waits for a change.
    pub(crate) fn with_frames<T>(&self, change: impl FnOnce(&mut Frames) -> T) -> T {
        let done = change(&mut lock(&self.frames));
        self.lifecycle.notify();
        done
    }

    /// Our name of a frame. The inspector's own are only good within a process; the main frame is called like its page.
    pub(crate) fn frame(&self, id: &str) -> FrameId {
        if lock(&self.main).as_deref() == Some(id) {
            self.main_frame()
        } else {
            self.within(id).as_str().into()
        }
    }

    /// A name that is good everywhere.
    pub(crate) fn within(&self, id: &str) -> String {
        format!("{}/{id}", self.id)
    }

    /// A document says where it is.
    pub(crate) fn seen_at(&self, frame: &FrameId, url: &str) {
        if self.with_frames(|frames| frames.moved(frame, url)) {
            let (document, url) = (DocumentId::from(""), url.to_owned());
            self.tell(PageEvent::Navigated { frame: frame.clone(), document, url, same_document: true });
        }
    }

    /// A world of a frame, as soon as it is there.
    pub(crate) async fn world(&self, frame: &FrameId, kind: WorldKind) -> Result<World> {
        let found = || {
            if self.is_to_navigate.load(Ordering::Relaxed) {
                return None;
            }
            let frames = lock(&self.frames);
            match frames.world(frame, kind) {
                Some(world) => Some(Ok(world.clone())),
                None if frames.get(frame).is_none() && *frame != self.main_frame() => {
                    Some(Err(DriverError::Gone))
                }
                None => None,
            }
        };
        self.lifecycle.alive()?;
        self.lifecycle.until(found).await?
    }

    /// Calls a function in a world of a frame.
    pub(crate) async fn call_in(
        &self,
        frame: &FrameId,
        world: &World,
        function: &str,
        arguments: &[CallArgument<'_>],
        return_by_value: bool,
        emulate_user_gesture: bool,
    ) -> Result<Evaluated> {
        self.lifecycle.alive()?;
        let called = async {
            let global = world.global.get_or_try_init(|| self.global(world.id)).await?;
            let command = CallFunctionOn {
                object_id: global,
                function_declaration: function,
                arguments,
                return_by_value,
                await_promise: true,
                emulate_user_gesture,
                do_not_pause_on_exceptions_and_mute_console: true,
            };
            self.session.send(&command).await.map_err(|error| self.failed(error))
        };
        self.while_there(frame, world.id, called).await?
    }

    async fn global(&self, context_id: i64) -> Result<String> {
        let command = Evaluate { expression: "globalThis", context_id, ..Evaluate::default() };
        let evaluated = self.session.send(&command).await.map_err(|error| self.failed(error))?;
        evaluated.result.object_id.ok_or(DriverError::Gone)
    }
}

#[async_trait]
impl PageDriver for WebKitPage {
    fn id(&self) -> PageId {
        self.id.clone()
    }

    fn main_frame(&self) -> FrameId {
        self.id.as_str().into()
    }

    async fn navigate(&self, url: &str) -> Result<Navigation> {
        self.navigate(url).await
    }

    async fn traverse(&self, steps: i32) -> Result<bool> {
        Ok(self.send(&Traverse { steps }).await?.found)
    }

    async fn reload(&self) -> Result<()> {
        self.send(&Reload {}).await.map(drop)
    }

    async fn stop(&self) -> Result<()> {
        self.send(&Stop {}).await.map(drop)
    }

    async fn call(&self, frame: &FrameId, function: &str, args: &str) -> Result<String> {
        self.call(frame, function, args).await
    }

    async fn owner(&self, frame: &FrameId, parent: &FrameId) -> Result<u32> {
        self.owner(frame, parent).await
    }

    async fn node(&self, frame: &FrameId, number: u32) -> Result<NodeHandle> {
        self.node(frame, number).await
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
        Ok(self.send(&GetTitle {}).await?.title)
    }

    async fn attach_files(&self, field: &NodeHandle, paths: &[PathBuf]) -> Result<()> {
        self.attach_files(field, paths).await
    }

    async fn answer_dialog(&self, accept: bool, text: Option<&str>) -> Result<()> {
        self.send(&AnswerDialog { accept, text }).await.map(drop)
    }

    async fn resize(&self, size: Size) -> Result<()> {
        *lock(&self.viewport) = size;
        self.send(&Resize { width: size.width, height: size.height }).await?;
        self.has_size(size).await
    }

    async fn activate(&self) -> Result<()> {
        self.send(&Activate {}).await.map(drop)
    }

    async fn close(&self) -> Result<()> {
        match self.session.send(&Close {}).await {
            // It closed itself before.
            Ok(_) | Err(cicerone_wire::WireError::Lost { .. } | cicerone_wire::WireError::Refused { .. }) => {
                Ok(())
            }
            Err(error) => Err(self.failed(error)),
        }
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

    fn listeners(&self) -> Option<&dyn Listeners> {
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
