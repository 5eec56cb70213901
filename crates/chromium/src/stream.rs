//! Reads streams of the IO domain.

use base64::Engine as _;
use cicerone_driver::{DriverError, Result};

use crate::{
    page::{ChromiumPage, failed},
    protocol::io::{Close, Read},
};

/// Chunk size. All pages share the connection, so large messages would delay others.
const CHUNK: u32 = 1 << 18;

/// A stream that the browser keeps until this is dropped.
pub(crate) struct Stream<'a> {
    page: &'a ChromiumPage,
    handle: String,
}

impl<'a> Stream<'a> {
    pub(crate) fn of(page: &'a ChromiumPage, handle: String) -> Self {
        Self { page, handle }
    }

    pub(crate) async fn read_all(&self) -> Result<Vec<u8>> {
        // No stream is that long.
        Ok(self.read_most(usize::MAX).await?.unwrap_or_default())
    }

    /// Reads all of it, up to a limit.
    pub(crate) async fn read_most(&self, most: usize) -> Result<Option<Vec<u8>>> {
        let mut all = Vec::new();
        loop {
            let read = Read { handle: &self.handle, size: CHUNK };
            // Not the page's `send`: the stream outlives a crash of the page.
            let chunk = self.page.session.send(&read).await.map_err(failed)?;
            if chunk.base64_encoded {
                base64::engine::general_purpose::STANDARD.decode_vec(&chunk.data, &mut all).map_err(
                    |_| DriverError::Refused { command: "IO.read", message: "a part is not base64".into() },
                )?;
            } else {
                all.extend_from_slice(chunk.data.as_bytes());
            }
            if all.len() > most {
                return Ok(None);
            }
            if chunk.eof {
                return Ok(Some(all));
            }
        }
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        self.page.session.tell(&Close { handle: &self.handle });
    }
}
