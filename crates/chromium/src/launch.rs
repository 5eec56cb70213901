//! Starting the browser: its arguments, the pipe, the sandbox.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use cicerone_driver::{Browser, Happening, Kind, Launch, LaunchError, Launcher, OldestVersion, Sink};
use cicerone_process::{Process, Profile, ProfileLock, has_display, inherit_little, io, reported_version};
use cicerone_wire::{Connection, Transport};
use tokio::process::Command;

use crate::{
    browser::ChromiumBrowser,
    contexts::{self, ChromiumContext},
    events,
    helper::{self, Helper},
    page::lock,
    protocol::browser::GetVersion,
    store::Store,
    targets::{Shared, auto_attach},
};

/// The oldest version that is supported. README.md says which ones the suites were run on.
pub const OLDEST: OldestVersion = OldestVersion { engine: "Chromium", major: 140 };

/// How long a browser may take until it answers.
const START: Duration = Duration::from_secs(30);

/// What the browser would do beside what it is told: none of it.
const QUIET: &[&str] = &[
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-startup-window",
    "--no-service-autorun",
    "--disable-back-forward-cache",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-field-trial-config",
    "--disable-hang-monitor",
    "--disable-infobars",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    // The browser asks there who is signed in, unasked and through the proxy of the pages. Nobody is.
    "--gaia-url=https://0.0.0.0:0",
    // WebUIOmnibox…: every window would have two more pages for its address bar, in processes of their own.
    // RenderDocument: with it, a page that has focus emulation and navigates at once crashes now and then (156).
    "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,\
     AutofillServerCommunication,PaintHolding,HttpsUpgrades,CertificateTransparencyComponentUpdater,RenderDocument,\
     WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    "--enable-automation",
    // Some versions load the helper extension only with it. Nobody but us is at the other end of the pipe.
    "--enable-unsafe-extension-debugging",
    "--force-color-profile=srgb",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--export-tagged-pdf",
    "--hide-crash-restore-bubble",
];

