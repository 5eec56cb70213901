//! The command line: commands and options.
//!
//! An *option* is declared once, in [`Flags`]: flag, values, default, help text. The environment variable and the key in
//! the configuration file are derived from the flag's name; [`layers`] merges them. [`reference`] generates the
//! documentation.

mod call;
mod command;
mod consent;
mod endpoint;
mod extension;
mod http;
mod layers;
mod reference;
mod scope;
mod values;

use std::{path::PathBuf, time::Duration};

use cicerone_engine::{ActionSnapshot, HostPattern, HostPolicy, Launch, Options, Route, Size};
use cicerone_install::Engine;
use cicerone_tools::{
    Cap, Dialect, ImageResponses,
    question::{Consent, LONGEST_ANSWER},
};
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser};

pub(crate) use call::CallFlags;
pub(crate) use command::{Command, ExtensionCommand};
use consent::ConsentFlags;
pub(crate) use extension::installation;
use http::HttpFlags;
pub(crate) use http::{ADDRESS, TOKEN_VARIABLE};
pub(crate) use layers::{BadConfiguration, FILE_NAME};
pub(crate) use reference::page;
pub(crate) use scope::DEMO;
use values::{DialectChoice, Images, Shown, duration, log_filter, viewport};
pub(crate) use values::{Extra, ListFormat, ProfileLock, ReplyFormat, ReportFormat};

/// The default directory of screenshots.
pub(crate) const SCREENSHOT_DIR: &str = ".viewpoint-mcp-screenshots";

/// A browser for AI agents, over the Model Context Protocol
#[derive(Parser)]
#[command(name = "cicerone", version, disable_help_flag = true, disable_help_subcommand = true)]
#[command(after_help = "Each option is also a variable (CICERONE_VIEWPORT) and a key in cicerone.toml.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) options: Flags,
    /// Print help
    #[arg(short, long, global = true, action = ArgAction::HelpShort)]
    help: Option<bool>,
    /// Print help with all options
    #[arg(long, global = true, action = ArgAction::HelpLong)]
    help_all: Option<bool>,
}

