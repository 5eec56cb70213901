//! What is weaker than a flag: variables, and below them the configuration file.
//!
//! Each value that is [`Given`] there is read by the declaration of its option, so that it may be what a flag may be,
//! and then becomes the option's default. Names that no option has are refused.

use std::{
    ffi::OsString,
    fmt,
    path::{Path, PathBuf},
};

use cicerone_engine::{BadBypass, BadUpstream};
use clap::{
    Arg, Args, Command,
    error::{ContextKind, ContextValue},
};

use super::{
    Flags,
    http::{SERVE_ONLY, TOKEN_VARIABLE},
    values::with_home,
};

/// The configuration file that is read where there is one.
pub(crate) const FILE_NAME: &str = "cicerone.toml";

/// What our variables begin with.
pub(super) const PREFIX: &str = "CICERONE_";

/// Variables of ours that are not options: those of the installation, and the token, which a process list would show.
const NO_OPTIONS: [&str; 3] = ["CICERONE_CACHE_DIR", "CICERONE_DOWNLOAD_BASE", TOKEN_VARIABLE];

/// What a file that was only found may set: looks and limits. It may come with a repository or a download, so it names no
/// programs, paths, secrets or proxies, and loosens nothing.
const HARMLESS: [&str; 14] = [
    "action-snapshot",
    "action-timeout",
    "browser",
    "caps",
    "dialect",
    "headed",
    "image-responses",
    "log",
    "max-image-dimension",
    "navigation-timeout",
    "session-timeout",
    "settle",
    "snapshot-limit",
    "viewport",
];

/// The option whose empty list could be mistaken for its opposite.
const ALLOWED_HOSTS: &str = "allowed-hosts";

/// How alike two names must be for one to be meant by the other.
const ALIKE: f64 = 0.7;

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadConfiguration {
    #[error("{} cannot be read: {source}", .path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{}, line {line}: {message}", .path.display())]
    NoToml { path: PathBuf, line: usize, message: String },
    #[error("unknown key `{key}` in {}; {}", .path.display(), meant(.nearest, .known))]
    UnknownKey { path: PathBuf, key: String, nearest: Option<String>, known: String },
    #[error(
        "`{key}` cannot be set by a {} that was only found in the working directory; name the file with --config, or use a \
         flag or a variable",
        .path.display()
    )]
    NotFromFoundFile { path: PathBuf, key: String },
    #[error("unknown variable {name}; {}", meant(.nearest, .known))]
    UnknownVariable { name: String, nearest: Option<String>, known: String },
    #[error("the key `{key}` is twice in {}, once with a dash and once with an underscore", .path.display())]
    Twice { path: PathBuf, key: String },
    #[error("bad value{} for {origin}: {expected}", quoted(.value))]
    BadValue { origin: Origin, value: Option<String>, expected: String },
    #[error("bad value for the option proxy: {0}")]
    Proxy(BadUpstream),
    #[error("the option proxy-bypass: {0}")]
    Bypass(BadBypass),
    #[error("the option proxy-bypass requires the option proxy")]
    BypassWithoutProxy,
    #[error(
        "the options allow-shared-sessions and browser-per-client exclude each other: contexts are shared within one browser"
    )]
    SharedWithoutOneBrowser,
    #[error("bad value for the option endpoint: {0}")]
    Endpoint(cicerone_endpoint::BadEndpoint),
    #[error("the option {option} requires the option endpoint")]
    WithoutEndpoint { option: &'static str },
    #[error("the option {option} cannot be used with the option endpoint: that browser runs already")]
    LaunchesNothing { option: &'static str },
    #[error(
        "the option {option} cannot be used with endpoint and endpoint-context default: the traffic of that context goes past \
         us"
    )]
    NotInDefaultContext { option: &'static str },
    #[error(
        "the option {option} cannot be used with the endpoint {endpoint}: a browser on another machine cannot reach our proxy, \
         so it would not be enforced"
    )]
    NotElsewhere { option: &'static str, endpoint: String },
    #[error(
        "the option {option} cannot be used with the option endpoint: that browser was started without the flags that keep \
         all its traffic in our proxy, so it would not be enforced"
    )]
    NotEnforcedAtEndpoint { option: &'static str },
    #[error("the option {option} cannot be used with the option extension: that browser is the person's own")]
    NotWithExtension { option: &'static str },
    #[error(
        "the option {option} cannot be used with the option extension: the traffic of the person's own browser goes past us, \
         so it would not be enforced"
    )]
    NotEnforcedByExtension { option: &'static str },
    #[error(transparent)]
    Flags(clap::Error),
}

