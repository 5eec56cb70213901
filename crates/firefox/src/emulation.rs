//! What a page is made to believe. The browser keeps it with the page, for all of its frames. For what style sheets are told
//! and for slow networks BiDi has no commands: these need system access.

use async_trait::async_trait;
use cicerone_driver::{
    ColorScheme, Coordinates, DriverError, Emulation, Media, Medium, PageDriver, Result, Throttle,
};
use cicerone_wire::{Command, WireError};
use serde::Serialize;
use serde_json::Value;

use crate::{
    page::{FirefoxPage, lock},
    protocol::{
        browsing_context::SetViewport,
        emulation::{
            GeolocationCoordinates, NetworkConditions, SetGeolocationOverride, SetLocaleOverride,
            SetNetworkConditions, SetTimezoneOverride, SetUserAgentOverride,
        },
        script::SerializationOptions,
    },
    window::viewport,
};

/// What style sheets are told, in the words of the browser's own properties.
#[derive(Serialize)]
struct Overrides<'a> {
    medium: &'a str,
    scheme: &'a str,
    motion: &'a str,
    colors: &'a str,
}

impl Overrides<'_> {
    fn of(media: &Media) -> Self {
        let motion = |reduced| if reduced { "reduce" } else { "no-preference" };
        Self {
            medium: media.medium.map_or("", Medium::as_str),
            scheme: media.color_scheme.map_or("none", ColorScheme::as_str),
            motion: media.reduced_motion.map_or("none", motion),
            // There is no word for colours that are not forced, though the person's system does it.
            colors: if media.forced_colors == Some(true) { "active" } else { "none" },
        }
    }
}

/// A slow network, in milliseconds and bytes a second.
#[derive(Serialize)]
struct Slowness {
    latency: u64,
    download: Option<u64>,
    upload: Option<u64>,
}

impl From<&Throttle> for Slowness {
    fn from(throttle: &Throttle) -> Self {
        Self {
            latency: throttle.latency.as_millis().try_into().unwrap_or(u64::MAX),
            download: throttle.download.map(Into::into),
            // The browser has 32 bits for it.
            upload: throttle.upload.map(|bytes| bytes.get().min(u32::MAX.into())),
        }
    }
}

impl FirefoxPage {
    /// Whether the colours of the page are the person's.
    async fn has_forced_colors(&self) -> Result<bool> {
        let look = "function(){return matchMedia('(forced-colors: active)').matches}";
        let said = self.in_sandbox(&self.main_frame(), look, &[], SerializationOptions::default()).await?;
        Ok(said.and_then(|said| said.value) == Some(Value::Bool(true)))
    }

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

    async fn media(&self, media: &Media) -> Result<()> {
        let what = "emulate media features unless it was started with system access";
        let before: Value = self.privileged(what, "media", Overrides::of(media)).await?;
        if media.forced_colors == Some(false) && self.has_forced_colors().await? {
            self.privileged::<Value>(what, "media", before).await?;
            return Err(DriverError::Unsupported("emulate that no colours are forced where they are"));
        }
        Ok(())
    }

    async fn throttle(&self, throttle: Option<&Throttle>) -> Result<()> {
        let what = "emulate a slow network unless it was started with system access";
        self.privileged::<Value>(what, "throttle", throttle.map(Slowness::from)).await.map(drop)
    }
}
