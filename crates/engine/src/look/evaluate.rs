//! A client's own script in the page.

use std::time::Duration;

use cicerone_driver::{DriverError, FrameId, NodeHandle};
use serde_json::Value;

use crate::{Deadline, Element, Error, NewsItem, Page, Result, Target, abandoned::IfAbandoned, ready::Needs};

/// What a script returned.
#[derive(Debug, Clone)]
pub struct Evaluated {
    /// Its value; nothing for `undefined`.
    pub value: Option<Value>,
    /// The element that it ran on.
    pub on: Option<Element>,
    /// What happened meanwhile.
    pub news: Vec<NewsItem>,
}

/// A script with arguments: a function, an expression, or the body of a function.
#[derive(Debug, Clone)]
pub struct Script {
    /// The script.
    pub source: String,
    /// What its function is called with.
    pub args: Vec<Value>,
    /// Whether a promise is waited for.
    pub awaits: bool,
    /// What of its value is wanted.
    pub finish: Finish,
}

/// What of a script's value is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// The value.
    Value,
    /// What it is.
    Description,
    /// Whether it is truthy.
    Truth,
}

/// How long a script may take unless told.
const PATIENCE: Duration = Duration::from_secs(30);

impl Page {
    /// Runs a function, an expression or statements in the page's own world.
    pub async fn evaluate(&self, source: &str, on: Option<&Target>) -> Result<Evaluated> {
        let ready = Deadline::after(self.action_timeout());
        let located = match on {
            Some(target) => Some(self.ready(target, Needs::EXIST, ready).await?),
            None => None,
        };
        self.forget_downloads();
        let patience = self.action_timeout() * 2;
        let deadline = Deadline::after(patience);
        let frame = match &located {
            Some(located) => located.frame.clone(),
            None => self.chosen_frame()?,
        };
        let node = match &located {
            Some(located) => Some(self.within(deadline, self.driver().node(&frame, located.number)).await?),
            None => None,
        };
        let value = self.run_in(&frame, source, node.as_ref(), deadline, patience).await?;
        Ok(Evaluated { value, on: located.map(|located| located.element), news: self.take_news().await })
    }

    /// Runs a script in the page's own world, or in that of its frame that is used.
    pub async fn run_script(&self, script: &Script) -> Result<Evaluated> {
        let patience = self.patience().unwrap_or(PATIENCE);
        self.forget_downloads();
        let value = self.scripted(script, Deadline::after(patience), patience).await?;
        Ok(Evaluated { value, on: None, news: self.take_news().await })
    }

    /// The value of a script, in whichever of its forms it can be read.
    pub(crate) async fn scripted(
        &self,
        script: &Script,
        deadline: Deadline,
        patience: Duration,
    ) -> Result<Option<Value>> {
        let frame = self.chosen_frame()?;
        let mut unread = None;
        for form in script.forms() {
            match self.run_in(&frame, &form, None, deadline, patience).await {
                Err(Error::Script(error)) if error.syntax => {
                    unread.get_or_insert(Error::Script(error));
                }
                done => return done,
            }
        }
        Err(unread.unwrap_or(Error::ScriptTimeout(patience)))
    }

    async fn run_in(
        &self,
        frame: &FrameId,
        source: &str,
        node: Option<&NodeHandle>,
        deadline: Deadline,
        patience: Duration,
    ) -> Result<Option<Value>> {
        match self.unless_endless(self.driver().evaluate(frame, source, node), deadline, patience).await? {
            Ok(value) => self.frame_may_be_shown(frame).map(|()| value),
            Err(DriverError::Refused { message, .. }) => Err(Error::ScriptValue(message)),
            Err(error) => Err(self.explain(error)),
        }
    }

    /// What comes of a script by the deadline; one that takes longer is stopped.
    pub(crate) async fn unless_endless<T>(
        &self,
        script: impl Future<Output = T>,
        deadline: Deadline,
        patience: Duration,
    ) -> Result<T> {
        // A call that is given up must not leave its script running.
        let guard = IfAbandoned::new(self, |page| {
            Box::pin(async move {
                page.unstick(Duration::ZERO).await;
            })
        });
        match deadline.bound(self.unless_dialog(script)).await {
            Some(done) => {
                guard.done();
                done
            }
            None => {
                guard.done();
                self.unstick(patience).await;
                Err(Error::ScriptTimeout(patience))
            }
        }
    }
}

/// What a value is, for those who do not want it itself.
const DESCRIBE: &str = "(value=>({type:value===null?'null':typeof value,\
    description:Array.isArray(value)?`Array(${value.length})`\
    :value!==null&&typeof value==='object'?Object.prototype.toString.call(value).slice(8,-1):String(value)}))";

/// A promise that is not waited for has nothing to tell but that it is one.
const UNAWAITED: &str =
    "(value=>value!==null&&typeof value==='object'&&typeof value.then==='function'?'Promise':value)";

/// Words that begin the body of a function, and no expression.
const STATEMENTS: &[&str] =
    &["return", "const", "let", "var", "if", "for", "while", "do", "try", "throw", "switch"];

impl Script {
    /// The ways in which it may be meant, the likeliest first.
    fn forms(&self) -> Vec<String> {
        let plain = self.awaits && self.args.is_empty() && self.finish == Finish::Value;
        let as_value = if plain { self.source.clone() } else { self.as_value() };
        if self.begins_a_body() { vec![self.as_body(), as_value] } else { vec![as_value, self.as_body()] }
    }

    fn begins_a_body(&self) -> bool {
        let source = self.source.trim_start();
        let word = source.find(|c: char| !c.is_ascii_alphabetic()).map_or(source, |end| &source[..end]);
        STATEMENTS.contains(&word) && source.contains("return")
    }

    /// A function, which gets called, or an expression, which is its own value; `args` is in its sight.
    fn as_value(&self) -> String {
        let Self { source, .. } = self;
        let (asynchronous, waits) = if self.awaits { ("async", "await") } else { ("", "") };
        let args = self.written_args();
        let finish = self.finishing();
        format!(
            "({asynchronous}(...args)=>{finish}({waits}(value=>typeof value==='function'?value(...args):value)\
             (({source}\n))))({args})"
        )
    }

    /// The body of a function, in one of its own so that it may have an `args` of its own.
    fn as_body(&self) -> String {
        let Self { source, .. } = self;
        let (asynchronous, waits) = if self.awaits { ("async ", "await ") } else { ("", "") };
        let args = self.written_args();
        let finish = self.finishing();
        format!(
            "({asynchronous}(...args)=>{finish}({waits}({asynchronous}function(){{{source}\n}})(...args)))({args})"
        )
    }

    fn finishing(&self) -> &'static str {
        match self.finish {
            Finish::Description => DESCRIBE,
            Finish::Truth => "!!",
            Finish::Value if self.awaits => "",
            Finish::Value => UNAWAITED,
        }
    }

    /// JSON is JavaScript.
    fn written_args(&self) -> String {
        self.args.iter().map(Value::to_string).collect::<Vec<_>>().join(",")
    }
}
