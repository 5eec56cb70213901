//! Client scripts in the page's main world.

use cicerone_driver::{DriverError, FrameId, NodeHandle, Result, ScriptError};
use cicerone_wire::Session;
use serde_json::Value;

use crate::{
    frames::World,
    injected::GROUP,
    nodes::backend_node,
    object_group::ObjectGroup,
    page::{ChromiumPage, failed},
    protocol::{
        dom::ResolveNode,
        runtime::{
            CallArgument, CallFunctionOn, CompileScript, Evaluate, Evaluated, ExceptionDetails, RemoteObject,
        },
    },
};

/// A function expression that serialises a script's value.
const AS_JSON: &str = include_str!("../../../injected/dist/as_json.js");

impl ChromiumPage {
    pub(crate) async fn evaluate(
        &self,
        frame: &FrameId,
        source: &str,
        node: Option<&NodeHandle>,
    ) -> Result<Option<Value>> {
        let place = self.main_world(frame).await?;
        match run(&place, source, node).await {
            // The value cannot be serialised, or the document went away before it got the script.
            Err(DriverError::Refused { .. }) if !is_there(&place).await => Err(DriverError::Gone),
            done => done,
        }
    }
}

async fn is_there((session, world): &(Session, World)) -> bool {
    let probe = Evaluate { expression: "0", unique_context_id: &world.unique_id, ..Evaluate::default() };
    session.send(&probe).await.is_ok()
}

async fn run(
    (session, world): &(Session, World),
    source: &str,
    node: Option<&NodeHandle>,
) -> Result<Option<Value>> {
    let element = match node {
        Some(node) => Some(resolve(session, world, node).await?),
        None => None,
    };
    // The source is a function, which gets called, or an expression. It sees none of our names but
    // `element`.
    let as_value = format!(
        "async function(element){{return{AS_JSON}\
         (await(value=>typeof value==='function'?value(element):value)(({source}\n)))}}"
    );
    match call(session, world, &as_value, element.as_deref()).await {
        Err(DriverError::Script(error)) if error.syntax => {
            if compiles(session, world, &format!("({as_value})")).await? {
                // It ran and threw a SyntaxError itself, as JSON.parse does.
                return Err(DriverError::Script(ScriptError { syntax: false, ..error }));
            }
            // Statements: the completion value, in a block so that declarations stay inside.
            if element.is_none() {
                match block(session, world, &format!("{{{source}\n}}")).await {
                    Err(DriverError::Script(error)) if error.syntax => {}
                    done => return done,
                }
            }
            // With `return` or `await`: a function body.
            let as_body = format!(
                "async function(element){{return{AS_JSON}(await(async function(element){{{source}\n}})(element))}}"
            );
            call(session, world, &as_body, element.as_deref()).await
        }
        done => done,
    }
}

async fn resolve(session: &Session, world: &World, node: &NodeHandle) -> Result<String> {
    let command = ResolveNode {
        backend_node_id: backend_node(node)?,
        execution_context_id: world.id,
        object_group: GROUP,
    };
    session.send(&command).await.map_err(failed)?.object.object_id.ok_or(DriverError::Gone)
}

async fn call(
    session: &Session,
    world: &World,
    function: &str,
    element: Option<&str>,
) -> Result<Option<Value>> {
    let arguments: Vec<_> = element.into_iter().map(CallArgument::ObjectId).collect();
    let command = CallFunctionOn {
        function_declaration: function,
        unique_context_id: &world.unique_id,
        arguments: &arguments,
        return_by_value: true,
        await_promise: true,
        user_gesture: true,
        object_group: None,
    };
    answered(session.send(&command).await.map_err(failed)?)
}

async fn block(session: &Session, world: &World, expression: &str) -> Result<Option<Value>> {
    if !compiles(session, world, expression).await? {
        return Err(DriverError::Script(ScriptError { message: String::new(), syntax: true }));
    }
    let group = ObjectGroup::new(session);
    let command = Evaluate {
        expression,
        unique_context_id: &world.unique_id,
        object_group: Some(&group.name),
        return_by_value: false,
        await_promise: true,
        user_gesture: true,
    };
    let Evaluated { result, exception_details } = session.send(&command).await.map_err(failed)?;
    if let Some(details) = exception_details {
        // It compiled, so any exception came from running it.
        return Err(DriverError::Script(ScriptError { syntax: false, ..thrown(&details) }));
    }
    match &result.object_id {
        None => Ok(value(result)),
        Some(object) => {
            call(session, world, &format!("function(value){{return{AS_JSON}(value)}}"), Some(object)).await
        }
    }
}

fn answered(Evaluated { result, exception_details }: Evaluated) -> Result<Option<Value>> {
    match exception_details {
        Some(details) => Err(DriverError::Script(thrown(&details))),
        None => Ok(value(result)),
    }
}

async fn compiles(session: &Session, world: &World, expression: &str) -> Result<bool> {
    let command =
        CompileScript { expression, source_url: "", persist_script: false, execution_context_id: world.id };
    Ok(session.send(&command).await.map_err(failed)?.exception_details.is_none())
}

fn value(object: RemoteObject) -> Option<Value> {
    match (object.value, object.unserializable_value) {
        (Some(value), _) => Some(value),
        // NaN, Infinity, -0 and big integers have no JSON form; they are returned as text.
        (None, Some(spelling)) => Some(Value::String(spelling)),
        (None, None) if object.subtype.as_deref() == Some("null") => Some(Value::Null),
        (None, None) => None,
    }
}

/// The exception's message without the stack.
pub(crate) fn thrown(details: &ExceptionDetails) -> ScriptError {
    let exception = details.exception.as_ref();
    let described = exception.map(|exception| match (&exception.description, &exception.value) {
        (Some(description), _) => description.clone(),
        (None, Some(value)) => format!("{} {value}", details.text),
        (None, None) => format!("{} {}", details.text, exception.subtype.as_ref().unwrap_or(&exception.kind)),
    });
    let message = described.unwrap_or_else(|| details.text.clone());
    ScriptError {
        message: message.lines().next().unwrap_or_default().to_owned(),
        syntax: exception.and_then(|exception| exception.class_name.as_deref()) == Some("SyntaxError"),
    }
}
