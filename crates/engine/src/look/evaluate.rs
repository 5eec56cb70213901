//! A client's own script in the page.

use std::time::Duration;

use cicerone_driver::DriverError;
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

impl Page {
    /// Runs a function, an expression or statements in the page's own world.
    pub async fn evaluate(&self, source: &str, on: Option<&Target>) -> Result<Evaluated> {
        let ready = Deadline::after(self.action_timeout());
        let located = match on {
            Some(target) => Some(self.ready(target, Needs::EXIST, ready).await?),
            None => None,
        };
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
        // A call that is given up must not leave its script running.
        let guard = IfAbandoned::new(self, |page| {
            Box::pin(async move {
                page.unstick(Duration::ZERO).await;
            })
        });
        let running = self.unless_dialog(self.driver().evaluate(&frame, source, node.as_ref()));
        let value = match deadline.bound(running).await {
            Some(done) => {
                guard.done();
                match done? {
                    Ok(value) => value,
                    Err(DriverError::Refused { message, .. }) => return Err(Error::ScriptValue(message)),
                    Err(error) => return Err(self.explain(error)),
                }
            }
            None => {
                guard.done();
                self.unstick(patience).await;
                return Err(Error::ScriptTimeout(patience));
            }
        };
        Ok(Evaluated { value, on: located.map(|located| located.element), news: self.take_news().await })
    }
}
