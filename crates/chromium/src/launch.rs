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
use cicerone_driver::{Browser, Engine, Launch, LaunchError, Launcher, OldestVersion, Sink, lock};
use cicerone_driver_kit::REFUSED_HOSTS;
use cicerone_process::{Process, Profile, ProfileLock, has_display, inherit_little, io, reported_version};
use cicerone_wire::Transport;
use tokio::process::Command;

use crate::{
    attach::{announce_end, handshake},
    browser::{ChromiumBrowser, Origin},
    contexts::{self, ChromiumContext},
    helper::{self, Helper},
    spare_context::SpareContext,
    targets::Shared,
};

/// The oldest supported version. README.md lists those that the suites ran on.
pub const OLDEST: OldestVersion = OldestVersion { engine: "Chromium", major: 140 };

/// Time limit for a browser to answer after its start.
const START: Duration = Duration::from_secs(30);

/// Switches off everything that the browser does by itself.
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
    // The browser would ask who is signed in, through the proxy of the pages.
    "--gaia-url=https://0.0.0.0:0",
    // WebUIOmnibox…: every window would have two more pages for its address bar, in processes of their
    // own.
    // RenderDocument: with it, a page that has focus emulation and navigates at once sometimes crashes
    // (156).
    "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,\
     AutofillServerCommunication,PaintHolding,HttpsUpgrades,CertificateTransparencyComponentUpdater,RenderDocument,\
     WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    "--enable-automation",
    // Some versions load the helper extension only with it. Only we have the other end of the pipe.
    "--enable-unsafe-extension-debugging",
    "--force-color-profile=srgb",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--export-tagged-pdf",
    "--hide-crash-restore-bubble",
];