/// Where a value was given.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    Variable(String),
    Key { path: PathBuf, key: String },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "the variable {name}"),
            Self::Key { path, key } => write!(f, "the key `{key}` in {}", path.display()),
        }
    }
}

fn meant(nearest: &Option<String>, known: &str) -> String {
    match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("there are {known}"),
    }
}

fn quoted(value: &Option<String>) -> String {
    value.as_ref().map(|value| format!(" `{value}`")).unwrap_or_default()
}

/// Values for one option, and where they come from.
pub(super) struct Given {
    origin: Origin,
    /// The option's name.
    option: String,
    values: Vec<String>,
}

impl Given {
    /// Makes these values the option's default, if the option takes them.
    pub(super) fn hand_to(self, command: Command) -> Result<Command, BadConfiguration> {
        let id = self.option.replace('-', "_");
        if let Some(argument) = command.get_arguments().find(|argument| argument.get_id() == id.as_str()) {
            self.check(argument)?;
        }
        Ok(command.mut_arg(id, |argument| argument.default_values(self.values)))
    }

    fn check(&self, argument: &Arg) -> Result<(), BadConfiguration> {
        let alone = Command::new("check").no_binary_name(true).arg(argument.clone());
        let flags = self.values.iter().map(|value| format!("--{}={value}", self.option));
        let refused = alone.try_get_matches_from(flags).err();
        refused.map_or(Ok(()), |error| {
            let value = error.get(ContextKind::InvalidValue).map(ToString::to_string);
            Err(BadConfiguration::BadValue { origin: self.origin.clone(), value, expected: expected(&error) })
        })
    }
}

/// What would have been taken, in words.
fn expected(error: &clap::Error) -> String {
    match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(values)) if !values.is_empty() => {
            format!("it is one of {}", values.join(", "))
        }
        _ => std::error::Error::source(error).map_or_else(|| error.kind().to_string(), ToString::to_string),
    }
}

/// The options, as they are declared.
pub(super) fn options() -> Vec<Arg> {
    Flags::augment_args(Command::new("options")).get_arguments().cloned().collect()
}

/// The names of the options that variables may set; the file may not name another file.
fn names(with_config: bool) -> Vec<String> {
    let names = options().into_iter().filter_map(|option| option.get_long().map(str::to_owned));
    names.filter(|name| with_config || name != "config").collect()
}

/// The variable of an option.
pub(super) fn variable(option: &str) -> String {
    format!("{PREFIX}{}", option.replace('-', "_").to_uppercase())
}

/// A configuration file.
#[derive(Debug, Clone)]
pub(crate) struct ConfigFile {
    pub(crate) path: PathBuf,
    /// Whether it was only found in the working directory: it may have come with a download.
    found: bool,
}

/// The file to read: the one that a flag or a variable names, or the usual one where it is there.
pub(super) fn file(flag: Option<PathBuf>) -> Option<ConfigFile> {
    let named = std::env::var_os(variable("config")).filter(|path| !path.is_empty());
    let named = named.map(|path| with_home(Path::new(&path)));
    let usual = PathBuf::from(FILE_NAME);
    let found = || usual.exists().then_some(ConfigFile { path: usual, found: true });
    flag.or(named).map(|path| ConfigFile { path, found: false }).or_else(found)
}

