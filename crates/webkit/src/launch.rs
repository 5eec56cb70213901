//! Starting the host: its directory, its pipe.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use cicerone_driver::{Browser, BrowserEvent, Engine, Launch, LaunchError, Launcher, OldestVersion, Sink};
use cicerone_process::{Process, Profile, ProfileLock, inherit_little, io};
use cicerone_wire::{Connection, transport::newline_terminated};
use tokio::process::Command;

use crate::{
    browser::{Shared, WebKitBrowser},
    contexts::WebKitContext,
    events, injected,
    lifecycle::ask,
    protocol::host::{PROTOCOL, SetContentFilter, SetScripts, Started},
    refused_hosts,
};

/// The oldest version that is supported. Its major version never changes.
pub const OLDEST: OldestVersion = OldestVersion { engine: "WebKitGTK", major: 2 };

/// How long a browser may take until it answers.
const START: Duration = Duration::from_secs(30);

/// How often a start is tried: the port that the inspector begins with may be taken by another program.
const ATTEMPTS: u32 = 3;

/// What the host says when that is so.
const NO_INSPECTOR: &str = "WebKit started no inspector";

/// What the host says when another program was faster than we.
const NOT_ALONE: &str = "another program connected to the inspector";

/// The program that draws what nobody sees.
const DISPLAY_SERVER: &str = "Xvfb";

/// How browsers are started.
#[derive(Debug, Clone, Default)]
pub struct LaunchOptions {
    /// The profile, which stays; without one, every browser has a temporary one.
    pub user_data_dir: Option<PathBuf>,
    /// What is done when somebody else uses the profile.
    pub profile_lock: ProfileLock,
    /// The program that cleans up after us when we are killed, and its first arguments; the path of the
    /// directory to remove is added, which is never `user_data_dir`. See [`cicerone_process::janitor`].
    pub janitor: Option<Vec<PathBuf>>,
}

/// Finds the host; asked anew for every start, so that an installation in between counts.
type Find = dyn Fn() -> Result<PathBuf, LaunchError> + Send + Sync;

/// Starts WebKit.
pub struct WebKit {
    find: Box<Find>,
    options: LaunchOptions,
}

impl WebKit {
    /// A launcher that starts the host that `find` finds.
    pub fn new(
        find: impl Fn() -> Result<PathBuf, LaunchError> + Send + Sync + 'static,
        options: LaunchOptions,
    ) -> Self {
        Self { find: Box::new(find), options }
    }

    async fn profile(&self) -> Result<Profile, LaunchError> {
        let LaunchOptions { user_data_dir, profile_lock, janitor } = self.options.clone();
        let made = tokio::task::spawn_blocking(move || match user_data_dir {
            Some(path) => Profile::lasting(&path, profile_lock, janitor.as_deref()),
            None => Profile::temporary(janitor.as_deref()),
        });
        made.await.map_err(|ended| io("making a profile")(ended.into()))?
    }

