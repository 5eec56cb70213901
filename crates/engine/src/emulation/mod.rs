//! Overrides of what a tab observes of its environment: screen, location, time zone, network. They survive
//! navigations and a crash; popups inherit them.

pub(crate) mod device;
pub(crate) mod environment;
mod error;
pub(crate) mod network;
mod user_agent;

use std::time::Duration;

use cicerone_driver::{Coordinates, DeviceMetrics, DriverError, Emulation, Media, Size, UserAgent};
use serde::{Deserialize, Serialize};

pub use self::{
    device::{Device, UnknownDevice},
    environment::Environment,
    error::EmulationError,
    network::NetworkPreset,
};
use crate::{
    Acted, Deadline, Error, NewsItem, Result, Unsupported,
    injected::{InjectedError, parse_reply},
    news,
    page::parts::Injected,
    page::parts::{Emulator, Permissions},
    state::PageStatus,
};

/// Frames checked, and the time limit.
const MAX_FRAMES: usize = 50;
const FRAME_TIMEOUT: Duration = Duration::from_secs(1);

/// The overrides of a tab; `None` removes one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EmulationState {
    /// Viewport and device.
    pub metrics: Option<DeviceMetrics>,
    /// User agent and client hints.
    pub user_agent: Option<UserAgent>,
    pub geolocation: Option<Coordinates>,
    /// Media type and features.
    pub media: Media,
    /// IANA time zone.
    pub time_zone: Option<String>,
    /// BCP 47 language tag.
    pub locale: Option<String>,
    /// No network.
    pub offline: bool,
    /// Network throttling.
    pub network: Option<NetworkPreset>,
    /// CPU slowdown factor.
    pub cpu_throttle: Option<f64>,
}

impl EmulationState {
    /// Overrides the user agent; `None` removes the override.
    pub fn set_user_agent(&mut self, text: Option<&str>, mobile: bool) {
        self.user_agent = text.map(|text| user_agent::with_hints(text, mobile));
    }

    /// Whether `offline` or the preset disables the network.
    pub fn is_offline(&self) -> bool {
        self.offline || self.network == Some(NetworkPreset::Offline)
    }
}

/// The overrides, and what the page observes.
#[derive(Debug, Clone, PartialEq)]
pub struct Emulated {
    /// The overrides.
    pub state: EmulationState,
    /// What the document observes.
    pub environment: Environment,
}

/// Names to validate and canonicalise in the page.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Names<'a> {
    time_zone: Option<&'a str>,
    locale: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Canonical {
    time_zone: Option<String>,
    locale: Option<String>,
}

