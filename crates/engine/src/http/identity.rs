//! The identifying headers of the browser.

use std::time::Duration;

use serde::Deserialize;

use crate::{Context, Deadline, Page, Result};

/// Time limit for the page; a busy one is skipped.
const TIMEOUT: Duration = Duration::from_millis(500);

/// Default languages without a page.
const LANGUAGES: &str = "en-US,en;q=0.9";

/// Read from the page, so that emulation applies to API requests, too.
const SCRIPT: &str = "[navigator.userAgent, Array.from(navigator.languages)]";

#[derive(Deserialize)]
struct NavigatorInfo(String, Vec<String>);

pub(super) struct Identity {
    user_agent: Option<String>,
    languages: String,
}

impl Identity {
    pub(super) async fn of(context: &Context, page: Option<&Page>) -> Result<Self> {
        if let Some(NavigatorInfo(user_agent, languages)) = navigator_info(page).await {
            return Ok(Self { user_agent: Some(user_agent), languages: accept_language(&languages) });
        }
        Ok(Self { user_agent: context.user_agent().await?, languages: LANGUAGES.to_owned() })
    }

    pub(super) fn headers(self) -> Vec<(String, String)> {
        let headers = [
            self.user_agent.map(|agent| ("user-agent", agent)),
            Some(("accept", "*/*".to_owned())),
            Some(("accept-language", self.languages)),
        ];
        headers.into_iter().flatten().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

async fn navigator_info(page: Option<&Page>) -> Option<NavigatorInfo> {
    let page = page.filter(|page| page.dialogs().not_held().is_ok())?;
    let frame = page.driver().main_frame();
    let evaluation = page.driver().evaluate(&frame, SCRIPT, None);
    let info = Deadline::after(TIMEOUT).bound(evaluation).await?.ok()??;
    let info: NavigatorInfo = serde_json::from_value(info).ok()?;
    // The page may have overwritten these properties.
    let is_header_value =
        |text: &str| !text.is_empty() && text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
    (is_header_value(&info.0)
        && !info.1.is_empty()
        && info.1.iter().all(|language| is_header_value(language)))
    .then_some(info)
}

/// The `Accept-Language` value, weighted as browsers do.
fn accept_language(languages: &[String]) -> String {
    let weighted = |(place, language): (usize, &String)| match place {
        0 => language.clone(),
        _ => format!("{language};q=0.{}", 10_usize.saturating_sub(place).max(1)),
    };
    languages.iter().take(20).enumerate().map(weighted).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    #[test]
    fn languages_are_weighed() {
        assert_eq!(
            super::accept_language(&["de-CH".into(), "de".into(), "en".into()]),
            "de-CH,de;q=0.9,en;q=0.8"
        );
    }
}
