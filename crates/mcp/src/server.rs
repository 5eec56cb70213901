//! The protocol's requests, answered with the tools of a toolbox.

#![expect(deprecated, reason = "the protocols that clients speak today have logging and roots")]

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use base64::Engine as _;
use cicerone_engine::Session;
use cicerone_tools::{BadArguments, Call, Effect, Listing, Progress, Reply, Settings, Toolbox, UnknownTool};
use rmcp::{
    ErrorData, Peer, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
        ErrorCode, Implementation, ListToolsResult, LoggingLevel, LoggingMessageNotificationParam,
        PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ServerCapabilities, ServerConfig,
        SetLevelRequestParams, Tool, ToolAnnotations,
    },
    service::{NotificationContext, RequestContext},
};
use serde_json::{Value, json};
use tracing::Level;

use crate::{ClientLog, log::Loudness};

/// How often a call that takes long says that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// How long a client may take to tell its roots.
const ROOTS: Duration = Duration::from_secs(5);

/// Methods that exist; with parameters that do not fit they come as unknown ones.
const KNOWN_METHODS: [&str; 4] = ["tools/call", "tools/list", "logging/setLevel", "initialize"];

/// Answers one client.
pub struct Server {
    toolbox: Toolbox,
    session: Session,
    settings: Arc<Settings>,
    tools: Vec<Tool>,
    loudness: Option<Loudness>,
    log: Mutex<Option<ClientLog>>,
}

impl Server {
    /// A server of these tools, for one client's session.
    pub fn new(toolbox: Toolbox, session: Session, settings: Settings) -> Self {
        let tools = toolbox.list().into_iter().map(tool).collect();
        Self { toolbox, session, settings: Arc::new(settings), tools, loudness: None, log: Mutex::new(None) }
    }

    pub(crate) fn with_log(mut self, log: ClientLog) -> Self {
        self.loudness = Some(log.loudness.clone());
        self.log = Mutex::new(Some(log));
        self
    }

