//! Client scripts in the page's main world.

use cicerone_driver::{DriverError, FrameId, NodeHandle, Result, ScriptError};
use serde_json::Value;

use crate::{
    page::FirefoxPage,
    protocol::script::{
        CallFunction, Disown, Evaluate, Evaluated, ExceptionDetails, LocalValue, SerializationOptions, Target,
    },
    remote_value::to_json,
};

/// A function expression that serialises a script's value.
const AS_JSON: &str = include_str!("../../../injected/dist/as_json_by_syntax.js");

impl FirefoxPage {
    pub(crate) async fn evaluate(
        &self,
        frame: &FrameId,
        source: &str,
        node: Option<&NodeHandle>,
    ) -> Result<Option<Value>> {
        // The source is a function, which gets called, or an expression. Values with a `toJSON` (a
        // date, a URL) are written with it. It sees none of our names but `element`.
        let value = format!("(value=>typeof value==='function'?value(element):value)(({source}\n))");
        // Only promises are awaited by us: the page may have replaced `Promise`.
        let at_once = format!(
            "function(element){{return(\
             out=>out!==null&&typeof out==='object'&&typeof out.then==='function'\
             ?(async()=>({AS_JSON})(await out))():({AS_JSON})(out))({value})}}"
        );
        match self.call_script(frame, &at_once, node).await {
            Err(DriverError::Script(error)) if error.syntax => {}
            done => return done,
        }
        let awaiting = format!("async function(element){{return({AS_JSON})(await {value})}}");
        match self.call_script(frame, &awaiting, node).await {
            Err(DriverError::Script(error)) if error.syntax => {
                // Statements: the completion value, in a block so that declarations stay
                // inside.
                if node.is_none() {
                    match self.evaluate_statements(frame, &format!("{{{source}\n}}")).await {
                        Err(DriverError::Script(error)) if error.syntax => {}
                        done => return done,
                    }
                }
                // With `return` or `await`: a function body.
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
            // The other command uses `apply`, which a page may have replaced.
            return self.evaluate_script(frame, &format!("({function})()")).await;
        };
        let arguments: Vec<_> = Some(node).into_iter().map(|node| LocalValue::Node(node.node())).collect();
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

    /// The completion value, which cannot be wrapped: it is kept by handle and serialised afterwards.
    async fn evaluate_statements(&self, frame: &FrameId, program: &str) -> Result<Option<Value>> {
        let target = Target { context: frame.as_str(), sandbox: None };
        // Not everything in it can be serialised.
        let serialization_options =
            SerializationOptions { max_object_depth: Some(0), ..SerializationOptions::default() };
        let command = Evaluate {
            expression: program,
            target,
            await_promise: true,
            user_activation: true,
            result_ownership: "root",
            serialization_options,
        };
        let evaluated = self.send_to_document(&command).await?;
        let handle = match &evaluated {
            Evaluated::Success { result, .. } => result.handle.clone(),
            Evaluated::Exception { .. } => None,
        };
        let Some(handle) = handle else { return answered(evaluated) };
        let function = format!("function(v){{return({AS_JSON})(v)}}");
        let written = CallFunction {
            function_declaration: &function,
            arguments: &[LocalValue::Handle(&handle)],
            target,
            await_promise: false,
            user_activation: false,
            serialization_options: SerializationOptions::default(),
        };
        let written = self.send_to_document(&written).await;
        self.root.tell(&Disown { handles: [&handle], target });
        answered(written?)
    }

    async fn evaluate_script(&self, frame: &FrameId, expression: &str) -> Result<Option<Value>> {
        let command = Evaluate {
            expression,
            target: Target { context: frame.as_str(), sandbox: None },
            await_promise: true,
            user_activation: true,
            result_ownership: "none",
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

/// The exception's message without the stack.
fn thrown(details: &ExceptionDetails) -> ScriptError {
    let message = match (details.exception.kind.as_str(), &details.exception.value) {
        ("error", _) => details.text.clone(),
        ("string", Some(value)) => format!("Uncaught {value}"),
        _ => format!("Uncaught {}", details.text),
    };
    // A syntax error is thrown before anything runs: it has no stack.
    let unread = details.exception.kind == "error" && details.stack_trace.call_frames.is_empty();
    ScriptError {
        message: message.lines().next().unwrap_or_default().to_owned(),
        syntax: unread && details.text.starts_with("SyntaxError:"),
    }
}