/// The options. What is left out of the short help is marked.
#[derive(Args)]
pub(crate) struct Flags {
    /// Dialects to offer, or all
    ///
    /// A comma list. `cicerone tools --dialect NAME` prints the tools of one.
    #[arg(long, global = true, value_parser = values::dialect(), hide_possible_values = true)]
    #[arg(value_delimiter = ',', default_value = "browser")]
    dialect: Vec<DialectChoice>,
    /// Optional tools; comma list
    #[arg(long, global = true, value_delimiter = ',', hide_short_help = true)]
    pub(crate) caps: Vec<Extra>,
    /// The browser's engine
    #[arg(long, global = true, value_parser = values::engine(), default_value = "chromium")]
    #[arg(hide_possible_values = true)]
    pub(crate) browser: Engine,
    #[command(flatten)]
    pub(crate) running: endpoint::EndpointFlags,
    #[command(flatten)]
    own: extension::ExtensionFlags,
    /// The browser's executable, instead of the one found
    #[arg(long, global = true, value_name = "FILE", value_parser = values::path(), hide_short_help = true)]
    pub(crate) executable_path: Option<PathBuf>,
    /// Show the browser window
    #[arg(long, global = true, value_parser = clap::builder::BoolishValueParser::new())]
    #[arg(num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    #[arg(action = ArgAction::Set, hide_possible_values = true, hide_default_value = true, value_name = "BOOL")]
    pub(crate) headed: bool,
    /// Let Firefox run privileged script
    ///
    /// Firefox needs it for media features, slow networks, and the history and bookmarks of a lasting profile or a shared
    /// browser. Whoever can connect to the browser's session can then do everything that the browser may do on this machine.
    #[arg(long, global = true, value_parser = clap::builder::BoolishValueParser::new())]
    #[arg(num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    #[arg(action = ArgAction::Set, hide_possible_values = true, hide_default_value = true, value_name = "BOOL")]
    #[arg(hide_short_help = true)]
    pub(crate) system_access: bool,
    /// The viewport size
    #[arg(long, global = true, value_name = "WxH", value_parser = viewport, default_value = "1280x720")]
    pub(crate) viewport: Size,
    /// The browser's profile, else a temporary one
    #[arg(long, global = true, value_name = "DIR", value_parser = values::path(), hide_short_help = true)]
    pub(crate) user_data_dir: Option<PathBuf>,
    /// What to do when another browser uses that profile: use a copy, or fail
    #[arg(long, global = true, value_name = "HOW", default_value = "copy", hide_short_help = true)]
    pub(crate) profile_lock: ProfileLock,
    /// Screenshots in replies: the file name, the image as well, or neither
    #[arg(long, global = true, value_name = "HOW", default_value = "file", hide_short_help = true)]
    image_responses: Images,
    /// Longest side of an image in pixels, for `vision`
    #[arg(long, global = true, value_name = "N", default_value_t = 2_000, hide_short_help = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(100..=8_000))]
    pub(crate) max_image_dimension: u32,
    /// Directory for screenshots and downloads
    #[arg(long, global = true, value_name = "DIR", value_parser = values::path(), hide_short_help = true)]
    #[arg(default_value = SCREENSHOT_DIR)]
    pub(crate) screenshot_dir: PathBuf,
    /// Largest download that is kept, in MiB, at most 1024
    #[arg(long, global = true, value_name = "N", default_value_t = 1_024, hide_short_help = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_024))]
    max_download_size: u64,
    /// Largest snapshot, in characters
    #[arg(long, global = true, value_name = "N", default_value_t = 50_000, hide_short_help = true)]
    snapshot_limit: usize,
    /// The page in an action's reply
    #[arg(long, global = true, value_name = "WHAT", default_value = "diff", hide_short_help = true)]
    action_snapshot: Shown,
    /// Directories whose files may be used, in addition to the working directory and the client's roots; comma list
    #[arg(long, global = true, value_name = "DIR", value_parser = values::path(), value_delimiter = ',', hide_short_help = true)]
    pub(crate) allow_path: Vec<PathBuf>,
    /// Allow file: URLs of all files that may be used, not only of those in the client's roots
    #[arg(long, global = true, value_parser = clap::builder::BoolishValueParser::new())]
    #[arg(num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    #[arg(action = ArgAction::Set, hide_possible_values = true, hide_default_value = true, value_name = "BOOL")]
    #[arg(hide_short_help = true)]
    pub(crate) allow_file_urls: bool,
    /// A file of NAME=value lines: `$NAME` types the value, which no reply shows
    #[arg(long, global = true, value_name = "FILE", value_parser = values::path(), hide_short_help = true)]
    pub(crate) secrets: Option<PathBuf>,
    #[command(flatten)]
    consent: ConsentFlags,
    /// Idle time after which a context, or the browser of `cicerone call`, is closed
    #[arg(long, global = true, value_name = "TIME", value_parser = duration, default_value = "30m")]
    #[arg(hide_short_help = true)]
    pub(crate) session_timeout: Duration,
    /// `serve`: let clients share contexts by name; each has its own otherwise
    #[arg(long, global = true, value_parser = clap::builder::BoolishValueParser::new())]
    #[arg(num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    #[arg(action = ArgAction::Set, hide_possible_values = true, hide_default_value = true, value_name = "BOOL")]
    #[arg(hide_short_help = true)]
    pub(crate) allow_shared_sessions: bool,
    /// How long an action waits for its element
    #[arg(long, global = true, value_name = "TIME", value_parser = duration, default_value = "5s")]
    #[arg(hide_short_help = true)]
    action_timeout: Duration,
    /// How long to watch for late effects of an action
    #[arg(long, global = true, value_name = "TIME", value_parser = duration, default_value = "500ms")]
    #[arg(hide_short_help = true)]
    settle: Duration,
    /// How long a navigation may take
    #[arg(long, global = true, value_name = "TIME", value_parser = duration, default_value = "30s")]
    #[arg(hide_short_help = true)]
    navigation_timeout: Duration,
    /// The only hosts that may be reached; comma list, `*.example.com` for subdomains
    #[arg(long, global = true, value_name = "HOST", value_delimiter = ',', hide_short_help = true)]
    allowed_hosts: Vec<HostPattern>,
    /// Hosts that may never be reached, allowed or not; comma list, `*.example.com` for subdomains
    #[arg(long, global = true, value_name = "HOST", value_delimiter = ',', hide_short_help = true)]
    blocked_hosts: Vec<HostPattern>,
    /// Also refuse loopback and private addresses; link-local and metadata addresses are always refused unless allowed by name
    #[arg(long, global = true, value_parser = clap::builder::BoolishValueParser::new())]
    #[arg(num_args = 0..=1, require_equals = true, default_value = "false", default_missing_value = "true")]
    #[arg(action = ArgAction::Set, hide_possible_values = true, hide_default_value = true, value_name = "BOOL")]
    #[arg(hide_short_help = true)]
    block_private: bool,
    /// Proxy of the default context: http, https or socks5, credentials in the URL
    #[arg(long, global = true, value_name = "URL", hide_short_help = true)]
    proxy: Option<String>,
    /// Hosts reached without the proxy; comma list, `*.example.com` for subdomains
    #[arg(long, global = true, value_name = "HOST", value_delimiter = ',', hide_short_help = true)]
    pub(crate) proxy_bypass: Vec<String>,
    #[command(flatten)]
    pub(crate) http: HttpFlags,
    /// The configuration file, else ./cicerone.toml
    #[arg(long, global = true, value_name = "FILE", value_parser = values::path(), hide_short_help = true)]
    config: Option<PathBuf>,
    /// What to log to standard error: error, warn, info, debug, trace
    #[arg(long, global = true, value_name = "LEVEL", value_parser = log_filter, default_value = "warn")]
    #[arg(hide_short_help = true)]
    pub(crate) log: String,
    /// The file that was read.
    #[arg(skip)]
    pub(crate) configured_by: Option<PathBuf>,
    /// All options as flags, as they hold now.
    #[arg(skip)]
    pub(crate) resolved: Vec<std::ffi::OsString>,
}

