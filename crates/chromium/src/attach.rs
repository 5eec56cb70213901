//! Attaching to a running browser: the handshake over any transport, and what it allows.
//!
//! [`attach`] is for browsers that somebody else started; [`Chromium`](crate::Chromium) launches one and
//! shares the handshake. An attached browser keeps running: closing it closes only what was created here.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use cicerone_driver::{Browser, BrowserEvent, LaunchError, Proxy, Sink, Size, lock};
use cicerone_driver_kit::{Downloads, FirstContext};
use cicerone_process::io;
use cicerone_wire::{Connection, Reconnect, Session, Transport, WireError};
use futures::future::join_all;

use crate::{
    browser::{ChromiumBrowser, Origin},
    contexts::ChromiumContext,
    events,
    helper::{self, Helper},
    injected, internal_page,
    launch::OLDEST,
    protocol::browser::{GetVersion, Version},
    reach::{OtherContexts, Reach},
    spare_context::SpareContext,
    targets::{Shared, auto_attach},
};

/// Time limit for existing pages to report their content. A busy one reports later.
const ADOPTION: Duration = Duration::from_secs(2);

/// How long a running browser may take to answer the handshake.
const HANDSHAKE: Duration = Duration::from_secs(15);

/// What the other end of the transport can do.
#[derive(Debug, Clone, Copy)]
pub struct Powers {
    /// Create isolated contexts.
    pub contexts: bool,
    /// Read and write cookies.
    pub cookies: bool,
    /// Open hidden pages.
    pub hidden_pages: bool,
    /// Set permissions of sites.
    pub permissions: bool,
    /// Record performance traces.
    pub tracing: bool,
    /// Reach a proxy on this machine's loopback.
    pub proxies: bool,
    /// Load an extension from this machine's disk, for history and bookmarks of the default context.
    pub helper: bool,
    /// Hand over downloaded files.
    pub downloads: Downloads,
}

impl Default for Powers {
    /// What a browser's own endpoint on this machine can do.
    fn default() -> Self {
        Self {
            contexts: true,
            cookies: true,
            hidden_pages: true,
            permissions: true,
            tracing: true,
            proxies: true,
            helper: true,
            downloads: Downloads::Local,
        }
    }
}

/// Options for attaching.
pub struct AttachOptions {
    /// Its name in errors, without credentials: `http://host:9222`.
    pub name: String,
    /// Which context is the first one.
    pub first_context: FirstContext,
    /// The viewport of pages in contexts of our own.
    pub viewport: Size,
    /// Proxy of the first context. Only a context of our own can have one.
    pub proxy: Option<Proxy>,
    /// What the other end can do.
    pub powers: Powers,
    /// Whether pages that were opened here stay open when we detach.
    pub keeps_pages: bool,
    /// Creates the transport again after it broke, for a peer that keeps its sessions meanwhile.
    pub reconnect: Option<Reconnect>,
}

impl AttachOptions {
    /// With a context of our own and all powers.
    pub fn new(name: impl Into<String>, viewport: Size) -> Self {
        Self {
            name: name.into(),
            first_context: FirstContext::default(),
            viewport,
            proxy: None,
            powers: Powers::default(),
            keeps_pages: false,
            reconnect: None,
        }
    }
}

