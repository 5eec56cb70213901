//! A person's script, in the page's own world.

use cicerone_driver::{DriverError, FrameId, NodeHandle, Result, ScriptError};
use serde_json::Value;

use crate::{
    page::{FirefoxPage, shared_id},
    protocol::script::{
        CallFunction, Disown, Evaluate, Evaluated, ExceptionDetails, LocalValue, SerializationOptions, Target,
    },
    values::to_json,
};

/// Writes a value, and what is in it, as these say that they are written as JSON. What says nothing of the kind stays
/// itself. Nothing of the page is called but that: it may have made something else of everything.
const WRITTEN: &str = "function written(v,up){\
    if(v===null||typeof v!=='object')return v;\
    for(let u=up;u;u=u[1])if(u[0]===v)return v;\
    let own;const list=v.constructor===[].constructor;\
    try{if(typeof v.toJSON==='function')v=v.toJSON();\
    if(v===null||typeof v!=='object')return v;\
    own=list?v:{...v}}catch(e){if(!up)throw e;return v}\
    let copy;\
    for(const k in own){const n=written(own[k],[v,up]);if(n!==own[k]&&n===n){\
    if(!copy)if(list){copy=[];for(let i=0;i<v.length;i++)copy[i]=v[i]}else copy=own;copy[k]=n}}\
    return copy||v}";

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
                    match self.evaluate_statements(frame, &format!("{{{source}\n}}")).await {
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

    /// The value of the last statement, which nothing can be put around: it is held on to, and written after.
    async fn evaluate_statements(&self, frame: &FrameId, program: &str) -> Result<Option<Value>> {
        let target = Target { context: frame.as_str(), sandbox: None };
        // Not everything that is in it can be told as it is.
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
        let function = format!("function(v){{return({WRITTEN})(v)}}");
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
