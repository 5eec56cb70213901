//! Opening a URL.

use cicerone_engine::{Acted, Address, Navigated};
use serde_json::{Map, Value};

use crate::{
    Capability, Effect, Face, Output,
    dialect::BROWSER,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::ToNavigate,
};

pub(super) struct Navigate {
    url: String,
}

impl Capability for Navigate {
    type On = ToNavigate;
    type Output = Acted<Navigated>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: ToNavigate) -> Result<Acted<Navigated>, Failure> {
        let address = Address::read(&self.url, on.call.session.files())?;
        on.call.progress.tell(0.0, None, format!("loading {address}"));
        Ok(on.page.navigate(address.as_str()).await?)
    }
}

impl Output for Navigated {
    fn facts(&self) -> Map<String, Value> {
        match &self.status {
            Some((status, _)) => facts! { "status" => *status },
            None => Map::new(),
        }
    }

    fn schema() -> Map<String, Value> {
        facts! { "status" => of("integer") }
    }
}

pub(super) fn faces() -> [Face<Navigate>; 1] {
    [BROWSER.tool("browser_navigate", "Open a URL").takes(must("url", ""), |url| Navigate { url }).says(
        |out| {
            let Navigated { url, status, download } = &out.done;
            let status = match status {
                Some((status, words)) if *status >= 400 => format!(" ({status} {words})"),
                _ => String::new(),
            };
            if *download { format!("{url} is a download") } else { format!("Opened {url}{status}") }
        },
    )]
}
