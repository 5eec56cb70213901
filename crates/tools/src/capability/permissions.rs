//! Deciding what sites may do, before they ask.

use cicerone_engine::{EmulationError, Error, Permission, Setting};
use serde_json::{Map, Value, json};

use crate::{
    Argument, Capability, Effect, Face, Output,
    argument::{choices, object},
    dialect::AGENT,
    face::must,
    output::{facts, of},
    question::Consent,
    reply::Failure,
    scope::OnPage,
};

pub(super) struct Permissions {
    settings: Vec<(Permission, Setting)>,
    origin: Option<Origin>,
}

choices! {
    Permission {
        "geolocation" => Permission::Geolocation,
        "notifications" => Permission::Notifications,
        "camera" => Permission::Camera,
        "microphone" => Permission::Microphone,
        "clipboard-read" => Permission::ClipboardRead,
        "clipboard-write" => Permission::ClipboardWrite,
    }
    Setting {
        "granted" => Setting::Granted,
        "denied" => Setting::Denied,
        "prompt" => Setting::Undecided,
    }
}

#[derive(Default)]
struct Item {
    name: Option<Permission>,
    state: Option<Setting>,
}

object!(Item {
    "name" => name: Permission,
    "state" => state: Setting,
});

/// One permission with its state: both are needed.
struct Decided(Permission, Setting);

impl Argument for Decided {
    fn schema() -> Value {
        Item::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let Item { name, state } = Item::parse(value)?;
        match (name, state) {
            (Some(name), Some(state)) => Ok(Self(name, state)),
            (None, _) => Err("an object with a name".into()),
            (_, None) => Err("an object with a state".into()),
        }
    }
}

/// At least one of them.
struct Decisions(Vec<(Permission, Setting)>);

impl Argument for Decisions {
    fn schema() -> Value {
        Vec::<Decided>::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let decided = Vec::<Decided>::parse(value)?;
        if decided.is_empty() {
            return Err("a list with at least one permission".into());
        }
        Ok(Self(decided.into_iter().map(|Decided(name, state)| (name, state)).collect()))
    }
}

/// The origin of a URL.
struct Origin(String);

impl Argument for Origin {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let url = value.as_str().and_then(|text| url::Url::parse(text).ok());
        let url = url.filter(|url| matches!(url.scheme(), "http" | "https"));
        url.map(|url| Self(url.origin().ascii_serialization()))
            .ok_or_else(|| "an origin such as https://example.com".into())
    }
}

/// What was decided, for whom.
pub(super) struct PermissionsResult {
    origin: String,
    settings: Vec<(Permission, Setting)>,
}

impl Capability for Permissions {
    type On = OnPage;
    type Output = PermissionsResult;
    const EFFECT: Effect = Effect::Arranges;

    async fn run(self, on: OnPage) -> Result<PermissionsResult, Failure> {
        let origin = self.origin.map(|Origin(origin)| origin);
        let origin = origin.or_else(|| on.page.origin()).ok_or(Error::from(EmulationError::NoOrigin))?;
        let granted = self.settings.iter().filter(|(_, state)| *state == Setting::Granted);
        let granted: Vec<&str> = granted.map(|(name, _)| name.as_str()).collect();
        if !granted.is_empty() {
            let message = || format!("Allow {origin} to use {}?", granted.join(", "));
            on.call.consent(Consent::Permissions, message).await?;
        }
        on.page.permissions().set_permissions(&origin, &self.settings).await?;
        Ok(PermissionsResult { origin, settings: self.settings })
    }
}

impl Output for PermissionsResult {
    fn facts(&self) -> Map<String, Value> {
        let told =
            |(name, state): &(Permission, Setting)| json!({ "name": name.as_str(), "state": state.as_str() });
        let settings: Vec<Value> = self.settings.iter().map(told).collect();
        facts! { "origin" => self.origin.clone(), "permissions" => settings }
    }

    fn schema() -> Map<String, Value> {
        facts! { "origin" => of("string"), "permissions" => of("array") }
    }
}

fn words(done: &PermissionsResult) -> String {
    let told = |(name, state): &(Permission, Setting)| format!("{name} {}", state.as_str());
    let settings: Vec<String> = done.settings.iter().map(told).collect();
    format!("{}: {}", done.origin, settings.join(", "))
}

pub(super) fn faces() -> [Face<Permissions>; 1] {
    [AGENT
        .tool("permissions", "Override permissions of an origin")
        .takes(must("permissions", ""), |Decisions(settings)| Permissions { settings, origin: None })
        .example(r#"{"permissions": [{"name": "geolocation", "state": "granted"}], "origin": "https://example.com"}"#)
        .opt("origin", "Else the page's", |permissions, origin| permissions.origin = Some(origin))
        .on_tab("tabId", "")
        .says(words)]
}
