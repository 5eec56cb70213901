//! Attaching to a Firefox that runs already, over any transport: the session, and what is driven in it.
//!
//! [`attach`] is for browsers that somebody else started; [`Firefox`](crate::Firefox) starts one. An attached browser is left
//! running: closing it closes only what was made here, and ends the session, so that the next client gets one.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use cicerone_driver::{Browser, BrowserEvent, LaunchError, Sink, Size};
use cicerone_driver_kit::{Downloads, FirstContext, hand_over};
use cicerone_process::io;
use cicerone_wire::{Connection, Reconnect, Session, Transport, WireError};
use futures::FutureExt;

use crate::{
    browser::{FirefoxBrowser, Origin, Shared},
    contexts::{DEFAULT, FirefoxContext},
    events,
    launch::OLDEST,
    protocol::{
        browsing_context::GetTree,
        script::{CallFunction, Evaluated, SerializationOptions, Target},
        session::{
            Capabilities, CapabilitiesRequest, CapabilityRequest, End, New, NewResult, UserPromptHandler,
        },
    },
    reach::Attached,
};

/// How long a running browser may take to answer. The first session after its start takes seconds.
const HANDSHAKE: Duration = Duration::from_secs(20);

/// How long the end of a session may take.
const END: Duration = Duration::from_secs(3);

/// Whose the session is.
pub enum Ownership {
    /// One that we begin at the other end of the transport, and end when we leave. Firefox has one at a time, and loses it with
    /// its connection.
    Ours,
    /// A session that another client began, at its own URL. It continues without us, and can be dialled again.
    Theirs(Reconnect),
}

/// How a browser is attached to.
pub struct AttachOptions {
    /// What errors call it, without credentials: `ws://host:9222`.
    pub name: String,
    /// Which context is the first one.
    pub first_context: FirstContext,
    /// The viewport of pages in contexts of our own.
    pub viewport: Size,
    /// What becomes of downloads.
    pub downloads: Downloads,
    /// Whose the session is.
    pub session: Ownership,
}

/// Attaches to the browser at the other end of the transport, and reports its events to the sink.
pub async fn attach(
    transport: Transport,
    options: AttachOptions,
    sink: Sink,
) -> Result<Arc<dyn Browser>, LaunchError> {
    let name = options.name.clone();
    // Whoever gives up on it must not leave a session behind: the browser would take no other.
    let unwanted = |made: Result<Arc<FirefoxBrowser>, LaunchError>| {
        if let Ok(browser) = made {
            tokio::spawn(async move { browser.close().await });
        }
    };
    let made = hand_over(async move { Ok(begin(transport, options, sink).await) }, unwanted).await;
    match made {
        Ok(begun) => Ok(begun?),
        Err(_) => Err(LaunchError::NoBrowser { endpoint: name, status: None }),
    }
}

async fn begin(
    transport: Transport,
    options: AttachOptions,
    sink: Sink,
) -> Result<Arc<FirefoxBrowser>, LaunchError> {
    let AttachOptions { name, first_context, viewport, downloads, session } = options;
    let directory = tempfile::tempdir().map_err(io("making a directory for downloads"))?;
    let attached = Attached::new(first_context, downloads);
    let shared = Shared::new(Arc::clone(&sink), directory.path().to_owned(), viewport, Some(attached));
    let observer = Arc::clone(&shared);
    let observe = move |event: cicerone_wire::Event<'_>| events::observe(&observer, event);
    let (connection, begun_here) = match session {
        Ownership::Ours => (Connection::open(transport, observe), true),
        Ownership::Theirs(dial) => {
            (Connection::open_lasting(transport, again(&shared, dial), observe), false)
        }
    };
    let _ = shared.connection.set(connection.clone());
    let root = connection.root();
    let version = OnceLock::new();
    let hello = async {
        let capabilities =
            if begun_here { new_session(&root, &name).await? } else { ask(&root, &name).await? };
        let product = format!("Firefox/{}", capabilities.browser_version);
        let is_firefox = capabilities.browser_name.eq_ignore_ascii_case("firefox");
        if !is_firefox {
            return Err(LaunchError::NotFirefox {
                endpoint: name.clone(),
                browser: capabilities.browser_name,
            });
        }
        OLDEST.check(name.as_ref(), &capabilities.browser_version)?;
        shared.is_version(&capabilities.browser_version);
        let _ = version.set((product, capabilities.user_agent));
        first_of(&shared, &root, first_context, &name).await
    };
    let silent = || LaunchError::Silent { endpoint: name.clone(), timeout: HANDSHAKE };
    let first = match tokio::time::timeout(HANDSHAKE, hello).await.unwrap_or_else(|_| Err(silent())) {
        Ok(first) => first,
        Err(error) => {
            if begun_here && !matches!(error, LaunchError::SessionTaken { .. }) {
                end_session(&root).await;
            }
            connection.close();
            return Err(error);
        }
    };
    let (version, user_agent) = version.into_inner().unwrap_or_default();
    announce_end(&connection, sink);
    let origin = Origin::Attached { downloads: directory, begun_here };
    Ok(Arc::new(FirefoxBrowser { shared, connection, origin, first, version, user_agent, remark: None }))
}

