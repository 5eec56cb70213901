use async_trait::async_trait;

use crate::Result;

/// The power to have a page believe something else than is so. All of it holds in the page, its frames and (as far as an engine
/// has a way there) its workers, in those that come later too, until it is changed; nothing gives the truth back. Other pages, those that it opens too, are left as
/// they are. What is no such thing (a language, a time zone) is refused, and what was set before stays.
#[async_trait]
pub trait Emulation: Send + Sync {
    /// Where the device is. Whether the page may know it is a permission.
    async fn geolocation(&self, place: Option<&Coordinates>) -> Result<()>;
    /// The person's language, as a tag (`de-CH`): in scripts, in their formats, and in what is sent with requests.
    async fn locale(&self, tag: Option<&str>) -> Result<()>;
    /// The time zone, by its name (`Asia/Tokyo`).
    async fn time_zone(&self, name: Option<&str>) -> Result<()>;
    /// What the browser says that it is, in scripts and with requests.
    async fn user_agent(&self, agent: Option<&str>) -> Result<()>;
    /// Whether there is no network.
    async fn offline(&self, is: bool) -> Result<()>;
    /// How many pixels of the device a CSS pixel is wide. The viewport stays; pictures of the page grow with it.
    async fn scale_factor(&self, factor: Option<f64>) -> Result<()>;
}

/// A place on Earth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coordinates {
    /// From -90 to 90.
    pub latitude: f64,
    /// From -180 to 180.
    pub longitude: f64,
    /// How far off that may be, in metres.
    pub accuracy: f64,
}
