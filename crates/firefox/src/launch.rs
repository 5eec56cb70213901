//! Launching: the profile, the arguments, the session.

use std::{
    io,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use cicerone_driver::{
    Browser, BrowserEvent, Engine, Launch, LaunchError, Launcher, OldestVersion, Sink, Size,
};
use cicerone_process::{Process, Profile, ProfileLock, has_display, inherit_little, io, reported_version};
use cicerone_wire::{Connection, transport::websocket};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, ChildStdout, Command},
    sync::oneshot,
};
use url::Url;

use crate::{
    browser::{FirefoxBrowser, Origin, Shared},
    contexts::DEFAULT,
    events,
    marionette::{Capabilities, Marionette},
    peers,
    preferences::{self, Proxies},
    reconnect, restart, system, window,
};

/// The oldest supported version: the older of the last two long-term releases.
pub const OLDEST: OldestVersion = OldestVersion { engine: "Firefox", major: 140 };

/// Time limit for a browser to answer after its start.
const START: Duration = Duration::from_secs(45);

/// Marionette's line on standard output when it accepts connections.
const LISTENING: &str = "Listening on port ";

#[derive(Debug, Clone, Default)]
pub struct LaunchOptions {
    /// A persistent profile; without one, every browser has a temporary one.
    pub user_data_dir: Option<PathBuf>,
    /// What to do when another browser uses the profile.
    pub profile_lock: ProfileLock,
    /// The program that cleans up after us when we are killed, and its first arguments. The directory to
    /// remove follows, which is never `user_data_dir`. See [`cicerone_process::janitor`].
    pub janitor: Option<Vec<PathBuf>>,
    /// Whether to allow privileged script, for what BiDi lacks. It gives full control of the browser
    /// process, and must be requested at launch.
    pub system_access: bool,
}

/// Finds the program to start. Called at every start, so that an installation in between counts.
type Find = dyn Fn() -> Result<PathBuf, LaunchError> + Send + Sync;

/// Starts Firefox.
pub struct Firefox {
    find: Box<Find>,
    options: LaunchOptions,
}

impl Firefox {
    /// A launcher for the program that `find` returns.
    pub fn new(
        find: impl Fn() -> Result<PathBuf, LaunchError> + Send + Sync + 'static,
        options: LaunchOptions,
    ) -> Self {
        Self { find: Box::new(find), options }
    }

    async fn profile(&self, program: &Path, wanted: &Launch) -> Result<Profile, LaunchError> {
        let program = program.to_owned();
        let by = match (wanted.proxy_only, &wanted.proxy) {
            (true, _) => Proxies::Only,
            (false, Some(_)) => Proxies::Some,
            (false, None) => Proxies::None,
        };
        let kept = restart::take_profile(wanted);
        let LaunchOptions { user_data_dir, profile_lock, janitor, .. } = self.options.clone();
        let made = tokio::task::spawn_blocking(move || {
            let profile = match (kept, user_data_dir) {
                (Some(kept), _) => kept,
                (None, Some(path)) => Profile::lasting(&path, profile_lock, janitor.as_deref())?,
                (None, None) => Profile::temporary(janitor.as_deref())?,
            };
            let major = preferences::major_version(&program);
            let written =
                preferences::write_into(profile.path(), major, by).map_err(io("writing preferences"));
            Ok((profile, written))
        });
        let (profile, written) = made.await.map_err(|ended| io("making a profile")(ended.into()))??;
        match written {
            Ok(()) => Ok(profile),
            Err(error) => {
                restart::put_back(wanted, profile);
                Err(error)
            }
        }
    }

    fn spawn(&self, program: &Path, wanted: &Launch, profile: &mut Profile) -> Result<Child, LaunchError> {
        std::fs::create_dir_all(downloads(profile)).map_err(io("making a directory for downloads"))?;
        let mut command = command(program, wanted, profile);
        if self.grants_access(program, wanted) {
            command.arg(system::ARGUMENT).env(system::VARIABLE, "1");
        } else {
            // Our environment may request it, but we did not.
            command.env_remove(system::VARIABLE);
        }
        let child = command.spawn().map_err(io("starting the browser"))?;
        profile.used_by(child.id().unwrap_or_default()).map_err(io("telling the janitor process"))?;
        Ok(child)
    }

