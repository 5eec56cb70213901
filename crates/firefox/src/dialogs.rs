//! Dialogs of a page: told by the browser, or found by asking for them after a time in which nothing was told.

use std::{io, sync::Arc};

use cicerone_driver::{DialogKind, DialogOpened, PageEvent};

use tokio::sync::Mutex;

use crate::{
    marionette::Marionette,
    page::{FirefoxPage, lock},
};

impl FirefoxPage {
    pub(crate) fn dialog_opened(&self, dialog: DialogOpened) {
        *lock(&self.dialog) = Some(dialog.message.clone());
        self.tell(PageEvent::DialogOpened(dialog));
    }

    pub(crate) fn dialog_closed(&self) {
        *lock(&self.dialog) = None;
        self.tell(PageEvent::DialogClosed);
    }

    /// What holds it in truth, which may not be what was told. Only the words of a dialog can be asked for, not its kind.
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

/// Sees which dialogs are open in these pages. BiDi does not tell, but the older protocol does.
pub(crate) async fn find(marionette: &Mutex<Marionette>, pages: Vec<Arc<FirefoxPage>>) -> io::Result<()> {
    let mut marionette = marionette.lock().await;
    for page in pages {
        page.dialog_found(marionette.dialog_of(page.context()).await?);
    }
    Ok(())
}
