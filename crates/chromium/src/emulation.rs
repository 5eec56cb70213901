//! What a page is made to believe. Every session has its own: what is set goes to all sessions of the page, and what is
//! set already to those that come later, before they run a script.

use std::num::NonZeroU64;

use async_trait::async_trait;
use cicerone_driver::{
    ClientHints, ColorScheme, Coordinates, DeviceMetrics, Emulation, Media, Medium, Orientation, Result,
    Size, Throttle, UserAgent,
};
use cicerone_wire::{Command, Session, WireError};

use crate::{
    page::{ChromiumPage, failed, lock},
    protocol::{
        emulation::{
            Brand, MediaFeature, ScreenOrientation, SetCpuThrottlingRate, SetDeviceMetricsOverride,
            SetEmulatedMedia, SetGeolocationOverride, SetLocaleOverride, SetTimezoneOverride,
            SetTouchEmulationEnabled, SetUserAgentOverride, UserAgentMetadata,
        },
        network::{self, EmulateNetworkConditions},
    },
};

/// What is set.
#[derive(Default, Clone)]
pub(crate) struct Beliefs {
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

/// How many fingers a touch screen takes.
const FINGERS: u32 = 5;

impl Beliefs {
    /// For a session that is new.
    pub(crate) fn teach(&self, session: &Session) {
        if self.place.is_some() {
            session.tell(&geolocation(self.place.as_ref()));
        }
        self.teach_process(session);
        if let Some(device) = self.device.filter(|device| device.touch) {
            session.tell(&touch(&device));
        }
        if let Some(rate) = self.cpu {
            session.tell(&SetCpuThrottlingRate { rate });
        }
        if self.media != Media::default() {
            session.tell(&media(&self.media));
        }
        self.teach_worker(session);
    }

    pub(crate) fn time_zone(&self) -> Option<&str> {
        self.time_zone.as_deref()
    }

    /// What belongs to a process. It is refused to a session that shares the process with another that has set it.
    pub(crate) fn teach_process(&self, session: &Session) {
        if let Some(locale) = &self.locale {
            session.tell(&SetLocaleOverride { locale });
        }
        if let Some(timezone_id) = &self.time_zone {
            session.tell(&SetTimezoneOverride { timezone_id });
        }
    }

    /// For the session of a worker that is new. The rest it has of the process that it is in. Conditions of the network are
    /// kept only where the network is listened to.
    pub(crate) fn teach_worker(&self, session: &Session) {
        if self.agent.is_some() || self.locale.is_some() {
            session.tell(&self.identity());
        }
        if self.offline || self.throttle.is_some() {
            session.tell(&network::Enable {});
            session.tell(&self.network());
        }
    }

    /// Whether there is a network and how slow it is are set by the same command.
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

    /// The user agent and the languages that are sent are, too.
    fn identity(&self) -> SetUserAgentOverride<'_> {
        let agent = self.agent.as_ref();
        SetUserAgentOverride {
            user_agent: agent.map_or("", |agent| &agent.text),
            accept_language: self.locale.as_deref(),
            platform: agent.and_then(|agent| agent.platform.as_deref()),
            user_agent_metadata: agent.and_then(|agent| agent.hints.as_ref()).map(metadata),
        }
    }