/// WebRTC sends its UDP past every proxy, unless it is told to send none.
const NO_DIRECT_UDP: &[&str] = &[
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/// What Chromium says when it is the sandbox that cannot be had. It tells in no other way.
const SANDBOX_ERRORS: &[&str] = &[
    "No usable sandbox",
    "SUID sandbox helper",
    "Failed to move to new namespace",
    "zygote_host_impl_linux.cc",
    "sandbox/linux/",
];

/// What keeps all traffic on the way to the proxies.
const PROXY_ONLY: &[&str] = &[
    "--disable-quic",
    // The browser itself resolves no name and dials no address but that of the proxies, in whatever context and for whatever purpose.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
];

/// Without a relay to look at addresses, those of cloud metadata services at least lead nowhere as they are usually written. What
/// they are allowed by has a relay.
const NO_METADATA: &str = "--host-resolver-rules=MAP 169.254.* ~NOTFOUND,MAP 100.100.100.200 ~NOTFOUND,\
     MAP 168.63.129.16 ~NOTFOUND,MAP 192.0.0.192 ~NOTFOUND,MAP metadata.google.internal ~NOTFOUND,MAP metadata.goog ~NOTFOUND";

/// How browsers are started.
#[derive(Debug, Clone, Default)]
pub struct LaunchOptions {
    /// The profile, which stays; without one, every browser has a temporary one.
    pub user_data_dir: Option<PathBuf>,
    /// What is done when somebody else uses the profile.
    pub profile_lock: ProfileLock,
    /// The program that cleans up after us when we are killed, and its first arguments; the path of the
    /// directory to remove is added, which is never `user_data_dir`. See [`crate::keep`].
    pub keeper: Option<Vec<PathBuf>>,
}

const UNSANDBOXED: &str = "The browser runs without its sandbox";
const MEND_SANDBOX: &str = "A page that breaks out of the browser has all rights of this user; `cicerone doctor` says what \
                            to allow.";

fn is_sandbox_error(stderr: &str) -> bool {
    SANDBOX_ERRORS.iter().any(|error| stderr.contains(error))
}

/// Finds the program to start; asked anew for every start, so that an installation in between counts.
type Find = dyn Fn() -> Result<PathBuf, LaunchError> + Send + Sync;

/// Starts Chromium, Chrome or Edge.
pub struct Chromium {
    find: Box<Find>,
    options: LaunchOptions,
    /// Whether the sandbox turned out not to work here.
    unsandboxed: AtomicBool,
}

impl Chromium {
    /// A launcher that starts the program that `find` finds.
    pub fn new(
        find: impl Fn() -> Result<PathBuf, LaunchError> + Send + Sync + 'static,
        options: LaunchOptions,
    ) -> Self {
        Self { find: Box::new(find), options, unsandboxed: AtomicBool::new(false) }
    }

    fn command(&self, program: &PathBuf, wanted: &Launch, profile: &Profile, sandbox: bool) -> Command {
        let mut command = Command::new(program);
        inherit_little(command.as_std_mut());
        command.args(QUIET).arg(format!("--user-data-dir={}", profile.path().display()));
        // A person's own extensions do not run.
        let helper = helper::directory(profile.beside());
        command.arg(format!("--disable-extensions-except={}", helper.display()));
        command.arg(format!("--window-size={},{}", wanted.viewport.width, wanted.viewport.height));
        if let Some(proxy) = &wanted.proxy {
            command.arg(format!("--proxy-server={}", contexts::proxy_server(proxy)));
            command.arg(format!("--proxy-bypass-list={}", contexts::BYPASS_NOTHING));
        }
        if wanted.proxy.is_some() || wanted.proxy_only {
            command.args(NO_DIRECT_UDP);
        }
        match wanted.proxy_only {
            true => command.args(PROXY_ONLY),
            false => command.arg(NO_METADATA),
        };
        if !wanted.headed {
            command.args(["--headless", "--hide-scrollbars", "--mute-audio", "--disable-gpu"]);
        }
        if !sandbox {
            command.arg("--no-sandbox");
        }
        // What it writes beside its profile goes with it too.
        command.env("TMPDIR", profile.beside());
        command.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::null());
        command.stderr(std::process::Stdio::piped());
        command
    }

    async fn profile(&self) -> Result<Profile, LaunchError> {
        let LaunchOptions { user_data_dir, profile_lock, keeper } = self.options.clone();
        let made = tokio::task::spawn_blocking(move || match user_data_dir {
            Some(path) => Profile::lasting(&path, profile_lock, keeper.as_deref()),
            None => Profile::temporary(keeper.as_deref()),
        });
        made.await.map_err(|ended| io("making a profile")(ended.into()))?
    }

    async fn start(
        &self,
        program: &PathBuf,
        wanted: &Launch,
        sink: &Sink,
        sandbox: bool,
    ) -> Result<ChromiumBrowser, LaunchError> {
        let mut profile = self.profile().await?;
        let downloads = profile.beside().join("downloads");
        let helper = helper::directory(profile.beside());
        helper::write(&helper).map_err(io("writing the helper extension"))?;
        let remark = profile.remark().map(str::to_owned);
        let mut command = self.command(program, wanted, &profile, sandbox);
        let transport = pipe_to(&mut command)?;
        let child = command.spawn().map_err(io("starting the browser"))?;
        // The parent's copies of the browser's pipe ends must go, or its end would never be noticed.
        drop(command);
        profile.used_by(child.id().unwrap_or_default()).map_err(io("telling the keeper"))?;
        let (process, words) = Process::watch(child, profile);

        // A context in store has no proxy.
        let store = if wanted.headed || wanted.proxy_only { Store::Closed } else { Store::Empty };
        let shared = Arc::new(Shared::new(Arc::clone(sink), downloads, wanted.viewport, store));
        let observer = Arc::clone(&shared);
        let connection = Connection::open(transport, move |event| events::observe(&observer, event));
        let _ = shared.connection.set(connection.clone());

        let root = connection.root();
        let hello = async {
            let version = root.send(&GetVersion {});
            shared.take_downloads(&root, None);
            let attached = root.send(&auto_attach());
            let version = version.await?;
            attached.await.map(|_| version)
        };
        match tokio::time::timeout(START, hello).await {
            Ok(Ok(version)) => {
                if let Err(too_old) = OLDEST.check(program, &version.product) {
                    process.kill().await;
                    return Err(too_old);
                }
                let default = ChromiumContext::default_of(shared, root, wanted.proxy.as_ref());
                Ok(ChromiumBrowser {
                    helper: Helper::new(default.place.clone(), helper),
                    default,
                    connection,
                    process,
                    version: version.product,
                    user_agent: version.user_agent,
                    remark,
                })
            }
            Ok(Err(_)) | Err(_) => {
                process.end().await;
                // One that is too old may not even get as far as to report its version.
                if let Some(reported) = reported_version(program).await {
                    OLDEST.check(program, &reported)?;
                }
                let stderr = lock(&words).iter().cloned().collect::<Vec<_>>().join(" | ");
                Err(LaunchError::Failed { program: program.clone(), stderr })
            }
        }
    }

    /// With the sandbox unless it cannot be had: never as root, and not where the sandbox itself says so. A browser that ends
    /// for another reason is not started without.
    async fn start_as_safe_as_possible(
        &self,
        program: &PathBuf,
        wanted: &Launch,
        sink: &Sink,
    ) -> Result<ChromiumBrowser, LaunchError> {
        if !self.unsandboxed.load(Ordering::Relaxed) && !is_root() {
            match self.start(program, wanted, sink, true).await {
                Err(LaunchError::Failed { stderr, .. }) if is_sandbox_error(&stderr) => {}
                other => return other,
            }
        }
        let mut browser = self.start(program, wanted, sink, false).await?;
        let why = if is_root() { "running as root" } else { "this system does not let it have one" };
        if !is_root() {
            let remarks = [browser.remark.take(), Some(format!("{UNSANDBOXED}: {why}. {MEND_SANDBOX}"))];
            browser.remark = Some(remarks.into_iter().flatten().collect::<Vec<_>>().join(" "));
        }
        if !self.unsandboxed.swap(true, Ordering::Relaxed) {
            tracing::warn!("{UNSANDBOXED}: {why}");
        }
        Ok(browser)
    }
}

