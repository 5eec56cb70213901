//! Setting the size of the viewport.

use cicerone_engine::{Acted, Size};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Capability, Effect, Face, Output, dialect::BROWSER, face::must, reply::Failure,
    scope::OnPage,
};

pub(super) struct Resize(Size);

pub(super) struct Resized(Size);

impl Capability for Resize {
    type On = OnPage;
    type Output = Acted<Resized>;
    const EFFECT: Effect = Effect::Arranges;

    async fn run(self, on: OnPage) -> Result<Acted<Resized>, Failure> {
        Ok(on.page.emulator().resized(self.0).await?.map(|()| Resized(self.0)))
    }
}

impl Output for Resized {
    fn facts(&self) -> Map<String, Value> {
        Map::new()
    }

    fn schema() -> Map<String, Value> {
        Map::new()
    }
}

/// What no screen has, and what no browser draws.
const SIDES: std::ops::RangeInclusive<u32> = 1..=10_000;

pub(super) fn faces() -> [Face<Resize>; 1] {
    [BROWSER
        .tool("browser_resize", "Resize the viewport")
        .takes((must("width", ""), must("height", "")), |(width, height)| Resize(Size { width, height }))
        .example(r#"{"width": 1024, "height": 768}"#)
        .validate(|Resize(size)| {
            let wrong = |name| BadArguments::Wrong { name, expected: "between 1 and 10000".into() };
            match (SIDES.contains(&size.width), SIDES.contains(&size.height)) {
                (false, _) => Err(wrong("width")),
                (_, false) => Err(wrong("height")),
                _ => Ok(()),
            }
        })
        .says(|out| format!("The viewport is {}x{}", out.done.0.width, out.done.0.height))]
}
