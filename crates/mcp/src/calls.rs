//! Tool calls: each in its own task, with progress and questions to the person.

use std::sync::Arc;

use base64::Engine as _;
use cicerone_tools::{BadArguments, Call, Progress, Reply, Toolbox, UnknownTool};
use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode,
        InputRequiredResult, ProtocolVersion,
    },
    service::RequestContext,
};
use serde_json::{Value, json};
use tokio::{
    sync::mpsc,
    task::{JoinError, JoinSet},
};
use tracing::Instrument;

use crate::{
    Server,
    elicit::{ClientAsker, Elicitation, Running},
    notify::report,
};

/// The published code for what the policy forbids.
const FORBIDDEN: ErrorCode = ErrorCode(-32002);

/// The result of a call, so far.
pub(crate) enum Called {
    Done(Reply),
    /// It waits for the person's answer.
    Asks(InputRequiredResult),
}

impl Server {
    /// Makes a call, or continues one that waited for an answer.
    pub(crate) async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Called, ErrorData> {
        let running = match self.parked.resume(&request)? {
            Some(running) => running,
            None => self.begin(&request, context)?,
        };
        self.watch(running, &request, context).await
    }

    /// Makes a call in whose place a panic happens: for the fixtures.
    pub(crate) async fn call_that_panics(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (_, questions) = ClientAsker::new(None, self.is_local);
        let running = started(async { panic!("the fixture panics") }, questions, Progress::default());
        match self.watch(running, &request, context).await? {
            Called::Done(reply) => Ok(result(reply).into()),
            Called::Asks(question) => Ok(question.into()),
        }
    }