#[async_trait]
impl Launcher for Chromium {
    fn check(&self, wanted: &Launch) -> Result<(), LaunchError> {
        match wanted.kind {
            Kind::Chromium if wanted.headed && !has_display() => Err(LaunchError::NoDisplay),
            Kind::Chromium => (self.find)().map(drop),
            other => Err(LaunchError::NoSuchKind(other)),
        }
    }

    async fn launch(&self, wanted: &Launch, sink: Sink) -> Result<Arc<dyn Browser>, LaunchError> {
        self.check(wanted)?;
        let program = (self.find)()?;
        let browser = self.start_as_safe_as_possible(&program, wanted, &sink).await?;
        let connection = browser.connection.clone();
        tokio::spawn(async move {
            connection.closed().await;
            sink(Happening::Disconnected);
        });
        Ok(Arc::new(browser))
    }
}

#[cfg(unix)]
fn pipe_to(command: &mut Command) -> Result<Transport, LaunchError> {
    use command_fds::{CommandFdExt, FdMapping};
    use rustix::pipe::{PipeFlags, pipe_with};
    use tokio::net::unix::pipe::{Receiver, Sender};

    let failed = |action| move |error: rustix::io::Errno| io(action)(error.into());
    let (theirs_in, ours_out) = pipe_with(PipeFlags::CLOEXEC).map_err(failed("making a pipe"))?;
    let (ours_in, theirs_out) = pipe_with(PipeFlags::CLOEXEC).map_err(failed("making a pipe"))?;
    #[cfg(target_os = "linux")]
    for end in [&ours_in, &ours_out] {
        // Big messages (screenshots, snapshots) pass in fewer pieces; the system may refuse, and it works too.
        let _ = rustix::pipe::fcntl_setpipe_size(end, 1 << 20);
    }
    for end in [&ours_in, &ours_out] {
        rustix::io::ioctl_fionbio(end, true).map_err(failed("making a pipe"))?;
    }
    command
        .fd_mappings(vec![
            FdMapping { parent_fd: theirs_in, child_fd: 3 },
            FdMapping { parent_fd: theirs_out, child_fd: 4 },
        ])
        .map_err(|_| LaunchError::Unsupported("pass a pipe to the browser"))?;
    command.process_group(0);
    let reader = Receiver::from_owned_fd(ours_in).map_err(io("opening a pipe"))?;
    let writer = Sender::from_owned_fd(ours_out).map_err(io("opening a pipe"))?;
    Ok(cicerone_wire::transport::nul_terminated(reader, writer))
}

#[cfg(not(unix))]
fn pipe_to(_: &mut Command) -> Result<Transport, LaunchError> {
    Err(LaunchError::Unsupported("start a browser with a debugging pipe yet"))
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
