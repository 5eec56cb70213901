//! Wiring the parts together.

use std::{io::IsTerminal, path::PathBuf, sync::Arc, time::Duration};

use cicerone_engine::{ContextOptions, Files, Launch, LaunchError, Launcher, Secrets, Session, Setup, Vault};
use cicerone_install::Search;
use cicerone_mcp::{Server, client_log, serve_stdio};
use cicerone_tools::{Settings, Toolbox};
use tokio_util::sync::CancellationToken;

use crate::{
    Failure,
    config::Flags,
    install::OnDemand,
    launchers::{Launchers, launcher},
    logging, secrets, stop, workspace,
};

/// Serves one client on standard input and output.
pub(crate) fn stdio(flags: &Flags) -> Result<(), Failure> {
    let secrets = Arc::new(secrets::read(flags.secrets.as_deref())?);
    let (to_client, log) = client_log(Arc::clone(&secrets));
    logging::start(flags, Arc::clone(&secrets), Some(to_client))?;

    say_what_this_is();
    say_what_was_read(flags);
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

/// Which file has set options: a file that is only found there may surprise.
pub(crate) fn say_what_was_read(flags: &Flags) {
    if let Some(file) = &flags.configured_by {
        eprintln!("cicerone: options are read from {}", file.display());
    }
}

/// A person who starts it in a terminal would see nothing.
fn say_what_this_is() {
    if std::io::stdin().is_terminal() {
        eprintln!(
            "cicerone {}: a browser for AI agents. This is an MCP server, waiting for a client's messages on standard \
             input.\nClients start it by themselves: `cicerone demo` shows it at work and how to set them up, `cicerone \
             help` lists the commands. Ctrl+C ends it.",
            env!("CARGO_PKG_VERSION")
        );
    }
}

/// One thread: calls reach their page in the order in which they came, and no switch costs time.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}

/// The tools that are offered.
pub(crate) fn toolbox(flags: &Flags, secrets: &Secrets) -> Toolbox {
    Toolbox::new(&flags.dialects(), &flags.caps()).with_secrets(secrets.names())
}

/// A server of one session.
pub(crate) fn server(flags: &Flags, session: &Session) -> Server {
    Server::new(toolbox(flags, session.secrets()), session.clone(), settings(flags))
}

/// How tools answer.
pub(crate) fn settings(flags: &Flags) -> Settings {
    let installer = Arc::new(OnDemand { engine: flags.browser, search: search(flags) });
    Settings {
        image_responses: flags.images(),
        max_image_dimension: flags.max_image_dimension,
        confirm: flags.confirm(),
        installer,
    }
}

/// A session, with no browser yet.
pub(crate) fn session(flags: &Flags, secrets: Arc<Secrets>) -> Result<Session, Failure> {
    let workspace = workspace::of(flags)?;
    if let Some(reason) = &workspace.instead {
        tracing::warn!("{reason}; files are saved in {}", workspace.output().display());
    }
    Ok(Session::new(Setup {
        launcher: launcher(flags),
        launch: flags.launch(),
        options: flags.engine_options(),
        files: Files::new(workspace.directories),
        secrets,
        vault: data_directory().map(|data| Vault::at(data.join("cicerone/states"))),
        first: ContextOptions { route: flags.route()?, storage: None },
        policy: flags.host_policy(),
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
pub(crate) fn data_directory() -> Option<PathBuf> {
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
