//! Wiring the parts together.

use std::{path::PathBuf, sync::Arc, time::Duration};

use cicerone_engine::{ContextOptions, Files, Session, Setup};
use cicerone_install::Search;
use cicerone_mcp::{Server, client_log, serve_stdio};
use cicerone_tools::{Settings, Toolbox};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::{EnvFilter, Layer, layer::SubscriberExt, util::SubscriberInitExt};

use crate::{Failure, config::Flags, install::OnDemand, launchers::Launchers, stop};

/// Serves one client on standard input and output.
pub(crate) fn stdio(flags: &Flags) -> Result<(), Failure> {
    let (to_client, log) = client_log();
    let filter =
        EnvFilter::try_new(format!("{},rmcp=warn", flags.log)).map_err(|_| BadLevel(flags.log.clone()))?;
    let to_stderr = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_filter(filter);
    tracing_subscriber::registry().with(to_stderr).with(to_client).init();

    // One thread: calls reach their page in the order in which they came, and no switch costs time.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let session = session(flags)?;
    let settings =
        Settings { image_responses: flags.images(), installer: Arc::new(OnDemand { engine: flags.engine(), search: search(flags) }) };
    let server = Server::new(Toolbox::new(&flags.dialects(), &flags.caps()), session.clone(), settings);
    runtime.block_on(async {
        let stop = CancellationToken::new();
        stop::watch(stop.clone());
        serve_stdio(server, log, stop).await;
        session.end().await;
    });
    // A blocking read of standard input must not hold up the end.
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(())
}

fn session(flags: &Flags) -> Result<Session, Failure> {
    let working = std::env::current_dir()?;
    let files = Files::new(working, &flags.screenshot_dir, flags.allow_path.iter().cloned());
    let keeper = std::env::current_exe().ok().map(|program| vec![program, PathBuf::from("keep")]);
    Ok(Session::new(Setup {
        launcher: Arc::new(Launchers::new(flags, keeper)),
        launch: flags.launch(),
        options: flags.engine_options(),
        files,
        first: ContextOptions::default(),
    }))
}

/// Where to look for the browser.
pub(crate) fn search(flags: &Flags) -> Search {
    let mut search = Search::of_process();
    search.named.clone_from(&flags.executable_path);
    search
}

/// No log level has this name.
#[derive(Debug, thiserror::Error)]
#[error("--log: {0} is no level; use error, warn, info, debug or trace")]
struct BadLevel(String);
