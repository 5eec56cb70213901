//! Emulation. Overrides are per session: a change goes to all sessions of the page, and new sessions get the
//! current overrides before they run a script.

use std::num::NonZeroU64;

use async_trait::async_trait;
use cicerone_driver::{
    ClientHints, ColorScheme, Coordinates, DeviceMetrics, Emulation, Media, Medium, Orientation, Result,
    Size, Throttle, UserAgent, lock,
};
use cicerone_wire::{Command, Session, WireError};

use crate::{
    page::{ChromiumPage, failed},
    protocol::{
        emulation::{
            Brand, MediaFeature, ScreenOrientation, SetCpuThrottlingRate, SetDeviceMetricsOverride,
            SetEmulatedMedia, SetGeolocationOverride, SetLocaleOverride, SetTimezoneOverride,
            SetTouchEmulationEnabled, SetUserAgentOverride, UserAgentMetadata,
        },
        network::{self, EmulateNetworkConditions},
        storage::GetTrustTokens,
    },
};

/// The current overrides.
#[derive(Default, Clone)]
pub(crate) struct EmulationState {
    place: Option<Coordinates>,
    locale: Option<String>,
    time_zone: Option<String>,
    agent: Option<UserAgent>,
    offline: bool,
    device: Option<DeviceMetrics>,
    media: Media,
    throttle: Option<Throttle>,
    cpu: Option<f64>,
}

/// Touch points of an emulated touch screen.
const FINGERS: u32 = 5;

impl EmulationState {
    /// Applies them to a new session.
    pub(crate) fn apply_to(&self, session: &Session) {
        if self.place.is_some() {
            session.tell(&geolocation(self.place.as_ref()));
        }
        self.apply_to_process(session);
        if let Some(device) = self.device.filter(|device| device.touch) {
            session.tell(&touch(&device));
        }
        if let Some(rate) = self.cpu {
            session.tell(&SetCpuThrottlingRate { rate });
        }
        if self.media != Media::default() {
            session.tell(&media(&self.media));
        }
        self.apply_to_worker(session);
    }

    pub(crate) fn time_zone(&self) -> Option<&str> {
        self.time_zone.as_deref()
    }

    /// Overrides of the whole process. Chromium refuses them to a second session in the same process.
    pub(crate) fn apply_to_process(&self, session: &Session) {
        if let Some(locale) = &self.locale {
            session.tell(&SetLocaleOverride { locale });
        }
        if let Some(timezone_id) = &self.time_zone {
            session.tell(&SetTimezoneOverride { timezone_id });
        }
    }

    /// Applies them to a new worker's session. The rest comes from its process. Network conditions last
    /// only while the Network domain is enabled.
    pub(crate) fn apply_to_worker(&self, session: &Session) {
        if self.agent.is_some() || self.locale.is_some() {
            session.tell(&self.identity());
        }
        if self.offline || self.throttle.is_some() {
            session.tell(&network::Enable {});
            session.tell(&self.network());
        }
    }

    /// One command sets offline and throttling.
    fn network(&self) -> EmulateNetworkConditions {
        let Throttle { latency, download, upload } = self.throttle.unwrap_or_default();
        let speed = |bytes: Option<NonZeroU64>| bytes.map_or(-1.0, |bytes| bytes.get() as f64);
        EmulateNetworkConditions {
            offline: self.offline,
            latency: latency.as_secs_f64() * 1000.0,
            download_throughput: speed(download),
            upload_throughput: speed(upload),
        }
    }