    async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Reply, ErrorData> {
        let tool = self.toolbox.find(&request.name).map_err(unknown_tool)?;
        let progress = Progress::default();
        let call = Call::new(self.session.clone(), Arc::clone(&self.settings), progress.clone());
        let arguments = request.arguments.unwrap_or_default();
        // In a task of its own: a panic costs this call an error, and nobody else anything.
        let mut work = tokio::task::JoinSet::new();
        work.spawn(async move { tool.call(call, arguments).await });
        let reporting = report(context.meta.get_progress_token(), context.peer.clone(), progress);
        let done = tokio::select! {
            done = work.join_next() => done,
            // Never ends; it is there to be dropped.
            () = reporting => None,
            // Dropping the set aborts the work. The protocol wants no answer to a cancelled request.
            () = context.ct.cancelled() => None,
        };
        match done {
            Some(Ok(Ok(Reply { refused: Some((code, name)), text, .. }))) => {
                Err(ErrorData::new(ErrorCode(code), text, Some(json!({ "name": name }))))
            }
            Some(Ok(reply)) => reply.map_err(|bad| bad_arguments(&bad)),
            Some(Err(panicked)) => {
                tracing::error!(%panicked, tool = %request.name, "a tool panicked");
                Err(ErrorData::internal_error("the tool failed unexpectedly; the server goes on", None))
            }
            None => Err(ErrorData::internal_error("cancelled", None)),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_logging().build();
        let mut config = ServerConfig::new(capabilities);
        config.server_info = Implementation::new("cicerone", env!("CARGO_PKG_VERSION"));
        config.instructions = Some(self.toolbox.instructions().to_owned());
        config
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.call(request, &context).await.map(|reply| result(reply).into())
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if let Some(loudness) = &self.loudness {
            loudness.set(match request.level {
                LoggingLevel::Debug => Level::DEBUG,
                LoggingLevel::Info | LoggingLevel::Notice => Level::INFO,
                LoggingLevel::Warning => Level::WARN,
                _ => Level::ERROR,
            });
        }
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if KNOWN_METHODS.contains(&request.method.as_str()) {
            let why = format!("The parameters of {} do not fit: it takes name and arguments", request.method);
            return Err(ErrorData::invalid_params(why, None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("Unknown method: {}", request.method), None))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let log = self.log.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(log) = log {
            tokio::spawn(forward(log, context.peer.clone()));
        }
        tokio::spawn(take_roots(context.peer, self.session.clone()));
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        tokio::spawn(take_roots(context.peer, self.session.clone()));
    }
}

/// What `tools/list` says of a tool.
pub(crate) fn tool(listing: Listing) -> Tool {
    let tool = Tool::new(listing.name, listing.about, Arc::new(listing.input))
        .with_raw_output_schema(Arc::new(listing.output));
    let mut annotations = ToolAnnotations::new();
    // Hints that say what is the default anyway are left out: every listing is paid for in tokens. Without any, a tool
    // may change things.
    match listing.effect {
        Effect::Looks => annotations.read_only_hint = Some(true),
        Effect::Acts | Effect::Controls => return tool,
        Effect::Arranges => annotations.idempotent_hint = Some(true),
    }
    tool.with_annotations(annotations)
}

fn result(reply: Reply) -> CallToolResult {
    let mut content: Vec<ContentBlock> = reply
        .images
        .iter()
        .map(|image| {
            ContentBlock::image(base64::engine::general_purpose::STANDARD.encode(&image.bytes), image.mime)
        })
        .collect();
    let text_at = if reply.images_first { content.len() } else { 0 };
    content.insert(text_at, ContentBlock::text(reply.text));
    let mut result =
        if reply.failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = Some(Value::Object(reply.facts));
    result
}

/// The interface whose names have dots has a code of its own for this.
fn unknown_tool(unknown: UnknownTool) -> ErrorData {
    let dotted = unknown.name.starts_with("browser.");
    let code = if dotted { ErrorCode(-32001) } else { ErrorCode::METHOD_NOT_FOUND };
    ErrorData::new(code, unknown.to_string(), None)
}

fn bad_arguments(bad: &BadArguments) -> ErrorData {
    ErrorData::invalid_params(bad.to_string(), None)
}

/// Tells the client how far a call is: at every word of it, and every so often that it is alive. Never ends.
async fn report(token: Option<ProgressToken>, peer: Peer<RoleServer>, progress: Progress) {
    let Some(token) = token else { return std::future::pending().await };
    let mut words = progress.watch();
    let began = tokio::time::Instant::now();
    let mut beat = tokio::time::interval(HEARTBEAT);
    beat.tick().await;
    let mut furthest = 0.0_f64;
    loop {
        tokio::select! {
            _ = beat.tick() => {}
            changed = words.changed() => if changed.is_err() { return std::future::pending().await },
        }
        let step = words.borrow().clone();
        // The protocol wants every step to be further than the one before.
        let elapsed = began.elapsed().as_secs_f64();
        furthest = if step.total.is_some() { step.done.max(furthest) } else { elapsed.max(furthest + 0.001) };
        let mut told = ProgressNotificationParam::new(token.clone(), furthest);
        told.total = step.total;
        told.message = (!step.message.is_empty()).then_some(step.message);
        if peer.notify_progress(told).await.is_err() {
            return std::future::pending().await;
        }
    }
}

/// Sends log lines to the client, as long as it takes them.
async fn forward(mut log: ClientLog, peer: Peer<RoleServer>) {
    while let Some(line) = log.lines.recv().await {
        let level = match line.level {
            Level::ERROR => LoggingLevel::Error,
            Level::WARN => LoggingLevel::Warning,
            Level::INFO => LoggingLevel::Info,
            _ => LoggingLevel::Debug,
        };
        let mut told = LoggingMessageNotificationParam::new(level, line.text.into());
        told.logger = Some(line.target.into());
        if peer.notify_logging_message(told).await.is_err() {
            return;
        }
    }
}

/// The client's roots are directories that may be used.
async fn take_roots(peer: Peer<RoleServer>, session: Session) {
    if peer.peer_info().is_none_or(|client| client.capabilities.roots.is_none()) {
        return;
    }
    let asked = tokio::time::timeout(ROOTS, peer.list_roots()).await;
    let Ok(Ok(listed)) = asked else { return };
    let path = |uri: &str| url::Url::parse(uri).ok().and_then(|url| url.to_file_path().ok());
    let roots = listed.roots.iter().filter_map(|root| path(&root.uri));
    for too_wide in session.files().set_client_roots(roots) {
        tracing::warn!(
            "the client's root is not used: {too_wide}; allow it with --allow-path if it is meant"
        );
    }
}
