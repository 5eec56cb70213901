//! A person's script, in the page's own world.

use std::sync::atomic::Ordering;

use cicerone_driver::{DriverError, FrameId, NodeHandle, Result, ScriptError};
use serde_json::Value;

use crate::{
    frames::{World, WorldKind},
    nodes::GROUP,
    page::WebKitPage,
    protocol::runtime::{AwaitPromise, CallArgument, Evaluate, Evaluated, Parse, RemoteObject},
};

/// A function expression that serialises a script's value.
const AS_JSON: &str = include_str!("../../../injected/dist/as_json.js");

impl WebKitPage {
    pub(crate) async fn evaluate(
        &self,
        frame: &FrameId,
        source: &str,
        node: Option<&NodeHandle>,
    ) -> Result<Option<Value>> {
        let world = self.world(frame, WorldKind::Main).await?;
        let element = match node {
            Some(node) => Some(self.pages_object(node).await?),
            None => None,
        };
        let value = Script { page: self, frame, world, element }.run(source).await?;
        self.begun_navigation(frame).await?;
        Ok(value)
    }

    /// A script that assigns to `location` only schedules the navigation. Waits until it has begun: its `beforeunload`
    /// dialog blocks the page then, as the caller expects of the script. A dialog of another kind holds up nothing that has
    /// ended.
    async fn begun_navigation(&self, frame: &FrameId) -> Result<()> {
        let turn = "function(){return new Promise(done=>setTimeout(done,0))}";
        let asked = self.lifecycle.until(|| self.dialog_open.load(Ordering::Relaxed).then_some(()));
        let turned = tokio::select! {
            turned = self.in_injected_world(frame, turn, &[], true) => turned,
            asked = asked => return asked,
        };
        match turned {
            // The document is gone: it went where the script said.
            Ok(_) | Err(DriverError::Gone) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn parses(&self, source: &str) -> Result<bool> {
        Ok(self.send(&Parse { source }).await?.result == "none")
    }
}

/// A script on its way into a document.
struct Script<'a> {
    page: &'a WebKitPage,
    frame: &'a FrameId,
    world: World,
    element: Option<String>,
}

impl Script<'_> {
    async fn run(&self, source: &str) -> Result<Option<Value>> {
        // The source is a function, which gets called, or an expression, which is its own value. No name of ours is in
        // its sight but `element`. Only promises are awaited: a page may have overwritten what that needs.
        let at_once = format!(
            "function(element){{return(it=>it!==null&&typeof it==='object'&&typeof it.then==='function'\
             ?(async()=>({AS_JSON})(await it))():({AS_JSON})(it))\
             ((it=>typeof it==='function'?it(element):it)(({source}\n)))}}"
        );
        if self.page.parses(&format!("({at_once})")).await? {
            return self.call(&at_once).await;
        }
        // An expression with `await`.
        let as_value = format!(
            "async function(element){{return({AS_JSON})(await(value=>typeof value==='function'?value(element):value)(({source}\n)))}}"
        );
        if self.page.parses(&format!("({as_value})")).await? {
            return self.call(&as_value).await;
        }
        // Statements: the value of the last one, in a block so that names stay inside.
        let block = format!("{{{source}\n}}");
        if self.element.is_none() && self.page.parses(&block).await? {
            return self.block(&block).await;
        }
        // With `return` or `await` they are the body of a function.
        self
            .call(&format!(
                "async function(element){{return({AS_JSON})(await(async function(element){{{source}\n}})(element))}}"
            ))
            .await
    }

    async fn call(&self, function: &str) -> Result<Option<Value>> {
        let arguments: Vec<_> = self.element.iter().map(|element| CallArgument::ObjectId(element)).collect();
        self.call_with(function, &arguments).await
    }

    async fn call_with(&self, function: &str, arguments: &[CallArgument<'_>]) -> Result<Option<Value>> {
        answered(self.page.call_in(self.frame, &self.world, function, arguments, true, true).await?)
    }

    async fn block(&self, expression: &str) -> Result<Option<Value>> {
        let (page, context_id) = (self.page, self.world.id);
        let evaluate = Evaluate {
            expression,
            context_id,
            object_group: Some(GROUP),
            emulate_user_gesture: true,
            do_not_pause_on_exceptions_and_mute_console: true,
            ..Evaluate::default()
        };
        let ran = async {
            let evaluated = page.send(&evaluate).await?;
            match evaluated
                .result
                .object_id
                .as_deref()
                .filter(|_| evaluated.result.class_name.as_deref() == Some("Promise"))
            {
                Some(promise) => {
                    page.send(&AwaitPromise { promise_object_id: promise, return_by_value: false }).await
                }
                None => Ok(evaluated),
            }
        };
        let evaluated = page.while_there(self.frame, context_id, ran).await??;
        match &evaluated.result.object_id {
            Some(object) if !evaluated.was_thrown => {
                let written = format!("function(value){{return({AS_JSON})(value)}}");
                self.call_with(&written, &[CallArgument::ObjectId(object)]).await
            }
            _ => answered(evaluated),
        }
    }
}

fn answered(Evaluated { result, was_thrown }: Evaluated) -> Result<Option<Value>> {
    if was_thrown { Err(DriverError::Script(thrown(&result))) } else { Ok(value(result)) }
}

fn value(object: RemoteObject) -> Option<Value> {
    match (object.kind.as_str(), object.value) {
        ("undefined", _) => None,
        // NaN, Infinity, -0 and big integers have no JSON; their spelling is the best there is.
        ("number" | "bigint", None | Some(Value::Null)) => object.description.map(Value::String),
        (_, None | Some(Value::Null)) if object.subtype.as_deref() == Some("null") => Some(Value::Null),
        (_, value) => value,
    }
}

/// The exception's own words, without the stack.
fn thrown(exception: &RemoteObject) -> ScriptError {
    let message = match (&exception.description, &exception.value) {
        (Some(description), _) if exception.kind == "object" => description.clone(),
        (_, Some(value)) => format!("Uncaught {value}"),
        (Some(description), None) => format!("Uncaught {description}"),
        (None, None) => format!("Uncaught {}", exception.subtype.as_ref().unwrap_or(&exception.kind)),
    };
    ScriptError {
        message: message.lines().next().unwrap_or_default().to_owned(),
        syntax: exception.class_name.as_deref() == Some("SyntaxError"),
    }
}
