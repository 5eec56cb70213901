//! Saying where the device is.

use cicerone_engine::{Acted, Coordinates};
use serde_json::{Map, Value};

use crate::{
    Argument, BadArguments, Capability, Effect, Face, Output,
    dialect::AGENT,
    output::{facts, number, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct Geolocation {
    latitude: Option<f64>,
    longitude: Option<f64>,
    accuracy: f64,
    clear: bool,
}

/// The default accuracy, in metres.
const ACCURACY: f64 = 100.0;

/// A number within bounds, for the words of its error.
macro_rules! within {
    ($type:ident, $range:expr, $expected:literal) => {
        struct $type(f64);

        impl Argument for $type {
            fn schema() -> Value {
                f64::schema()
            }

            fn parse(value: &Value) -> Result<Self, String> {
                let number = f64::parse(value).ok().filter(|number| $range.contains(number));
                number.map(Self).ok_or_else(|| $expected.into())
            }
        }
    };
}

within!(Latitude, -90.0..=90.0, "a number from -90 to 90");
within!(Longitude, -180.0..=180.0, "a number from -180 to 180");
within!(Accuracy, 0.0.., "a number of metres from 0 up");

/// Where the device is now, and whether the page may know it.
pub(super) struct Placed {
    place: Option<Coordinates>,
    permission: Option<String>,
}

impl Capability for Geolocation {
    type On = OnPage;
    type Output = Acted<Placed>;
    const EFFECT: Effect = Effect::Arranges;

    async fn run(self, on: OnPage) -> Result<Acted<Placed>, Failure> {
        let place = match (self.latitude, self.longitude) {
            (Some(latitude), Some(longitude)) if !self.clear => {
                Some(Coordinates { latitude, longitude, accuracy: self.accuracy })
            }
            _ => None,
        };
        let acted = on.page.emulator().emulate(|state| state.geolocation = place).await?;
        let permission = on.page.permissions().geolocation_permission().await?;
        Ok(acted.map(|_| Placed { place, permission }))
    }
}

impl Output for Placed {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = match self.place {
            Some(place) => facts! {
                "latitude" => number(place.latitude), "longitude" => number(place.longitude),
                "accuracy" => number(place.accuracy),
            },
            None => facts! { "cleared" => true },
        };
        if let Some(permission) = &self.permission {
            facts.extend(facts! { "permission" => permission.clone() });
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "latitude" => of("number"), "longitude" => of("number"), "accuracy" => of("number"),
            "cleared" => of("boolean"), "permission" => of("string"),
        }
    }
}

fn words(out: &Acted<Placed>) -> String {
    let Placed { place, permission } = &out.done;
    let Some(Coordinates { latitude, longitude, accuracy }) = place else {
        return "The geolocation override is removed".into();
    };
    let may = match permission.as_deref() {
        Some("granted") => "",
        Some("denied") => {
            ". The page may not read it: grant it with permissions {\"permissions\": [{\"name\": \"geolocation\", \"state\": \"granted\"}]}"
        }
        _ => {
            ". The page needs the permission to read it: grant it with permissions {\"permissions\": [{\"name\": \"geolocation\", \"state\": \"granted\"}]}"
        }
    };
    format!("The device is at {latitude}, {longitude} (within {accuracy} m){may}")
}

pub(super) fn faces() -> [Face<Geolocation>; 1] {
    [AGENT
        .tool("geolocation", "Set or clear geolocation")
        .takes((), |()| Geolocation { latitude: None, longitude: None, accuracy: ACCURACY, clear: false })
        .example(r#"{"latitude": 35.68, "longitude": 139.77}"#)
        .opt("latitude", "", |geolocation, Latitude(number)| geolocation.latitude = Some(number))
        .opt("longitude", "", |geolocation, Longitude(number)| geolocation.longitude = Some(number))
        .opt("accuracy", "", |geolocation, Accuracy(number)| geolocation.accuracy = number)
        .default(100)
        .opt("clear", "", |geolocation, clear| geolocation.clear = clear)
        .default(false)
        .on_tab("tabId", "")
        .validate(|geolocation| match geolocation {
            Geolocation { clear: true, latitude: None, longitude: None, .. } => Ok(()),
            Geolocation { clear: true, .. } => {
                Err(BadArguments::Together("Invalid arguments: clear takes no latitude and longitude"))
            }
            Geolocation { latitude: None, .. } => Err(BadArguments::Missing("latitude")),
            Geolocation { longitude: None, .. } => Err(BadArguments::Missing("longitude")),
            _ => Ok(()),
        })
        .says(words)]
}
