//! What a browser says of itself with every request.

use std::time::Duration;

use serde::Deserialize;

use crate::{Context, Deadline, Page, Result};

/// How long a page is asked. One that is busy says it another time.
const PATIENCE: Duration = Duration::from_millis(500);

/// What the languages are where no page can be asked.
const LANGUAGES: &str = "en-US,en;q=0.9";

/// What a page says of its browser: what is emulated for it holds for its requests too.
const ASK: &str = "[navigator.userAgent, Array.from(navigator.languages)]";

#[derive(Deserialize)]
struct Told(String, Vec<String>);

pub(super) struct Identity {
    user_agent: Option<String>,
    languages: String,
}

impl Identity {
    pub(super) async fn of(context: &Context, page: Option<&Page>) -> Result<Self> {
        if let Some(Told(user_agent, languages)) = ask(page).await {
            return Ok(Self { user_agent: Some(user_agent), languages: accepted(&languages) });
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

async fn ask(page: Option<&Page>) -> Option<Told> {
    let page = page.filter(|page| page.not_held().is_ok())?;
    let frame = page.driver().main_frame();
    let asking = page.driver().evaluate(&frame, ASK, None);
    let told = Deadline::after(PATIENCE).bound(asking).await?.ok()??;
    let told: Told = serde_json::from_value(told).ok()?;
    // A page may have made something else of it.
    let plain = |text: &str| !text.is_empty() && text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
    (plain(&told.0) && !told.1.is_empty() && told.1.iter().all(|language| plain(language))).then_some(told)
}

/// The value of `Accept-Language`, as browsers write it.
fn accepted(languages: &[String]) -> String {
    let weighed = |(place, language): (usize, &String)| match place {
        0 => language.clone(),
        _ => format!("{language};q=0.{}", 10_usize.saturating_sub(place).max(1)),
    };
    languages.iter().take(20).enumerate().map(weighed).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    #[test]
    fn languages_are_weighed() {
        assert_eq!(super::accepted(&["de-CH".into(), "de".into(), "en".into()]), "de-CH,de;q=0.9,en;q=0.8");
    }
}
