//! Starting another browser.

use cicerone_engine::{Engine, Size};
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
    engine: Option<Engine>,
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
    engine: Engine,
    headless: bool,
}

choices! {
    Engine {
        "chromium" => Engine::Chromium,
        "firefox" => Engine::Firefox,
        "webkit" => Engine::WebKit,
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
                launch.engine = self.engine.unwrap_or(launch.engine);
                launch.headed = self.headless.map_or(launch.headed, |headless| !headless);
                if let Some(viewport) = self.viewport {
                    launch.viewport = viewport.into();
                }
            })
            .await?;
        Ok(Launched { engine: launch.engine, headless: !launch.headed })
    }
}

impl Output for Launched {
    fn facts(&self) -> Map<String, Value> {
        facts! { "browserType" => self.engine.name(), "headless" => self.headless }
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
        .opt("browserType", "Type of browser to launch; the server's unless given", |launch, engine| {
            launch.engine = Some(engine)
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
        .says(|out| format!("Browser launched successfully ({}, headless: {})", out.engine, out.headless))]
}
