use crate::{
    Acted, Click, Deadline, Element, ElementError, Error, Misfit, Result, Target,
    page::parts::Forms,
    ready::{Located, Needs},
};

/// The result of checking or clearing a check box, radio button or switch.
#[derive(Debug, Clone)]
pub struct Switched {
    /// The check box, radio button or switch.
    pub element: Element,
    /// The state now.
    pub on: bool,
    /// It already had this state.
    pub already: bool,
    /// Clicked by dispatched events, without the pointer.
    pub forced: bool,
    /// The state could not be read back: the click replaced the element or opened a dialog.
    pub unread: bool,
}

impl Forms<'_> {
    /// Checks or clears a check box, a radio button or a switch. Does nothing if it already has this state.
    pub async fn check(self, target: &Target, on: bool, force: bool) -> Result<Acted<Switched>> {
        let mark = self.page.actions().begin_action().await?.with_effect();
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let located = self.page.locator().ready(target, Needs::EXIST, deadline).await?;
        let read = self.read(&located, deadline).await?;
        let misfit = |reason: Misfit| {
            Error::Element(ElementError::Misfit {
                element: Box::new(located.element.clone()),
                reason,
                options: Vec::new(),
            })
        };
        let switched = match read.checked {
            None => return Err(misfit(Misfit::NotCheckable)),
            Some(is) if is == on => {
                Switched { element: located.element, on, already: true, forced: false, unread: false }
            }
            Some(_) if !on && (read.kind == "radio" || located.element.role == "radio") => {
                return Err(misfit(Misfit::RadioStaysChecked));
            }
            Some(_) => self.switch(located, on, force, deadline).await?,
        };
        self.page.actions().finish_action(switched, mark).await
    }

    /// Clicks the element and reads its state back.
    pub(crate) async fn switch(
        self,
        located: Located,
        on: bool,
        force: bool,
        deadline: Deadline,
    ) -> Result<Switched> {
        let target = Target::Ref(located.element.reference);
        let click = Click::on(target.clone());
        if force {
            self.page.mouse().force_click(&target, &click, deadline).await?;
        } else {
            self.page.mouse().click_through(&target, &click, deadline).await?;
        }
        let element = located.element.clone();
        let done = |unread| Switched { element, on, already: false, forced: force, unread };
        match self.read(&located, deadline).await {
            Ok(read) if read.checked.unwrap_or(read.value == "true") == on => Ok(done(false)),
            Ok(read) => Err(Error::Element(ElementError::NotTaken {
                element: Box::new(located.element),
                holds: Some(read.value),
            })),
            Err(Error::Element(ElementError::Stale { .. }) | Error::DialogOpen(_)) => Ok(done(true)),
            Err(error) => Err(error),
        }
    }
}
