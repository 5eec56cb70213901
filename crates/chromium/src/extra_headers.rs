//! Extra headers for every request of a page.

use async_trait::async_trait;
use cicerone_driver::{ExtraHeaders, Result};

use crate::{page::ChromiumPage, protocol::network::SetExtraHttpHeaders};

#[async_trait]
impl ExtraHeaders for ChromiumPage {
    async fn set_extra_headers(&self, headers: &[(String, String)]) -> Result<()> {
        self.send(&SetExtraHttpHeaders { headers: headers.iter().cloned().collect() }).await.map(drop)
    }
}
