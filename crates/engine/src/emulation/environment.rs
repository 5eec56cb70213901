//! What a document observes of its environment, and whether that is what was asked for.

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
    /// The time zone of its dates.
    pub time_zone: String,
    /// Whether the person likes dark colours.
    pub dark: bool,
    /// Whether the person wants less to move.
    pub reduced_motion: bool,
    /// Whether the colours are the person's.
    pub forced_colors: bool,
    /// Whether it is laid out for paper.
    pub print: bool,
    /// `navigator.onLine`.
    pub online: bool,
}

impl Environment {
    /// Whether it is held on its side.
    pub fn is_landscape(&self) -> bool {
        self.orientation.as_deref().is_some_and(|kind| kind.starts_with("landscape"))
    }

    /// An error where something that was changed is not seen.
    pub(super) fn shows(&self, from: &EmulationState, to: &EmulationState) -> Result<()> {
        if let Some(metrics) = to.metrics.filter(|_| from.metrics != to.metrics) {
            self.shows_metrics(&metrics)?;
        }
        if let Some(agent) = to.user_agent.as_ref().filter(|_| from.user_agent != to.user_agent) {
            seen("user agent", &self.user_agent, &agent.text)?;
        }
        if let Some(locale) = to.locale.as_ref().filter(|_| from.locale != to.locale) {
            seen("language", &self.language, locale)?;
        }
        if let Some(zone) = to.time_zone.as_ref().filter(|_| from.time_zone != to.time_zone) {
            seen("time zone", &self.time_zone, zone)?;
        }
        if to.is_offline() && self.online {
            seen("network", "online", "offline")?;
        }
        if from.media != to.media { self.shows_media(to) } else { Ok(()) }
    }

    fn shows_metrics(&self, wanted: &DeviceMetrics) -> Result<()> {
        // What a mobile page is laid out for depends on its viewport tag; the screen does not.
        let (width, height) = match wanted.mobile {
            true => (self.screen_width, self.screen_height),
            false => (self.width, self.height),
        };
        let size = wanted.size;
        seen("viewport", &format!("{width}x{height}"), &format!("{}x{}", size.width, size.height))?;
        if let Some(factor) = wanted.scale_factor
            && (self.scale_factor - factor).abs() > 0.01
        {
            seen("device scale factor", &self.scale_factor.to_string(), &factor.to_string())?;
        }
        if wanted.touch && self.touch_points == 0 {
            seen("screen", "no touch", "touch")?;
        }
        match (wanted.orientation, self.is_landscape()) {
            (Some(Orientation::Landscape), false) => seen("orientation", "portrait", "landscape"),
            (Some(Orientation::Portrait), true) => seen("orientation", "landscape", "portrait"),
            _ => Ok(()),
        }
    }

    fn shows_media(&self, to: &EmulationState) -> Result<()> {
        let either = |is: bool, yes: &'static str, no: &'static str| if is { yes } else { no };
        if let Some(medium) = to.media.medium {
            seen("medium", either(self.print, "print", "screen"), medium.as_str())?;
        }
        // Paper is light in some browsers, whatever the person likes.
        if let Some(scheme) = to.media.color_scheme.filter(|_| to.media.medium != Some(Medium::Print)) {
            let dark = if self.dark { ColorScheme::Dark } else { ColorScheme::Light };
            seen("colour scheme", dark.as_str(), scheme.as_str())?;
        }
        if let Some(reduced) = to.media.reduced_motion {
            let word = |is| either(is, "reduce", "no-preference");
            seen("reduced motion", word(self.reduced_motion), word(reduced))?;
        }
        if let Some(forced) = to.media.forced_colors {
            let word = |is| either(is, "active", "none");
            seen("forced colours", word(self.forced_colors), word(forced))?;
        }
        Ok(())
    }
}

fn seen(what: &'static str, seen: &str, wanted: &str) -> Result<()> {
    if seen == wanted {
        return Ok(());
    }
    Err(EmulationError::NotEmulated { what, wanted: wanted.to_owned(), seen: seen.to_owned() }.into())
}