    /// The viewport and the device are, too.
    pub(crate) fn metrics(&self, size: Size) -> SetDeviceMetricsOverride {
        let device = self.device.unwrap_or(DeviceMetrics::of(size));
        let screen = self.device.map(|_| size);
        let orientation = device.orientation.map(|orientation| match orientation {
            Orientation::Portrait => ScreenOrientation { kind: "portraitPrimary", angle: 0 },
            // Phones are made to be held upright, screens are not.
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

/// Client hints. The brand that stands for none keeps sites from relying on the list.
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
    /// Changes what frames get that come from now on, before those that are there get it. What it was.
    fn remember(&self, change: impl FnOnce(&mut Beliefs)) -> Beliefs {
        let mut beliefs = lock(&self.beliefs);
        let before = beliefs.clone();
        change(&mut beliefs);
        before
    }

    /// What cannot be set is as it was.
    fn unless(&self, done: Result<()>, before: Beliefs) -> Result<()> {
        done.inspect_err(|_| *lock(&self.beliefs) = before)
    }

    /// Sends something to all sessions of the page. The page's own decides whether it can be done.
    async fn send_everywhere<C: Command + Sync>(&self, command: &C) -> Result<()> {
        // First: what belongs to a process is refused to all but the first in it, and this one must have it.
        self.send(command).await?;
        let mut others = self.frame_sessions();
        others.extend(lock(&self.workers).iter().cloned());
        let told: Vec<_> = others.iter().map(|session| session.send(command)).collect();
        for answer in told {
            match answer.await {
                Ok(_) | Err(WireError::Lost { .. }) => {}
                // Languages and time zones belong to a process: another frame in it has set it already. Workers have a
                // part of it only.
                Err(error @ WireError::Refused { .. }) => {
                    tracing::debug!(%error, page = %self.id, "a frame or worker believes what its process does");
                }
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }

    /// Has the network as it is remembered, or remembers what it was.
    async fn set_network(&self, before: Beliefs) -> Result<()> {
        for worker in lock(&self.workers).iter() {
            worker.tell(&network::Enable {});
        }
        let now = lock(&self.beliefs).clone();
        let known = self.send_everywhere(&now.network()).await;
        self.unless(known, before)
    }
}

#[async_trait]
impl Emulation for ChromiumPage {
    async fn geolocation(&self, place: Option<&Coordinates>) -> Result<()> {
        let before = self.remember(|beliefs| beliefs.place = place.copied());
        let known = self.send_everywhere(&geolocation(place)).await;
        self.unless(known, before)
    }

    async fn locale(&self, tag: Option<&str>) -> Result<()> {
        let before = self.remember(|beliefs| beliefs.locale = tag.map(str::to_owned));
        let known = self.send_everywhere(&SetLocaleOverride { locale: tag.unwrap_or_default() }).await;
        self.unless(known, before)?;
        let now = lock(&self.beliefs).clone();
        self.send_everywhere(&now.identity()).await
    }

    async fn time_zone(&self, name: Option<&str>) -> Result<()> {
        let before = self.remember(|beliefs| beliefs.time_zone = name.map(str::to_owned));
        let former = before.time_zone.clone();
        // In place of another one the browser takes any name; only without one it says which are none.
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
        let before = self.remember(|beliefs| beliefs.agent = agent.cloned());
        let now = lock(&self.beliefs).clone();
        let known = self.send_everywhere(&now.identity()).await;
        self.unless(known, before)
    }

    async fn offline(&self, is: bool) -> Result<()> {
        let before = self.remember(|beliefs| beliefs.offline = is);
        self.set_network(before).await
    }

    async fn device_metrics(&self, metrics: &DeviceMetrics) -> Result<()> {
        let plain = *metrics == DeviceMetrics::of(metrics.size);
        let before = self.remember(|beliefs| beliefs.device = (!plain).then_some(*metrics));
        let size = std::mem::replace(&mut *lock(&self.viewport), metrics.size);
        let now = lock(&self.beliefs).metrics(metrics.size);
        let known = match self.send(&now).await {
            Ok(_) if before.device.is_some_and(|device| device.touch) != metrics.touch => {
                self.send_everywhere(&touch(metrics)).await
            }
            sent => sent.map(drop),
        };
        self.unless(known, before).inspect_err(|_| *lock(&self.viewport) = size)
    }

    async fn media(&self, wanted: &Media) -> Result<()> {
        let before = self.remember(|beliefs| beliefs.media = *wanted);
        let known = self.send_everywhere(&media(wanted)).await;
        self.unless(known, before)
    }

    async fn throttle(&self, throttle: Option<&Throttle>) -> Result<()> {
        let before = self.remember(|beliefs| beliefs.throttle = throttle.copied());
        self.set_network(before).await
    }

    async fn cpu_throttle(&self, factor: f64) -> Result<()> {
        let before = self.remember(|beliefs| beliefs.cpu = (factor > 1.0).then_some(factor));
        let known = self.send_everywhere(&SetCpuThrottlingRate { rate: factor.max(1.0) }).await;
        self.unless(known, before)
    }
}
