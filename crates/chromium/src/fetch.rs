//! Fetches through the browser: with the page's cookies and proxy.

use async_trait::async_trait;
use cicerone_driver::{DriverError, Fetched, Fetching, PageDriver, Result};

use crate::{
    page::ChromiumPage,
    protocol::network::{LoadNetworkResource, LoadOptions},
    stream::Stream,
};

#[async_trait]
impl Fetching for ChromiumPage {
    async fn fetch(&self, url: &str, most: usize) -> Result<Fetched> {
        let frame = self.main_frame();
        let options = LoadOptions { disable_cache: true, include_credentials: true };
        let resource =
            self.send(&LoadNetworkResource { frame_id: frame.as_str(), url, options }).await?.resource;
        // The stream must be closed, whatever the result.
        let stream = resource.stream.map(|handle| Stream::of(self, handle));
        match (resource.http_status_code, stream) {
            (Some(status), _) if !(200.0..300.0).contains(&status) => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "statuses have three digits"
                )]
                let status = status as u16;
                Ok(Fetched::Status(status))
            }
            (_, Some(stream)) if resource.success => {
                let kind = |(name, _): &(&String, &String)| name.eq_ignore_ascii_case("content-type");
                let mime = resource.headers.iter().find(kind).map(|(_, value)| value.clone());
                Ok(match stream.read_most(most).await? {
                    Some(bytes) => Fetched::Content { mime, bytes },
                    None => Fetched::TooLarge,
                })
            }
            _ => match resource.net_error_name {
                Some(name) => Ok(Fetched::Failed(name)),
                None => Err(DriverError::Refused {
                    command: "Network.loadNetworkResource",
                    message: "it gave nothing, and no reason".into(),
                }),
            },
        }
    }
}
