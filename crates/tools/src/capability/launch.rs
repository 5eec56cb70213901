//! Starting another browser.

use cicerone_engine::{Kind, Size};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    argument::{Argument, choices, object},
    dialect::LAUNCH,
    output::{facts, of},
    reply::Failure,
    scope::OnSession,
};

#[derive(Default)]
pub(super) struct LaunchBrowser {
    kind: Option<Kind>,
    headless: Option<bool>,
    viewport: Option<Viewport>,
}

/// The browser that was started.
pub(super) struct Launched {
    kind: Kind,
    headless: bool,
}

choices! {
    Kind {
        "chromium" => Kind::Chromium,
        "firefox" => Kind::Firefox,
        "webkit" => Kind::WebKit,
    }
}

#[derive(Default)]
struct Viewport {
    width: Option<Side>,
    height: Option<Side>,
}

object! {
    Viewport {
        "width" => width: Side,
        "height" => height: Side,
    }
}

/// A length that a viewport can have.
struct Side(u32);

impl Argument for Side {
    fn schema() -> Value {
        f64::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let side = u32::parse(value).ok().filter(|side| (1..=10_000).contains(side));
        side.map(Self).ok_or_else(|| "a whole number from 1 to 10000".into())
    }
}

impl Capability for LaunchBrowser {
    type On = OnSession;
    type Output = Launched;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnSession) -> Result<Launched, Failure> {
        let launch = on
            .call
            .session
            .relaunch(|launch| {
                launch.kind = self.kind.unwrap_or(launch.kind);
                launch.headed = self.headless.map_or(launch.headed, |headless| !headless);
                if let Some(Viewport { width, height }) = self.viewport {
                    let or = |side: Option<Side>, usual| side.map_or(usual, |Side(side)| side);
                    launch.viewport = Size { width: or(width, 1280), height: or(height, 720) };
                }
            })
            .await?;
        Ok(Launched { kind: launch.kind, headless: !launch.headed })
    }
}

impl Output for Launched {
    fn facts(&self) -> Map<String, Value> {
        facts! { "browserType" => self.kind.as_str(), "headless" => self.headless }
    }

    fn schema() -> Map<String, Value> {
        facts! { "browserType" => of("string"), "headless" => of("boolean") }
    }
}

pub(super) fn faces() -> [Face<LaunchBrowser>; 1] {
    [LAUNCH
        .tool("browser_launch", "Launch a browser, in place of the one that runs")
        .takes((), |()| LaunchBrowser::default())
        .example(
            r#"{"browserType": "chromium", "headless": true, "viewport": {"width": 1280, "height": 720}}"#,
        )
        .opt("browserType", "Type of browser to launch", |launch, kind| launch.kind = Some(kind))
        .default("chromium")
        .opt("headless", "Run browser in headless mode", |launch, headless| launch.headless = Some(headless))
        .default(true)
        .opt("viewport", "Viewport size", |launch, viewport| launch.viewport = Some(viewport))
        .doing("launching browser")
        .says(|out| format!("Browser launched successfully ({}, headless: {})", out.kind, out.headless))]
}
