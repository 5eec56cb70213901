//! Snapshots for observers: reading one does not count as the client having seen the page, so the next diff is the same
//! with or without it.

use super::{
    part::{Asked, Part},
    snapshot::{LookFormat, Snapshot},
};
use crate::{Result, Target, page::parts::Snapshots};

impl Snapshots<'_> {
    /// A snapshot of the page, or of one element in it, that later diffs ignore.
    pub async fn peek(self, of: Option<&Target>) -> Result<Snapshot> {
        let deadline = self.snapshot_deadline();
        let root = self.part_root(of, deadline).await?;
        let tree = self.look(deadline).await?;
        self.page.writer().keep_refs(&tree);
        let asked = Asked { format: LookFormat::Lines, of: root, after: None, part: &Part::default() };
        let text = self.part(&tree, &asked).await?;
        Ok(Snapshot { url: self.page.shown_url(), title: tree.title, text })
    }
}
