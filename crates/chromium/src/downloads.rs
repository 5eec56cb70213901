//! Saves downloads in our directory under the browser's names, and reports them.

use std::{path::Path, sync::Arc};

use cicerone_driver::{BrowserEvent, FrameId};
use cicerone_driver_kit::Downloads;
use cicerone_wire::{Event, Session};

use crate::{
    protocol::browser::{CancelDownload, DownloadProgress, DownloadWillBegin, SetDownloadBehavior},
    reach::Reach,
    targets::Shared,
};

/// A download that is larger is cancelled, in bytes, unless told otherwise: a page must not fill the disk.
pub(crate) const LARGEST: u64 = 1 << 30;

impl Shared {
    /// Sends downloads of a context to our directory, and reports them.
    pub(crate) fn take_downloads(&self, root: &Session, context: Option<&str>) {
        let behavior = match (context, self.powers.downloads) {
            (None, _) if self.has_persons_downloads() => "default",
            (_, Downloads::Local) => "allowAndName",
            (_, Downloads::Remote) => "deny",
            (_, Downloads::Theirs) => "default",
        };
        root.tell(&SetDownloadBehavior {
            behavior,
            download_path: &self.downloads.to_string_lossy(),
            events_enabled: true,
            browser_context_id: context,
        });
    }

    /// Whether downloads may be a person's own: they go where they would without us, and are copied from there.
    fn has_persons_downloads(&self) -> bool {
        matches!(self.reach, Reach::Default(_))
    }
}

pub(crate) fn began(shared: &Shared, event: Event<'_>) {
    if let Some(download) = event.parse::<DownloadWillBegin>() {
        (shared.sink)(BrowserEvent::DownloadBegan {
            path: shared.downloads.join(&download.guid),
            id: download.guid,
            frame: Some(FrameId::from(download.frame_id.as_str())),
            name: download.suggested_filename,
        });
    }
}

pub(crate) fn progressed(shared: &Shared, event: Event<'_>) {
    let Some(DownloadProgress { guid, state, received_bytes, total_bytes, file_path }) = event.parse() else {
        return;
    };
    match (state.as_str(), file_path) {
        ("inProgress", _) => {
            let bytes = size(received_bytes.max(total_bytes));
            if bytes > shared.largest_download
                && !shared.has_persons_downloads()
                && let Some(connection) = shared.connection.get()
            {
                connection.root().tell(&CancelDownload { guid: &guid });
                (shared.sink)(BrowserEvent::DownloadTooLarge { id: guid, bytes });
            }
        }
        ("completed", Some(from)) if shared.has_persons_downloads() => {
            let (to, sink) = (shared.downloads.join(&guid), Arc::clone(&shared.sink));
            tokio::task::spawn_blocking(move || {
                let copied = copy(from.as_ref(), &to)
                    .inspect_err(|error| tracing::warn!(%error, "a download could not be copied"));
                sink(BrowserEvent::DownloadEnded { id: guid, complete: copied.is_ok() });
            });
        }
        (state, _) => {
            (shared.sink)(BrowserEvent::DownloadEnded { id: guid, complete: state == "completed" });
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are whole; casts saturate"
)]
fn size(bytes: f64) -> u64 {
    bytes as u64
}

/// One of a context of our own is there already.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if to.exists() {
        return Ok(());
    }
    if from.metadata()?.len() > LARGEST {
        return Err(std::io::Error::other("it is larger than 1 GB"));
    }
    std::fs::copy(from, to).map(drop)
}
