//! The window of a page. A page may be larger than its window and is still painted, but the pointer reaches
//! only the part inside: clicks outside are lost silently.

use std::sync::Mutex;

use cicerone_driver::{DriverError, Result, Size, lock};

use crate::{
    page::FirefoxPage,
    protocol::{
        browser::{GetClientWindows, SetClientWindowState},
        browsing_context::{SetViewport, Viewport},
    },
};

/// The maximum height of the window's toolbars.
const BARS: u32 = 120;

/// The window of a page.
pub(crate) struct Window {
    /// Its id in the browser.
    pub(crate) id: String,
    /// The size of its page.
    pub(crate) viewport: Mutex<Size>,
    /// Its size, if known.
    pub(crate) room: tokio::sync::Mutex<Size>,
}

impl Window {
    pub(crate) fn new(id: &str) -> Self {
        let unknown = Size { width: 0, height: 0 };
        Self { id: id.to_owned(), viewport: Mutex::new(unknown), room: tokio::sync::Mutex::new(unknown) }
    }
}

/// The window size for a viewport.
pub(crate) fn around(viewport: Size) -> Size {
    Size { width: viewport.width, height: viewport.height.saturating_add(BARS) }
}

/// The viewport of a page.
pub(crate) fn viewport(context: &str, size: Size) -> SetViewport<'_> {
    let viewport = Viewport { width: size.width, height: size.height };
    SetViewport { context: Some(context), user_contexts: None, viewport, device_pixel_ratio: None }
}

/// Sets the viewport of all pages of a user context, also future ones.
pub(crate) fn viewports(user_context: &str, size: Size) -> SetViewport<'_> {
    SetViewport { context: None, user_contexts: Some([user_context]), ..viewport("", size) }
}

impl FirefoxPage {
    pub(crate) async fn resize(&self, size: Size) -> Result<()> {
        let before = std::mem::replace(&mut *lock(&self.window.viewport), size);
        if before != size {
            let sized = self.send(&viewport(self.context(), size)).await;
            sized.inspect_err(|_| *lock(&self.window.viewport) = before)?;
            if let Some(device) = &mut lock(&self.emulated).device {
                device.size = size;
            }
        }
        self.make_room().await
    }

    /// Enlarges the window to its page, if it is smaller.
    pub(crate) async fn make_room(&self) -> Result<()> {
        let wanted = around(*lock(&self.window.viewport));
        let mut room = self.window.room.lock().await;
        let holds = |has: Size| has.width >= wanted.width && has.height >= wanted.height;
        if holds(*room) {
            return Ok(());
        }
        match self.grow(wanted).await {
            Ok(has) => *room = has,
            // Tried once; if the browser cannot, only the part inside works.
            Err(DriverError::Refused { message, .. }) => {
                tracing::debug!(page = %self.id, message, "a window cannot be made larger");
                *room = wanted;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// The viewport that fits then.
    async fn grow(&self, wanted: Size) -> Result<Size> {
        let windows = self.send(&GetClientWindows {}).await?.client_windows;
        let Some(window) = windows.into_iter().find(|window| window.client_window == self.window.id) else {
            return Ok(wanted);
        };
        let width = window.width.max(wanted.width);
        let height = window.height.max(wanted.height);
        if (width, height) != (window.width, window.height) {
            let client_window = window.client_window.as_str();
            self.send(&SetClientWindowState { client_window, state: "normal", width, height }).await?;
        }
        Ok(Size { width, height })
    }
}
