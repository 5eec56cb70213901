//! `cicerone serve`: many clients over HTTP, on one browser or on one each.

use std::{
    io::{self, Write as _},
    net::{IpAddr, SocketAddr, ToSocketAddrs as _},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use cicerone_engine::{BrowserHost, ContextOptions, Files, Secrets, SessionFactory, SessionSetup, Vault};
use cicerone_mcp::{BadToken, ClientLogs, Conformance, HttpOptions, Server, Tokens, client_logs, serve_http};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{
    Failure,
    config::{ADDRESS, Flags, TOKEN_VARIABLE},
    launchers::launcher,
    logging, secrets, serve, stop, workspace,
};

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotServed {
    #[error("the address {address} is not known: {source}")]
    UnknownAddress { address: String, source: io::Error },
    #[error(
        "{address} cannot be listened on: {source}\nHint: another server may use the port; choose another one with --http"
    )]
    NotBound { address: String, source: io::Error },
    #[error(
        "{address} can be reached from other machines, so a token is required\nHint: `openssl rand -hex 32 > token`, \
         then --token-file token; or listen on 127.0.0.1"
    )]
    NoToken { address: SocketAddr },
    #[error("the token file {} cannot be read: {source}", .path.display())]
    NoTokenFile { path: PathBuf, source: io::Error },
    #[error("{origin}: {source}")]
    BadToken { origin: String, source: BadToken },
}

/// Serves until a signal comes.
pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let tokens = tokens(flags)?;
    let addresses = addresses(flags)?;
    let exposed = addresses.iter().find(|address| !address.ip().is_loopback());
    if let Some(address) = exposed.filter(|_| tokens.is_empty()) {
        return Err(NotServed::NoToken { address: *address }.into());
    }
    let secrets = Arc::new(secrets::read(flags.secrets.as_deref())?);
    let (to_clients, logs) = client_logs(Arc::clone(&secrets));
    logging::start(flags, Arc::clone(&secrets), Some(to_clients))?;
    serve::say_what_was_read(flags);
    raise_file_limit();
    let runtime = serve::runtime()?;
    let served = runtime.block_on(listen(flags, secrets, logs, tokens, &addresses));
    runtime.shutdown_timeout(Duration::from_millis(100));
    served
}

async fn listen(
    flags: &Flags,
    secrets: Arc<Secrets>,
    logs: ClientLogs,
    tokens: Tokens,
    addresses: &[SocketAddr],
) -> Result<(), Failure> {
    let listener = TcpListener::bind(addresses).await;
    let listener =
        listener.map_err(|source| NotServed::NotBound { address: address(flags).to_owned(), source })?;
    let stop = CancellationToken::new();
    stop::on_signals(stop.clone());
    let is_open = tokens.is_empty();
    let options = HttpOptions {
        tokens,
        names: flags.http.http_hosts.iter().cloned().chain(name(flags)).collect(),
        max_sessions: flags.http.max_sessions as usize,
        session_timeout: flags.session_timeout,
    };
    let sessions = Arc::new(sessions(flags, Arc::clone(&secrets))?);
    let factory = Arc::clone(&sessions);
    let settings = Arc::new(serve::settings(flags));
    let toolbox = Arc::new(serve::toolbox(flags, &secrets));
    let is_local = listener.local_addr()?.ip().is_loopback() && flags.http.http_hosts.is_empty();
    let client = move || {
        let session = factory.session();
        let server = Server::new(Arc::clone(&toolbox), session.clone(), Arc::clone(&settings));
        let server = server.with_log(logs.of(&session));
        (if is_local { server } else { server.for_other_machines() }, session)
    };
    eprintln!("cicerone: listening on http://{}/mcp", listener.local_addr()?);
    if is_open {
        let whose = if flags.uses_extension() { "the tabs of your own browser" } else { "its browser" };
        // Whoever started it may have closed the other end.
        let _ = writeln!(
            io::stderr(),
            "cicerone: warning: without a token every user and program of this machine can use {whose}; give --token-file \
             or {TOKEN_VARIABLE}"
        );
    }
    if flags.http.conformance {
        let with_fixtures = move || {
            let (server, session) = client();
            (Conformance::new(server), session)
        };
        serve_http(listener, Box::new(with_fixtures), options, stop).await?;
    } else {
        serve_http(listener, Box::new(client), options, stop).await?;
    }
    sessions.end().await;
    Ok(())
}

/// What makes a session for each client.
fn sessions(flags: &Flags, secrets: Arc<Secrets>) -> Result<SessionFactory, Failure> {
    let workspace = workspace::of(flags)?;
    if let Some(reason) = &workspace.instead {
        tracing::warn!("{reason}; files are saved in {}", workspace.output().display());
    }
    let route = flags.route()?;
    let options = flags.engine_options();
    let setup = move || SessionSetup {
        options: options.clone(),
        files: Files::new(workspace.directories.clone()),
        secrets: Arc::new(secrets.for_session()),
        vault: serve::data_directory().map(|data| Vault::at(data.join("cicerone/states"))),
        first: ContextOptions { route: route.clone(), storage: None },
    };
    let launcher = launcher(flags);
    let (launch, policy, idle) = (flags.launch(), flags.host_policy(), flags.session_timeout);
    if flags.allow_shared_sessions {
        let host = BrowserHost::new(launcher, launch, policy, idle).with_shared_contexts(setup());
        return Ok(SessionFactory::one_browser(host, setup));
    }
    // The person's own browser has one context, so each client gets a connection and a tab group of its own.
    Ok(if flags.http.browser_per_client || flags.uses_extension() {
        SessionFactory::browser_each(launcher, launch, policy, idle, setup)
    } else {
        SessionFactory::one_browser(BrowserHost::new(launcher, launch, policy, idle), setup)
    })
}

/// The address to listen on, as it was given.
pub(crate) fn address(flags: &Flags) -> &str {
    flags.http.http.as_deref().unwrap_or(ADDRESS)
}

/// The name in that address, if it is one: clients that use it send it as their `Host`.
fn name(flags: &Flags) -> Option<String> {
    let (host, _) = address(flags).rsplit_once(':')?;
    let is_address = host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    (!is_address && !host.eq_ignore_ascii_case("localhost")).then(|| host.to_owned())
}

/// What that address means on this machine.
pub(crate) fn addresses(flags: &Flags) -> Result<Vec<SocketAddr>, NotServed> {
    let address = address(flags);
    let found = address.to_socket_addrs();
    found
        .map(Iterator::collect)
        .map_err(|source| NotServed::UnknownAddress { address: address.into(), source })
}

/// Where tokens are given, and their text: the file, or the variable.
pub(crate) fn token_text(flags: &Flags) -> Result<Option<(String, String)>, NotServed> {
    if let Some(path) = &flags.http.token_file {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|source| NotServed::NoTokenFile { path: path.clone(), source })?;
        return Ok(Some((format!("the token file {}", path.display()), text)));
    }
    let token = std::env::var(TOKEN_VARIABLE).ok().filter(|token| !token.is_empty());
    Ok(token.map(|token| (format!("the variable {TOKEN_VARIABLE}"), token)))
}

/// The tokens that are accepted.
pub(crate) fn tokens(flags: &Flags) -> Result<Tokens, NotServed> {
    let Some((origin, text)) = token_text(flags)? else { return Ok(Tokens::default()) };
    Tokens::parse(&text).map_err(|source| NotServed::BadToken { origin, source })
}

/// A thousand connections need more files than most systems give to begin with.
#[cfg(unix)]
fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files cannot be raised");
    }
}

#[cfg(not(unix))]
fn raise_file_limit() {}
