//! Prints a page to PDF.

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
            prefer_css_page_size: paper.prefer_css_page_size,
            scale: paper.scale,
            margin_top: paper.margin.top,
            margin_bottom: paper.margin.bottom,
            margin_left: paper.margin.left,
            margin_right: paper.margin.right,
            display_header_footer: paper.header_footer.is_some(),
            header_template: paper.header_footer.as_ref().and_then(|around| around.header.as_deref()),
            footer_template: paper.header_footer.as_ref().and_then(|around| around.footer.as_deref()),
            transfer_mode: "ReturnAsStream",
        };
        Stream::of(self, self.send(&command).await?.stream).read_all().await
    }
}
