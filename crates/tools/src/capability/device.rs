//! Having a tab be another device: by the name of one, or by its parts.

use cicerone_engine::{Acted, Device as Preset, Size, UnknownDevice};
use serde_json::{Map, Value, json};

use super::viewport::{ScaleFactor, Screen, Shown};
use crate::{
    Argument, BadArguments, Capability, Effect, Face, Output,
    argument::{Side, object},
    dialect::AGENT,
    message::unsupported,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct Device {
    name: Option<Preset>,
    custom: Option<Custom>,
}

impl Argument for Preset {
    fn schema() -> Value {
        let names: Vec<&str> = Self::ALL.iter().map(|device| device.name).collect();
        json!({ "type": "string", "enum": names })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let names: Vec<&str> = Self::ALL.iter().map(|device| device.name).collect();
        let names = format!("one of {}", names.join(", "));
        let name = value.as_str().ok_or_else(|| names.clone())?;
        Self::named(name).map_err(|UnknownDevice { nearest }| format!("{names}; the nearest is {nearest}"))
    }
}

/// A device by its parts.
#[derive(Default)]
struct Custom {
    viewport: Option<CustomViewport>,
    user_agent: Option<HeaderText>,
    device_scale_factor: Option<ScaleFactor>,
    is_mobile: Option<bool>,
    has_touch: Option<bool>,
}

#[derive(Default)]
struct CustomViewport {
    width: Option<Side>,
    height: Option<Side>,
}

object!(Custom {
    "viewport" => viewport: CustomViewport,
    "user_agent" => user_agent: HeaderText,
    "device_scale_factor" => device_scale_factor: ScaleFactor,
    "is_mobile" => is_mobile: bool,
    "has_touch" => has_touch: bool,
});

object!(CustomViewport {
    "width" => width: Side,
    "height" => height: Side,
});

/// A text that can be sent as a header.
struct HeaderText(String);

impl Argument for HeaderText {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let text = value.as_str().filter(|text| !text.is_empty() && !text.chars().any(char::is_control));
        text.map(|text| Self(text.to_owned())).ok_or_else(|| "a text without line breaks".into())
    }
}

impl Custom {
    fn is_empty(&self) -> bool {
        let Self { viewport, user_agent, device_scale_factor, is_mobile, has_touch } = self;
        viewport.is_none()
            && user_agent.is_none()
            && device_scale_factor.is_none()
            && is_mobile.is_none()
            && has_touch.is_none()
    }

    /// Its screen; a viewport has both sides.
    fn screen(&self) -> Result<Screen, BadArguments> {
        let both = "Invalid argument custom: it must be an object whose viewport has width and height";
        let size = match &self.viewport {
            None => None,
            Some(CustomViewport { width: Some(Side(width)), height: Some(Side(height)) }) => {
                Some(Size { width: *width, height: *height })
            }
            Some(_) => return Err(BadArguments::Together(both)),
        };
        Ok(Screen {
            scale_factor: self.device_scale_factor.as_ref().map_or(1.0, |factor| factor.0),
            is_mobile: self.is_mobile.unwrap_or_default(),
            has_touch: self.has_touch.unwrap_or_default(),
            ..Screen::of(size)
        })
    }
}

/// What the tab is now.
pub(super) struct Emulating {
    name: Option<&'static str>,
    shown: Shown,
    /// What of it this browser cannot do.
    unsupported: Vec<&'static str>,
}

impl Capability for Device {
    type On = OnPage;
    type Output = Acted<Emulating>;
    const EFFECT: Effect = Effect::Arranges;

    async fn run(self, on: OnPage) -> Result<Acted<Emulating>, Failure> {
        if let Some(preset) = self.name {
            let (acted, lacks) = on.page.emulator().emulate_device(&preset).await?;
            let name = Some(preset.name);
            let unsupported = lacks.into_iter().map(unsupported).collect();
            return Ok(acted.map(|emulated| Emulating { name, shown: Shown(emulated), unsupported }));
        }
        let custom = self.custom.unwrap_or_default();
        let screen = custom.screen()?;
        let size = on.page.geometry().viewport();
        let acted = on.page.emulator().emulate(|state| {
            state.metrics = Some(screen.metrics(size));
            let agent = custom.user_agent.as_ref().map(|HeaderText(text)| text.as_str());
            state.set_user_agent(agent, screen.is_mobile);
        });
        Ok(acted.await?.map(|emulated| Emulating {
            name: None,
            shown: Shown(emulated),
            unsupported: Vec::new(),
        }))
    }
}

impl Output for Emulating {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = self.shown.facts();
        facts.extend(facts! { "user_agent" => self.shown.0.environment.user_agent.clone() });
        if let Some(name) = self.name {
            facts.extend(facts! { "name" => name });
        }
        if !self.unsupported.is_empty() {
            facts.extend(facts! { "unsupported" => self.unsupported.clone() });
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        let mut schema = Shown::schema();
        schema.extend(facts! {
            "user_agent" => of("string"), "name" => of("string"), "unsupported" => of("array"),
        });
        schema
    }
}

fn words(out: &Acted<Emulating>) -> String {
    let Emulating { name, shown, unsupported } = &out.done;
    let mut words = format!("Emulating {}: {}", name.unwrap_or("a custom device"), shown.words());
    if let Some(remark) = shown.remark() {
        words.push_str("; ");
        words.push_str(&remark);
    }
    for what in unsupported {
        words.push_str("; this browser cannot ");
        words.push_str(what);
    }
    // What the server made of the page, and some of what scripts have found out, is of the device before.
    words.push_str("; reload the page for it to take full effect");
    words
}

pub(super) fn faces() -> [Face<Device>; 1] {
    [AGENT
        .tool("device", "Emulate a device")
        .takes((), |()| Device { name: None, custom: None })
        .example(r#"{"name": "iPhone 14"}"#)
        .opt("name", "", |device, name| device.name = Some(name))
        .opt("custom", "", |device, custom| device.custom = Some(custom))
        .on_tab("tabId", "")
        .validate(|device| match (&device.name, &device.custom) {
            (Some(_), None) => Ok(()),
            (None, Some(custom)) if !custom.is_empty() => custom.screen()?.check(),
            (None, _) => Err(BadArguments::Together("Missing required argument: name or custom")),
            (Some(_), Some(_)) => {
                Err(BadArguments::Together("Invalid arguments: give name or custom, not both"))
            }
        })
        .says(words)]
}
