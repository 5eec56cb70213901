//! Fixtures of the public MCP conformance suite, behind `--conformance`: [`tools`] with fixed answers, tools that
//! [`ask`] the client during the call, tools that ask in [`rounds`], and [`content`] to read.
//!
//! [`Conformance`] answers requests for the fixtures, and passes everything else to the server that it wraps.

#![expect(deprecated, reason = "the protocols that clients speak today have logging")]

mod ask;
mod content;
mod rounds;
mod tools;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CustomRequest,
        CustomResult, GetPromptRequestParams, GetPromptResponse, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        ReadResourceRequestParams, ReadResourceResponse, ServerConfig, SetLevelRequestParams,
        SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use serde_json::Value;

use self::rounds::Rounds;
use crate::Server;

/// The context of a request.
type Context = RequestContext<RoleServer>;

/// A server with the fixtures in addition to its tools.
pub struct Conformance {
    server: Server,
    rounds: Rounds,
}

impl Conformance {
    /// Adds the fixtures to this server.
    pub fn new(server: Server) -> Self {
        Self { server, rounds: Rounds::default() }
    }
}

/// A fixture in the protocol's type.
fn typed<T: serde::de::DeserializeOwned>(fixture: Value) -> Result<T, ErrorData> {
    serde_json::from_value(fixture).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// A result in the protocol's type. Newer protocol versions require a completion mark; the SDK removes it for
/// older ones.
fn complete<T: serde::de::DeserializeOwned>(mut result: Value) -> Result<T, ErrorData> {
    result["resultType"] = "complete".into();
    typed(result)
}

fn typed_list<T: serde::de::DeserializeOwned>(fixtures: Vec<Value>) -> Result<Vec<T>, ErrorData> {
    fixtures.into_iter().map(typed).collect()
}

impl ServerHandler for Conformance {
    fn get_info(&self) -> ServerConfig {
        self.server.get_info()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let fixture = tools::listed().into_iter().find(|tool| tool["name"] == name)?;
        typed(fixture).ok()
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut listed = self.server.list_tools(page, context).await?;
        listed.tools.extend(typed_list::<Tool>(tools::listed())?);
        Ok(listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(answer) = tools::fixed(&request.name) {
            return complete::<rmcp::model::CallToolResult>(answer).map(Into::into);
        }
        if let Some(instead) = tools::panicking(&request) {
            return self.server.call_that_panics(instead, &context).await;
        }
        if let Some(answer) = ask::call(&request, &context).await {
            return answer.map(Into::into);
        }
        match self.rounds.call(&request, &context) {
            Some(answer) => answer,
            None => self.server.call_tool(request, context).await,
        }
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut listed = self.server.list_resources(page, context).await?;
        // First, so that a client that reads the first one needs no browser.
        listed.resources.splice(0..0, typed_list(content::resources())?);
        Ok(listed)
    }

    async fn list_resource_templates(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut listed = self.server.list_resource_templates(page, context).await?;
        listed.resource_templates.push(typed(content::template())?);
        Ok(listed)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match content::read(&request.uri) {
            Some(read) => complete::<rmcp::model::ReadResourceResult>(read).map(Into::into),
            None => self.server.read_resource(request, context).await,
        }
    }

    async fn subscribe(&self, request: SubscribeRequestParams, context: Context) -> Result<(), ErrorData> {
        // Fixtures never change.
        if content::is_fixture(&request.uri) {
            return Ok(());
        }
        self.server.subscribe(request, context).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: Context,
    ) -> Result<(), ErrorData> {
        self.server.unsubscribe(request, context).await
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.server.accepted_subscription_filter(requested)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.server.listen(context).await
    }

    async fn list_prompts(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut listed = self.server.list_prompts(page, context).await?;
        listed.prompts.extend(typed_list::<rmcp::model::Prompt>(content::prompts())?);
        Ok(listed)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        if let Some(answer) = rounds::prompt(&request) {
            return answer;
        }
        match content::prompt(&request.name, request.arguments.as_ref()) {
            Some(prompt) => complete::<rmcp::model::GetPromptResult>(prompt).map(Into::into),
            None => self.server.get_prompt(request, context).await,
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        self.server.complete(request, context).await
    }

    async fn set_level(&self, request: SetLevelRequestParams, context: Context) -> Result<(), ErrorData> {
        self.server.set_level(request, context).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: Context,
    ) -> Result<CustomResult, ErrorData> {
        self.server.on_custom_request(request, context).await
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.server.on_initialized(context).await;
    }

    async fn on_roots_list_changed(&self, context: NotificationContext<RoleServer>) {
        self.server.on_roots_list_changed(context).await;
    }
}