    /// Whether privileged script may be run: asked for by who started us; or by a call, in a browser that has nothing of a
    /// person.
    fn grants_access(&self, program: &Path, wanted: &Launch) -> bool {
        let temporary = self.options.user_data_dir.is_none();
        let by_call =
            || wanted.system_access && temporary && system::is_in(preferences::major_version(program));
        self.options.system_access || by_call()
    }

    async fn start(
        &self,
        program: &Path,
        wanted: &Launch,
        sink: &Sink,
    ) -> Result<FirefoxBrowser, LaunchError> {
        let mut profile = self.profile(program, wanted).await?;
        let downloads = downloads(&profile);
        let remark = profile.remark().map(str::to_owned);
        let mut child = match self.spawn(program, wanted, &mut profile) {
            Ok(child) => child,
            Err(error) => {
                restart::put_back(wanted, profile);
                return Err(error);
            }
        };
        let stdout = child.stdout.take();
        let (process, words) = Process::watch(child, profile);
        let profile = process.inherit();

        let hello = async {
            let port = listening(stdout).await.ok_or(io::ErrorKind::UnexpectedEof)?;
            let mut marionette = Marionette::connect(port).await?;
            let not_alone = || LaunchError::NotAlone { program: program.to_owned() };
            if peers::others_at(port, marionette.local_addr()?)? {
                return Ok(Err(not_alone()));
            }
            let session = marionette.new_session(wanted.proxy.as_ref()).await?;
            // A connection made before this point shares the session; the browser rejects later
            // ones.
            if peers::others_at(port, marionette.local_addr()?)? {
                return Ok(Err(not_alone()));
            }
            if let Err(too_old) = OLDEST.check(program, &session.browser_version) {
                return Ok(Err(too_old));
            }
            let (address, path) = socket_of(&session)?;
            let transport = websocket(address, &path).await?;
            let shared = Shared::new(Arc::clone(sink), downloads, wanted.viewport, None);
            shared.is_version(&session.browser_version);
            if wanted.proxy.is_some() && !shared.has_proxies() {
                return Ok(Err(LaunchError::TooOldFor { program: program.to_owned(), feature: "proxies" }));
            }
            let observer = Arc::clone(&shared);
            let marionette = Arc::new(tokio::sync::Mutex::new(marionette));
            let again = reconnect::again(&shared, &marionette, address, path);
            let connection =
                Connection::open_lasting(transport, again, move |event| events::observe(&observer, event));
            let _ = shared.connection.set(connection.clone());
            shared.set_up(&connection, wanted.proxy.as_ref()).await.map_err(io::Error::other)?;
            Ok::<_, io::Error>(Ok((marionette, session, shared, connection)))
        };
        match tokio::time::timeout(START, hello).await {
            Ok(Ok(Ok((marionette, session, shared, connection)))) => Ok(FirefoxBrowser {
                shared,
                connection,
                origin: Origin::Launched {
                    process,
                    marionette,
                    lasting: self.options.user_data_dir.is_some(),
                },
                first: DEFAULT.to_owned(),
                version: format!("Firefox/{}", session.browser_version),
                user_agent: session.user_agent,
                remark,
            }),
            Ok(Ok(Err(refused))) => {
                give_up(&process, profile, wanted).await;
                Err(refused)
            }
            failed => {
                if let Ok(Err(error)) = failed {
                    tracing::debug!(%error, "the browser could not be reached");
                }
                give_up(&process, profile, wanted).await;
                // A browser that is too old may not start a session.
                if let Some(reported) = reported_version(program).await {
                    OLDEST.check(program, &reported)?;
                }
                let words = words.lock().unwrap_or_else(PoisonError::into_inner);
                let stderr = words.iter().cloned().collect::<Vec<_>>().join(" | ");
                Err(LaunchError::Failed { program: program.to_owned(), stderr })
            }
        }
    }
}

