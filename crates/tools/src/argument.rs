//! Arguments: the type of a value gives both its schema and its parser, so that they cannot disagree.

use std::{path::PathBuf, time::Duration};

use cicerone_engine::{Button, ConsoleLevel, KeyChord, Modifier, TabId, Target, WindowId, snapshot::After};
use serde_json::{Map, Value, json};

use crate::{BadArguments, bad_arguments::suggestion, message::bad_target};

/// A type that arguments can have.
pub trait Argument: Sized {
    /// Its JSON schema.
    fn schema() -> Value;
    /// Reads it; an error says what it must be.
    fn parse(value: &Value) -> Result<Self, String>;
}

/// The value of an argument that is there.
pub(crate) fn given<'a>(arguments: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    // Some clients write out what they leave out.
    arguments.get(name).filter(|value| !value.is_null())
}

pub(crate) fn parse<V: Argument>(name: &'static str, value: &Value) -> Result<V, BadArguments> {
    V::parse(value).map_err(|expected| BadArguments::Wrong { name, expected })
}

impl Argument for String {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        value.as_str().map(str::to_owned).ok_or_else(|| "a string".into())
    }
}

impl Argument for PathBuf {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        match value.as_str() {
            Some(path) if !path.is_empty() && !path.contains('\0') => Ok(path.into()),
            _ => Err("a path".into()),
        }
    }
}

