//! Headers that are sent with every request of a page.

use std::collections::BTreeMap;

use async_trait::async_trait;
use cicerone_driver::{ExtraHeaders, Result};

use crate::{
    interception,
    page::{WebKitPage, lock},
    protocol::network::{Disable, Enable, SetExtraHttpHeaders},
};

#[async_trait]
impl ExtraHeaders for WebKitPage {
    async fn set_extra_headers(&self, headers: &[(String, String)]) -> Result<()> {
        *lock(&self.extra_headers) = headers.to_vec();
        self.send_headers().await
    }
}

impl WebKitPage {
    /// Has the browser send the extra headers, and the language that was set.
    pub(crate) async fn send_headers(&self) -> Result<()> {
        let language = lock(&self.emulated).locale.clone();
        let language = language.map(|tag| ("Accept-Language".to_owned(), tag));
        let extra = lock(&self.extra_headers).clone();
        let headers: BTreeMap<String, String> = language.into_iter().chain(extra).collect();
        let before = std::mem::replace(&mut *lock(&self.sent_headers), headers.clone());
        // The inspector adds headers to those that it has. It forgets them, and what it intercepts, only when it is off.
        if before.keys().any(|name| !headers.contains_key(name)) {
            self.session.tell(&Disable {});
            self.session.tell(&Enable {});
            interception::begin_again(self).await?;
        }
        self.send(&SetExtraHttpHeaders { headers }).await.map(drop)
    }
}
