//! Saves downloads in our directory under our names, and reports them.

use std::path::{Path, PathBuf};

use cicerone_driver::{BrowserEvent, FrameId, lock};
use cicerone_driver_kit::Downloads;
use cicerone_wire::{Event, Session};

use crate::{
    browser::Shared,
    contexts::DEFAULT,
    events::loading_ended,
    navigate::NavigationKind,
    protocol::{
        browser::{DownloadBehavior, SetDownloadBehavior},
        browsing_context::{DownloadEnd, DownloadWillBegin},
    },
};

/// How the file of a download becomes ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Take {
    Move,
    /// The person keeps theirs.
    Copy,
}

impl Shared {
    /// Sends downloads of a user context to our directory and reports them. The person's own are left alone.
    pub(crate) fn take_downloads(&self, root: &Session, user_context: Option<&str>) {
        let folder = self.downloads.to_string_lossy();
        let behavior = match self.attached.as_ref().map(|attached| attached.downloads) {
            None | Some(Downloads::Local) => DownloadBehavior::Allowed { destination_folder: &folder },
            Some(Downloads::Remote) => DownloadBehavior::Denied,
            Some(Downloads::Theirs) => return,
        };
        if self.is_shared(user_context.unwrap_or(DEFAULT)) {
            return;
        }
        root.tell(&SetDownloadBehavior {
            download_behavior: behavior,
            user_contexts: user_context.map(|id| [id]),
        });
    }

    /// Where a download is promised to be when it is done.
    fn download_path(&self, id: &str) -> PathBuf {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        let name = BuildHasherDefault::<DefaultHasher>::default().hash_one(id);
        self.downloads.join(format!("cicerone-{name:016x}"))
    }
}

pub(crate) fn began(shared: &Shared, event: Event<'_>) -> Option<()> {
    let begun: DownloadWillBegin = event.parse()?;
    let frame = FrameId::from(begun.context.as_str());
    let page = shared.page_of(&begun.context);
    if let (Some(page), Some(navigation)) = (&page, &begun.navigation) {
        page.took(NavigationKind::Download, navigation);
        loading_ended(shared, &frame, navigation);
    }
    // One of a page that is not ours.
    if page.is_none() && shared.attached.is_some() {
        return None;
    }
    let take = match page.is_some_and(|page| shared.is_shared(&page.user_context)) {
        true => Take::Copy,
        false => Take::Move,
    };
    let id = begun.navigation.unwrap_or(begun.url);
    lock(&shared.downloading).insert(id.clone(), take);
    (shared.sink)(BrowserEvent::DownloadBegan {
        path: shared.download_path(&id),
        id,
        frame: Some(frame),
        name: begun.suggested_filename,
    });
    Some(())
}

pub(crate) fn ended(shared: &Shared, event: Event<'_>) -> Option<()> {
    let ended: DownloadEnd = event.parse()?;
    let id = ended.navigation.unwrap_or(ended.url);
    let take = lock(&shared.downloading).remove(&id)?;
    let (from, to) = (ended.filepath.filter(|_| ended.status == "complete"), shared.download_path(&id));
    let sink = std::sync::Arc::clone(&shared.sink);
    match from {
        None => sink(BrowserEvent::DownloadEnded { id, complete: false }),
        Some(from) if take == Take::Move => {
            // The browser names the file as it likes; it was promised under a name of ours.
            sink(BrowserEvent::DownloadEnded { id, complete: done(std::fs::rename(from, to)) });
        }
        Some(from) => {
            tokio::task::spawn_blocking(move || {
                sink(BrowserEvent::DownloadEnded { id, complete: done(copy(from.as_ref(), &to)) });
            });
        }
    }
    Some(())
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::copy(from, to).map(drop)
}

fn done(taken: std::io::Result<()>) -> bool {
    taken.inspect_err(|error| tracing::warn!(%error, "a download could not be taken over")).is_ok()
}
