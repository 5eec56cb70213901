//! Waiting for the next change of a page: a mutation in one of its documents, or an event of the browser about it.

use futures::{StreamExt, stream::FuturesUnordered};
use serde_json::json;

use crate::{Deadline, page::parts::Waits, state::PageStatus};

impl Waits<'_> {
    /// Waits for a change; false when the deadline passed without one.
    pub async fn next_change(self, deadline: Deadline) -> bool {
        let at = self.page.state().now;
        let event = self
            .page
            .until(deadline, |state| (state.now > at || state.status != PageStatus::Alive).then_some(()));
        tokio::select! {
            event = event => event.is_some(),
            () = self.next_mutation(deadline) => true,
        }
    }

    /// Waits for a mutation in any frame. A frame that cannot be asked reports nothing.
    async fn next_mutation(self, deadline: Deadline) {
        let timeout = u64::try_from(deadline.left().as_millis()).unwrap_or(u64::MAX);
        let (frames, args) = (self.page.effects().watched_frames(), json!({ "timeout": timeout }));
        let mut asked: FuturesUnordered<_> = frames
            .iter()
            .map(|frame| self.page.injected().ask::<bool>(frame, "nextMutation", &args, deadline))
            .collect();
        while let Some(answer) = asked.next().await {
            if matches!(answer, Ok(true)) {
                return;
            }
        }
        std::future::pending().await
    }
}