impl Cli {
    /// What flags, variables and the configuration file say, in this order of strength. Ends the program for flags
    /// that are wrong, and for help.
    pub(crate) fn read() -> Result<Self, BadConfiguration> {
        // Flags alone first: whether and which file is read depends on them.
        let mut command = Self::declared();
        let matches =
            command.try_get_matches_from_mut(std::env::args_os()).map_err(BadConfiguration::Flags)?;
        scope::check(&mut command, &matches).map_err(BadConfiguration::Flags)?;
        let flags = Self::from_arg_matches(&matches).map_err(BadConfiguration::Flags)?;
        if flags.command.as_ref().is_some_and(|command| !command.is_configured()) {
            return Ok(flags);
        }
        let file = layers::file(flags.options.config.clone());
        let mut command = Self::declared();
        for given in layers::read(file.as_ref(), std::env::vars_os())? {
            command = given.hand_to(command)?;
        }
        Self::taken(command.get_matches(), file.map(|file| file.path))
    }

    /// The commands and their options.
    pub(crate) fn declared() -> clap::Command {
        scope::narrowed(Self::command())
    }

    /// The same, as shells complete them.
    pub(crate) fn offered() -> clap::Command {
        scope::offered(&Self::declared())
    }

    /// A server's options, given as flags alone.
    pub(crate) fn from_flags(
        flags: impl IntoIterator<Item = std::ffi::OsString>,
    ) -> Result<Flags, BadConfiguration> {
        let program = std::iter::once("cicerone".into());
        let matches =
            Self::command().try_get_matches_from(program.chain(flags)).map_err(BadConfiguration::Flags)?;
        Ok(Self::taken(matches, None)?.options)
    }

    fn taken(matches: clap::ArgMatches, file: Option<PathBuf>) -> Result<Self, BadConfiguration> {
        let resolved = layers::as_flags(&matches);
        let mut cli = Self::from_arg_matches(&matches).map_err(BadConfiguration::Flags)?;
        cli.options.configured_by = file;
        cli.options.resolved = resolved;
        cli.options.route()?;
        cli.options.check_endpoint()?;
        cli.options.check_extension()?;
        if cli.options.allow_shared_sessions && cli.options.http.browser_per_client {
            return Err(BadConfiguration::SharedWithoutOneBrowser);
        }
        Ok(cli)
    }
}

