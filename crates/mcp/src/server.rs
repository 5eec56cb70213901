//! The protocol's requests, answered with the tools of a toolbox.

#![expect(deprecated, reason = "the protocols that clients speak today have logging and roots")]

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use cicerone_engine::Session;
use cicerone_tools::{
    Effect, Listing, Settings, Toolbox,
    resource::{ResourceUri, complete},
};
use rmcp::{
    ErrorData, Peer, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
        CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation,
        InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, LoggingLevel, PaginatedRequestParams, ProtocolVersion,
        ReadResourceRequestParams, ReadResourceResponse, ResourceUpdatedNotification,
        ResourceUpdatedNotificationParam, ServerCapabilities, ServerConfig, ServerNotification,
        SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool, ToolAnnotations,
        UnsubscribeRequestParams,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing::{Instrument, Level};

use crate::{
    ClientLog,
    calls::{Called, has_server_requests, result},
    elicit::Parked,
    log::LogLevel,
    notify::forward,
    resources,
    subscriptions::{MOST_SUBSCRIPTIONS, Subscriptions},
    sync::lock,
};

/// Time limit for a client to list its roots.
const ROOTS: Duration = Duration::from_secs(5);

/// Known methods; with invalid parameters they arrive as unknown ones.
const KNOWN_METHODS: [&str; 9] = [
    "tools/call",
    "tools/list",
    "logging/setLevel",
    "initialize",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/get",
    "completion/complete",
];

/// Those that protocol versions without a handshake no longer have.
const REMOVED_METHODS: [&str; 4] =
    ["initialize", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"];

/// The instructions for a client that can ask a person.
const ASKING: &str = "For a value that only the person knows, type `$ask_secret(What for)` into a password field, or \
`$ask_code(What)` for a captcha or a one-time code: the person is asked, and you do not see the secret.";

/// Answers one client.
pub struct Server {
    pub(crate) toolbox: Arc<Toolbox>,
    pub(crate) session: Session,
    pub(crate) settings: Arc<Settings>,
    log_level: Option<LogLevel>,
    log: Mutex<Option<ClientLog>>,
    /// Cancelled with the server; ends its background tasks.
    ended: DropGuard,
    subscriptions: Subscriptions,
    pub(crate) parked: Parked,
    /// Whether the person can open a page of this machine.
    pub(crate) is_local: bool,
}

impl Server {
    /// A server of these tools for one client's session. Tools and settings can be shared between
    /// servers.
    pub fn new(
        toolbox: impl Into<Arc<Toolbox>>,
        session: Session,
        settings: impl Into<Arc<Settings>>,
    ) -> Self {
        Self {
            toolbox: toolbox.into(),
            session,
            settings: settings.into(),
            log_level: None,
            log: Mutex::new(None),
            ended: CancellationToken::new().drop_guard(),
            subscriptions: Subscriptions::default(),
            parked: Parked::default(),
            is_local: true,
        }
    }

    /// For a client that may be on another machine: the person cannot open a page of this one.
    #[must_use]
    pub fn for_other_machines(mut self) -> Self {
        self.is_local = false;
        self
    }

    /// Sends these log messages to the client.
    #[must_use]
    pub fn with_log(mut self, log: ClientLog) -> Self {
        self.log_level = Some(log.log_level.clone());
        self.log = Mutex::new(Some(log));
        self
    }

    fn spawn_take_roots(&self, peer: Peer<RoleServer>) {
        let taking = take_roots(peer, self.session.clone());
        tokio::spawn(taking.instrument(self.session.span().clone()));
    }
}

impl ServerHandler for Server {
    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut answer = self.negotiate_initialize(&request)?;
        if request.capabilities.elicitation.is_some() {
            answer.instructions = answer.instructions.map(|text| format!("{text}\n\n{ASKING}"));
        }
        Ok(answer)
    }

    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_logging()
            .enable_completions()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe()
            .build();
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
        Ok(ListToolsResult::with_all_items(self.toolbox.list().iter().map(tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let called = self.call(request, &context).instrument(self.session.span().clone()).await?;
        let reply = match called {
            Called::Done(reply) => reply,
            Called::Asks(question) => return Ok(question.into()),
        };
        self.subscriptions.called();
        // A picture that is in the reply needs no link.
        let links = match reply.images.is_empty() && reads_links(&context) {
            true => resources::links(self.session.files(), &reply.facts),
            false => Vec::new(),
        };
        let mut result = result(reply);
        result.content.extend(links);
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(resources::list(&self.session))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        tokio::select! {
            read = resources::read(&self.session, &request.uri) => read.map(Into::into),
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
        }
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if ResourceUri::parse(&request.uri).is_none() {
            return Err(ErrorData::invalid_params(format!("unknown resource {}", request.uri), None));
        }
        let peer = context.peer;
        let update = move |uri| {
            let peer = peer.clone();
            async move { peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_ok() }
        };
        let added = self.subscriptions.add(&self.session, request.uri, update);
        added.map_err(|too_many| ErrorData::invalid_request(too_many.to_string(), None))
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let known = requested.resource_subscriptions.iter().flatten();
        let known = known.filter(|uri| ResourceUri::parse(uri).is_some()).cloned();
        Some(SubscriptionFilter::builder().resource_subscriptions(known.take(MOST_SUBSCRIPTIONS)).build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let uris = context.accepted().resource_subscriptions.clone().unwrap_or_default();
        let sink = context.sink();
        let watchers = uris.into_iter().map(|uri| {
            self.subscriptions.watch(&self.session, uri, |uri| async {
                let params = ResourceUpdatedNotificationParam::new(uri);
                let update = ResourceUpdatedNotification::new(params);
                sink.send(ServerNotification::ResourceUpdatedNotification(update)).await.is_ok()
            })
        });
        tokio::select! {
            () = context.cancelled() => {}
            _ = futures::future::join_all(watchers) => context.cancelled().await,
        }
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscriptions.remove(&request.uri);
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(resources::prompts())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        resources::prompt(&request).map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let values = complete(&self.session, &request.argument.name, &request.argument.value).await;
        Ok(CompleteResult::new(resources::completion(values)))
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if let Some(log_level) = &self.log_level {
            log_level.set(match request.level {
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
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let is_removed = !has_server_requests(&context) && REMOVED_METHODS.contains(&request.method.as_str());
        if !is_removed && KNOWN_METHODS.contains(&request.method.as_str()) {
            let why = format!("Invalid parameters of {}", request.method);
            return Err(ErrorData::invalid_params(why, None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("Unknown method: {}", request.method), None))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let log = lock(&self.log).take();
        if let Some(log) = log {
            let ended = self.ended.token().clone();
            let forwarding = forward(log, context.peer.clone());
            tokio::spawn(async move { ended.run_until_cancelled(forwarding).await });
        }
        self.spawn_take_roots(context.peer);
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.spawn_take_roots(context.peer);
    }
}

/// Whether the client's protocol has links to resources.
fn reads_links(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2025_06_18)
}

/// What `tools/list` says of a tool.
pub(crate) fn tool(listing: &Listing) -> Tool {
    let tool = Tool::new(listing.name, listing.about.clone(), Arc::clone(&listing.input))
        .with_raw_output_schema(Arc::clone(&listing.output));
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

/// The client's roots are directories that may be used.
async fn take_roots(peer: Peer<RoleServer>, session: Session) {
    if peer.peer_info().is_none_or(|client| client.capabilities.roots.is_none()) {
        return;
    }
    let asked = tokio::time::timeout(ROOTS, peer.list_roots()).await;
    // The earlier ones may have been withdrawn.
    let listed = asked.ok().and_then(Result::ok).map(|listed| listed.roots).unwrap_or_else(|| {
        tracing::warn!("the client did not list its roots; none is used");
        Vec::new()
    });
    let path = |uri: &str| url::Url::parse(uri).ok().and_then(|url| url.to_file_path().ok());
    let roots = listed.iter().filter_map(|root| path(&root.uri));
    for too_wide in session.files().set_client_roots(roots) {
        tracing::warn!(
            "the client's root is not used: {} contains the home directory or the whole file system; allow it with --allow-path if it is meant",
            too_wide.display()
        );
    }
}
