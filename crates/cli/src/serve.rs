//! Wiring the parts together.

use std::{path::PathBuf, sync::Arc, time::Duration};

use cicerone_engine::{ContextOptions, Files, Launch, LaunchError, Launcher, Secrets, Session, Setup, Vault};
use cicerone_install::Search;
use cicerone_mcp::{Server, client_log, serve_stdio};
use cicerone_tools::{Settings, Toolbox};
use tokio_util::sync::CancellationToken;

use crate::{Failure, config::Flags, install::OnDemand, launchers::Launchers, logging, secrets, stop};

/// Serves one client on standard input and output.
pub(crate) fn stdio(flags: &Flags) -> Result<(), Failure> {
    let secrets = Arc::new(secrets::read(flags.secrets.as_deref())?);
    let (to_client, log) = client_log(Arc::clone(&secrets));
    logging::start(flags, Arc::clone(&secrets), Some(to_client))?;

    let runtime = runtime()?;
    let session = session(flags, secrets)?;
    let server = server(flags, &session);
    runtime.block_on(async {
        let stop = CancellationToken::new();
        stop::on_signals(stop.clone());
        stop::with_parent(stop.clone());
        serve_stdio(server, log, stop).await;
        session.end().await;
    });
    // A blocking read of standard input must not hold up the end.
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(())
}

/// One thread: calls reach their page in the order in which they came, and no switch costs time.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}

/// The tools that are offered.
pub(crate) fn toolbox(flags: &Flags) -> Toolbox {
    Toolbox::new(&flags.dialects(), &flags.caps())
}

/// A server of one session.
pub(crate) fn server(flags: &Flags, session: &Session) -> Server {
    let installer = Arc::new(OnDemand { engine: flags.browser, search: search(flags) });
    let settings = Settings {
        image_responses: flags.images(),
        max_image_dimension: flags.max_image_dimension,
        installer,
    };
    Server::new(toolbox(flags), session.clone(), settings)
}

/// A session, with no browser yet.
pub(crate) fn session(flags: &Flags, secrets: Arc<Secrets>) -> Result<Session, Failure> {
    let working = std::env::current_dir()?;
    Ok(Session::new(Setup {
        launcher: Arc::new(Launchers::new(flags, flags.user_data_dir.clone())),
        launch: flags.launch(),
        options: flags.engine_options(),
        files: Files::new(working, &flags.screenshot_dir, flags.allow_path.iter().cloned()),
        secrets,
        vault: data_directory().map(|data| Vault::at(data.join("cicerone/states"))),
        first: ContextOptions { route: flags.route()?, storage: None },
    }))
}

/// Starts the browser, headless and with a temporary profile, and ends it again: its name and version.
pub(crate) async fn try_browser(flags: &Flags) -> Result<String, LaunchError> {
    let wanted = Launch { headed: false, ..flags.launch() };
    let browser = Launchers::new(flags, None).launch(&wanted, Arc::new(|_| {})).await?;
    let version = browser.version();
    browser.close().await;
    Ok(version)
}

/// Where to look for the browser.
pub(crate) fn search(flags: &Flags) -> Search {
    let mut search = Search::of_process();
    search.named.clone_from(&flags.executable_path);
    search
}

/// Where programs keep the user's data on this system.
fn data_directory() -> Option<PathBuf> {
    let home = || std::env::home_dir().filter(|home| home.is_absolute());
    if cfg!(windows) {
        std::env::var_os("APPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        // The XDG specification has relative paths ignored.
        let xdg = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        xdg.or_else(|| home().map(|home| home.join(".local/share")))
    }
}
