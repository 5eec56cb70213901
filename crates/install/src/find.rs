//! A [`Search`] says where to look for an engine. [`find`] returns the [`Found`] executable with its [`Source`], or
//! what is [`Missing`].
//!
//! An executable named by a flag or variable is used or refused, never silently replaced by another browser. Only
//! without one `PATH`, the usual paths and the cache are searched.

use std::fmt;
use std::path::{Path, PathBuf};

use cicerone_driver::Engine;

use crate::cache::Cache;
use crate::engine::{Facts, KnownPath};
use crate::environment::Environment;
use crate::executable::{Problem, check, on_path, runs};
use crate::platform::Platform;
use crate::webkit;

/// The variable that names an executable of any engine.
const VARIABLE: &str = "CICERONE_EXECUTABLE_PATH";

/// Where to look for an engine.
#[derive(Debug, Clone)]
pub struct Search {
    /// The executable named by a flag or the configuration.
    pub named: Option<PathBuf>,
    /// Provides variables, `PATH` and the home directory.
    pub environment: Environment,
    /// The cache directory; `None` without a home directory.
    pub cache: Option<PathBuf>,
    /// The directory of this program, where programs of ours are beside it.
    pub beside: Option<PathBuf>,
    /// The root of usual absolute paths: `/`, except in tests.
    pub root: PathBuf,
    /// The platform for builds; `None` if there are none.
    pub platform: Option<Platform>,
}

/// A found executable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The executable.
    pub path: PathBuf,
    /// Where it was found.
    pub source: Source,
}

/// Where an executable was found or named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Named by a flag or the configuration.
    Named,
    /// Named by this environment variable.
    Variable(&'static str),
    /// On `PATH`.
    Path,
    /// In a usual path of the operating system.
    UsualPlace,
    /// In the cache, where [`install`](crate::install()) puts it.
    Cache,
}

/// Why no executable was found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Missing {
    /// The named executable cannot be run.
    #[error("{} ({by}) {problem}", path.display())]
    Unusable {
        /// The named path.
        path: PathBuf,
        /// What named it.
        by: Source,
        /// Why it cannot be run.
        problem: Problem,
    },
    /// Nothing was named and nothing was found.
    #[error("no {engine} found {looked}")]
    Nowhere {
        engine: Engine,
        /// The searched places.
        looked: Looked,
    },
}

/// The places that were searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    /// Names searched on `PATH`.
    pub names: &'static [&'static str],
    /// Number of usual paths tried.
    pub places: usize,
    /// The cache directory, if there is one.
    pub cache: Option<PathBuf>,
}

/// Finds an executable of the engine.
pub fn find(engine: Engine, search: &Search) -> Result<Found, Missing> {
    let facts = Facts::of(engine);
    if let Some((path, by)) = search.named_by_person(facts) {
        return match check(&path) {
            Ok(()) => Ok(Found { path, source: by }),
            Err(problem) => Err(Missing::Unusable { path, by, problem }),
        };
    }
    let found = |path, source| Found { path, source };
    search
        .on_path(facts)
        .map(|path| found(path, Source::Path))
        .or_else(|| search.in_usual_places(facts).map(|path| found(path, Source::UsualPlace)))
        .or_else(|| search.in_cache(engine, facts).map(|path| found(path, Source::Cache)))
        .ok_or_else(|| search.nowhere(engine, facts))
}

impl Search {
    /// A search in the environment of this process.
    pub fn of_process() -> Self {
        Self::new(Environment::Process)
    }

    /// A search in this environment, with its cache.
    pub fn new(environment: Environment) -> Self {
        Search {
            named: None,
            cache: Cache::directory(&environment),
            environment,
            beside: webkit::directory_of_program(),
            root: PathBuf::from("/"),
            platform: Platform::current(),
        }
    }

    fn named_by_person(&self, facts: &Facts) -> Option<(PathBuf, Source)> {
        let by_variable = |name: &'static str| Some((self.environment.path(name)?, Source::Variable(name)));
        let by_flag = self.named.clone().map(|path| (path, Source::Named));
        by_flag.or_else(|| by_variable(VARIABLE)).or_else(|| facts.variable.and_then(by_variable))
    }

    fn on_path(&self, facts: &Facts) -> Option<PathBuf> {
        facts.names.iter().find_map(|name| on_path(&self.environment, name))
    }

    fn in_usual_places(&self, facts: &Facts) -> Option<PathBuf> {
        let resolve = |place: &KnownPath| match *place {
            KnownPath::Root(path) => Some(self.root.join(path)),
            KnownPath::Home(path) => Some(self.environment.home()?.join(path)),
            KnownPath::Variable(name, path) => Some(self.environment.path(name)?.join(path)),
            KnownPath::Beside(path) => Some(self.beside.as_deref()?.join(path)),
            KnownPath::Cache(path) => Some(self.cache.as_deref()?.join(path)),
        };
        facts.places.iter().filter_map(resolve).find(|path| runs(path))
    }

    fn in_cache(&self, engine: Engine, facts: &Facts) -> Option<PathBuf> {
        let release = facts.release?;
        let executable = Path::new((release.executable)(self.platform?));
        let builds = Cache::at(self.cache.as_deref()?).builds(engine, release.version);
        builds.into_iter().map(|build| build.join(executable)).find(|path| runs(path))
    }

    fn nowhere(&self, engine: Engine, facts: &Facts) -> Missing {
        let looked = Looked { names: facts.names, places: facts.places.len(), cache: self.cache.clone() };
        Missing::Nowhere { engine, looked }
    }
}

impl Missing {
    /// What to do next.
    pub fn hint(&self) -> String {
        match self {
            Missing::Unusable { .. } => {
                "name an existing browser executable, or name none to have one found".to_owned()
            }
            Missing::Nowhere { engine, .. } => {
                format!("run `cicerone install {engine}`, or set CICERONE_EXECUTABLE_PATH to its executable")
            }
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Named => "named explicitly",
            Source::Variable(name) => name,
            Source::Path => "on PATH",
            Source::UsualPlace => "in its usual place",
            Source::Cache => "in the cache",
        })
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.path.display(), self.source)
    }
}

impl fmt::Display for Looked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.names.is_empty() {
            write!(f, "on PATH ({}), ", self.names.join(", "))?;
        }
        write!(f, "in {} usual places", self.places)?;
        match &self.cache {
            Some(cache) => write!(f, " or in the cache {}", cache.display()),
            None => write!(f, " (and there is no cache directory)"),
        }
    }
}