/// Begins a session. Dialogs are left to us.
async fn new_session(root: &Session, name: &str) -> Result<Capabilities, LaunchError> {
    let unhandled_prompt_behavior = UserPromptHandler { default: "ignore", before_unload: "ignore" };
    let always_match = CapabilityRequest { unhandled_prompt_behavior };
    match root.send(&New { capabilities: CapabilitiesRequest { always_match } }).await {
        Ok(NewResult { capabilities }) => Ok(capabilities),
        Err(WireError::Refused { kind, .. }) if kind == "session not created" => {
            Err(LaunchError::SessionTaken { endpoint: name.to_owned() })
        }
        Err(error) => Err(not_attached(name, &error)),
    }
}

/// The browser of a session that another client began, from the user agent of a page.
async fn ask(root: &Session, name: &str) -> Result<Capabilities, LaunchError> {
    let failed = |error: WireError| not_attached(name, &error);
    let there = root.send(&GetTree { root: None }).await.map_err(failed)?.contexts;
    let context = there.first().map(|page| page.context.as_str()).unwrap_or_default();
    let command = CallFunction {
        function_declaration: "function(){return navigator.userAgent}",
        arguments: &[],
        target: Target { context, sandbox: Some("cicerone-version") },
        await_promise: false,
        user_activation: false,
        serialization_options: SerializationOptions::default(),
    };
    let answer = root.send(&command).await.map_err(failed)?;
    let Evaluated::Success { result, .. } = answer else {
        return Err(LaunchError::NoBrowser { endpoint: name.to_owned(), status: None });
    };
    let user_agent = result.value.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
    let (browser_name, browser_version) = product_of(&user_agent);
    Ok(Capabilities { browser_name, browser_version, user_agent: Some(user_agent) })
}

/// The last product of a user agent: `… Gecko/20100101 Firefox/153.0`.
fn product_of(user_agent: &str) -> (String, String) {
    let product = user_agent.rsplit(' ').next().unwrap_or_default();
    let (name, version) = product.split_once('/').unwrap_or((product, ""));
    (name.to_owned(), version.to_owned())
}

async fn first_of(
    shared: &Arc<Shared>,
    root: &Session,
    which: FirstContext,
    name: &str,
) -> Result<String, LaunchError> {
    let failed = |error: WireError| not_attached(name, &error);
    shared.put_nothing_aside();
    match which {
        FirstContext::Own => match FirefoxContext::create(shared, root.clone(), None).await {
            Ok(context) => Ok(context.id),
            Err(error) => {
                tracing::debug!(%error, "the endpoint made no context");
                Err(LaunchError::NoContexts { endpoint: name.to_owned() })
            }
        },
        FirstContext::Default => {
            shared.take_context(root, DEFAULT).await.map_err(failed)?;
            shared.catch_up().await.map_err(io("asking what the browser shows"))?;
            Ok(DEFAULT.to_owned())
        }
    }
}

/// What dials the session again, and asks for what happened meanwhile.
fn again(shared: &Arc<Shared>, mut dial: Reconnect) -> Reconnect {
    let shared = Arc::downgrade(shared);
    Box::new(move || {
        let (shared, dialled) = (shared.clone(), dial());
        async move {
            let transport = dialled.await?;
            tracing::info!("the connection to the browser broke and was made again");
            let shared = shared.upgrade()?;
            tokio::spawn(async move {
                if let Err(error) = shared.catch_up().await {
                    tracing::warn!(%error, "events from the time without a connection could not be requested");
                }
            });
            Some(transport)
        }
        .boxed()
    })
}

/// Ends the session, by a deadline: without that the browser takes no other.
pub(crate) async fn end_session(root: &Session) {
    match tokio::time::timeout(END, root.send(&End {})).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => tracing::debug!(%error, "the session was over"),
        Err(_) => tracing::warn!("the browser did not end its session within {END:?}"),
    }
}

fn announce_end(connection: &Connection, sink: Sink) {
    let connection = connection.clone();
    tokio::spawn(async move {
        connection.closed().await;
        sink(BrowserEvent::Disconnected);
    });
}

fn not_attached(name: &str, error: &WireError) -> LaunchError {
    tracing::debug!(%error, "the handshake failed");
    LaunchError::NoBrowser { endpoint: name.to_owned(), status: None }
}

#[cfg(test)]
mod tests {
    use super::product_of;

    #[test]
    fn the_version_is_read_from_the_user_agent() {
        let (name, version) =
            product_of("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0");
        assert_eq!((name.as_str(), version.as_str()), ("Firefox", "153.0"));
        assert_eq!(product_of("").0, "");
    }
}
