use crate::{
    Acted, Click, Deadline, Element, Error, Page, Result, Target,
    ready::{Located, Needs},
};

/// Something that is on or off, as it is now.
#[derive(Debug, Clone)]
pub struct Switched {
    /// A check box, a radio button, a switch.
    pub element: Element,
    /// Whether its ref followed a replaced element.
    pub healed: bool,
    /// Whether it is on.
    pub on: bool,
    /// Whether it was so before.
    pub already: bool,
    /// Whether it was clicked without the pointer.
    pub forced: bool,
    /// Whether it could not be read back, because the click made the page replace it or ask something.
    pub unread: bool,
}

impl Page {
    /// Switches a check box, a radio button or a switch on or off; one that is so already is left alone.
    pub async fn check(&self, target: &Target, on: bool, force: bool) -> Result<Acted<Switched>> {
        let mark = self.before_acting().await?.with_effect();
        let deadline = Deadline::after(self.action_timeout());
        let located = self.ready(target, Needs::EXIST, deadline).await?;
        let read = self.read(&located, deadline).await?;
        let misfit = |reason: &str| Error::Misfit {
            element: Box::new(located.element.clone()),
            reason: reason.to_owned(),
            options: Vec::new(),
        };
        let switched = match read.checked {
            None => return Err(misfit("it is no check box, radio button or switch")),
            Some(is) if is == on => {
                let (element, healed) = super::acted_on(&located);
                Switched { element, healed, on, already: true, forced: false, unread: false }
            }
            Some(_) if !on && (read.kind == "radio" || located.element.role == "radio") => {
                return Err(misfit("a radio button cannot be cleared; choose another of its group"));
            }
            Some(_) => self.switch(located, on, force, deadline).await?,
        };
        self.told(switched, mark).await
    }

    /// Clicks what is on or off, and looks how it is then.
    pub(crate) async fn switch(
        &self,
        located: Located,
        on: bool,
        force: bool,
        deadline: Deadline,
    ) -> Result<Switched> {
        let target = Target::Ref(located.element.reference);
        let click = Click::on(target.clone());
        if force {
            self.force_click(&target, &click, deadline).await?;
        } else {
            self.click_through(&target, &click, deadline).await?;
        }
        let (element, healed) = super::acted_on(&located);
        let done = |unread| Switched { element, healed, on, already: false, forced: force, unread };
        match self.read(&located, deadline).await {
            Ok(read) if read.checked.unwrap_or(read.value == "true") == on => Ok(done(false)),
            Ok(read) => Err(Error::NotTaken { element: Box::new(located.element), holds: read.value }),
            Err(Error::Stale { .. } | Error::DialogOpen(_)) => Ok(done(true)),
            Err(error) => Err(error),
        }
    }
}