/// Kills a browser that could not be reached.
async fn give_up(process: &Process, profile: oneshot::Receiver<Profile>, wanted: &Launch) {
    process.kill().await;
    if let Ok(profile) = profile.await {
        restart::put_back(wanted, profile);
    }
}

fn downloads(profile: &Profile) -> PathBuf {
    profile.beside().join("downloads")
}

fn command(program: &Path, wanted: &Launch, profile: &Profile) -> Command {
    let mut command = Command::new(program);
    inherit_little(command.as_std_mut());
    command.args(["--no-remote", "--new-instance", "--remote-debugging-port=0", "--marionette"]);
    command.arg("--profile").arg(profile.path());
    if !wanted.headed {
        command.arg("--headless");
        // Windows are as large as the screen, up to a size that holds a common viewport.
        let Size { width, height } = window::around(wanted.viewport);
        command.env("MOZ_HEADLESS_WIDTH", width.max(1920).to_string());
        command.env("MOZ_HEADLESS_HEIGHT", height.max(1080).to_string());
    }
    command.arg("about:blank");
    // Files that it writes next to its profile are removed, too.
    command.env("TMPDIR", profile.beside()).env("MOZ_CRASHREPORTER_DISABLE", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    command.process_group(0);
    command
}

/// The port that Marionette listens on. Later output is read and discarded, or the browser would block on a
/// full pipe.
async fn listening(stdout: Option<ChildStdout>) -> Option<u16> {
    let mut lines = BufReader::new(stdout?).lines();
    let (tell, told) = oneshot::channel();
    let mut tell = Some(tell);
    tokio::spawn(async move {
        while let Ok(Some(line)) = lines.next_line().await {
            tracing::debug!(target: "cicerone::browser", "{line}");
            let port = line.split_once(LISTENING).and_then(|(_, port)| port.trim().parse().ok());
            if let (Some(port), Some(tell)) = (port, tell.take_if(|_| port.is_some())) {
                let _ = tell.send(port);
            }
        }
    });
    told.await.ok()
}

/// The URL of the session's socket: `ws://127.0.0.1:4711/session/…`.
fn socket_of(session: &Capabilities) -> io::Result<(SocketAddr, String)> {
    let bad = || io::Error::other(format!("no address of a socket: {}", session.web_socket_url));
    let url = Url::parse(&session.web_socket_url).map_err(|_| bad())?;
    let address = url.socket_addrs(|| None)?.into_iter().next().ok_or_else(bad)?;
    Ok((address, url.path().to_owned()))
}

#[async_trait]
impl Launcher for Firefox {
    fn check(&self, wanted: &Launch) -> Result<(), LaunchError> {
        match wanted.engine {
            Engine::Firefox if wanted.headed && !has_display() => Err(LaunchError::NoDisplay),
            Engine::Firefox => (self.find)().map(drop),
            other => Err(LaunchError::UnsupportedEngine(other)),
        }
    }

    async fn launch(&self, wanted: &Launch, sink: Sink) -> Result<Arc<dyn Browser>, LaunchError> {
        self.check(wanted)?;
        let program = (self.find)()?;
        let browser = self.start(&program, wanted, &sink).await?;
        if self.grants_access(&program, wanted)
            && let Err(error) = browser.take_system_access(&program).await
        {
            if let Origin::Launched { process, .. } = &browser.origin {
                give_up(process, process.inherit(), wanted).await;
            }
            browser.connection.close();
            return Err(error);
        }
        let connection = browser.connection.clone();
        tokio::spawn(async move {
            connection.closed().await;
            sink(BrowserEvent::Disconnected);
        });
        Ok(Arc::new(browser))
    }
}
