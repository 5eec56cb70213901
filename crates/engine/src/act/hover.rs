use cicerone_driver::Input;

use crate::{
    Acted, Aim, Deadline, Element, Page, Result, Spot, Target,
    agent::Numbered,
    ready::{Located, Needs},
};

impl Page {
    /// Moves the pointer over an element, or to a point.
    pub async fn hover(&self, aim: &Aim) -> Result<Acted<Spot>> {
        let mark = self.before_acting().await?;
        let deadline = Deadline::after(self.action_timeout());
        let (spot, point) = self.aimed(aim, Needs::POINT, deadline).await?;
        self.send(&[Input::Move(point)], deadline.with_grace()).await?;
        self.told(spot, mark).await
    }

    /// Scrolls an element into the middle of the viewport; whether it is seen then.
    pub async fn scroll_into_view(&self, target: &Target) -> Result<Acted<(Element, bool)>> {
        let mark = self.before_acting().await?.with_effect();
        let deadline = Deadline::after(self.action_timeout());
        let located = self.ready(target, Needs::SEE, deadline).await?;
        let visible = self.bring_into_view(&located, deadline).await?;
        self.told((located.element, visible), mark).await
    }

    pub(crate) async fn bring_into_view(&self, located: &Located, deadline: Deadline) -> Result<bool> {
        #[derive(serde::Deserialize)]
        struct Scrolled {
            visible: bool,
        }
        let args = Numbered { num: located.number };
        let scrolled: Scrolled = self
            .ask(&located.frame, "scroll", &args, deadline.with_grace())
            .await
            .map_err(|failure| self.refused_by(located, failure))?;
        Ok(scrolled.visible)
    }
}
