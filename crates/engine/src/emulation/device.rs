//! Device presets.

use cicerone_driver::{DeviceMetrics, Orientation, Size, UserAgent};

use super::user_agent::{chrome_version, with_hints};

/// A device: its screen in CSS pixels and its user agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Device {
    pub name: &'static str,
    width: u32,
    height: u32,
    scale_factor: f64,
    /// Phones and tablets have a touch screen.
    mobile: bool,
    /// Its user agent; `None` keeps the browser's own. `{}` stands for Chrome's major version.
    user_agent: Option<&'static str>,
}

/// Chrome's version for a browser that is not Chromium.
const CHROME: &str = "141";

const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 \
    (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1";

const IPAD: &str = "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 \
    (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1";

macro_rules! android {
    ($model:literal) => {
        concat!(
            "Mozilla/5.0 (Linux; Android 13; ",
            $model,
            ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{}.0.0.0 Mobile Safari/537.36"
        )
    };
}

const fn mobile(
    name: &'static str,
    (width, height): (u32, u32),
    scale_factor: f64,
    agent: &'static str,
) -> Device {
    Device { name, width, height, scale_factor, mobile: true, user_agent: Some(agent) }
}

const fn desktop(name: &'static str, (width, height): (u32, u32)) -> Device {
    Device { name, width, height, scale_factor: 1.0, mobile: false, user_agent: None }
}

impl Device {
    /// All presets.
    pub const ALL: [Self; 11] = [
        mobile("iPhone 14", (390, 844), 3.0, IPHONE),
        mobile("iPhone 14 Pro Max", (430, 932), 3.0, IPHONE),
        mobile("iPhone SE", (375, 667), 2.0, IPHONE),
        mobile("iPad Pro", (1024, 1366), 2.0, IPAD),
        mobile("iPad Mini", (768, 1024), 2.0, IPAD),
        mobile("Pixel 7", (412, 915), 2.625, android!("Pixel 7")),
        mobile("Pixel 7 Pro", (412, 892), 3.5, android!("Pixel 7 Pro")),
        mobile("Samsung Galaxy S23", (360, 780), 3.0, android!("SM-S911B")),
        desktop("Desktop 1080p", (1920, 1080)),
        desktop("Desktop 1440p", (2560, 1440)),
        desktop("Desktop 4K", (3840, 2160)),
    ];

    /// The preset with this name.
    pub fn named(name: &str) -> Result<Self, UnknownDevice> {
        let known = Self::ALL.into_iter().find(|device| device.name == name);
        known.ok_or_else(|| {
            let given = name.to_lowercase();
            let rank = |device: &Self| {
                let known = device.name.to_lowercase();
                // A substring is nearer than a name of similar length.
                (!known.contains(&given) && !given.contains(&known), distance(&known, &given))
            };
            UnknownDevice { nearest: Self::ALL.into_iter().min_by_key(rank).map_or("", |device| device.name) }
        })
    }

    /// Its viewport in the default orientation.
    pub fn metrics(&self) -> DeviceMetrics {
        DeviceMetrics {
            size: Size { width: self.width, height: self.height },
            scale_factor: Some(self.scale_factor),
            mobile: self.mobile,
            touch: self.mobile,
            orientation: self.mobile.then_some(Orientation::Portrait),
        }
    }

    /// Its user agent, if it differs from the browser's. Takes Chrome's version from the browser where it
    /// can.
    pub fn user_agent(&self, browser: &str) -> Option<UserAgent> {
        let text = self.user_agent?.replace("{}", chrome_version(browser).unwrap_or(CHROME));
        Some(with_hints(&text, self.mobile))
    }
}

/// No preset has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownDevice {
    /// The most similar name.
    pub nearest: &'static str,
}

/// The Levenshtein distance.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (at, a) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, b) in other.chars().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_told() {
        for (given, nearest) in [
            ("iphone 14", "iPhone 14"),
            ("iPhone 15", "iPhone 14"),
            ("Galaxy S23", "Samsung Galaxy S23"),
            ("pixel7pro", "Pixel 7 Pro"),
            ("desktop 4k", "Desktop 4K"),
        ] {
            assert_eq!(Device::named(given), Err(UnknownDevice { nearest }), "{given}");
        }
        assert!(Device::ALL.iter().all(|device| Device::named(device.name) == Ok(*device)));
    }

    #[test]
    fn phones_have_the_version_of_the_browser() {
        let pixel = Device::named("Pixel 7").unwrap();
        let text = |browser| pixel.user_agent(browser).unwrap().text;
        assert!(
            text("HeadlessChrome/156.0.1.2")
                .contains("Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile")
        );
        assert!(text("Firefox 153").contains("Chrome/141.0.0.0"));
        assert_eq!(Device::named("Desktop 4K").unwrap().user_agent("Chrome/156"), None);
    }
}
