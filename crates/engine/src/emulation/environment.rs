//! What a document observes of its environment; checks that overrides took effect.

use cicerone_driver::{ColorScheme, DeviceMetrics, Medium, Orientation};
use serde::Deserialize;

use super::{EmulationError, EmulationState};
use crate::Result;

/// What a document observes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Environment {
    /// `innerWidth`.
    pub width: f64,
    /// `innerHeight`.
    pub height: f64,
    /// `screen.width`.
    pub screen_width: f64,
    /// `screen.height`.
    pub screen_height: f64,
    /// `devicePixelRatio`.
    pub scale_factor: f64,
    /// `navigator.maxTouchPoints`.
    pub touch_points: u32,
    /// `screen.orientation.type`.
    pub orientation: Option<String>,
    /// `navigator.userAgent`.
    pub user_agent: String,
    /// `navigator.language`.
    pub language: String,
    /// The time zone of `Intl`.
    pub time_zone: String,
    /// `prefers-color-scheme: dark`.
    pub dark: bool,
    /// `prefers-reduced-motion: reduce`.
    pub reduced_motion: bool,
    /// `forced-colors: active`.
    pub forced_colors: bool,
    /// The `print` media type.
    pub print: bool,
    /// `navigator.onLine`.
    pub online: bool,
}

impl Environment {
    /// Whether the orientation is landscape.
    pub fn is_landscape(&self) -> bool {
        self.orientation.as_deref().is_some_and(|kind| kind.starts_with("landscape"))
    }

    /// An error if a changed override has no effect.
    pub(super) fn check_applied(&self, from: &EmulationState, to: &EmulationState) -> Result<()> {
        if let Some(metrics) = to.metrics.filter(|_| from.metrics != to.metrics) {
            self.check_metrics(&metrics)?;
        }
        if let Some(agent) = to.user_agent.as_ref().filter(|_| from.user_agent != to.user_agent) {
            expect_observed("user agent", &self.user_agent, &agent.text)?;
        }
        if let Some(locale) = to.locale.as_ref().filter(|_| from.locale != to.locale) {
            expect_observed("language", &self.language, locale)?;
        }
        if let Some(zone) = to.time_zone.as_ref().filter(|_| from.time_zone != to.time_zone) {
            expect_observed("time zone", &self.time_zone, zone)?;
        }
        if to.is_offline() && self.online {
            expect_observed("network", "online", "offline")?;
        }
        if from.media != to.media { self.check_media(to) } else { Ok(()) }
    }

    fn check_metrics(&self, requested: &DeviceMetrics) -> Result<()> {
        // A mobile page's layout size depends on its viewport meta tag; its screen size does not.
        let (width, height) = match requested.mobile {
            true => (self.screen_width, self.screen_height),
            false => (self.width, self.height),
        };
        let size = requested.size;
        expect_observed(
            "viewport",
            &format!("{width}x{height}"),
            &format!("{}x{}", size.width, size.height),
        )?;
        if let Some(factor) = requested.scale_factor
            && (self.scale_factor - factor).abs() > 0.01
        {
            expect_observed("device scale factor", &self.scale_factor.to_string(), &factor.to_string())?;
        }
        if requested.touch && self.touch_points == 0 {
            expect_observed("screen", "no touch", "touch")?;
        }
        match (requested.orientation, self.is_landscape()) {
            (Some(Orientation::Landscape), false) => expect_observed("orientation", "portrait", "landscape"),
            (Some(Orientation::Portrait), true) => expect_observed("orientation", "landscape", "portrait"),
            _ => Ok(()),
        }
    }

    fn check_media(&self, to: &EmulationState) -> Result<()> {
        let either = |is: bool, yes: &'static str, no: &'static str| if is { yes } else { no };
        if let Some(medium) = to.media.medium {
            expect_observed("medium", either(self.print, "print", "screen"), medium.as_str())?;
        }
        // Some browsers print in light colours regardless of the preference.
        if let Some(scheme) = to.media.color_scheme.filter(|_| to.media.medium != Some(Medium::Print)) {
            let dark = if self.dark { ColorScheme::Dark } else { ColorScheme::Light };
            expect_observed("colour scheme", dark.as_str(), scheme.as_str())?;
        }
        if let Some(reduced) = to.media.reduced_motion {
            let word = |is| either(is, "reduce", "no-preference");
            expect_observed("reduced motion", word(self.reduced_motion), word(reduced))?;
        }
        if let Some(forced) = to.media.forced_colors {
            let word = |is| either(is, "active", "none");
            expect_observed("forced colours", word(self.forced_colors), word(forced))?;
        }
        Ok(())
    }
}

fn expect_observed(what: &'static str, observed: &str, requested: &str) -> Result<()> {
    if observed == requested {
        return Ok(());
    }
    Err(EmulationError::NotEmulated { what, requested: requested.to_owned(), observed: observed.to_owned() }
        .into())
}
