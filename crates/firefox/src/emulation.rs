//! What a page is made to believe. The browser keeps it with the page, for all of its frames.

use async_trait::async_trait;
use cicerone_driver::{Coordinates, DriverError, Emulation, Result};
use cicerone_wire::{Command, WireError};

use crate::{
    page::{FirefoxPage, lock},
    protocol::{
        browsing_context::SetViewport,
        emulation::{
            GeolocationCoordinates, NetworkConditions, SetGeolocationOverride, SetLocaleOverride,
            SetNetworkConditions, SetTimezoneOverride, SetUserAgentOverride,
        },
    },
    window::viewport,
};

impl FirefoxPage {
    /// Sends what not every version knows; what that is, in words.
    pub(crate) async fn send_if_known<C: Command>(&self, command: &C, what: &'static str) -> Result<()> {
        self.alive()?;
        match self.answer(self.root.send(command)).await? {
            Ok(_) => Ok(()),
            Err(WireError::Refused { kind, .. }) if kind == "unknown command" => {
                Err(DriverError::Unsupported(what))
            }
            Err(error) => Err(self.failed(error)),
        }
    }
}

#[async_trait]
impl Emulation for FirefoxPage {
    async fn geolocation(&self, place: Option<&Coordinates>) -> Result<()> {
        let coordinates = place.map(|place| GeolocationCoordinates {
            latitude: place.latitude,
            longitude: place.longitude,
            accuracy: place.accuracy,
        });
        let command = SetGeolocationOverride { coordinates, contexts: [self.context()] };
        self.send_if_known(&command, "emulate a place").await
    }

    async fn locale(&self, tag: Option<&str>) -> Result<()> {
        let command = SetLocaleOverride { locale: tag, contexts: [self.context()] };
        self.send_if_known(&command, "emulate a language").await
    }

    async fn time_zone(&self, name: Option<&str>) -> Result<()> {
        let command = SetTimezoneOverride { timezone: name, contexts: [self.context()] };
        self.send_if_known(&command, "emulate a time zone").await
    }

    async fn user_agent(&self, agent: Option<&str>) -> Result<()> {
        let command = SetUserAgentOverride { user_agent: agent, contexts: [self.context()] };
        self.send_if_known(&command, "emulate another browser").await
    }

    async fn offline(&self, is: bool) -> Result<()> {
        let network_conditions = is.then_some(NetworkConditions::Offline);
        let command = SetNetworkConditions { network_conditions, contexts: [self.context()] };
        self.send_if_known(&command, "emulate that there is no network").await
    }

    async fn scale_factor(&self, factor: Option<f64>) -> Result<()> {
        let size = *lock(&self.viewport);
        let command = SetViewport { device_pixel_ratio: Some(factor), ..viewport(self.context(), size) };
        self.send(&command).await.map(drop)
    }
}
