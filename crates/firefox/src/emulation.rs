//! Emulation. The browser keeps overrides per page, for all of its frames. BiDi has no commands for media
//! features and slow networks: these need system access.

use async_trait::async_trait;
use cicerone_driver::{
    ColorScheme, Coordinates, DeviceMetrics, DriverError, Emulation, Feature, Media, Medium, Orientation,
    PageDriver, Result, Throttle, UserAgent, lock,
};
use cicerone_wire::{Command, WireError};
use serde::Serialize;
use serde_json::Value;

use crate::{
    page::FirefoxPage,
    protocol::{
        browsing_context::SetViewport,
        emulation::{
            GeolocationCoordinates, NetworkConditions, ScreenArea, ScreenOrientation, SetGeolocationOverride,
            SetLocaleOverride, SetNetworkConditions, SetScreenOrientationOverride, SetScreenSettingsOverride,
            SetTimezoneOverride, SetTouchOverride, SetUserAgentOverride,
        },
        script::SerializationOptions,
    },
    window::viewport,
};

/// The overrides of a page, which its popups get, too.
#[derive(Default, Clone)]
pub(crate) struct EmulationState {
    geolocation: Option<Coordinates>,
    locale: Option<String>,
    time_zone: Option<String>,
    user_agent: Option<UserAgent>,
    offline: bool,
    pub(crate) device: Option<DeviceMetrics>,
    media: Media,
    throttle: Option<Throttle>,
}

impl EmulationState {
    /// Applies them to another page.
    pub(crate) async fn apply_to(&self, page: &FirefoxPage) -> Result<()> {
        if self.time_zone.is_some() {
            page.time_zone(self.time_zone.as_deref()).await?;
        }
        if self.locale.is_some() {
            page.locale(self.locale.as_deref()).await?;
        }
        if self.user_agent.is_some() {
            page.user_agent(self.user_agent.as_ref()).await?;
        }
        if let Some(device) = &self.device {
            page.device_metrics(device).await?;
        }
        if self.geolocation.is_some() {
            page.geolocation(self.geolocation.as_ref()).await?;
        }
        if self.offline {
            page.offline(true).await?;
        }
        if self.media != Media::default() {
            page.media(&self.media).await?;
        }
        if self.throttle.is_some() {
            page.throttle(self.throttle.as_ref()).await?;
        }
        Ok(())
    }
}

/// Touch points of an emulated touch screen.
const FINGERS: u32 = 5;

/// Media features, by the names of the browser's own properties.
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
            // There is no value for colours that are not forced although the system forces them.
            colors: if media.forced_colors == Some(true) { "active" } else { "none" },
        }
    }
}

