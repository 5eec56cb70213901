//! Snapshots written as HTML.

use super::{
    part::{Asked, Part},
    snapshot::LookFormat,
};
use crate::{Result, Snapshot, page::parts::Snapshots};

impl Snapshots<'_> {
    /// A snapshot as HTML with refs, of the page or a part. Does not become the base of the next diff.
    pub async fn html_snapshot(self, part: &Part) -> Result<Snapshot> {
        let deadline = self.snapshot_deadline();
        let root = self.part_root(part.of.as_ref(), deadline).await?;
        let after = self.rest_root(part.after.as_ref(), deadline).await?;
        let tree = self.look_for_html(deadline).await?;
        let asked = Asked { format: LookFormat::Html, of: root, after, part };
        let text = self.part(&tree, &asked).await?;
        Ok(Snapshot { url: self.page.shown_url(), title: tree.title, text })
    }
}
