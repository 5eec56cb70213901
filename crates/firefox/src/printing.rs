//! A page on paper.

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_driver::{DriverError, Paper, Printing, Result};

use crate::{
    page::FirefoxPage,
    protocol::browsing_context::{Print, PrintMargin, PrintPage},
};

const CENTIMETRES: f64 = 2.54;

/// The margin that the other engines leave, in inches.
const MARGIN: f64 = 0.4;

#[async_trait]
impl Printing for FirefoxPage {
    async fn pdf(&self, paper: &Paper) -> Result<Vec<u8>> {
        let margin = MARGIN * CENTIMETRES;
        let command = Print {
            context: self.context(),
            background: paper.backgrounds,
            orientation: if paper.landscape { "landscape" } else { "portrait" },
            page: PrintPage { width: paper.width * CENTIMETRES, height: paper.height * CENTIMETRES },
            margin: PrintMargin { top: margin, bottom: margin, left: margin, right: margin },
            shrink_to_fit: true,
        };
        let data = self.send_to_document(&command).await?.data;
        STANDARD.decode(data).map_err(|_| DriverError::Refused {
            command: "browsingContext.print",
            message: "the document is not base64".into(),
        })
    }
}