/// Network throttling, in milliseconds and bytes per second.
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
    /// Whether the system forces colours.
    async fn has_forced_colors(&self) -> Result<bool> {
        let look = "function(){return matchMedia('(forced-colors: active)').matches}";
        let said = self.in_sandbox(&self.main_frame(), look, &[], SerializationOptions::default()).await?;
        Ok(said.and_then(|said| said.value) == Some(Value::Bool(true)))
    }

    /// Changes what future popups get.
    fn remember(&self, change: impl FnOnce(&mut EmulationState)) {
        change(&mut lock(&self.emulated));
    }

    /// The orientation of a device.
    async fn set_orientation(&self, metrics: &DeviceMetrics) -> Result<()> {
        let natural = if metrics.mobile { "portrait" } else { "landscape" };
        let screen_orientation = metrics.orientation.map(|orientation| match orientation {
            Orientation::Portrait => ScreenOrientation { natural: "portrait", kind: "portrait-primary" },
            Orientation::Landscape => ScreenOrientation { natural, kind: "landscape-primary" },
        });
        let command = SetScreenOrientationOverride { screen_orientation, contexts: [self.context()] };
        self.send_if_known(&command, Feature::Orientation).await
    }

    /// Sets the screen size to the viewport. Versions without the command have the real one.
    async fn set_screen(&self, metrics: &DeviceMetrics) -> Result<()> {
        let plain = *metrics == DeviceMetrics::of(metrics.size);
        let screen_area =
            (!plain).then_some(ScreenArea { width: metrics.size.width, height: metrics.size.height });
        let command = SetScreenSettingsOverride { screen_area, contexts: [self.context()] };
        match self.send_if_known(&command, Feature::ScreenSize).await {
            Err(DriverError::Unsupported(what)) => {
                tracing::debug!(page = %self.id, ?what, "not supported by this version");
                Ok(())
            }
            done => done,
        }
    }

    async fn set_touch(&self, touch: bool) -> Result<()> {
        let max_touch_points = touch.then_some(FINGERS);
        let command = SetTouchOverride { max_touch_points, contexts: [self.context()] };
        self.send_if_known(&command, Feature::TouchScreen).await
    }

    /// Sends a command that not every version has.
    pub(crate) async fn send_if_known<C: Command>(&self, command: &C, what: Feature) -> Result<()> {
        self.lifecycle.alive()?;
        match self.lifecycle.unless_ended(self.root.send(command)).await? {
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
        self.send_if_known(&command, Feature::Geolocation).await?;
        self.remember(|emulated| emulated.geolocation = place.copied());
        Ok(())
    }

    async fn locale(&self, tag: Option<&str>) -> Result<()> {
        let command = SetLocaleOverride { locale: tag, contexts: [self.context()] };
        self.send_if_known(&command, Feature::Locale).await?;
        self.remember(|emulated| emulated.locale = tag.map(str::to_owned));
        Ok(())
    }

    async fn time_zone(&self, name: Option<&str>) -> Result<()> {
        let command = SetTimezoneOverride { timezone: name, contexts: [self.context()] };
        self.send_if_known(&command, Feature::TimeZone).await?;
        self.remember(|emulated| emulated.time_zone = name.map(str::to_owned));
        Ok(())
    }

    async fn user_agent(&self, agent: Option<&UserAgent>) -> Result<()> {
        let user_agent = agent.map(|agent| agent.text.as_str());
        let command = SetUserAgentOverride { user_agent, contexts: [self.context()] };
        self.send_if_known(&command, Feature::UserAgent).await?;
        self.remember(|emulated| emulated.user_agent = agent.cloned());
        Ok(())
    }

    async fn offline(&self, is: bool) -> Result<()> {
        let network_conditions = is.then_some(NetworkConditions::Offline);
        let command = SetNetworkConditions { network_conditions, contexts: [self.context()] };
        self.send_if_known(&command, Feature::Offline).await?;
        self.remember(|emulated| emulated.offline = is);
        Ok(())
    }

    async fn device_metrics(&self, metrics: &DeviceMetrics) -> Result<()> {
        if metrics.mobile {
            return Err(DriverError::Unsupported(Feature::MobileViewport));
        }
        let before = lock(&self.emulated).device.unwrap_or(DeviceMetrics::of(metrics.size));
        if metrics.touch != before.touch {
            self.set_touch(metrics.touch).await?;
        }
        if metrics.orientation != before.orientation {
            self.set_orientation(metrics).await?;
        }
        self.set_screen(metrics).await?;
        let command = SetViewport {
            device_pixel_ratio: Some(metrics.scale_factor),
            ..viewport(self.context(), metrics.size)
        };
        self.send(&command).await?;
        *lock(&self.window.viewport) = metrics.size;
        self.remember(|emulated| emulated.device = Some(*metrics));
        self.make_room().await
    }

    async fn media(&self, media: &Media) -> Result<()> {
        let what = Feature::Media;
        let before: Value = self.privileged(what, "media", Overrides::of(media)).await?;
        if media.forced_colors == Some(false) && self.has_forced_colors().await? {
            self.privileged::<Value>(what, "media", before).await?;
            return Err(DriverError::Unsupported(Feature::ForcedColorsOff));
        }
        self.remember(|emulated| emulated.media = *media);
        Ok(())
    }

    async fn throttle(&self, throttle: Option<&Throttle>) -> Result<()> {
        let what = Feature::Throttling;
        self.privileged::<Value>(what, "throttle", throttle.map(Slowness::from)).await?;
        self.remember(|emulated| emulated.throttle = throttle.copied());
        Ok(())
    }

    async fn cpu_throttle(&self, factor: f64) -> Result<()> {
        if factor > 1.0 {
            return Err(DriverError::Unsupported(Feature::CpuThrottling));
        }
        Ok(())
    }
}
