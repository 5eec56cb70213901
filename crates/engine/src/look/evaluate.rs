//! Runs a client's script in the page.

use std::time::Duration;

use cicerone_driver::{DriverError, FrameId, NodeHandle};
use serde_json::Value;

use crate::{
    Deadline, Element, Error, EvaluateError, NewsItem, Result, Target, cancel_guard::OnCancel,
    page::parts::Scripts, ready::Needs,
};

/// The result of a script.
#[derive(Debug, Clone)]
pub struct Evaluated {
    /// Its value; `None` for `undefined`.
    pub value: Option<Value>,
    /// The element it ran on.
    pub on: Option<Element>,
    /// What happened meanwhile.
    pub news: Vec<NewsItem>,
}

/// A script with arguments: a function, an expression or a function body.
#[derive(Debug, Clone)]
pub struct Script {
    /// The script.
    pub source: String,
    /// The arguments of the function.
    pub args: Vec<Value>,
    /// Whether to await a promise.
    pub awaits: bool,
    /// What to return of the value.
    pub finish: Finish,
}

/// What to return of a script's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// The value itself.
    Value,
    /// Its type and description.
    Description,
    /// Whether it is truthy.
    Truth,
}

/// Default time limit.
const TIMEOUT: Duration = Duration::from_secs(30);

impl Scripts<'_> {
    /// Runs a function, an expression or statements in the main world.
    pub async fn evaluate(self, source: &str, on: Option<&Target>) -> Result<Evaluated> {
        let ready = Deadline::after(self.page.settings().action_timeout());
        let located = match on {
            Some(target) => Some(self.page.locator().ready(target, Needs::EXIST, ready).await?),
            None => None,
        };
        self.page.actions().forget_downloads();
        let timeout = self.page.settings().action_timeout() * 2;
        let deadline = Deadline::after(timeout);
        let frame = match &located {
            Some(located) => located.frame.clone(),
            None => self.page.locator().chosen_frame()?,
        };
        let node = match &located {
            Some(located) => Some(
                self.page
                    .injected()
                    .within(deadline, self.page.driver().node(&frame, located.number))
                    .await?,
            ),
            None => None,
        };
        let value = self.run_in(&frame, source, node.as_ref(), deadline, timeout).await?;
        Ok(Evaluated { value, on: located.map(|located| located.element), news: self.page.take_news().await })
    }

    /// Runs a script in the main world of the page or of the selected frame.
    pub async fn run_script(self, script: &Script) -> Result<Evaluated> {
        let timeout = self.page.settings().timeout().unwrap_or(TIMEOUT);
        self.page.actions().forget_downloads();
        let value = self.eval_script(script, Deadline::after(timeout), timeout).await?;
        Ok(Evaluated { value, on: None, news: self.page.take_news().await })
    }

    /// Tries the forms of a script until one parses; returns its value.
    pub(crate) async fn eval_script(
        self,
        script: &Script,
        deadline: Deadline,
        timeout: Duration,
    ) -> Result<Option<Value>> {
        let frame = self.page.locator().chosen_frame()?;
        let mut syntax_error = None;
        for form in script.forms() {
            match self.run_in(&frame, &form, None, deadline, timeout).await {
                Err(Error::Evaluate(EvaluateError::Thrown(error))) if error.syntax => {
                    syntax_error.get_or_insert(Error::Evaluate(EvaluateError::Thrown(error)));
                }
                done => return done,
            }
        }
        Err(syntax_error.unwrap_or(Error::Evaluate(EvaluateError::Timeout(timeout))))
    }

    async fn run_in(
        self,
        frame: &FrameId,
        source: &str,
        node: Option<&NodeHandle>,
        deadline: Deadline,
        timeout: Duration,
    ) -> Result<Option<Value>> {
        match self.unless_endless(self.page.driver().evaluate(frame, source, node), deadline, timeout).await?
        {
            Ok(value) => self.page.file_access().frame_may_be_shown(frame).await.map(|()| value),
            Err(DriverError::Refused { message, .. }) => {
                Err(Error::Evaluate(EvaluateError::BadValue(message)))
            }
            Err(error) => Err(self.page.injected().explain(error)),
        }
    }

    /// Awaits a script; interrupts it at the deadline.
    pub(crate) async fn unless_endless<T>(
        self,
        script: impl Future<Output = T>,
        deadline: Deadline,
        timeout: Duration,
    ) -> Result<T> {
        // A cancelled call must not leave its script running.
        let guard = OnCancel::new(self.page, |page| {
            Box::pin(async move {
                page.injected().unstick(Duration::ZERO).await;
            })
        });
        match deadline.bound(self.page.dialogs().unless_dialog(script)).await {
            Some(done) => {
                guard.done();
                done
            }
            None => {
                guard.done();
                self.page.injected().unstick(timeout).await;
                Err(Error::Evaluate(EvaluateError::Timeout(timeout)))
            }
        }
    }
}

/// Returns a value's type and description.
const DESCRIBE: &str = "(value=>({type:value===null?'null':typeof value,\
    description:Array.isArray(value)?`Array(${value.length})`\
    :value!==null&&typeof value==='object'?Object.prototype.toString.call(value).slice(8,-1):String(value)}))";

/// A promise that is not awaited is returned as the word `Promise`.
const PROMISE_NAME: &str =
    "(value=>value!==null&&typeof value==='object'&&typeof value.then==='function'?'Promise':value)";

/// Keywords that start a function body, never an expression.
const STATEMENTS: &[&str] =
    &["return", "const", "let", "var", "if", "for", "while", "do", "try", "throw", "switch"];

impl Script {
    /// The possible interpretations, likeliest first.
    fn forms(&self) -> Vec<String> {
        let unwrapped = self.awaits && self.args.is_empty() && self.finish == Finish::Value;
        let as_value = if unwrapped { self.source.clone() } else { self.as_value() };
        if self.is_function_body() { vec![self.as_body(), as_value] } else { vec![as_value, self.as_body()] }
    }

    fn is_function_body(&self) -> bool {
        let source = self.source.trim_start();
        let word = source.find(|c: char| !c.is_ascii_alphabetic()).map_or(source, |end| &source[..end]);
        STATEMENTS.contains(&word) && source.contains("return")
    }

    /// As a function, which is called, or an expression; `args` is in scope.
    fn as_value(&self) -> String {
        let Self { source, .. } = self;
        let (asynchronous, waits) = if self.awaits { ("async", "await") } else { ("", "") };
        let args = self.js_args();
        let finish = self.wrapper();
        format!(
            "({asynchronous}(...args)=>{finish}({waits}(value=>typeof value==='function'?value(...args):value)\
             (({source}\n))))({args})"
        )
    }

    /// As a function body, nested so that it may declare its own `args`.
    fn as_body(&self) -> String {
        let Self { source, .. } = self;
        let (asynchronous, waits) = if self.awaits { ("async ", "await ") } else { ("", "") };
        let args = self.js_args();
        let finish = self.wrapper();
        format!(
            "({asynchronous}(...args)=>{finish}({waits}({asynchronous}function(){{{source}\n}})(...args)))({args})"
        )
    }

    fn wrapper(&self) -> &'static str {
        match self.finish {
            Finish::Description => DESCRIBE,
            Finish::Truth => "!!",
            Finish::Value if self.awaits => "",
            Finish::Value => PROMISE_NAME,
        }
    }

    /// JSON is JavaScript.
    fn js_args(&self) -> String {
        self.args.iter().map(Value::to_string).collect::<Vec<_>>().join(",")
    }
}