    /// Waits for the end of a call, or for its question.
    async fn watch(
        &self,
        mut running: Running,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Called, ErrorData> {
        let progress = running.progress.clone();
        let reporting = report(context.meta.get_progress_token(), context.peer.clone(), progress);
        tokio::pin!(reporting);
        let done = loop {
            tokio::select! {
                done = running.work.join_next() => break done,
                Some(question) = running.questions.recv() => {
                    if !has_server_requests(context) {
                        return self.parked.park(running, question).map(Called::Asks);
                    }
                    let peer = context.peer.clone();
                    tokio::spawn(async move { question.send(&peer).await });
                }
                // Never ends; it is dropped.
                () = &mut reporting => break None,
                // Dropping the set aborts the work. A cancelled request gets no answer.
                () = context.ct.cancelled() => break None,
            }
        };
        finished(&self.toolbox, request, done, has_server_requests(context)).map(Called::Done)
    }

    /// Starts a call.
    fn begin(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Running, ErrorData> {
        let tool = self.toolbox.find(&request.name).map_err(unknown_tool)?;
        if let Some(client) = context.peer.peer_info() {
            self.session.set_client(&client.client_info.name);
        }
        let progress = Progress::default();
        let (asker, questions) = ClientAsker::new(context.client_capabilities().as_ref(), self.is_local);
        let call = Call::new(self.session.clone(), Arc::clone(&self.settings), progress.clone());
        let call = call.asked_by(Arc::new(asker));
        let arguments = request.arguments.clone().unwrap_or_default();
        let work = async move {
            let (reply, decided) = call.deciding_downloads(tool.call(call.clone(), arguments)).await;
            reply.map(|mut reply| {
                decided.iter().for_each(|line| reply.text.push_str(&format!("\n{line}")));
                reply
            })
        };
        Ok(started(work, questions, progress))
    }
}

/// A call in its own task: a panic fails this call only.
fn started(
    work: impl Future<Output = Result<Reply, BadArguments>> + Send + 'static,
    questions: mpsc::Receiver<Elicitation>,
    progress: Progress,
) -> Running {
    let mut task = JoinSet::new();
    task.spawn(work.in_current_span());
    Running { work: task, questions, progress }
}

/// What a call ended with. A panic is a failed operation: the model sees it, and goes on.
fn finished(
    toolbox: &Toolbox,
    request: &CallToolRequestParams,
    done: Option<Result<Result<Reply, BadArguments>, JoinError>>,
    has_server_requests: bool,
) -> Result<Reply, ErrorData> {
    let reply = match done {
        Some(Ok(reply)) => reply,
        Some(Err(panicked)) => {
            tracing::error!(%panicked, tool = %request.name, "a tool panicked");
            let tool = toolbox.find(&request.name).map_err(unknown_tool)?;
            tool.panicked(request.arguments.clone().unwrap_or_default())
        }
        None => return Err(ErrorData::internal_error("cancelled", None)),
    };
    match reply.map_err(|bad| bad_arguments(&bad))? {
        Reply { refused: Some((code, name)), text, .. } => {
            let code = refusal_code(ErrorCode(code), has_server_requests);
            Err(ErrorData::new(code, text, Some(json!({ "name": name }))))
        }
        reply => Ok(reply),
    }
}

/// Whether the server may send requests in the client's protocol version. Later versions have results that
/// ask instead.
pub(crate) fn has_server_requests(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_none_or(|version| version < ProtocolVersion::V_2026_07_28)
}

/// The published code of a refusal. From 2026-07-28 on, the one for what the policy forbids has another meaning.
fn refusal_code(published: ErrorCode, has_server_requests: bool) -> ErrorCode {
    match published {
        FORBIDDEN if !has_server_requests => ErrorCode::INVALID_PARAMS,
        code => code,
    }
}

/// A reply in the protocol's type.
pub(crate) fn result(reply: Reply) -> CallToolResult {
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

/// The interface with dotted names has its own code for this.
fn unknown_tool(unknown: UnknownTool) -> ErrorData {
    let dotted = unknown.name.starts_with("browser.");
    let code = if dotted { ErrorCode(-32001) } else { ErrorCode::METHOD_NOT_FOUND };
    ErrorData::new(code, unknown.to_string(), None)
}

fn bad_arguments(bad: &BadArguments) -> ErrorData {
    ErrorData::invalid_params(bad.to_string(), None)
}

#[cfg(test)]
mod tests {
    use cicerone_tools::Dialect;

    use super::*;

    /// The result of a call that panicked, in its own task as calls are.
    async fn panicking(dialect: &'static Dialect, tool: &str, arguments: Value) -> Value {
        let request: CallToolRequestParams =
            serde_json::from_value(json!({ "name": tool, "arguments": arguments })).unwrap();
        let mut work = JoinSet::new();
        work.spawn(async { panic!("a bug") });
        let done = work.join_next().await;
        let reply = finished(&Toolbox::new(&[dialect], &[]), &request, done, true).unwrap();
        serde_json::to_value(result(reply)).unwrap()
    }

    #[tokio::test]
    async fn a_panic_is_a_failed_result_in_every_dialect() {
        for dialect in Dialect::ALL {
            // The table of errors in the document of `vision` has this one.
            let code = if dialect.name == "vision" { -32603 } else { -32005 };
            let toolbox = Toolbox::new(&[dialect], &[]);
            for (tool, arguments) in toolbox.examples() {
                let arguments = serde_json::from_str(arguments).unwrap();
                let result = panicking(dialect, tool, arguments).await;
                assert_eq!(result["isError"], true, "{tool}: {result}");
                let text = result["content"][0]["text"].as_str().unwrap();
                assert!(text.contains("failed unexpectedly") && text.contains("Hint: "), "{tool}: {text}");
                let facts = &result["structuredContent"];
                let error = if facts["error"].is_object() { &facts["error"] } else { facts };
                assert_eq!(
                    (&error["name"], &error["code"]),
                    (&json!("InternalError"), &json!(code)),
                    "{facts}"
                );
            }
        }
    }

    #[tokio::test]
    async fn a_panic_under_an_old_name_is_one_too() {
        let agent = Dialect::named("agent").unwrap();
        let result = panicking(agent, "chrome_screenshot", json!({})).await;
        assert_eq!(result["structuredContent"]["name"], "InternalError", "{result}");
    }
}
