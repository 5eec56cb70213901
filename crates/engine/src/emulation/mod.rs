//! What a tab is made to observe of its environment: its screen, its place, its time zone, its network. The tab keeps it
//! across navigations; popups of the tab begin with it, and so does the page that replaces one that crashed.

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
    Acted, Deadline, Error, NewsItem, Page, Result,
    agent::{Failure, understand},
    news,
    state::Fate,
};

/// How many frames are asked what they observe, and for how long.
const FRAMES_ASKED: usize = 50;
const FRAME_PATIENCE: Duration = Duration::from_secs(1);

/// The overrides of a tab; nothing is the truth.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EmulationState {
    /// The viewport and the device that it is on.
    pub metrics: Option<DeviceMetrics>,
    /// What the browser says that it is.
    pub user_agent: Option<UserAgent>,
    /// Where the device is.
    pub geolocation: Option<Coordinates>,
    /// What style sheets are told.
    pub media: Media,
    /// The time zone, by its name.
    pub time_zone: Option<String>,
    /// The language, as a tag.
    pub locale: Option<String>,
    /// Whether there is no network.
    pub offline: bool,
    /// How slow the network is.
    pub network: Option<NetworkPreset>,
    /// How many times slower the processor is.
    pub cpu_throttle: Option<f64>,
}

impl EmulationState {
    /// Has the browser say that it is another one; nothing for what it is.
    pub fn set_user_agent(&mut self, text: Option<&str>, mobile: bool) {
        self.user_agent = text.map(|text| user_agent::with_hints(text, mobile));
    }

    /// Whether there is no network, however that was said.
    pub fn is_offline(&self) -> bool {
        self.offline || self.network == Some(NetworkPreset::Offline)
    }
}

/// What is emulated now, and what the page sees of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Emulated {
    /// What is set.
    pub state: EmulationState,
    /// What the document observes.
    pub environment: Environment,
}

/// Names that may be no such thing, and what the browser makes of them.
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

impl Page {
    /// What is emulated now.
    pub fn emulation(&self) -> EmulationState {
        self.state().emulation.clone()
    }

    /// Sets the size of its viewport, and tells what came of it.
    pub async fn resized(&self, size: Size) -> Result<Acted<()>> {
        let mark = self.before_acting().await?.with_effect();
        self.resize(size).await?;
        self.told((), mark).await
    }

    pub(crate) async fn resize(&self, size: Size) -> Result<()> {
        self.promptly(self.driver().resize(size)).await?;
        let mut state = self.state();
        state.viewport = size;
        state.emulation.metrics = state.emulation.metrics.map(|metrics| metrics.resized(size));
        Ok(())
    }

    /// Changes what is emulated, checks that the page sees it, and tells what came of it. Where a part fails, everything is
    /// as it was.
    pub async fn emulate(&self, change: impl FnOnce(&mut EmulationState)) -> Result<Acted<Emulated>> {
        let mark = self.before_acting().await?.with_effect();
        let before = self.emulation();
        let mut wanted = before.clone();
        change(&mut wanted);
        self.check_names(&before, &mut wanted).await?;
        let size = self.viewport();
        let environment = match self.change_and_check(&before, &wanted).await {
            Ok(environment) => environment,
            Err(error) => {
                self.put_back(&wanted, &before, size).await;
                return Err(error);
            }
        };
        self.state().emulation = wanted.clone();
        self.told(Emulated { state: wanted, environment }, mark).await
    }

    /// Has the tab be a device. What of it this browser cannot emulate is left out, and told.
    pub async fn emulate_device(&self, device: &Device) -> Result<(Acted<Emulated>, Vec<&'static str>)> {
        let session = self.context().ok_or(Error::TabClosed)?.session()?;
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
        Err(Error::Unsupported("emulate a device"))
    }

    async fn change_and_check(&self, from: &EmulationState, to: &EmulationState) -> Result<Environment> {
        let size = self.viewport();
        self.apply_emulation(from, to, size).await?;
        let environment = self.environment().await?;
        environment.shows(from, to)?;
        let region = |state: &EmulationState| (state.time_zone.clone(), state.locale.clone());
        if region(from) != region(to) && region(to) != (None, None) {
            self.frames_agree(&environment).await?;
        }
        Ok(environment)
    }

    /// A frame of another site may share its process with a frame of another tab. An error where it has the time zone or
    /// the language of that one. Frames that do not answer at once are not waited for.
    async fn frames_agree(&self, page: &Environment) -> Result<()> {
        let frames: Vec<_> = {
            let state = self.state();
            let inner = state.frames.iter().filter(|frame| frame.parent.is_some());
            inner.map(|frame| frame.id.clone()).take(FRAMES_ASKED).collect()
        };
        let deadline = Deadline::after(FRAME_PATIENCE);
        let asked = frames.iter().map(|frame| deadline.bound(self.driver().call(frame, "environment", "{}")));
        for answer in futures::future::join_all(asked).await.into_iter().flatten().flatten() {
            let Ok(frame) = understand::<Environment>(&answer) else { continue };
            if frame.time_zone != page.time_zone {
                return Err(EmulationError::SharedProcess("time zone").into());
            }
            if frame.language != page.language {
                return Err(EmulationError::SharedProcess("locale").into());
            }
        }
        Ok(())
    }

