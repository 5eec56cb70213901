//! The window around a page. A page may be larger than its window and is drawn all the same, but the pointer reaches only
//! what is inside: what is clicked on outside of it is lost without a word.

use cicerone_driver::{DriverError, Result, Size};

use crate::{
    page::{FirefoxPage, lock},
    protocol::{
        browser::{GetClientWindows, SetClientWindowState},
        browsing_context::{SetViewport, Viewport},
    },
};

/// What a window has above its page, at most.
const BARS: u32 = 120;

/// The window that holds a viewport.
pub(crate) fn around(viewport: Size) -> Size {
    Size { width: viewport.width, height: viewport.height.saturating_add(BARS) }
}

/// The viewport of a page.
pub(crate) fn viewport(context: &str, size: Size) -> SetViewport<'_> {
    let viewport = Viewport { width: size.width, height: size.height };
    SetViewport { context: Some(context), user_contexts: None, viewport, device_pixel_ratio: None }
}

/// The viewport of all pages of a user context, from their beginning.
pub(crate) fn viewports(user_context: &str, size: Size) -> SetViewport<'_> {
    SetViewport { context: None, user_contexts: Some([user_context]), ..viewport("", size) }
}

impl FirefoxPage {
    pub(crate) async fn set_viewport(&self, size: Size) -> Result<()> {
        let before = std::mem::replace(&mut *lock(&self.viewport), size);
        if before != size {
            let sized = self.send(&viewport(self.context(), size)).await;
            sized.inspect_err(|_| *lock(&self.viewport) = before)?;
            if let Some(device) = &mut lock(&self.emulated).device {
                device.size = size;
            }
        }
        self.make_room().await
    }

    /// Makes the window as large as its page, where it is smaller.
    pub(crate) async fn make_room(&self) -> Result<()> {
        let wanted = around(*lock(&self.viewport));
        let mut room = self.room.lock().await;
        let holds = |has: Size| has.width >= wanted.width && has.height >= wanted.height;
        if holds(*room) {
            return Ok(());
        }
        match self.grow(wanted).await {
            Ok(has) => *room = has,
            // It is asked for once; a browser that cannot is good for the part that is inside.
            Err(DriverError::Refused { message, .. }) => {
                tracing::debug!(page = %self.id, message, "a window cannot be made larger");
                *room = wanted;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// What it holds then.
    async fn grow(&self, wanted: Size) -> Result<Size> {
        let windows = self.send(&GetClientWindows {}).await?.client_windows;
        let Some(window) = windows.into_iter().find(|window| window.client_window == self.client_window)
        else {
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