    /// One command sets the user agent and the languages.
    fn identity(&self) -> SetUserAgentOverride<'_> {
        let agent = self.agent.as_ref();
        SetUserAgentOverride {
            user_agent: agent.map_or("", |agent| &agent.text),
            accept_language: self.locale.as_deref(),
            platform: agent.and_then(|agent| agent.platform.as_deref()),
            user_agent_metadata: agent.and_then(|agent| agent.hints.as_ref()).map(metadata),
        }
    }

    /// One command sets the viewport and the device.
    pub(crate) fn metrics(&self, size: Size) -> SetDeviceMetricsOverride {
        let device = self.device.unwrap_or(DeviceMetrics::of(size));
        let screen = self.device.map(|_| size);
        let orientation = device.orientation.map(|orientation| match orientation {
            Orientation::Portrait => ScreenOrientation { kind: "portraitPrimary", angle: 0 },
            // Phones are upright by default, screens are not.
            Orientation::Landscape => {
                ScreenOrientation { kind: "landscapePrimary", angle: if device.mobile { 90 } else { 0 } }
            }
        });
        SetDeviceMetricsOverride {
            width: size.width,
            height: size.height,
            device_scale_factor: device.scale_factor.unwrap_or_default(),
            mobile: device.mobile,
            screen_width: screen.map(|screen| screen.width),
            screen_height: screen.map(|screen| screen.height),
            screen_orientation: orientation,
        }
    }
}

/// Client hints. The placeholder brand keeps sites from relying on the list.
fn metadata(hints: &ClientHints) -> UserAgentMetadata<'_> {
    let brands = |version: &str| {
        let of = |brand, version: &str| Brand { brand, version: version.to_owned() };
        vec![of("Not;A=Brand", "8"), of("Chromium", version), of("Google Chrome", version)]
    };
    UserAgentMetadata {
        brands: brands(&hints.version),
        full_version_list: brands(&format!("{}.0.0.0", hints.version)),
        platform: &hints.platform,
        platform_version: &hints.platform_version,
        architecture: if hints.mobile { "" } else { "x86" },
        model: &hints.model,
        mobile: hints.mobile,
    }
}

fn touch(device: &DeviceMetrics) -> SetTouchEmulationEnabled {
    SetTouchEmulationEnabled { enabled: device.touch, max_touch_points: device.touch.then_some(FINGERS) }
}

fn geolocation(place: Option<&Coordinates>) -> SetGeolocationOverride {
    SetGeolocationOverride {
        latitude: place.map(|place| place.latitude),
        longitude: place.map(|place| place.longitude),
        accuracy: place.map(|place| place.accuracy),
    }
}

fn media(media: &Media) -> SetEmulatedMedia {
    let either = |is: Option<bool>, yes, no| is.map(|is| if is { yes } else { no });
    let features = [
        ("prefers-color-scheme", media.color_scheme.map(ColorScheme::as_str)),
        ("prefers-reduced-motion", either(media.reduced_motion, "reduce", "no-preference")),
        ("forced-colors", either(media.forced_colors, "active", "none")),
    ];
    let told = |(name, value): (_, Option<_>)| Some(MediaFeature { name, value: value? });
    SetEmulatedMedia {
        media: media.medium.map(Medium::as_str).unwrap_or_default(),
        features: features.into_iter().filter_map(told).collect(),
    }
}

impl ChromiumPage {
    /// Changes what future frames get, before current ones get it. Returns the previous value.
    fn remember(&self, change: impl FnOnce(&mut EmulationState)) -> EmulationState {
        let mut emulated = lock(&self.emulated);
        let before = emulated.clone();
        change(&mut emulated);
        before
    }

    /// Restores the previous overrides on failure.
    fn unless(&self, done: Result<()>, before: EmulationState) -> Result<()> {
        done.inspect_err(|_| *lock(&self.emulated) = before)
    }