    /// After a change that failed. A page that is gone or stuck has nothing to put back.
    async fn put_back(&self, from: &EmulationState, to: &EmulationState, size: Size) {
        if self.fate() != Fate::Alive || self.state().doubtful {
            return;
        }
        if let Err(error) = self.apply_emulation(from, to, size).await {
            tracing::debug!(%error, "an override that failed could not be removed");
        }
    }

    /// Sets a fresh page to what the page in whose place it is was set to.
    pub(crate) async fn restore_emulation(&self, state: EmulationState, size: Size) {
        let restored = async {
            if self.viewport() != size {
                self.resize(size).await?;
            }
            self.apply_emulation(&EmulationState::default(), &state, size).await
        };
        match restored.await {
            Ok(()) => self.state().emulation = state,
            Err(error) => {
                tracing::debug!(%error, "a page could not be set to what the one before it was");
                news::add(&mut self.state().news, NewsItem::EmulationLost);
            }
        }
    }

    /// What the document observes of its environment.
    pub async fn environment(&self) -> Result<Environment> {
        self.ask_main("environment", &serde_json::json!({})).await
    }

    /// Asks the agent of the main frame; a document that goes meanwhile is followed by another one.
    async fn ask_main<T: serde::de::DeserializeOwned>(
        &self,
        function: &'static str,
        args: &impl Serialize,
    ) -> Result<T> {
        let deadline = Deadline::after(self.options().action_timeout);
        loop {
            match self.ask(&self.main_frame(), function, args, deadline).await {
                Err(Failure::Gone) if !deadline.passed() => {}
                answer => return answer.map_err(Failure::into_error),
            }
        }
    }

    /// What the main document may do, by the names of permissions; nothing where the browser does not tell.
    pub(crate) async fn permission_states(&self, names: &[&str]) -> Result<Vec<Option<String>>> {
        self.ask_main("permissionStates", &serde_json::json!({ "names": names })).await
    }

    /// Whether the page may know where the device is, in the web's words, where the browser tells.
    pub async fn geolocation_permission(&self) -> Result<Option<String>> {
        Ok(self.permission_states(&["geolocation"]).await?.pop().flatten())
    }

    /// Refuses names of time zones and languages that are none, and writes the others as the browser does.
    async fn check_names(&self, before: &EmulationState, wanted: &mut EmulationState) -> Result<()> {
        let names = Names {
            time_zone: wanted.time_zone.as_deref().filter(|_| wanted.time_zone != before.time_zone),
            locale: wanted.locale.as_deref().filter(|_| wanted.locale != before.locale),
        };
        if let (None, None) = (names.time_zone, names.locale) {
            return Ok(());
        }
        let known: Canonical = self.ask_main("canonical", &names).await?;
        if let Some(name) = names.time_zone
            // Offsets are no names of time zones, and not every browser takes them.
            && (known.time_zone.is_none() || name.starts_with(['+', '-']))
        {
            return Err(EmulationError::UnknownTimeZone(name.to_owned()).into());
        }
        if let Some(tag) = names.locale
            && known.locale.is_none()
        {
            return Err(EmulationError::BadLocale(tag.to_owned()).into());
        }
        wanted.time_zone = known.time_zone.or_else(|| wanted.time_zone.take());
        wanted.locale = known.locale.or_else(|| wanted.locale.take());
        Ok(())
    }

    /// Sends what differs between two states. The size is that of a viewport that is not emulated.
    async fn apply_emulation(&self, from: &EmulationState, to: &EmulationState, size: Size) -> Result<()> {
        if from == to {
            return Ok(());
        }
        let emulation = self.driver().emulation().ok_or(Error::Unsupported("emulate anything"))?;
        if from.metrics != to.metrics {
            let metrics = to.metrics.unwrap_or(DeviceMetrics::of(size));
            self.promptly(emulation.device_metrics(&metrics)).await?;
            self.state().viewport = metrics.size;
        }
        if from.user_agent != to.user_agent {
            self.promptly(emulation.user_agent(to.user_agent.as_ref())).await?;
        }
        if from.geolocation != to.geolocation {
            self.promptly(emulation.geolocation(to.geolocation.as_ref())).await?;
        }
        if from.media != to.media {
            self.promptly(emulation.media(&to.media)).await?;
        }
        self.apply_region(emulation, from, to).await?;
        if from.is_offline() != to.is_offline() {
            self.promptly(emulation.offline(to.is_offline())).await?;
        }
        let throttle = |state: &EmulationState| state.network.and_then(NetworkPreset::throttle);
        if throttle(from) != throttle(to) {
            self.promptly(emulation.throttle(throttle(to).as_ref())).await?;
        }
        if from.cpu_throttle != to.cpu_throttle {
            self.promptly(emulation.cpu_throttle(to.cpu_throttle.unwrap_or(1.0))).await?;
        }
        Ok(())
    }

    /// Language and time zone. Their names are good, so what is refused is taken.
    async fn apply_region(
        &self,
        emulation: &dyn Emulation,
        from: &EmulationState,
        to: &EmulationState,
    ) -> Result<()> {
        let taken = |what| {
            move |error| match error {
                Error::Driver(DriverError::Refused { .. }) => EmulationError::SharedProcess(what).into(),
                other => other,
            }
        };
        if from.locale != to.locale {
            let set = self.promptly(emulation.locale(to.locale.as_deref()));
            set.await.map_err(taken("locale"))?;
        }
        if from.time_zone != to.time_zone {
            let set = self.promptly(emulation.time_zone(to.time_zone.as_deref()));
            set.await.map_err(taken("time zone"))?;
        }
        Ok(())
    }
}
