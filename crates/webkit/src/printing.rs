//! A page on paper.

use async_trait::async_trait;
use cicerone_driver::{DriverError, Feature, Paper, Printing, Result};

use crate::{page::WebKitPage, protocol::host::Pdf};

#[async_trait]
impl Printing for WebKitPage {
    fn knows_css_page_size(&self) -> bool {
        false
    }

    async fn pdf(&self, paper: &Paper) -> Result<Vec<u8>> {
        if paper.header_footer.is_some() {
            return Err(DriverError::Unsupported(Feature::PrintedHeaders));
        }
        let (width, height) =
            if paper.landscape { (paper.height, paper.width) } else { (paper.width, paper.height) };
        let command = Pdf {
            width,
            height,
            top: paper.margin.top,
            bottom: paper.margin.bottom,
            left: paper.margin.left,
            right: paper.margin.right,
            scale: paper.scale,
            backgrounds: paper.backgrounds,
        };
        let path = self.send(&command).await?.path;
        let unreadable =
            |error: std::io::Error| DriverError::Refused { command: "Host.pdf", message: error.to_string() };
        let bytes = tokio::task::spawn_blocking(move || {
            let bytes = std::fs::read(&path)?;
            std::fs::remove_file(path).map(|()| bytes)
        });
        bytes.await.map_err(|ended| unreadable(ended.into()))?.map_err(unreadable)
    }
}