impl Argument for bool {
    fn schema() -> Value {
        json!({ "type": "boolean" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        value.as_bool().ok_or_else(|| "true or false".into())
    }
}

impl Argument for i64 {
    fn schema() -> Value {
        json!({ "type": "integer" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        whole(value).ok_or_else(|| "a whole number".into())
    }
}

impl Argument for u32 {
    fn schema() -> Value {
        json!({ "type": "integer" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        whole(value)
            .and_then(|number| number.try_into().ok())
            .ok_or_else(|| "a whole number from 0 up".into())
    }
}

impl Argument for TabId {
    fn schema() -> Value {
        json!({ "type": "number" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        whole(value)
            .and_then(|number| number.try_into().ok())
            .map(Self)
            .ok_or_else(|| "the id of a tab, a whole number".into())
    }
}

/// Some clients write whole numbers with a fraction of zero.
fn whole(value: &Value) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
    let from_float = |number: f64| (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64);
    value.as_i64().or_else(|| value.as_f64().and_then(from_float))
}

impl Argument for f64 {
    fn schema() -> Value {
        json!({ "type": "number" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        value.as_f64().filter(|number| number.is_finite()).ok_or_else(|| "a number".into())
    }
}

impl Argument for Duration {
    fn schema() -> Value {
        json!({ "type": "number" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        value
            .as_f64()
            .and_then(|seconds| Duration::try_from_secs_f64(seconds.min(LONGEST)).ok())
            .ok_or_else(|| "a number of seconds".into())
    }
}

impl Argument for WindowId {
    fn schema() -> Value {
        json!({ "type": "number" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        u32::parse(value).map(Self).map_err(|_| "the id of a window, a whole number".into())
    }
}

/// A length that a viewport can have.
pub(crate) struct Side(pub(crate) u32);

impl Argument for Side {
    fn schema() -> Value {
        f64::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let side = u32::parse(value).ok().filter(|side| (1..=10_000).contains(side));
        side.map(Self).ok_or_else(|| "a whole number from 1 to 10000".into())
    }
}

/// How many results are wanted.
pub(crate) struct MaxResults(pub(crate) u32);

impl Argument for MaxResults {
    fn schema() -> Value {
        f64::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let most = u32::parse(value).ok().filter(|most| (1..=1_000).contains(most));
        most.map(Self).ok_or_else(|| "a whole number from 1 to 1000".into())
    }
}

/// HTTP headers by name.
pub(crate) struct Headers(pub(crate) Vec<(String, String)>);

impl Argument for Headers {
    fn schema() -> Value {
        json!({ "type": "object" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let headers = value.as_object().ok_or("an object of strings")?;
        let pair = |(name, value): (&String, &Value)| {
            let value = value.as_str().filter(|value| !value.contains(['\r', '\n']))?;
            let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
            (!name.is_empty() && name.chars().all(token)).then(|| (name.clone(), value.to_owned()))
        };
        let pairs: Option<Vec<_>> = headers.iter().map(pair).collect();
        pairs.map(Self).ok_or_else(|| "an object of header names with strings".into())
    }
}

/// What a client calls one of its contexts.
pub(crate) struct SessionName(pub(crate) String);

impl Argument for SessionName {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let name = value.as_str().filter(|name| (1..=100).contains(&name.trim().chars().count()));
        name.map(|name| Self(name.trim().to_owned())).ok_or_else(|| "a string of 1 to 100 characters".into())
    }
}

/// The number of a frame; 0 is the page itself.
pub(crate) struct FrameNumber(pub(crate) u32);

impl Argument for FrameNumber {
    fn schema() -> Value {
        json!({ "type": "number" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let number =
            u32::parse(value).map_err(|_| "the number of a frame: 2 for f2e5, 0 for the page itself")?;
        Ok(Self(number))
    }
}

/// The longest duration in seconds, which no one waits for: later moments overflow the clock.
const LONGEST: f64 = 1e9;

/// A duration, given in milliseconds.
pub(crate) struct Milliseconds(Duration);

impl From<Milliseconds> for Duration {
    fn from(Milliseconds(duration): Milliseconds) -> Self {
        duration
    }
}

impl Argument for Milliseconds {
    fn schema() -> Value {
        json!({ "type": "number" })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        value
            .as_f64()
            .and_then(|number| Duration::try_from_secs_f64((number / 1_000.0).min(LONGEST)).ok())
            .map(Self)
            .ok_or_else(|| "a number of milliseconds".into())
    }
}

impl<V: Argument> Argument for Vec<V> {
    fn schema() -> Value {
        match V::schema() {
            Value::Object(anything) if anything.is_empty() => json!({ "type": "array" }),
            item => json!({ "type": "array", "items": item }),
        }
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let list = value.as_array().ok_or("a list")?;
        let item =
            |(at, value)| V::parse(value).map_err(|expected| format!("a list whose item {at} is {expected}"));
        list.iter().enumerate().map(item).collect()
    }
}

/// One value, or a list of them.
pub(crate) struct OneOrMore<V>(pub(crate) Vec<V>);

impl<V: Argument> Argument for OneOrMore<V> {
    fn schema() -> Value {
        json!({ "oneOf": [V::schema(), Vec::<V>::schema()] })
    }

    fn parse(value: &Value) -> Result<Self, String> {
        if value.is_array() {
            Vec::parse(value).map(Self)
        } else {
            V::parse(value).map(|one| Self(vec![one]))
        }
    }
}

impl Argument for Target {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let text = value.as_str().ok_or("a string that names an element")?;
        text.parse().map_err(|bad| format!("the name of an element: {}", bad_target(bad)))
    }
}

impl Argument for After<Target> {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let text = value.as_str().ok_or("a string that names an element")?;
        let names = "the name of an element, or as a reply says it, such as e4+340";
        text.parse().map_err(|bad| format!("{names}: {}", bad_target(bad)))
    }
}

impl Argument for KeyChord {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let text = value.as_str().ok_or("the name of a key")?;
        text.parse().map_err(|bad| format!("the name of a key, such as Enter, a or Control+A: {bad}"))
    }
}

/// A schema with what the value is when it is left out.
pub(crate) fn with_default(mut schema: Value, default: impl Into<Value>) -> Value {
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("default".into(), default.into());
    }
    schema
}

/// What an object must be that has an unknown field.
pub(crate) fn unknown_field(name: &str, known: &[&'static str]) -> String {
    format!("an object with {}; it has {name}{}", known.join(", "), suggestion(name, known))
}

/// An object with these fields, all optional; some have defaults in the listing.
macro_rules! object {
    ($type:ident { $($name:literal => $field:ident: $value:ty $(= $default:literal)?,)* }) => {
        impl $type {
            /// The names of its fields.
            pub(crate) const FIELDS: &'static [&'static str] = &[$($name),*];
        }

        impl Argument for $type {
            fn schema() -> Value {
                let properties = [$({
                    let schema = <$value>::schema();
                    $(let schema = $crate::argument::with_default(schema, $default);)?
                    ($name.to_owned(), schema)
                }),*];
                serde_json::json!({ "type": "object", "properties": serde_json::Map::from_iter(properties) })
            }

            fn parse(value: &Value) -> Result<Self, String> {
                let mut parsed = Self::default();
                for (name, value) in value.as_object().ok_or("an object")? {
                    match name.as_str() {
                        _ if value.is_null() => {}
                        $($name => {
                            let read = <$value>::parse(value).map_err(|expected| format!("an object whose {name} is {expected}"))?;
                            parsed.$field = Some(read);
                        })*
                        _ => return Err($crate::argument::unknown_field(name, Self::FIELDS)),
                    }
                }
                Ok(parsed)
            }
        }
    };
}
pub(crate) use object;

/// A value that is one of a few words.
macro_rules! choices {
    ($($type:ty { $($word:literal => $value:expr,)* } $(| { $($more:literal => $same:expr,)* })?)*) => {$(
        impl Argument for $type {
            fn schema() -> Value {
                serde_json::json!({ "type": "string", "enum": [$($word),*] })
            }

            fn parse(value: &Value) -> Result<Self, String> {
                match value.as_str() {
                    $(Some($word) => Ok($value),)*
                    $($(Some($more) => Ok($same),)*)?
                    _ => Err(format!("one of {}", [$($word),*].join(", "))),
                }
            }
        }
    )*};
}
pub(crate) use choices;

choices! {
    Button {
        "left" => Button::Left,
        "right" => Button::Right,
        "middle" => Button::Middle,
    }
    Modifier {
        "Alt" => Modifier::Alt,
        "Control" => Modifier::Control,
        "ControlOrMeta" => if cfg!(target_os = "macos") { Modifier::Meta } else { Modifier::Control },
        "Meta" => Modifier::Meta,
        "Shift" => Modifier::Shift,
    }
    ConsoleLevel {
        "error" => ConsoleLevel::Error,
        "warning" => ConsoleLevel::Warning,
        "info" => ConsoleLevel::Log,
        "debug" => ConsoleLevel::Debug,
    } | {
        "warn" => ConsoleLevel::Warning,
        "log" => ConsoleLevel::Log,
    }
}