/// Attaches to the browser behind the transport and reports its events to the sink.
pub async fn attach(
    transport: Transport,
    options: AttachOptions,
    sink: Sink,
) -> Result<Arc<dyn Browser>, LaunchError> {
    let AttachOptions { name, first_context, viewport, proxy, powers, keeps_pages, reconnect } = options;
    if first_context == FirstContext::Default && proxy.is_some() {
        return Err(LaunchError::NoProxyInDefaultContext);
    }
    let directory = tempfile::tempdir().map_err(io("making a directory for downloads"))?;
    // A person who wants isolated contexts keeps the rest of the browser to themselves.
    let has_helper = powers.helper && first_context == FirstContext::Default;
    let helper = has_helper.then(|| helper::directory(directory.path()));
    if let Some(directory) = &helper {
        helper::write(directory).map_err(io("writing the helper extension"))?;
    }
    let reach = match first_context {
        FirstContext::Own => Reach::Made,
        FirstContext::Default => Reach::Default(OnceLock::new()),
    };
    // Other clients may drive it too, with an injected world of the same name.
    let world = format!("{}-{}", injected::WORLD, internal_page::random());
    let shared = Shared::new(Arc::clone(&sink), directory.path().to_owned(), viewport, SpareContext::Closed);
    let shared = Arc::new(shared.attached_to(reach, powers, world));
    let attached = async {
        let (connection, version) =
            handshake(transport, reconnect, &shared).await.map_err(|error| not_attached(&name, &error))?;
        let first = async {
            OLDEST.check(name.as_ref(), &version.product)?;
            first_of(&shared, connection.root(), first_context, proxy.as_ref(), &name).await
        };
        match first.await {
            Ok(first) => Ok((connection, version, first)),
            Err(error) => {
                connection.close();
                Err(error)
            }
        }
    };
    let silent = || LaunchError::Silent { endpoint: name.clone(), timeout: HANDSHAKE };
    let (connection, version, first) =
        tokio::time::timeout(HANDSHAKE, attached).await.map_err(|_| silent())??;
    announce_end(&connection, sink);
    let helper = helper.map(|directory| Helper::new(first.place.clone(), directory));
    Ok(Arc::new(ChromiumBrowser {
        first,
        connection,
        origin: Origin::Attached { downloads: directory, keeps_pages },
        version: version.product,
        user_agent: version.user_agent,
        remark: None,
        helper,
    }))
}

/// The first commands on a connection. Existing targets are known when this returns.
pub(crate) async fn handshake(
    transport: Transport,
    reconnect: Option<Reconnect>,
    shared: &Arc<Shared>,
) -> Result<(Connection, Version), WireError> {
    let observer = Arc::clone(shared);
    let observe = move |event: cicerone_wire::Event<'_>| events::observe(&observer, event);
    let connection = match reconnect {
        Some(again) => Connection::open_lasting(transport, again, observe),
        None => Connection::open(transport, observe),
    };
    let _ = shared.connection.set(connection.clone());
    let root = connection.root();
    let begun = async {
        let version = root.send(&GetVersion {});
        if let Reach::Default(others) = &shared.reach {
            let _ = others.set(OtherContexts::of(&root).await?);
        }
        if !matches!(shared.reach, Reach::Made) {
            shared.take_downloads(&root, None);
        }
        let attached = root.send(&auto_attach());
        let version = version.await?;
        attached.await.map(|_| version)
    };
    match begun.await {
        Ok(version) => Ok((connection, version)),
        Err(error) => {
            connection.close();
            Err(error)
        }
    }
}

/// Reports to the sink when the connection ends.
pub(crate) fn announce_end(connection: &Connection, sink: Sink) {
    let connection = connection.clone();
    tokio::spawn(async move {
        connection.closed().await;
        sink(BrowserEvent::Disconnected);
    });
}

async fn first_of(
    shared: &Arc<Shared>,
    root: Session,
    which: FirstContext,
    proxy: Option<&Proxy>,
    name: &str,
) -> Result<Arc<ChromiumContext>, LaunchError> {
    let default = ChromiumContext::default_of(Arc::clone(shared), root, None);
    match which {
        FirstContext::Default => {
            shared.until_adopted().await;
            Ok(default)
        }
        FirstContext::Own => default.create_beside(proxy).await.map_err(|error| {
            tracing::debug!(%error, "the endpoint made no context");
            LaunchError::NoContexts { endpoint: name.to_owned() }
        }),
    }
}

impl Shared {
    /// Resolves when the content of existing pages was reported.
    async fn until_adopted(&self) {
        let pages: Vec<_> = lock(&self.by_id).values().cloned().collect();
        let adopted = join_all(pages.iter().map(|page| page.until_adopted()));
        if tokio::time::timeout(ADOPTION, adopted).await.is_err() {
            tracing::debug!("a page has not said what it shows");
        }
    }
}

fn not_attached(name: &str, error: &WireError) -> LaunchError {
    tracing::debug!(%error, "the handshake failed");
    LaunchError::NoBrowser { endpoint: name.to_owned(), status: None }
}
