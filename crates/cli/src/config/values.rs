//! The values of options: what they may be, and what is said when they are not.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use cicerone_engine::Size;
use cicerone_install::Engine;
use cicerone_tools::Dialect;
use clap::{
    ValueEnum,
    builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser},
};
use tracing_subscriber::filter::LevelFilter;

/// One item of `--dialect`.
#[derive(Clone, Copy)]
pub(crate) enum DialectChoice {
    All,
    One(&'static Dialect),
}

impl DialectChoice {
    pub(super) fn includes(self, dialect: &Dialect) -> bool {
        match self {
            Self::All => true,
            Self::One(chosen) => chosen.name == dialect.name,
        }
    }
}

/// Tools that are offered only when they are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Extra {
    /// The mouse at coordinates
    Vision,
    /// Pages as PDF
    Pdf,
    /// Refs drawn onto screenshots
    Annotate,
}

/// What happens when another browser uses the profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileLock {
    /// Use a temporary copy, and say so
    Copy,
    /// Fail
    Fail,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Images {
    File,
    Inline,
    Omit,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Shown {
    Diff,
    Full,
    None,
}

/// The output format of `cicerone doctor`.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ReportFormat {
    Text,
    Json,
}

/// The output format of `cicerone tools`.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ListFormat {
    Text,
    Json,
    Markdown,
}

/// The output format of `cicerone call`.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ReplyFormat {
    Text,
    Json,
}

/// A value that cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadValue {
    #[error("a size has the form 1280x720, each side between 1 and 10000")]
    Size,
    #[error("an address has the form HOST:PORT: 127.0.0.1:8931, [::1]:8931, 0.0.0.0:8931")]
    Address,
    #[error("a server's URL has the form http://127.0.0.1:8931/mcp")]
    ServerUrl,
    #[error("a duration has a unit: 500ms, 5s, 30m, 1h")]
    Duration,
    #[error(
        "a level is error, warn, info, debug or trace; target=level for a part of the program; comma list"
    )]
    Log,
}

/// Reads an item of `--dialect`.
pub(super) fn dialect() -> impl TypedValueParser<Value = DialectChoice> {
    let names = Dialect::ALL.map(|dialect| dialect.name).into_iter().chain(["all"]);
    PossibleValuesParser::new(names.map(PossibleValue::new))
        .map(|name| Dialect::named(&name).map_or(DialectChoice::All, DialectChoice::One))
}

/// Reads the name of an engine.
pub(super) fn engine() -> impl TypedValueParser<Value = Engine> {
    PossibleValuesParser::new(Engine::ALL.map(Engine::name))
        .map(|name| Engine::ALL.into_iter().find(|engine| engine.name() == name).unwrap_or_default())
}

/// Reads a path, whose `~` is the home directory. Shells leave it as it is in `--option=~/x`, and files and variables
/// never see one.
pub(super) fn path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| with_home(&path))
}

/// A path, whose first `~` is the home directory.
pub(super) fn with_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), std::env::home_dir()) {
        (Ok(rest), Some(home)) if rest.as_os_str().is_empty() => home,
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

pub(super) fn viewport(text: &str) -> Result<Size, BadValue> {
    let (width, height) = text.split_once(['x', 'X', ',']).ok_or(BadValue::Size)?;
    let side = |text: &str| {
        text.trim().parse().ok().filter(|side| (1..=10_000).contains(side)).ok_or(BadValue::Size)
    };
    Ok(Size { width: side(width)?, height: side(height)? })
}

/// The URL of a running server.
pub(super) fn server_url(text: &str) -> Result<url::Url, BadValue> {
    let url = url::Url::parse(text).map_err(|_| BadValue::ServerUrl)?;
    if matches!(url.scheme(), "http" | "https") && url.has_host() {
        Ok(url)
    } else {
        Err(BadValue::ServerUrl)
    }
}

/// An address to listen on. Names are looked up when the server starts.
pub(super) fn address(text: &str) -> Result<String, BadValue> {
    let (host, port) = text.rsplit_once(':').ok_or(BadValue::Address)?;
    let bracketed = host.starts_with('[') && host.ends_with(']');
    if host.is_empty() || (host.contains(':') && !bracketed) || port.parse::<u16>().is_err() {
        return Err(BadValue::Address);
    }
    Ok(text.to_owned())
}

pub(super) fn duration(text: &str) -> Result<Duration, BadValue> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or(BadValue::Duration)?;
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| BadValue::Duration)?;
    let seconds = match unit.trim() {
        "ms" => number / 1_000.0,
        "s" => number,
        "m" => number * 60.0,
        "h" => number * 3_600.0,
        _ => return Err(BadValue::Duration),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| BadValue::Duration)
}

/// A level, and levels for parts of the program.
pub(super) fn log_filter(text: &str) -> Result<String, BadValue> {
    // An empty text and numbers would be taken for levels too.
    let is_word = |level: &str| level.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_level = |level: &str| is_word(level) && level.parse::<LevelFilter>().is_ok();
    let fits = |part: &str| match part.split_once('=') {
        Some((target, level)) => !target.is_empty() && is_level(level),
        None => is_level(part),
    };
    if text.split(',').all(fits) { Ok(text.to_owned()) } else { Err(BadValue::Log) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_units_and_bounds() {
        assert_eq!(duration("30m").unwrap(), Duration::from_secs(1800));
        assert_eq!(duration("250ms").unwrap(), Duration::from_millis(250));
        assert!(duration("5").is_err() && duration("s").is_err() && duration("5 days").is_err());
        assert_eq!(viewport("800x600").unwrap(), Size { width: 800, height: 600 });
        assert!(viewport("800").is_err() && viewport("0x5").is_err() && viewport("99999x1").is_err());
    }

    #[test]
    fn a_tilde_is_the_home_directory() {
        let home = std::env::home_dir().unwrap();
        assert_eq!(with_home(Path::new("~")), home);
        assert_eq!(with_home(Path::new("~/a/b")), home.join("a/b"));
        for other in ["~ada/x", "a/~/b", "./~", "/~", "a~"] {
            assert_eq!(with_home(Path::new(other)), Path::new(other));
        }
    }

    #[test]
    fn levels_are_levels() {
        for good in ["warn", "off", "info,cicerone_engine=debug"] {
            assert!(log_filter(good).is_ok(), "{good}");
        }
        for bad in ["", "loud", "cicerone=", "=warn", "warn,"] {
            assert!(log_filter(bad).is_err(), "{bad}");
        }
    }
}
