//! What can be told to the program: flags, and the same as `CICERONE_*` variables.

use std::{path::PathBuf, time::Duration};

use cicerone_engine::{ActionSnapshot, Kind, Launch, Options, Size};
use cicerone_tools::{Cap, Dialect, ImageResponses};
use clap::{Args, Parser, Subcommand, ValueEnum};

/// A browser for AI agents, over the Model Context Protocol on standard input and output.
#[derive(Parser)]
#[command(version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) options: Flags,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Make a browser available: find it, or download it
    Install {
        /// Which one
        #[arg(default_value = "chromium")]
        engine: cicerone_install::Engine,
    },
    /// Drive a small built-in site through the whole server, and show how to set up clients
    Demo,
    /// Clean up after a server that was killed
    #[command(hide = true)]
    Keep {
        /// The profile to remove
        profile: PathBuf,
    },
}

#[derive(Args)]
pub(crate) struct Flags {
    /// The interfaces to offer
    #[arg(long, global = true, env = "CICERONE_DIALECT", value_delimiter = ',', default_value = "browser")]
    pub(crate) dialect: Vec<DialectName>,
    /// What else to offer
    #[arg(long, global = true, env = "CICERONE_CAPS", value_delimiter = ',')]
    pub(crate) caps: Vec<CapName>,
    /// The browser's engine
    #[arg(long, global = true, env = "CICERONE_BROWSER", default_value = "chromium")]
    pub(crate) browser: BrowserName,
    /// The browser's program, instead of the one that is found
    #[arg(long, global = true, env = "CICERONE_EXECUTABLE_PATH", value_name = "FILE")]
    pub(crate) executable_path: Option<PathBuf>,
    /// Show the browser's windows
    #[arg(long, global = true, env = "CICERONE_HEADED")]
    pub(crate) headed: bool,
    /// The size of pages
    #[arg(long, global = true, env = "CICERONE_VIEWPORT", value_parser = viewport, default_value = "1280x720")]
    pub(crate) viewport: Size,
    /// What happens to pictures
    #[arg(long, global = true, env = "CICERONE_IMAGE_RESPONSES", default_value = "file")]
    pub(crate) image_responses: Images,
    /// Where screenshots and downloads go
    #[arg(
        long,
        global = true,
        env = "CICERONE_SCREENSHOT_DIR",
        value_name = "DIR",
        default_value = ".viewpoint-mcp-screenshots"
    )]
    pub(crate) screenshot_dir: PathBuf,
    /// How many characters a snapshot may have
    #[arg(long, global = true, env = "CICERONE_SNAPSHOT_LIMIT", value_name = "N", default_value_t = 50_000)]
    pub(crate) snapshot_limit: usize,
    /// What an action's reply shows of the page
    #[arg(long, global = true, env = "CICERONE_ACTION_SNAPSHOT", default_value = "diff")]
    pub(crate) action_snapshot: Shown,
    /// A directory whose files may be used, beside the working directory
    #[arg(long, global = true, env = "CICERONE_ALLOW_PATH", value_name = "DIR", value_delimiter = ',')]
    pub(crate) allow_path: Vec<PathBuf>,
    /// How long an action waits for its element
    #[arg(long, global = true, env = "CICERONE_ACTION_TIMEOUT", value_parser = duration, default_value = "5s")]
    pub(crate) action_timeout: Duration,
    /// How long a navigation may take
    #[arg(long, global = true, env = "CICERONE_NAVIGATION_TIMEOUT", value_parser = duration, default_value = "30s")]
    pub(crate) navigation_timeout: Duration,
    /// What to log to standard error: error, warn, info, debug, trace
    #[arg(long, global = true, env = "CICERONE_LOG", value_name = "LEVEL", default_value = "warn")]
    pub(crate) log: String,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum DialectName {
    Browser,
    Launch,
    Companion,
    All,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum CapName {
    Vision,
    Pdf,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum BrowserName {
    Chromium,
    Firefox,
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

impl Flags {
    pub(crate) fn engine_options(&self) -> Options {
        Options {
            action_timeout: self.action_timeout,
            navigation_timeout: self.navigation_timeout,
            snapshot_limit: self.snapshot_limit,
            action_snapshot: match self.action_snapshot {
                Shown::Diff => ActionSnapshot::Diff,
                Shown::Full => ActionSnapshot::Full,
                Shown::None => ActionSnapshot::None,
            },
            ..Options::default()
        }
    }

    pub(crate) fn engine(&self) -> cicerone_install::Engine {
        match self.browser {
            BrowserName::Chromium => cicerone_install::Engine::Chromium,
            BrowserName::Firefox => cicerone_install::Engine::Firefox,
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self.browser {
            BrowserName::Chromium => Kind::Chromium,
            BrowserName::Firefox => Kind::Firefox,
        }
    }

    pub(crate) fn launch(&self) -> Launch {
        Launch { kind: self.kind(), headed: self.headed, viewport: self.viewport, proxy: None }
    }

    pub(crate) fn dialects(&self) -> Vec<&'static Dialect> {
        let named = |name: &DialectName| match name {
            DialectName::Browser => vec!["browser"],
            DialectName::Launch => vec!["launch"],
            DialectName::Companion => vec!["companion"],
            DialectName::All => Dialect::ALL.iter().map(|dialect| dialect.name).collect(),
        };
        self.dialect.iter().flat_map(named).filter_map(Dialect::named).collect()
    }

    pub(crate) fn caps(&self) -> Vec<Cap> {
        let cap = |name: &CapName| match name {
            CapName::Vision => Cap::Vision,
            CapName::Pdf => Cap::Pdf,
        };
        self.caps.iter().map(cap).collect()
    }

    pub(crate) fn images(&self) -> ImageResponses {
        match self.image_responses {
            Images::File => ImageResponses::File,
            Images::Inline => ImageResponses::Inline,
            Images::Omit => ImageResponses::Omit,
        }
    }
}

/// A value that cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadValue {
    #[error("a size has the form 1280x720, each side between 1 and 10000")]
    Size,
    #[error("a duration has a unit: 500ms, 5s, 30m, 1h")]
    Duration,
}

fn viewport(text: &str) -> Result<Size, BadValue> {
    let (width, height) = text.split_once(['x', 'X', ',']).ok_or(BadValue::Size)?;
    let side = |text: &str| {
        text.trim().parse().ok().filter(|side| (1..=10_000).contains(side)).ok_or(BadValue::Size)
    };
    Ok(Size { width: side(width)?, height: side(height)? })
}

fn duration(text: &str) -> Result<Duration, BadValue> {
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
    fn the_flags_are_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