/// What the file and the variables say, the weaker first.
pub(super) fn read(
    file: Option<&ConfigFile>,
    variables: impl Iterator<Item = (OsString, OsString)>,
) -> Result<Vec<Given>, BadConfiguration> {
    let mut given = file.map(from_file).transpose()?.unwrap_or_default();
    let mut ours: Vec<_> = variables
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
        .filter(|(name, value)| name.starts_with(PREFIX) && !value.is_empty())
        .filter(|(name, _)| !NO_OPTIONS.contains(&name.as_str()))
        .collect();
    // In an order that does not depend on the system, so that the first error is always the same.
    ours.sort();
    for (name, value) in ours {
        given.push(from_variable(name, value)?);
    }
    Ok(given)
}

fn from_variable(name: String, value: OsString) -> Result<Given, BadConfiguration> {
    let known = names(true);
    let Some(option) = known.iter().find(|option| variable(option) == name) else {
        let variables: Vec<String> = known.iter().map(|option| variable(option)).collect();
        let nearest = nearest(&name, &variables);
        return Err(BadConfiguration::UnknownVariable { name, nearest, known: variables.join(", ") });
    };
    let origin = Origin::Variable(name);
    match value.into_string() {
        Ok(value) => Ok(Given { origin, option: option.clone(), values: vec![value] }),
        Err(_) => {
            Err(BadConfiguration::BadValue { origin, value: None, expected: "it must be UTF-8 text".into() })
        }
    }
}

fn from_file(ConfigFile { path, found }: &ConfigFile) -> Result<Vec<Given>, BadConfiguration> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| BadConfiguration::Unreadable { path: path.to_owned(), source })?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        BadConfiguration::NoToml { path: path.to_owned(), line, message: error.message().to_owned() }
    })?;
    let known = names(false);
    let mut given: Vec<Given> = Vec::new();
    for (key, value) in table {
        let option = key.replace('_', "-");
        if !known.contains(&option) {
            let nearest = nearest(&option, &known);
            let known = known.join(", ");
            return Err(BadConfiguration::UnknownKey { path: path.to_owned(), key, nearest, known });
        }
        if *found && !HARMLESS.contains(&option.as_str()) {
            return Err(BadConfiguration::NotFromFoundFile { path: path.to_owned(), key });
        }
        if given.iter().any(|other| other.option == option) {
            return Err(BadConfiguration::Twice { path: path.to_owned(), key: option });
        }
        let origin = Origin::Key { path: path.to_owned(), key };
        let values = values(&value, &origin)?;
        if values.is_empty() && option == ALLOWED_HOSTS {
            let expected = "an empty list would allow all hosts; leave it out for that".into();
            return Err(BadConfiguration::BadValue { origin, value: None, expected });
        }
        given.push(Given { origin, option, values });
    }
    Ok(given)
}

/// The value of a key, as a flag would have it.
fn values(value: &toml::Value, origin: &Origin) -> Result<Vec<String>, BadConfiguration> {
    let refused = |expected: &str| {
        Err(BadConfiguration::BadValue { origin: origin.clone(), value: None, expected: expected.into() })
    };
    match value {
        toml::Value::String(text) => Ok(vec![text.clone()]),
        toml::Value::Integer(number) => Ok(vec![number.to_string()]),
        toml::Value::Float(number) => Ok(vec![number.to_string()]),
        toml::Value::Boolean(truth) => Ok(vec![truth.to_string()]),
        toml::Value::Datetime(_) | toml::Value::Table(_) => {
            refused("it is a text, a number, true or false, or a list of texts")
        }
        toml::Value::Array(items) => {
            let texts: Option<Vec<String>> =
                items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
            match texts {
                // A flag would take it apart.
                Some(texts) if texts.iter().any(|text| text.contains(',')) => {
                    refused("an item of a list has no comma")
                }
                Some(texts) => Ok(texts),
                None => refused("a list has texts only"),
            }
        }
    }
}

/// The known name that was most likely meant.
fn nearest(name: &str, known: &[String]) -> Option<String> {
    let alike = known.iter().map(|known| (strsim::jaro_winkler(name, known), known));
    let best = alike.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    // What all variables begin with says nothing.
    let (name, meant) = (name.trim_start_matches(PREFIX), best.1.trim_start_matches(PREFIX));
    (strsim::jaro_winkler(name, meant) > ALIKE).then(|| best.1.clone())
}

