//! Starting another browser.

use cicerone_engine::{BrowserKind, Size};
use serde_json::{Map, Value};

use super::navigate::WindowSize;
use crate::{
    Capability, Effect, Face, Output,
    argument::{Argument, choices},
    dialect::LAUNCH,
    output::{facts, of},
    reply::Failure,
    scope::OnSession,
};

#[derive(Default)]
pub(super) struct LaunchBrowser {
    kind: Option<BrowserKind>,
    headless: Option<bool>,
    viewport: Option<WindowSize>,
}

/// A size whose sides may be left out.
struct Viewport(WindowSize);

impl Argument for Viewport {
    fn schema() -> Value {
        let mut schema = WindowSize::schema();
        let usual = Size::from(WindowSize::default());
        schema["properties"]["width"]["default"] = usual.width.into();
        schema["properties"]["height"]["default"] = usual.height.into();
        schema
    }

    fn parse(value: &Value) -> Result<Self, String> {
        WindowSize::parse(value).map(Self)
    }
}

/// The browser that was started.
pub(super) struct Launched {
    kind: BrowserKind,
    headless: bool,
}

choices! {
    BrowserKind {
        "chromium" => BrowserKind::Chromium,
        "firefox" => BrowserKind::Firefox,
        "webkit" => BrowserKind::WebKit,
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
                if let Some(viewport) = self.viewport {
                    launch.viewport = viewport.into();
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
        .opt("browserType", "Type of browser to launch; the server's unless given", |launch, kind| {
            launch.kind = Some(kind)
        })
        .default("chromium")
        .opt(
            "headless",
            "Run browser in headless mode; as the server does unless given",
            |launch, headless| launch.headless = Some(headless),
        )
        .default(true)
        .opt("viewport", "Viewport size; the server's unless given", |launch, Viewport(viewport)| {
            launch.viewport = Some(viewport)
        })
        .error_context("launching browser")
        .says(|out| format!("Browser launched successfully ({}, headless: {})", out.kind, out.headless))]
}