impl Emulator<'_> {
    /// The current overrides.
    pub fn emulation(self) -> EmulationState {
        self.page.state().emulation.clone()
    }

    /// Resizes the viewport and reports the outcome.
    pub async fn resized(self, size: Size) -> Result<Acted<()>> {
        let mark = self.page.actions().begin_action().await?.with_effect();
        self.resize(size).await?;
        self.page.actions().finish_action((), mark).await
    }

    pub(crate) async fn resize(self, size: Size) -> Result<()> {
        self.page.injected().with_action_timeout(self.page.driver().resize(size)).await?;
        let mut state = self.page.state();
        state.viewport = size;
        state.emulation.metrics = state.emulation.metrics.map(|metrics| metrics.resized(size));
        Ok(())
    }

    /// Changes overrides, verifies that the page observes them, and reports the outcome. On failure all are
    /// restored.
    pub async fn emulate(self, change: impl FnOnce(&mut EmulationState)) -> Result<Acted<Emulated>> {
        let mark = self.page.actions().begin_action().await?.with_effect();
        let before = self.emulation();
        let mut requested = before.clone();
        change(&mut requested);
        self.check_names(&before, &mut requested).await?;
        let size = self.page.geometry().viewport();
        let environment = match self.change_and_check(&before, &requested).await {
            Ok(environment) => environment,
            Err(error) => {
                self.restore_overrides(&requested, &before, size).await;
                return Err(error);
            }
        };
        self.page.state().emulation = requested.clone();
        self.page.actions().finish_action(Emulated { state: requested, environment }, mark).await
    }

    /// Emulates a device. Skips parts that the browser does not support and returns them.
    pub async fn emulate_device(self, device: &Device) -> Result<(Acted<Emulated>, Vec<Unsupported>)> {
        let session = self.page.context().ok_or(Error::TabClosed)?.session()?;
        let user_agent = device.user_agent(&session.browser().await?.version());
        let metrics = device.metrics();
        let mut missing = Vec::new();
        for (mobile, touch) in [(true, true), (true, false), (false, true), (false, false)] {
            let metrics =
                DeviceMetrics { mobile: mobile && metrics.mobile, touch: touch && metrics.touch, ..metrics };
            let emulated = self.emulate(|state| {
                (state.metrics, state.user_agent) = (Some(metrics), user_agent.clone());
            });
            match emulated.await {
                Err(Error::Unsupported(what)) if metrics.mobile || metrics.touch => {
                    if !missing.contains(&what) {
                        missing.push(what);
                    }
                }
                emulated => return Ok((emulated?, missing)),
            }
        }
        Err(Error::Unsupported(Unsupported::DeviceEmulation))
    }

    async fn change_and_check(self, from: &EmulationState, to: &EmulationState) -> Result<Environment> {
        let size = self.page.geometry().viewport();
        self.apply_emulation(from, to, size).await?;
        let environment = self.environment().await?;
        environment.check_applied(from, to)?;
        let region = |state: &EmulationState| (state.time_zone.clone(), state.locale.clone());
        if region(from) != region(to) && region(to) != (None, None) {
            self.frames_agree(&environment).await?;
        }
        Ok(environment)
    }

    /// A cross-site frame may share its process with another tab: an error if it has that tab's time zone or
    /// language. Does not wait for slow frames.
    async fn frames_agree(self, page: &Environment) -> Result<()> {
        let frames: Vec<_> = {
            let state = self.page.state();
            let inner = state.frames.iter().filter(|frame| frame.parent.is_some());
            inner.map(|frame| frame.id.clone()).take(MAX_FRAMES).collect()
        };
        let deadline = Deadline::after(FRAME_TIMEOUT);
        let replies =
            frames.iter().map(|frame| deadline.bound(self.page.driver().call(frame, "environment", "{}")));
        for answer in futures::future::join_all(replies).await.into_iter().flatten().flatten() {
            let Ok(frame) = parse_reply::<Environment>(&answer) else { continue };
            if frame.time_zone != page.time_zone {
                return Err(EmulationError::SharedProcess("time zone").into());
            }
            if frame.language != page.language {
                return Err(EmulationError::SharedProcess("locale").into());
            }
        }
        Ok(())
    }

    /// Restores the overrides after a failed change, unless the page is closed or hung.
    async fn restore_overrides(self, from: &EmulationState, to: &EmulationState, size: Size) {
        if self.page.status() != PageStatus::Alive || self.page.state().doubtful {
            return;
        }
        if let Err(error) = self.apply_emulation(from, to, size).await {
            tracing::debug!(%error, "an override that failed could not be removed");
        }
    }

    /// Gives a new page the overrides of the one it replaces.
    pub(crate) async fn restore_emulation(self, state: EmulationState, size: Size) {
        let restored = async {
            if self.page.geometry().viewport() != size {
                self.resize(size).await?;
            }
            self.apply_emulation(&EmulationState::default(), &state, size).await
        };
        match restored.await {
            Ok(()) => self.page.state().emulation = state,
            Err(error) => {
                tracing::debug!(%error, "a page could not be set to what the one before it was");
                news::add(&mut self.page.state().news, NewsItem::EmulationLost);
            }
        }
    }

    /// What the document observes of its environment.
    pub async fn environment(self) -> Result<Environment> {
        self.page.injected().ask_main("environment", &serde_json::json!({})).await
    }

    /// Rejects unknown time zones and locales; canonicalises the others.
    async fn check_names(self, before: &EmulationState, requested: &mut EmulationState) -> Result<()> {
        let names = Names {
            time_zone: requested.time_zone.as_deref().filter(|_| requested.time_zone != before.time_zone),
            locale: requested.locale.as_deref().filter(|_| requested.locale != before.locale),
        };
        if let (None, None) = (names.time_zone, names.locale) {
            return Ok(());
        }
        let known: Canonical = self.page.injected().ask_main("canonical", &names).await?;
        if let Some(name) = names.time_zone
            // Offsets are not time zone names, and not every browser accepts them.
            && (known.time_zone.is_none() || name.starts_with(['+', '-']))
        {
            return Err(EmulationError::UnknownTimeZone(name.to_owned()).into());
        }
        if let Some(tag) = names.locale
            && known.locale.is_none()
        {
            return Err(EmulationError::BadLocale(tag.to_owned()).into());
        }
        requested.time_zone = known.time_zone.or_else(|| requested.time_zone.take());
        requested.locale = known.locale.or_else(|| requested.locale.take());
        Ok(())
    }

    /// Sends the differences between two states. `size` is the viewport without an override.
    async fn apply_emulation(self, from: &EmulationState, to: &EmulationState, size: Size) -> Result<()> {
        if from == to {
            return Ok(());
        }
        let emulation = self.page.driver().emulation().ok_or(Error::Unsupported(Unsupported::Emulation))?;
        if from.metrics != to.metrics {
            let metrics = to.metrics.unwrap_or(DeviceMetrics::of(size));
            self.page.injected().with_action_timeout(emulation.device_metrics(&metrics)).await?;
            self.page.state().viewport = metrics.size;
        }
        if from.user_agent != to.user_agent {
            self.page.injected().with_action_timeout(emulation.user_agent(to.user_agent.as_ref())).await?;
        }
        if from.geolocation != to.geolocation {
            self.page.injected().with_action_timeout(emulation.geolocation(to.geolocation.as_ref())).await?;
        }
        if from.media != to.media {
            self.page.injected().with_action_timeout(emulation.media(&to.media)).await?;
        }
        self.apply_region(emulation, from, to).await?;
        if from.is_offline() != to.is_offline() {
            self.page.injected().with_action_timeout(emulation.offline(to.is_offline())).await?;
        }
        let throttle = |state: &EmulationState| state.network.and_then(NetworkPreset::throttle);
        if throttle(from) != throttle(to) {
            self.page.injected().with_action_timeout(emulation.throttle(throttle(to).as_ref())).await?;
        }
        if from.cpu_throttle != to.cpu_throttle {
            self.page
                .injected()
                .with_action_timeout(emulation.cpu_throttle(to.cpu_throttle.unwrap_or(1.0)))
                .await?;
        }
        Ok(())
    }

    /// Sets locale and time zone. The names are valid, so a refusal means a conflict in the process.
    async fn apply_region(
        self,
        emulation: &dyn Emulation,
        from: &EmulationState,
        to: &EmulationState,
    ) -> Result<()> {
        let conflict = |what| {
            move |error| match error {
                Error::Driver(DriverError::Refused { .. }) => EmulationError::SharedProcess(what).into(),
                other => other,
            }
        };
        if from.locale != to.locale {
            let set = self.page.injected().with_action_timeout(emulation.locale(to.locale.as_deref()));
            set.await.map_err(conflict("locale"))?;
        }
        if from.time_zone != to.time_zone {
            let set = self.page.injected().with_action_timeout(emulation.time_zone(to.time_zone.as_deref()));
            set.await.map_err(conflict("time zone"))?;
        }
        Ok(())
    }
}

impl Permissions<'_> {
    /// Permission states of the main document by name; `None` where the browser reports none.
    pub(crate) async fn permission_states(self, names: &[&str]) -> Result<Vec<Option<String>>> {
        self.page.injected().ask_main("permissionStates", &serde_json::json!({ "names": names })).await
    }

    /// The page's geolocation permission state, if the browser reports it.
    pub async fn geolocation_permission(self) -> Result<Option<String>> {
        Ok(self.permission_states(&["geolocation"]).await?.pop().flatten())
    }
}

impl Injected<'_> {
    /// Calls the injected script of the main frame; retries if a navigation replaces the document.
    async fn ask_main<T: serde::de::DeserializeOwned>(
        self,
        function: &'static str,
        args: &impl Serialize,
    ) -> Result<T> {
        let deadline = Deadline::after(self.page.options().action_timeout);
        loop {
            match self.ask(&self.page.main_frame(), function, args, deadline).await {
                Err(InjectedError::Gone) if !deadline.passed() => {}
                answer => return answer.map_err(InjectedError::into_error),
            }
        }
    }
}
