//! Hands closed shadow roots to the injected script, each once.

use async_trait::async_trait;
use cicerone_driver::{ClosedShadowRoots, FrameId, Result};
use futures::future::join_all;

use crate::{
    object_group::ObjectGroup,
    page::{ChromiumPage, failed},
    protocol::{dom::DescribeNode, runtime::GetProperties},
};

#[async_trait]
impl ClosedShadowRoots for ChromiumPage {
    async fn report_closed_shadow_roots(&self, frame: &FrameId) -> Result<usize> {
        let place = self.injected_world(frame).await?;
        let (session, _) = &place;
        let group = ObjectGroup::new(session);
        let ask = "function(){return cicerone.candidates()}";
        let suspects = self.in_injected_world(&place, ask, &[], Some(&group.name)).await?;
        let Some(list) = suspects.result.object_id else { return Ok(0) };
        let elements: Vec<String> = session
            .send(&GetProperties { object_id: &list, own_properties: true })
            .await
            .map_err(failed)?
            .result
            .into_iter()
            .filter_map(|property| property.value?.object_id)
            .collect();
        let asked = elements.iter().map(|object_id| session.send(&DescribeNode { object_id }));
        let closed: Vec<i64> = join_all(asked)
            .await
            .into_iter()
            // The element was removed meanwhile.
            .flatten()
            .flat_map(|described| described.node.shadow_roots)
            .filter(|root| root.shadow_root_type.as_deref() == Some("closed"))
            .map(|root| root.backend_node_id)
            .collect();
        self.hand_over(&place, &group, &closed, "function(...r){cicerone.adopt(...r)}").await?;
        Ok(closed.len())
    }
}