/// All options that have a value, as flags that say the same.
pub(super) fn as_flags(matches: &clap::ArgMatches) -> Vec<OsString> {
    let mut flags = Vec::new();
    for option in options() {
        let (Some(long), id) = (option.get_long(), option.get_id().as_str()) else { continue };
        if long == "config" || SERVE_ONLY.contains(&long) {
            continue;
        }
        for value in matches.get_raw(id).into_iter().flatten() {
            let mut flag = OsString::from(format!("--{long}="));
            flag.push(value);
            flags.push(flag);
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> impl Iterator<Item = (OsString, OsString)> {
        pairs.iter().map(|(name, value)| (name.into(), value.into())).collect::<Vec<_>>().into_iter()
    }

    fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }

    fn refusal(text: &str) -> String {
        let file = file(text);
        let given = read(Some(&ConfigFile { path: file.path().to_owned(), found: false }), variables(&[]));
        let handed = given.and_then(|given| {
            let command = Flags::augment_args(Command::new("test"));
            given.into_iter().try_fold(command, |command, given| given.hand_to(command))
        });
        handed.unwrap_err().to_string().replace(&file.path().display().to_string(), "FILE")
    }

    #[test]
    fn a_key_or_variable_that_no_option_has_is_refused_with_the_nearest() {
        let said = refusal("viewprot = '1x1'");
        assert_eq!(said, "unknown key `viewprot` in FILE; did you mean `viewport`?");
        assert!(refusal("qqqq = 1").contains("there are dialect, caps"));
        assert!(refusal("config = 'x'").contains("unknown key `config`"));
        let refused = read(None, variables(&[("CICERONE_SNAPSHOT_LIMITS", "1")])).err().unwrap();
        let said = "unknown variable CICERONE_SNAPSHOT_LIMITS; did you mean `CICERONE_SNAPSHOT_LIMIT`?";
        assert_eq!(refused.to_string(), said);
        let unlike = read(None, variables(&[("CICERONE_QQQQ", "1")])).err().unwrap().to_string();
        assert!(unlike.contains("there are CICERONE_DIALECT"), "{unlike}");
    }

    #[test]
    fn variables_of_others_and_empty_ones_count_for_nothing() {
        let of_others = [("PATH", "/bin"), ("CICERONE_CACHE_DIR", "/c"), ("CICERONE_VIEWPORT", "")];
        assert!(read(None, variables(&of_others)).unwrap().is_empty());
    }

    #[test]
    fn a_bad_value_is_named_with_its_place_and_what_is_expected() {
        assert_eq!(
            refusal("image_responses = 'blue'"),
            "bad value `blue` for the key `image_responses` in FILE: it is one of file, inline, omit"
        );
        assert_eq!(
            refusal("action-timeout = 5"),
            "bad value `5` for the key `action-timeout` in FILE: a duration has a unit: 500ms, 5s, 30m, 1h"
        );
        assert!(refusal("headed = 'perhaps'").contains("bad value `perhaps` for the key `headed`"));
        assert!(refusal("snapshot-limit = -1").contains("bad value `-1` for the key `snapshot-limit`"));
        assert!(
            refusal("[viewport]\nwidth = 1")
                .contains("bad value for the key `viewport` in FILE: it is a text")
        );
        assert!(refusal("allow-path = ['a,b']").contains("an item of a list has no comma"));
        assert!(refusal("allowed-hosts = []").contains("an empty list would allow all hosts"));
        assert!(refusal("blocked-hosts = ['a.test:80']").contains("without a port"));
    }

    #[test]
    fn what_is_no_toml_is_refused_with_its_line() {
        assert!(refusal("headed = true\nviewport = = 1").starts_with("FILE, line 2: "));
        assert!(refusal("snapshot-limit = 1\nsnapshot_limit = 2").contains("is twice in FILE"));
    }
}
