//! Questions to the person, as the protocol's elicitation.
//!
//! A [`ClientAsker`] belongs to one call. It asks in a form, or on a [page](crate::ask_page) that the client
//! opens: secrets never pass through the client, and a page can show an image. The server sends the
//! [`Elicitation`] as a request during the call, or, in protocol versions without server requests, as the
//! call's result while the call is [parked](Parked).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use cicerone_tools::{
    BadArguments, Progress, Reply,
    question::{Asker, Kind, LONGEST_ANSWER, NoAnswer, Question},
};
use rmcp::{
    ErrorData, Peer, RoleServer,
    model::{
        CallToolRequestParams, ClientCapabilities, ClientResult, ElicitRequest, ElicitRequestParams,
        ElicitResult, ElicitationAction, InputRequest, InputRequests, InputRequiredResult, ServerRequest,
    },
};
use serde_json::{Value, json};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};

use crate::{ask_page::AskPage, sync::lock};

/// The key of the question in a result.
const KEY: &str = "question";

/// How many calls of one client may wait for answers.
const MOST_PARKED: usize = 16;

/// A question to the client.
pub(crate) struct Elicitation {
    params: ElicitRequestParams,
    answer: oneshot::Sender<ElicitResult>,
}

/// Asks the person on behalf of one call.
pub(crate) struct ClientAsker {
    has_form: bool,
    has_url: bool,
    elicitations: mpsc::Sender<Elicitation>,
}

impl ClientAsker {
    /// For a client with these capabilities. The receiver yields the elicitations. `is_local` says
    /// whether the person can open a page of this machine.
    pub(crate) fn new(
        client: Option<&ClientCapabilities>,
        is_local: bool,
    ) -> (Self, mpsc::Receiver<Elicitation>) {
        let (elicitations, receiver) = mpsc::channel(1);
        let modes = client.and_then(|client| client.elicitation.as_ref());
        // Clients of the first protocol version with elicitation name no mode, and support forms.
        let has_form = modes.is_some_and(|modes| modes.form.is_some() || modes.url.is_none());
        let has_url = is_local && modes.is_some_and(|modes| modes.url.is_some());
        (Self { has_form, has_url, elicitations }, receiver)
    }

    async fn elicit(&self, params: Value) -> Result<ElicitResult, NoAnswer> {
        let failed = |error: &dyn std::fmt::Display| NoAnswer::Failed(error.to_string());
        let params = serde_json::from_value(params).map_err(|error| failed(&error))?;
        let (answer, answered) = oneshot::channel();
        let sent = self.elicitations.send(Elicitation { params, answer }).await;
        sent.map_err(|_| failed(&"the call ended"))?;
        let answered =
            tokio::time::timeout(LONGEST_ANSWER, answered).await.map_err(|_| NoAnswer::TimedOut)?;
        let result = answered.map_err(|_| failed(&"the client refused it"))?;
        match result.action {
            ElicitationAction::Accept => Ok(result),
            _ => Err(NoAnswer::Declined),
        }
    }

    async fn on_page(&self, question: &Question) -> Result<String, NoAnswer> {
        let page = AskPage::open(question).await.map_err(|error| NoAnswer::Failed(error.to_string()))?;
        let params = json!({
            "mode": "url",
            "message": question.message,
            "url": page.url(),
            "elicitationId": page.id(),
        });
        self.elicit(params).await?;
        page.answer(LONGEST_ANSWER).await.ok_or(NoAnswer::TimedOut)
    }

    async fn in_form(&self, question: Question) -> Result<String, NoAnswer> {
        let is_confirmation = question.kind == Kind::Confirmation;
        let field = if is_confirmation {
            json!({ "type": "boolean", "title": "Allow it", "default": true })
        } else {
            json!({ "type": "string", "title": "Answer", "minLength": 1 })
        };
        let picture = question.picture.map(|picture| format!("\nThe page: {}", picture.path.display()));
        let params = json!({
            "mode": "form",
            "message": question.message + &picture.unwrap_or_default(),
            "requestedSchema": {
                "type": "object", "properties": { "answer": field }, "required": ["answer"],
            },
        });
        let content = self.elicit(params).await?.content.unwrap_or_default();
        match &content["answer"] {
            Value::String(text) if !is_confirmation => Ok(text.clone()),
            // Accepting an empty form confirms.
            Value::Bool(true) | Value::Null if is_confirmation => Ok(String::new()),
            Value::Bool(false) if is_confirmation => Err(NoAnswer::Declined),
            _ => Err(NoAnswer::Failed("the field \"answer\" is missing".into())),
        }
    }
}