/// WebRTC sends UDP past every proxy unless it is disabled.
const NO_DIRECT_UDP: &[&str] = &[
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/// Chromium's stderr line for a missing sandbox; there is no other sign.
const SANDBOX_ERRORS: &[&str] = &[
    "No usable sandbox",
    "SUID sandbox helper",
    "Failed to move to new namespace",
    "zygote_host_impl_linux.cc",
    "sandbox/linux/",
];

/// Forces all traffic through the proxies.
const PROXY_ONLY: &[&str] = &[
    "--disable-quic",
    // The browser resolves no name and connects to no address but the proxies', in any context.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
];

/// The resolver rules for [`REFUSED_HOSTS`].
fn no_metadata() -> String {
    let rules: Vec<String> = REFUSED_HOSTS.iter().map(|host| format!("MAP {host} ~NOTFOUND")).collect();
    format!("--host-resolver-rules={}", rules.join(","))
}

#[derive(Debug, Clone, Default)]
pub struct LaunchOptions {
    /// A persistent profile; without one, every browser has a temporary one.
    pub user_data_dir: Option<PathBuf>,
    /// What to do when another browser uses the profile.
    pub profile_lock: ProfileLock,
    /// The program that cleans up after us when we are killed, and its first arguments. The directory to
    /// remove follows, which is never `user_data_dir`. See [`crate::keep`].
    pub janitor: Option<Vec<PathBuf>>,
    /// Larger downloads are cancelled, in bytes.
    pub max_download: Option<u64>,
}

const UNSANDBOXED: &str = "The browser runs without its sandbox";
const MEND_SANDBOX: &str = "A page that breaks out of the browser has all rights of this user; `cicerone doctor` says what \
                            to allow.";

fn is_sandbox_error(stderr: &str) -> bool {
    SANDBOX_ERRORS.iter().any(|error| stderr.contains(error))
}

/// Finds the program to start. Called at every start, so that an installation in between counts.
type Find = dyn Fn() -> Result<PathBuf, LaunchError> + Send + Sync;

/// Starts Chromium, Chrome or Edge.
pub struct Chromium {
    find: Box<Find>,
    options: LaunchOptions,
    /// Whether the sandbox was found not to work here.
    unsandboxed: AtomicBool,
}

impl Chromium {
    /// A launcher for the program that `find` returns.
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
        // The person's extensions do not run.
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
            false => command.arg(no_metadata()),
        };
        if !wanted.headed {
            command.args(["--headless", "--hide-scrollbars", "--mute-audio", "--disable-gpu"]);
        }
        if !sandbox {
            command.arg("--no-sandbox");
        }
        // Files that it writes beside its profile are removed, too.
        command.env("TMPDIR", profile.beside());
        command.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::null());
        command.stderr(std::process::Stdio::piped());
        command
    }

    async fn profile(&self) -> Result<Profile, LaunchError> {
        let LaunchOptions { user_data_dir, profile_lock, janitor, .. } = self.options.clone();
        let made = tokio::task::spawn_blocking(move || match user_data_dir {
            Some(path) => Profile::lasting(&path, profile_lock, janitor.as_deref()),
            None => Profile::temporary(janitor.as_deref()),
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
        // The parent's copies of the browser's pipe ends must be closed, or its exit would go
        // unnoticed.
        drop(command);
        profile.used_by(child.id().unwrap_or_default()).map_err(io("telling the janitor process"))?;
        let (process, words) = Process::watch(child, profile);

        // A spare context has no proxy.
        let spare =
            if wanted.headed || wanted.proxy_only { SpareContext::Closed } else { SpareContext::Empty };
        let shared = Shared::new(Arc::clone(sink), downloads, wanted.viewport, spare)
            .with_largest_download(self.options.max_download);
        let shared = Arc::new(shared);
        match tokio::time::timeout(START, handshake(transport, None, &shared)).await {
            Ok(Ok((connection, version))) => {
                if let Err(too_old) = OLDEST.check(program, &version.product) {
                    process.kill().await;
                    return Err(too_old);
                }
                let first = ChromiumContext::default_of(shared, connection.root(), wanted.proxy.as_ref());
                Ok(ChromiumBrowser {
                    helper: Some(Helper::new(first.place.clone(), helper)),
                    first,
                    connection,
                    origin: Origin::Launched(process),
                    version: version.product,
                    user_agent: version.user_agent,
                    remark,
                })
            }
            Ok(Err(_)) | Err(_) => {
                process.end().await;
                // A browser that is too old may exit before it reports its version.
                if let Some(reported) = reported_version(program).await {
                    OLDEST.check(program, &reported)?;
                }
                let stderr = lock(&words).iter().cloned().collect::<Vec<_>>().join(" | ");
                Err(LaunchError::Failed { program: program.clone(), stderr })
            }
        }
    }

    /// With the sandbox unless it is unavailable: never as root, and not where Chromium reports so. A
    /// browser that exits for another reason is not started without it.
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
        match wanted.engine {
            Engine::Chromium if wanted.headed && !has_display() => Err(LaunchError::NoDisplay),
            Engine::Chromium => (self.find)().map(drop),
            other => Err(LaunchError::UnsupportedEngine(other)),
        }
    }

    async fn launch(&self, wanted: &Launch, sink: Sink) -> Result<Arc<dyn Browser>, LaunchError> {
        self.check(wanted)?;
        let program = (self.find)()?;
        let browser = self.start_as_safe_as_possible(&program, wanted, &sink).await?;
        announce_end(&browser.connection, sink);
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
        // Large messages (screenshots, snapshots) need fewer reads. The system may refuse, which is
        // fine.
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
        .map_err(|_| LaunchError::NoPipe)?;
    command.process_group(0);
    let reader = Receiver::from_owned_fd(ours_in).map_err(io("opening a pipe"))?;
    let writer = Sender::from_owned_fd(ours_out).map_err(io("opening a pipe"))?;
    Ok(cicerone_wire::transport::nul_terminated(reader, writer))
}

#[cfg(not(unix))]
fn pipe_to(_: &mut Command) -> Result<Transport, LaunchError> {
    Err(LaunchError::NoPipe)
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
