//! Waiting until something holds.

use std::time::Duration;

use cicerone_engine::{Awaited, Condition, ElementState, NewsItem, Pattern, Target, WaitUntil, Wording};
use serde_json::{Map, Value};

use crate::{
    Argument, BadArguments, Capability, Effect, Face, Output,
    argument::{Milliseconds, choices},
    dialect::AGENT,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::BesidePage,
};

/// What is waited for, in the words that say it.
pub(super) struct Wait {
    kind: WaitFor,
    selector: Option<Target>,
    state: Option<ElementState>,
    text: Option<String>,
    url: Option<Pattern>,
    load: Option<WaitUntil>,
    function: Option<String>,
    polling: Duration,
    duration: Option<Duration>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WaitFor {
    Selector,
    SelectorHidden,
    Text,
    TextHidden,
    Url,
    LoadState,
    Function,
    Time,
    Download,
}

choices! {
    WaitFor {
        "selector" => WaitFor::Selector,
        "selector_hidden" => WaitFor::SelectorHidden,
        "text" => WaitFor::Text,
        "text_hidden" => WaitFor::TextHidden,
        "url" => WaitFor::Url,
        "load_state" => WaitFor::LoadState,
        "function" => WaitFor::Function,
        "timeout" => WaitFor::Time,
        "download" => WaitFor::Download,
    }
    ElementState {
        "attached" => ElementState::Attached,
        "detached" => ElementState::Detached,
        "visible" => ElementState::Visible,
        "hidden" => ElementState::Hidden,
    }
}

impl Argument for Pattern {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let text = value.as_str().filter(|text| !text.is_empty()).ok_or("a URL pattern")?;
        Self::for_urls(text).map_err(|bad| format!("a URL pattern: {}", bad.reason))
    }
}

/// The default and the minimum polling interval of a function.
const POLLING: Duration = Duration::from_millis(100);
const OFTEN: Duration = Duration::from_millis(10);

/// Longer waits are more likely a mistake in the unit than meant.
const LONGEST: Duration = Duration::from_secs(600);

impl Wait {
    fn for_(kind: WaitFor) -> Self {
        Self {
            kind,
            selector: None,
            state: None,
            text: None,
            url: None,
            load: None,
            function: None,
            polling: POLLING,
            duration: None,
        }
    }

    fn condition(&self) -> Result<Condition, BadArguments> {
        let missing = BadArguments::Missing;
        let element = |state| {
            let target = self.selector.clone().ok_or(missing("selector"))?;
            Ok(Condition::Element(target, state))
        };
        let text = |shown| {
            let text = self.text.as_deref().filter(|text| !text.is_empty()).ok_or(missing("text"))?;
            Ok(Condition::Text(Wording::read(text), shown))
        };
        match self.kind {
            WaitFor::Selector => element(self.state.unwrap_or(ElementState::Visible)),
            // It may ask for more: that it is not even in the document.
            WaitFor::SelectorHidden => element(match self.state {
                Some(ElementState::Detached) => ElementState::Detached,
                _ => ElementState::Hidden,
            }),
            WaitFor::Text => text(true),
            WaitFor::TextHidden => text(false),
            WaitFor::Url => self.url.clone().map(Condition::Url).ok_or(missing("url")),
            WaitFor::LoadState => self.load.map(Condition::Load).ok_or(missing("load_state")),
            WaitFor::Function => {
                let source = self.function.clone().ok_or(missing("function"))?;
                Ok(Condition::Script(source, self.polling.max(OFTEN)))
            }
            WaitFor::Time => match self.duration.ok_or(missing("duration"))? {
                time if time > LONGEST => {
                    let expected = "at most 600000 milliseconds".into();
                    Err(BadArguments::Wrong { name: "duration", expected })
                }
                time => Ok(Condition::Time(time)),
            },
            WaitFor::Download => Ok(Condition::Download),
        }
    }
}

/// What came, and where the page is then.
pub(super) struct Came {
    kind: WaitFor,
    awaited: Awaited,
    url: String,
}

impl Capability for Wait {
    /// In its turn, unless what is waited for comes of another call.
    type On = BesidePage;
    type Output = Came;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: BesidePage) -> Result<Came, Failure> {
        let condition = self.condition()?;
        let turn = match self.kind {
            WaitFor::Download => None,
            _ => Some(on.in_turn().await?),
        };
        on.call.progress.tell(0.0, None, "waiting");
        let awaited = on.page.waits().wait_until(&condition).await?;
        drop(turn);
        Ok(Came { kind: self.kind, awaited, url: on.page.shown_url() })
    }
}

impl Output for Came {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = facts! { "url" => self.url.clone() };
        if let Some(element) = &self.awaited.element {
            facts.extend(facts! {
                "ref" => format!("@{}", element.reference), "role" => element.role.clone(),
                "name" => element.name.clone(),
            });
        }
        if let Some((name, path)) = &self.awaited.download {
            facts.extend(facts! { "name" => name.clone(), "path" => path.display().to_string() });
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "url" => of("string"), "ref" => of("string"), "role" => of("string"), "name" => of("string"),
            "path" => of("string"),
        }
    }

    fn news(&self) -> &[NewsItem] {
        &self.awaited.news
    }
}

fn sentence(came: &Came) -> String {
    match (&came.awaited.download, &came.awaited.element, came.kind) {
        (Some((_, path)), ..) => format!("Downloaded to {}", path.display()),
        (_, Some(element), _) => format!("@{} {} is there", element.reference, element.kind()),
        (.., WaitFor::Url) => format!("The URL is {}", came.url),
        (.., WaitFor::Selector | WaitFor::SelectorHidden) => "The element is gone".into(),
        (.., WaitFor::Text) => "The text is there".into(),
        (.., WaitFor::TextHidden) => "The text is gone".into(),
        (.., WaitFor::LoadState) => "The page has loaded".into(),
        (.., WaitFor::Function) => "The function returned something truthy".into(),
        (.., WaitFor::Time) => "The time has passed".into(),
        (.., WaitFor::Download) => "Downloaded".into(),
    }
}

pub(super) fn faces() -> [Face<Wait>; 1] {
    [AGENT
        .tool("wait", "Wait until something holds")
        .takes(must("for", ""), Wait::for_)
        .example(r#"{"for": "text", "text": "Welcome"}"#)
        .opt("selector", "", |wait, selector| wait.selector = Some(selector))
        .opt("state", "", |wait, state| wait.state = Some(state))
        .default("visible")
        .opt("text", "", |wait, text| wait.text = Some(text))
        .opt("url", "", |wait, url| wait.url = Some(url))
        .opt("load_state", "", |wait, load| wait.load = Some(load))
        .opt("function", "Returns truthy", |wait, body| wait.function = Some(body))
        .opt("polling", "", |wait, time: Milliseconds| wait.polling = time.into())
        .default(100)
        .opt("duration", "", |wait, time: Milliseconds| wait.duration = Some(time.into()))
        .within("timeout", "", 30_000)
        .on_tab("tabId", "")
        .in_frame("frameId")
        .validate(|wait| wait.condition().map(drop))
        .says(sentence)]
}
