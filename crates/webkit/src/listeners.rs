//! What only the browser knows, told to the injected script: which elements have listeners.

use async_trait::async_trait;
use cicerone_driver::{FrameId, Listeners, Result};
use serde_json::Value;

use crate::{
    frames::WorldKind,
    page::WebKitPage,
    protocol::runtime::{CallArgument, Evaluate},
};

/// Finds them, in the page's own world: which elements they are, by their place in the document.
const FIND: &str = include_str!("listeners.js");

#[async_trait]
impl Listeners for WebKitPage {
    async fn report_listeners(&self, frame: &FrameId) -> Result<()> {
        let world = self.world(frame, WorldKind::Main).await?;
        let command = Evaluate {
            expression: &format!("({FIND})(getEventListeners)"),
            context_id: world.id,
            return_by_value: true,
            include_command_line_api: true,
            do_not_pause_on_exceptions_and_mute_console: true,
            ..Evaluate::default()
        };
        let found = self.while_there(frame, world.id, self.session.send(&command)).await?;
        let found = found.map_err(|error| self.failed(error))?;
        let Some(Value::Array(lists)) = found.result.value.filter(|_| !found.was_thrown) else {
            return Ok(());
        };
        if lists.iter().all(|list| list.as_array().is_none_or(Vec::is_empty)) {
            return Ok(());
        }
        let hand_over = format!(
            "function(p,t){{const all=({FIND})();const of=l=>l.map(i=>all[i]).filter(Boolean);\
             cicerone.listens(...of(t));cicerone.mark(...of(p))}}"
        );
        let arguments: Vec<_> = lists.into_iter().map(CallArgument::Value).collect();
        self.in_injected_world(frame, &hand_over, &arguments, true).await.map(drop)
    }
}
