//! A page on paper.

use async_trait::async_trait;
use cicerone_driver::{Paper, Printing, Result};

use crate::{page::ChromiumPage, protocol::page::PrintToPdf, stream::Stream};

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
        Stream::of(self, self.send(&command).await?.stream).read_all().await
    }
}