#[async_trait]
impl Asker for ClientAsker {
    async fn ask(&self, question: Question) -> Result<String, NoAnswer> {
        let on_page = self.has_url && question.kind != Kind::Confirmation;
        match question.kind {
            _ if on_page => self.on_page(&question).await,
            // The protocol does not allow secrets in forms.
            Kind::Code | Kind::Confirmation if self.has_form => self.in_form(question).await,
            kind => Err(NoAnswer::CannotAsk(kind)),
        }
    }
}

impl Elicitation {
    /// Asks with a server request, and hands the answer to the call.
    pub(crate) async fn send(self, peer: &Peer<RoleServer>) {
        let request = ServerRequest::ElicitRequest(ElicitRequest::new(self.params));
        match peer.send_request(request).await {
            // The call may have ended meanwhile.
            Ok(ClientResult::ElicitResult(result)) => drop(self.answer.send(result)),
            Ok(_) => tracing::warn!("the client answered a question with something else"),
            Err(error) => tracing::warn!(%error, "the client refused a question"),
        }
    }
}

pub(crate) type Work = JoinSet<Result<Reply, BadArguments>>;

/// A running call.
pub(crate) struct Running {
    pub(crate) work: Work,
    pub(crate) questions: mpsc::Receiver<Elicitation>,
    pub(crate) progress: Progress,
}

/// A call that waits until its client returns with an answer.
struct Waiting {
    running: Running,
    answer: oneshot::Sender<ElicitResult>,
}

/// The waiting calls of one client. Dropping one cancels it.
#[derive(Default)]
pub(crate) struct Parked {
    calls: Arc<Mutex<HashMap<String, Waiting>>>,
}

impl Parked {
    /// Parks a call; returns the result that asks the question.
    pub(crate) fn park(
        &self,
        running: Running,
        elicitation: Elicitation,
    ) -> Result<InputRequiredResult, ErrorData> {
        let mut bits = [0_u8; 16];
        getrandom::fill(&mut bits).map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let state = format!("{:032x}", u128::from_be_bytes(bits));
        let request = InputRequest::Elicitation(ElicitRequest::new(elicitation.params));
        let mut calls = lock(&self.calls);
        if calls.len() >= MOST_PARKED {
            return Err(ErrorData::invalid_request(
                format!("{MOST_PARKED} calls wait for an answer of the person; answer one of them first"),
                None,
            ));
        }
        calls.insert(state.clone(), Waiting { running, answer: elicitation.answer });
        drop(calls);
        let (calls, forgotten) = (Arc::downgrade(&self.calls), state.clone());
        tokio::spawn(async move {
            tokio::time::sleep(LONGEST_ANSWER).await;
            if let Some(calls) = calls.upgrade() {
                lock(&calls).remove(&forgotten);
            }
        });
        Ok(InputRequiredResult::new(Some(InputRequests::from([(KEY.to_owned(), request)])), Some(state)))
    }

    /// The call that a request continues, given its answer; `None` if the request starts a call.
    pub(crate) fn resume(&self, request: &CallToolRequestParams) -> Result<Option<Running>, ErrorData> {
        let Some(state) = &request.request_state else { return Ok(None) };
        let unknown = || ErrorData::invalid_params("unknown requestState: the call has ended", None);
        let waiting = lock(&self.calls).remove(state).ok_or_else(unknown)?;
        let given = request.input_responses.as_ref().and_then(|given| given.get(KEY)).cloned();
        let answer = given.and_then(|given| serde_json::from_value(given).ok());
        // No answer means declined.
        let answer = answer.unwrap_or_else(|| ElicitResult::new(ElicitationAction::Cancel));
        // The call stopped waiting meanwhile.
        drop(waiting.answer.send(answer));
        Ok(Some(waiting.running))
    }
}
