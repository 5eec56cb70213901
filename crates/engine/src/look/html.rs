//! Snapshots written as HTML.

use crate::{
    Page, Result, Snapshot,
    snapshot::{budget::fit, html},
};

impl Page {
    /// What a snapshot shows, as HTML with refs. It does not count as the last look that changes are told from.
    pub async fn html_snapshot(&self) -> Result<Snapshot> {
        let tree = self.look_for_html(self.snapshot_deadline()).await?;
        let shown = fit(&tree, self.options().snapshot_limit);
        let text = html::write(&tree, &shown, |at| self.reference(&tree, at));
        Ok(Snapshot { url: self.shown_url(), title: tree.title, text })
    }
}
