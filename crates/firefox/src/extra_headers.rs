//! Extra headers for every request of a page.

use async_trait::async_trait;
use cicerone_driver::{ExtraHeaders, Feature, Result};

use crate::{
    page::FirefoxPage,
    protocol::network::{BytesValue, Header, SetExtraHeaders},
};

#[async_trait]
impl ExtraHeaders for FirefoxPage {
    async fn set_extra_headers(&self, headers: &[(String, String)]) -> Result<()> {
        let header =
            |(name, value): &(String, String)| Header { name: name.clone(), value: BytesValue::text(value) };
        let headers = headers.iter().map(header).collect();
        let command = SetExtraHeaders { headers, contexts: [self.context()] };
        self.send_if_known(&command, Feature::ExtraHeaders).await
    }
}
