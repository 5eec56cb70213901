//! Dialogs of a page: from events, or queried after a time without events.

use std::{io, sync::Arc};

use cicerone_driver::{DialogKind, DialogOpened, PageEvent, lock};

use tokio::sync::Mutex;

use crate::{marionette::Marionette, page::FirefoxPage};

impl FirefoxPage {
    pub(crate) fn dialog_opened(&self, dialog: DialogOpened) {
        *lock(&self.dialog) = Some(dialog.message.clone());
        self.tell(PageEvent::DialogOpened(dialog));
    }

    pub(crate) fn dialog_closed(&self) {
        *lock(&self.dialog) = None;
        self.tell(PageEvent::DialogClosed);
    }

    /// The dialog that is actually open, which may differ from the reported one. Only its message can be
    /// queried, not its kind.
    fn dialog_found(&self, found: Option<String>) {
        let known = lock(&self.dialog).clone();
        match found {
            found if found == known => {}
            Some(message) => self.dialog_opened(DialogOpened {
                kind: DialogKind::Unknown,
                message,
                proposal: String::new(),
            }),
            None => self.dialog_closed(),
        }
    }
}

/// Queries which dialogs are open in these pages. BiDi cannot, but Marionette can.
pub(crate) async fn find(marionette: &Mutex<Marionette>, pages: Vec<Arc<FirefoxPage>>) -> io::Result<()> {
    let mut marionette = marionette.lock().await;
    for page in pages {
        page.dialog_found(marionette.dialog_of(page.context()).await?);
    }
    Ok(())
}
