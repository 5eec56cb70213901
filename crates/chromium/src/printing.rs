//! A page on paper.

use async_trait::async_trait;
use base64::Engine as _;
use cicerone_driver::{DriverError, Paper, Printing, Result};

use crate::{
    page::ChromiumPage,
    protocol::{
        io::{Close, Read},
        page::PrintToPdf,
    },
};

/// How much of a PDF comes in one message. The connection serves all pages: nobody should wait behind a big one.
const CHUNK: u32 = 1 << 18;

#[async_trait]
impl Printing for ChromiumPage {
    async fn pdf(&self, paper: &Paper) -> Result<Vec<u8>> {
        let command = PrintToPdf {
            paper_width: paper.width,
            paper_height: paper.height,
            landscape: paper.landscape,
            print_background: paper.backgrounds,
            prefer_css_page_size: true,
            transfer_mode: "ReturnAsStream",
        };
        let stream = Stream { page: self, handle: self.send(&command).await?.stream };
        stream.read_all().await
    }
}

/// Something that the browser holds for us until this is dropped.
struct Stream<'a> {
    page: &'a ChromiumPage,
    handle: String,
}

impl Stream<'_> {
    async fn read_all(&self) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        loop {
            let chunk = self.page.send(&Read { handle: &self.handle, size: CHUNK }).await?;
            if chunk.base64_encoded {
                base64::engine::general_purpose::STANDARD.decode_vec(&chunk.data, &mut all).map_err(
                    |_| DriverError::Refused { command: "IO.read", message: "a part is not base64".into() },
                )?;
            } else {
                all.extend_from_slice(chunk.data.as_bytes());
            }
            if chunk.eof {
                return Ok(all);
            }
        }
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        self.page.session.tell(&Close { handle: &self.handle });
    }
}
