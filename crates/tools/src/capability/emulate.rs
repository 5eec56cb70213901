//! Emulating what the person likes, where they are, and how slow their machine and network are.

use cicerone_engine::{Acted, ColorScheme, Emulated, EmulationState, Medium, NetworkPreset};
use serde_json::{Map, Value};

use crate::{
    Argument, Capability, Effect, Face, Output,
    argument::choices,
    dialect::AGENT,
    output::{facts, number, of},
    reply::Failure,
    scope::OnPage,
};

/// What is to be changed: nothing is left as it is, and `Some(None)` is put back.
#[derive(Default)]
pub(super) struct Emulate {
    color_scheme: Option<Option<ColorScheme>>,
    reduced_motion: Option<Option<ReducedMotion>>,
    forced_colors: Option<Option<ForcedColors>>,
    media: Option<Option<Medium>>,
    timezone: Option<Option<Name>>,
    locale: Option<Option<Name>>,
    offline: Option<Option<bool>>,
    cpu_throttle: Option<Option<CpuThrottle>>,
    network_throttle: Option<Option<NetworkPreset>>,
}

struct ReducedMotion(bool);

struct ForcedColors(bool);

choices! {
    ColorScheme {
        "light" => ColorScheme::Light,
        "dark" => ColorScheme::Dark,
        // Who has no preference is shown light pages: style sheets know no third one.
        "no-preference" => ColorScheme::Light,
    }
    ReducedMotion {
        "reduce" => ReducedMotion(true),
        "no-preference" => ReducedMotion(false),
    }
    ForcedColors {
        "active" => ForcedColors(true),
        "none" => ForcedColors(false),
    }
    Medium {
        "screen" => Medium::Screen,
        "print" => Medium::Print,
    }
    NetworkPreset {
        "offline" => NetworkPreset::Offline,
        "slow_3g" => NetworkPreset::Slow3G,
        "fast_3g" => NetworkPreset::Fast3G,
        "4g" => NetworkPreset::FourG,
    }
}

/// A name that is not empty.
struct Name(String);

impl Argument for Name {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let text = value.as_str().map(str::trim).filter(|text| !text.is_empty());
        text.map(|text| Self(text.to_owned())).ok_or_else(|| "a name".into())
    }
}

/// How many times slower the processor is.
struct CpuThrottle(f64);

impl Argument for CpuThrottle {
    fn schema() -> Value {
        f64::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let factor = f64::parse(value).ok().filter(|factor| (1.0..=100.0).contains(factor));
        factor.map(Self).ok_or_else(|| "a number from 1 to 100".into())
    }
}

impl Emulate {
    fn change(self, state: &mut EmulationState) {
        if let Some(scheme) = self.color_scheme {
            state.media.color_scheme = scheme;
        }
        if let Some(reduced) = self.reduced_motion {
            state.media.reduced_motion = reduced.map(|ReducedMotion(is)| is);
        }
        if let Some(forced) = self.forced_colors {
            state.media.forced_colors = forced.map(|ForcedColors(are)| are);
        }
        if let Some(medium) = self.media {
            state.media.medium = medium;
        }
        if let Some(zone) = self.timezone {
            state.time_zone = zone.map(|Name(name)| name);
        }
        if let Some(locale) = self.locale {
            state.locale = locale.map(|Name(tag)| tag);
        }
        if let Some(factor) = self.cpu_throttle {
            state.cpu_throttle = factor.map(|CpuThrottle(factor)| factor).filter(|factor| *factor > 1.0);
        }
        if let Some(offline) = self.offline {
            state.offline = offline.unwrap_or_default();
            // Who is to be online again is so however they went offline.
            state.network = state.network.filter(|network| *network != NetworkPreset::Offline);
        }
        if let Some(network) = self.network_throttle {
            state.network = network;
        }
    }
}

/// What is emulated now.
pub(super) struct Emulating(Emulated);

impl Capability for Emulate {
    type On = OnPage;
    type Output = Acted<Emulating>;
    const EFFECT: Effect = Effect::Arranges;

    async fn run(self, on: OnPage) -> Result<Acted<Emulating>, Failure> {
        Ok(on.page.emulator().emulate(|state| self.change(state)).await?.map(Emulating))
    }
}

fn word_of(network: NetworkPreset) -> &'static str {
    match network {
        NetworkPreset::Offline => "offline",
        NetworkPreset::Slow3G => "slow_3g",
        NetworkPreset::Fast3G => "fast_3g",
        NetworkPreset::FourG => "4g",
    }
}

impl Output for Emulating {
    /// Only what is set.
    fn facts(&self) -> Map<String, Value> {
        let EmulationState { media, time_zone, locale, network, cpu_throttle, .. } = &self.0.state;
        let either = |is: Option<bool>, yes: &'static str, no: &'static str| {
            is.map(|is| Value::from(if is { yes } else { no }))
        };
        let told = [
            ("color_scheme", media.color_scheme.map(|scheme| scheme.as_str().into())),
            ("reduced_motion", either(media.reduced_motion, "reduce", "no-preference")),
            ("forced_colors", either(media.forced_colors, "active", "none")),
            ("media", media.medium.map(|medium| medium.as_str().into())),
            ("timezone", time_zone.clone().map(Value::from)),
            ("locale", locale.clone().map(Value::from)),
            ("offline", Some(self.0.state.is_offline().into())),
            ("cpu_throttle", cpu_throttle.map(number)),
            ("network_throttle", network.map(|network| word_of(network).into())),
        ];
        told.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "color_scheme" => of("string"), "reduced_motion" => of("string"), "forced_colors" => of("string"),
            "media" => of("string"), "timezone" => of("string"), "locale" => of("string"),
            "offline" => of("boolean"), "cpu_throttle" => of("number"), "network_throttle" => of("string"),
        }
    }
}

fn words(out: &Acted<Emulating>) -> String {
    let mut facts = out.done.facts();
    facts.retain(|_, value| *value != Value::Bool(false));
    let told = |(name, value): (&String, &Value)| match value {
        Value::Bool(true) => name.clone(),
        Value::String(text) => format!("{name} {text}"),
        other => format!("{name} {other}"),
    };
    let told: Vec<String> = facts.iter().map(told).collect();
    if told.is_empty() { "Nothing is emulated".into() } else { format!("Emulating {}", told.join(", ")) }
}

pub(super) fn faces() -> [Face<Emulate>; 1] {
    [AGENT
        .tool("emulate", "Emulate media, locale, network …; null resets one")
        .takes((), |()| Emulate::default())
        .example(r#"{"color_scheme": "dark", "timezone": "Asia/Tokyo", "locale": "ja-JP"}"#)
        .opt_or_null("color_scheme", "", |emulate, scheme| emulate.color_scheme = Some(scheme))
        .opt_or_null("reduced_motion", "", |emulate, motion| emulate.reduced_motion = Some(motion))
        .opt_or_null("forced_colors", "", |emulate, colors| emulate.forced_colors = Some(colors))
        .opt_or_null("media", "", |emulate, media| emulate.media = Some(media))
        .opt_or_null("timezone", "", |emulate, zone| emulate.timezone = Some(zone))
        .opt_or_null("locale", "", |emulate, locale| emulate.locale = Some(locale))
        .opt_or_null("offline", "", |emulate, offline| emulate.offline = Some(offline))
        .default(false)
        .opt_or_null("cpu_throttle", "4: 4x slower", |emulate, factor| emulate.cpu_throttle = Some(factor))
        .opt_or_null("network_throttle", "", |emulate, network| emulate.network_throttle = Some(network))
        .on_tab("tabId", "")
        .says(words)]
}