    /// Sends a command to all sessions of the page. The page's own session decides whether it succeeded.
    async fn send_everywhere<C: Command + Sync>(&self, command: &C) -> Result<()> {
        // First, because process-wide overrides are refused to all but the first session in a
        // process.
        self.send(command).await?;
        let mut others = self.frame_sessions();
        others.extend(lock(&self.workers).iter().cloned());
        let told: Vec<_> = others.iter().map(|session| session.send(command)).collect();
        for answer in told {
            match answer.await {
                Ok(_) | Err(WireError::Lost { .. }) => {}
                // Languages and time zones are per process: another frame in it has set them
                // already. Workers support only a part.
                Err(error @ WireError::Refused { .. }) => {
                    tracing::debug!(%error, page = %self.id, "a frame or worker believes what its process does");
                }
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }

    /// Applies the remembered network conditions, or restores the previous ones.
    async fn set_network(&self, before: EmulationState) -> Result<()> {
        for worker in lock(&self.workers).iter() {
            worker.tell(&network::Enable {});
        }
        let now = lock(&self.emulated).clone();
        let known = self.send_everywhere(&now.network()).await;
        self.unless(known, before)?;
        // The browser answers before its network process has the conditions, so a request could overtake them. That
        // process answers this after it has them.
        if let Err(error) = self.send(&GetTrustTokens {}).await {
            tracing::debug!(%error, "no barrier after the network conditions");
        }
        Ok(())
    }
}

#[async_trait]
impl Emulation for ChromiumPage {
    async fn geolocation(&self, place: Option<&Coordinates>) -> Result<()> {
        let before = self.remember(|emulated| emulated.place = place.copied());
        let known = self.send_everywhere(&geolocation(place)).await;
        self.unless(known, before)
    }

    async fn locale(&self, tag: Option<&str>) -> Result<()> {
        let before = self.remember(|emulated| emulated.locale = tag.map(str::to_owned));
        let known = self.send_everywhere(&SetLocaleOverride { locale: tag.unwrap_or_default() }).await;
        self.unless(known, before)?;
        let now = lock(&self.emulated).clone();
        self.send_everywhere(&now.identity()).await
    }

    async fn time_zone(&self, name: Option<&str>) -> Result<()> {
        let before = self.remember(|emulated| emulated.time_zone = name.map(str::to_owned));
        let former = before.time_zone.clone();
        // The browser validates the name only when no override is set yet.
        if former.is_some() {
            self.send_everywhere(&SetTimezoneOverride { timezone_id: "" }).await?;
        }
        let known =
            self.send_everywhere(&SetTimezoneOverride { timezone_id: name.unwrap_or_default() }).await;
        if let (Err(_), Some(timezone_id)) = (&known, &former) {
            self.send_everywhere(&SetTimezoneOverride { timezone_id }).await?;
        }
        self.unless(known, before)
    }

    async fn user_agent(&self, agent: Option<&UserAgent>) -> Result<()> {
        let before = self.remember(|emulated| emulated.agent = agent.cloned());
        let now = lock(&self.emulated).clone();
        let known = self.send_everywhere(&now.identity()).await;
        self.unless(known, before)
    }

    async fn offline(&self, is: bool) -> Result<()> {
        let before = self.remember(|emulated| emulated.offline = is);
        self.set_network(before).await
    }

    async fn device_metrics(&self, metrics: &DeviceMetrics) -> Result<()> {
        let plain = *metrics == DeviceMetrics::of(metrics.size);
        let before = self.remember(|emulated| emulated.device = (!plain).then_some(*metrics));
        let size = std::mem::replace(&mut *lock(&self.viewport), metrics.size);
        let now = lock(&self.emulated).metrics(metrics.size);
        let known = match self.send(&now).await {
            Ok(_) if before.device.is_some_and(|device| device.touch) != metrics.touch => {
                self.send_everywhere(&touch(metrics)).await
            }
            sent => sent.map(drop),
        };
        self.unless(known, before).inspect_err(|_| *lock(&self.viewport) = size)
    }

    async fn media(&self, wanted: &Media) -> Result<()> {
        let before = self.remember(|emulated| emulated.media = *wanted);
        let known = self.send_everywhere(&media(wanted)).await;
        self.unless(known, before)
    }

    async fn throttle(&self, throttle: Option<&Throttle>) -> Result<()> {
        let before = self.remember(|emulated| emulated.throttle = throttle.copied());
        self.set_network(before).await
    }

    async fn cpu_throttle(&self, factor: f64) -> Result<()> {
        let before = self.remember(|emulated| emulated.cpu = (factor > 1.0).then_some(factor));
        let known = self.send_everywhere(&SetCpuThrottlingRate { rate: factor.max(1.0) }).await;
        self.unless(known, before)
    }
}