impl Flags {
    /// The interfaces to offer, each once, in the order of their declaration.
    pub(crate) fn dialects(&self) -> Vec<&'static Dialect> {
        let wanted = |dialect: &&'static Dialect| self.dialect.iter().any(|choice| choice.includes(dialect));
        Dialect::ALL.into_iter().filter(wanted).collect()
    }

    /// How the default context's traffic goes.
    pub(crate) fn route(&self) -> Result<Option<Route>, BadConfiguration> {
        let Some(upstream) = &self.proxy else {
            return if self.proxy_bypass.is_empty() {
                Ok(None)
            } else {
                Err(BadConfiguration::BypassWithoutProxy)
            };
        };
        let mut route = Route::through(upstream.parse().map_err(BadConfiguration::Proxy)?);
        route.bypass = self.proxy_bypass.join(",").parse().map_err(BadConfiguration::Bypass)?;
        // Whoever sets the policy sets this proxy too.
        route.trusts_upstream = true;
        Ok(Some(route))
    }

    /// Which hosts and addresses may be reached.
    pub(crate) fn host_policy(&self) -> HostPolicy {
        HostPolicy {
            allowed: self.allowed_hosts.clone(),
            blocked: self.blocked_hosts.clone(),
            block_private: self.block_private,
        }
    }

    pub(crate) fn engine_options(&self) -> Options {
        Options {
            action_timeout: self.action_timeout,
            navigation_timeout: self.navigation_timeout,
            settle: self.settle,
            snapshot_limit: self.snapshot_limit,
            action_snapshot: match self.action_snapshot {
                Shown::Diff => ActionSnapshot::Diff,
                Shown::Full => ActionSnapshot::Full,
                Shown::None => ActionSnapshot::None,
            },
            session_timeout: self.session_timeout,
            hold_downloads: self.confirm().contains(&Consent::Downloads).then_some(LONGEST_ANSWER),
            max_download: self.max_download_size.saturating_mul(1 << 20),
            ..Options::default()
        }
    }

    /// Which browser, and how.
    pub(crate) fn launch(&self) -> Launch {
        Launch {
            engine: self.browser,
            headed: self.headed,
            viewport: self.viewport,
            proxy: None,
            proxy_only: false,
            client: None,
            system_access: false,
            profile: None,
        }
    }

    pub(crate) fn caps(&self) -> Vec<Cap> {
        let cap = |extra: &Extra| match extra {
            Extra::Vision => Cap::Vision,
            Extra::Pdf => Cap::Pdf,
            Extra::Annotate => Cap::Annotate,
        };
        self.caps.iter().map(cap).collect()
    }

    pub(crate) fn profile_lock(&self) -> cicerone_chromium::ProfileLock {
        match self.profile_lock {
            ProfileLock::Copy => cicerone_chromium::ProfileLock::Copy,
            ProfileLock::Fail => cicerone_chromium::ProfileLock::Fail,
        }
    }

    pub(crate) fn images(&self) -> ImageResponses {
        match self.image_responses {
            Images::File => ImageResponses::File,
            Images::Inline => ImageResponses::Inline,
            Images::Omit => ImageResponses::Omit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        Cli::declared().debug_assert();
    }

    #[test]
    fn options_pass_through_flags_unchanged() {
        let given = ["cicerone", "--headed", "--allow-path", "/a,/b", "--viewport=800x600", "call", "x"];
        let matches = Cli::command().try_get_matches_from(given).unwrap();
        let cli = Cli::taken(matches, None).unwrap();
        let again = Cli::from_flags(cli.options.resolved.clone()).unwrap();
        assert_eq!(again.resolved, cli.options.resolved);
        assert!(again.headed);
        assert_eq!(again.allow_path, [PathBuf::from("/a"), PathBuf::from("/b")]);
        assert_eq!(again.viewport, Size { width: 800, height: 600 });
    }
}