    async fn start(
        &self,
        program: &Path,
        wanted: &Launch,
        sink: &Sink,
    ) -> Result<WebKitBrowser, LaunchError> {
        let mut profile = self.profile().await?;
        let remark = profile.remark().map(str::to_owned);
        let lasting = self.options.user_data_dir.is_some().then(|| profile.path().to_owned());
        let mut child = command(program, wanted, &profile).spawn().map_err(io("starting the browser"))?;
        profile.used_by(child.id().unwrap_or_default()).map_err(io("telling the janitor process"))?;
        let pipe = child.stdout.take().zip(child.stdin.take());
        let (process, words) = Process::watch(child, profile);
        let Some((output, input)) = pipe else {
            return Err(LaunchError::NoPipe);
        };

        let shared = Shared::new(Arc::clone(sink), wanted.viewport);
        let observer = Arc::clone(&shared);
        let connection = Connection::open(newline_terminated(output, input), move |event| {
            events::observe(&observer, event)
        });
        let _ = shared.connection.set(connection.clone());
        let root = connection.root();
        // An error without a reason is one of the start.
        let hello = async {
            let mut started = shared.started.subscribe();
            let Started { version, protocol } = tokio::select! {
                started = started.wait_for(Option::is_some) => started.ok().and_then(|it| it.clone()).ok_or(None)?,
                () = connection.closed() => return Err(None),
            };
            if protocol != PROTOCOL {
                let (engine, program) = (Engine::WebKit, program.to_owned());
                return Err(Some(LaunchError::VersionMismatch { engine, program }));
            }
            let source = injected::source();
            root.tell(&SetScripts { scripts: &[(injected::WORLD, &source), (injected::SANDBOX, "0")] });
            if !wanted.proxy_only {
                // Every context has a relay otherwise.
                let rules = refused_hosts::rules();
                ask(&root, &SetContentFilter { rules: &rules }).await.map_err(|_| None)?;
            }
            let proxy = wanted.proxy.as_ref();
            let default = WebKitContext::create(&shared, &root, proxy, lasting.as_deref(), true)
                .await
                .map_err(|_| None)?;
            Ok((version, default))
        };
        let refused = match tokio::time::timeout(START, hello).await {
            Ok(Ok((version, default))) => {
                let (version, default) = (format!("WebKitGTK/{version}"), Arc::new(default));
                return Ok(WebKitBrowser { shared, connection, process, default, version, remark });
            }
            Ok(Err(refused)) => refused,
            Err(_) => None,
        };
        process.kill().await;
        if let Some(refused) = refused {
            return Err(refused);
        }
        let words = words.lock().unwrap_or_else(PoisonError::into_inner);
        let stderr = words.iter().cloned().collect::<Vec<_>>().join(" | ");
        if stderr.contains(NOT_ALONE) {
            return Err(LaunchError::NotAlone { program: program.to_owned() });
        }
        Err(LaunchError::Failed { program: program.to_owned(), stderr })
    }
}

fn command(program: &Path, wanted: &Launch, profile: &Profile) -> Command {
    let mut command = Command::new(program);
    inherit_little(command.as_std_mut());
    if wanted.headed {
        command.arg("--headed");
    }
    command.arg(profile.beside());
    // What it writes beside its profile goes with it too.
    command.env("TMPDIR", profile.beside());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    command.process_group(0);
    command
}

/// Whether there is a display for windows of X, the only ones that the host opens.
fn has_x_display() -> bool {
    std::env::var_os("DISPLAY").is_some_and(|name| !name.is_empty())
}

/// Whether a program is on `PATH`.
fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

#[async_trait]
impl Launcher for WebKit {
    fn check(&self, wanted: &Launch) -> Result<(), LaunchError> {
        match wanted.engine {
            Engine::WebKit if wanted.headed && !has_x_display() => Err(LaunchError::NoDisplay),
            Engine::WebKit if !wanted.headed && !is_there(DISPLAY_SERVER) => Err(LaunchError::Missing {
                engine: Engine::WebKit,
                program: DISPLAY_SERVER,
                looked: vec!["PATH".into()],
            }),
            Engine::WebKit => (self.find)().map(drop),
            other => Err(LaunchError::UnsupportedEngine(other)),
        }
    }

    async fn launch(&self, wanted: &Launch, sink: Sink) -> Result<Arc<dyn Browser>, LaunchError> {
        self.check(wanted)?;
        let program = (self.find)()?;
        let mut attempt = 1;
        let browser = loop {
            match self.start(&program, wanted, &sink).await {
                Err(LaunchError::Failed { stderr, .. })
                    if attempt < ATTEMPTS && stderr.contains(NO_INSPECTOR) =>
                {
                    attempt += 1;
                }
                started => break started?,
            }
        };
        let connection = browser.connection.clone();
        tokio::spawn(async move {
            connection.closed().await;
            sink(BrowserEvent::Disconnected);
        });
        Ok(Arc::new(browser))
    }
}
