//! Prints a page to PDF.

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{DriverError, Feature, Margin, Paper, Printing, Result};

use crate::{
    page::FirefoxPage,
    protocol::browsing_context::{Print, PrintMargin, PrintPage},
};

const CENTIMETRES: f64 = 2.54;

#[async_trait]
impl Printing for FirefoxPage {
    fn knows_css_page_size(&self) -> bool {
        false
    }

    async fn pdf(&self, paper: &Paper) -> Result<Vec<u8>> {
        if paper.header_footer.is_some() {
            return Err(DriverError::Unsupported(Feature::PrintedHeaders));
        }
        let Margin { top, bottom, left, right } = paper.margin;
        let command = Print {
            context: self.context(),
            background: paper.backgrounds,
            orientation: if paper.landscape { "landscape" } else { "portrait" },
            page: PrintPage { width: paper.width * CENTIMETRES, height: paper.height * CENTIMETRES },
            margin: PrintMargin {
                top: top * CENTIMETRES,
                bottom: bottom * CENTIMETRES,
                left: left * CENTIMETRES,
                right: right * CENTIMETRES,
            },
            scale: paper.scale,
            // With shrink-to-fit the scale is ignored.
            shrink_to_fit: (paper.scale - 1.0).abs() < f64::EPSILON,
        };
        let data = self.send_to_document(&command).await?.data;
        STANDARD.decode(data).map_err(|_| DriverError::Refused {
            command: "browsingContext.print",
            message: "the document is not base64".into(),
        })
    }
}
