use cicerone_driver::Input;

use crate::{
    Acted, Deadline, Element, PointerTarget, Result, Spot, Target,
    injected::Numbered,
    page::parts::Mouse,
    ready::{Located, Needs},
};

impl Mouse<'_> {
    /// Moves the pointer over an element, or to a point.
    pub async fn hover(self, aim: &PointerTarget) -> Result<Acted<Spot>> {
        let mark = self.page.actions().begin_action().await?;
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let (spot, point) = self.page.geometry().resolve_pointer(aim, Needs::POINT, deadline).await?;
        self.page.actions().send(&[Input::Move(point)], deadline.with_grace()).await?;
        self.page.actions().finish_action(spot, mark).await
    }

    /// Scrolls an element to the middle of the viewport; returns whether it is visible then.
    pub async fn scroll_into_view(self, target: &Target) -> Result<Acted<(Element, bool)>> {
        let mark = self.page.actions().begin_action().await?;
        let deadline = Deadline::after(self.page.settings().action_timeout());
        let located = self.page.locator().ready(target, Needs::SEE, deadline).await?;
        let visible = self.bring_into_view(&located, deadline).await?;
        self.page.actions().finish_action((located.element, visible), mark).await
    }

    pub(crate) async fn bring_into_view(self, located: &Located, deadline: Deadline) -> Result<bool> {
        #[derive(serde::Deserialize)]
        struct Scrolled {
            visible: bool,
        }
        let args = Numbered { num: located.number };
        let scrolled: Scrolled = self
            .page
            .injected()
            .ask(&located.frame, "scroll", &args, deadline.with_grace())
            .await
            .map_err(|failure| self.page.locator().refused_by(located, failure))?;
        Ok(scrolled.visible)
    }
}
