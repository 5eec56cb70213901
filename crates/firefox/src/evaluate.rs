//! A person's script, in the page's own world.

use cicerone_driver::{DriverError, FrameId, NodeHandle, Result, ScriptError};
use serde_json::Value;

use crate::{
    page::{FirefoxPage, shared_id},
    protocol::script::{
        CallFunction, Evaluate, Evaluated, ExceptionDetails, LocalValue, SerializationOptions, Target,
    },
    values::to_json,
};

/// Writes a value as it says that it is written as JSON.
const WRITTEN: &str =
    "out=>out!==null&&typeof out==='object'&&typeof out.toJSON==='function'?out.toJSON():out";

impl FirefoxPage {
    pub(crate) async fn run_script(
        &self,
        frame: &FrameId,
        source: &str,
        node: Option<&NodeHandle>,
    ) -> Result<Option<Value>> {
        // The source is a function, which gets called, or an expression, which is its own value. What says how it
        // is written as JSON (a date, a URL) is written like that.
        // No name of ours is in its sight but `element`.
        let value = format!("(value=>typeof value==='function'?value(element):value)(({source}\n))");
        // What is no promise is not waited for: a page may have made something else of promises.
        let at_once = format!(
            "function(element){{return(\
             out=>out!==null&&typeof out==='object'&&typeof out.then==='function'\
             ?(async()=>({WRITTEN})(await out))():({WRITTEN})(out))({value})}}"
        );
        match self.call_script(frame, &at_once, node).await {
            Err(DriverError::Script(error)) if error.syntax => {}
            done => return done,
        }
        let awaiting = format!("async function(element){{return({WRITTEN})(await {value})}}");
        match self.call_script(frame, &awaiting, node).await {
            Err(DriverError::Script(error)) if error.syntax => {
                // Statements: the value of the last one, in a block so that names stay inside.
                if node.is_none() {
                    match self.evaluate_script(frame, &format!("{{{source}\n}}")).await {
                        Err(DriverError::Script(error)) if error.syntax => {}
                        done => return done,
                    }
                }
                // With `return` or `await` they are the body of a function.
                self.call_script(frame, &format!("async function(element){{{source}\n}}"), node).await
            }
            done => done,
        }
    }

    async fn call_script(
        &self,
        frame: &FrameId,
        function: &str,
        node: Option<&NodeHandle>,
    ) -> Result<Option<Value>> {
        let Some(node) = node else {
            // The other command goes through `apply`, of which a page may have made something else.
            return self.evaluate_script(frame, &format!("({function})()")).await;
        };
        let arguments: Vec<_> =
            Some(node).into_iter().map(|node| LocalValue::Node(shared_id(node))).collect();
        let command = CallFunction {
            function_declaration: function,
            arguments: &arguments,
            target: Target { context: frame.as_str(), sandbox: None },
            await_promise: true,
            user_activation: true,
            serialization_options: SerializationOptions::default(),
        };
        answered(self.send_to_document(&command).await?)
    }

    async fn evaluate_script(&self, frame: &FrameId, expression: &str) -> Result<Option<Value>> {
        let command = Evaluate {
            expression,
            target: Target { context: frame.as_str(), sandbox: None },
            await_promise: true,
            user_activation: true,
            serialization_options: SerializationOptions::default(),
        };
        answered(self.send_to_document(&command).await?)
    }
}

fn answered(evaluated: Evaluated) -> Result<Option<Value>> {
    match evaluated {
        Evaluated::Success { result, .. } => to_json(result).map_err(|unwritable| DriverError::Refused {
            command: "script.callFunction",
            message: unwritable.to_string(),
        }),
        Evaluated::Exception { exception_details } => Err(DriverError::Script(thrown(&exception_details))),
    }
}

/// The exception's own words, without the stack.
fn thrown(details: &ExceptionDetails) -> ScriptError {
    let message = match (details.exception.kind.as_str(), &details.exception.value) {
        ("error", _) => details.text.clone(),
        ("string", Some(value)) => format!("Uncaught {value}"),
        _ => format!("Uncaught {}", details.text),
    };
    // A program that is none fails before anything of it ran: there is no place where it was thrown.
    let unread = details.exception.kind == "error" && details.stack_trace.call_frames.is_empty();
    ScriptError {
        message: message.lines().next().unwrap_or_default().to_owned(),
        syntax: unread && details.text.starts_with("SyntaxError:"),
    }
}
