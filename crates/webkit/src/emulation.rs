//! What a page observes in place of the truth.

use async_trait::async_trait;
use cicerone_driver::{
    ColorScheme, Coordinates, DeviceMetrics, DriverError, Emulation, Feature, Media, Medium, PageDriver,
    Result, Size, Throttle, UserAgent,
};

use crate::{
    page::{WebKitPage, lock},
    protocol::{
        host::{SetGeolocation, SetLanguages, SetScale, SetTimeZone, SetUserAgent, TimeZoneOutcome},
        page::{OverrideUserAgent, OverrideUserPreference, SetEmulatedMedia, SetScreenSizeOverride},
        runtime::CallArgument,
    },
};

/// What a page is set to. Pages that it opens begin with the same.
#[derive(Clone, Default)]
pub(crate) struct EmulationState {
    pub(crate) locale: Option<String>,
    user_agent: Option<UserAgent>,
    media: Media,
    scale: u32,
    /// The size of its screen, where it is not the display's.
    screen: Option<Size>,
}

impl EmulationState {
    pub(crate) async fn apply_to(&self, page: &WebKitPage) -> Result<()> {
        // Scripts of a page that it opens have its language and time zone already: they share a process.
        if self.locale.is_some() {
            lock(&page.emulated).locale.clone_from(&self.locale);
            page.send_headers().await?;
        }
        if self.user_agent.is_some() {
            page.user_agent(self.user_agent.as_ref()).await?;
        }
        if self.media != Media::default() {
            page.media(&self.media).await?;
        }
        if let Some(size) = self.screen {
            page.screen(size).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl Emulation for WebKitPage {
    async fn geolocation(&self, place: Option<&Coordinates>) -> Result<()> {
        let place = place.map(|place| (place.latitude, place.longitude, place.accuracy));
        self.send(&SetGeolocation { place }).await.map(drop)
    }

    async fn locale(&self, tag: Option<&str>) -> Result<()> {
        if let Some(tag) = tag {
            self.check_language(tag).await?;
        }
        self.send(&SetLanguages { languages: tag.map(|tag| [tag]) }).await?;
        lock(&self.emulated).locale = tag.map(str::to_owned);
        self.send_headers().await
    }

    async fn time_zone(&self, name: Option<&str>) -> Result<()> {
        match self.send(&SetTimeZone { name: name.unwrap_or_default() }).await?.outcome {
            TimeZoneOutcome::Set => Ok(()),
            TimeZoneOutcome::Unknown => {
                Err(DriverError::Refused { command: "Host.setTimeZone", message: "unknown time zone".into() })
            }
            TimeZoneOutcome::Unsupported if name.is_none() => Ok(()),
            TimeZoneOutcome::Unsupported => Err(DriverError::Unsupported(Feature::TimeZone)),
        }
    }

    async fn user_agent(&self, agent: Option<&UserAgent>) -> Result<()> {
        let value = agent.map(|agent| agent.text.as_str());
        self.send(&OverrideUserAgent { value }).await?;
        // Documents that have read it keep what they read, until the browser's own words change.
        self.send(&SetUserAgent { value }).await?;
        lock(&self.emulated).user_agent = agent.cloned();
        Ok(())
    }

    async fn offline(&self, is: bool) -> Result<()> {
        self.offline(is).await
    }

    async fn device_metrics(&self, metrics: &DeviceMetrics) -> Result<()> {
        // In this order: a device that is wanted with both is tried with one, then without.
        if metrics.touch {
            return Err(DriverError::Unsupported(Feature::TouchScreen));
        }
        if metrics.mobile {
            return Err(DriverError::Unsupported(Feature::MobileViewport));
        }
        let factor = metrics.scale_factor.unwrap_or(1.0);
        if factor.fract() != 0.0 {
            return Err(DriverError::Unsupported(Feature::FractionalScaleFactor));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is a small whole number"
        )]
        let factor = (factor as u32).max(1);
        let before = std::mem::replace(&mut lock(&self.emulated).scale, factor);
        if before.max(1) != factor {
            self.send(&SetScale { factor }).await?;
        }
        // The display's own is much smaller than its windows.
        self.screen(metrics.size).await?;
        self.resize(metrics.size).await
    }

    async fn media(&self, media: &Media) -> Result<()> {
        // Without them, none are what there always is.
        if media.forced_colors == Some(true) {
            return Err(DriverError::Unsupported(Feature::ForcedColors));
        }
        self.send(&SetEmulatedMedia { media: media.medium.map_or("", Medium::as_str) }).await?;
        let scheme = media.color_scheme.map(|scheme| match scheme {
            ColorScheme::Light => "Light",
            ColorScheme::Dark => "Dark",
        });
        self.send(&OverrideUserPreference { name: "PrefersColorScheme", value: scheme }).await?;
        let motion = media.reduced_motion.map(|reduced| if reduced { "Reduce" } else { "NoPreference" });
        self.send(&OverrideUserPreference { name: "PrefersReducedMotion", value: motion }).await?;
        lock(&self.emulated).media = *media;
        Ok(())
    }

    async fn throttle(&self, throttle: Option<&Throttle>) -> Result<()> {
        self.throttle(throttle).await
    }

    #[expect(clippy::float_cmp, reason = "1.0 is a constant that callers pass, not a result")]
    async fn cpu_throttle(&self, factor: f64) -> Result<()> {
        if factor == 1.0 { Ok(()) } else { Err(DriverError::Unsupported(Feature::CpuThrottling)) }
    }
}

impl WebKitPage {
    async fn screen(&self, size: Size) -> Result<()> {
        self.send(&SetScreenSizeOverride { width: Some(size.width), height: Some(size.height) }).await?;
        lock(&self.emulated).screen = Some(size);
        Ok(())
    }

    /// Refuses an invalid language tag.
    async fn check_language(&self, tag: &str) -> Result<()> {
        let check = "function(t){try{return Intl.getCanonicalLocales(t).length===1}catch{return false}}";
        let arguments = [CallArgument::Value(tag.into())];
        let checked = self.in_injected_world(&self.main_frame(), check, &arguments, true).await?;
        if checked.result.value == Some(true.into()) {
            return Ok(());
        }
        Err(DriverError::Refused { command: "Host.setLanguages", message: "unknown language".into() })
    }
}
