//! The port that the extension connects to.

use std::{
    io,
    net::Ipv4Addr,
    sync::{Arc, Mutex},
    time::Duration,
};

use cicerone_driver::lock;
use cicerone_wire::{
    Transport,
    transport::{Limits, Upgrade, accept_websocket},
};
use serde_json::json;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Semaphore, mpsc},
};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{
    Installation,
    admission::admits,
    pairing::{self, NotPaired, Token, nonce, pair},
    registry::{Entry, Registration},
    socket::{Watch, watched},
};

/// How long a connection may take to prove itself.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// How many may try at once. The extension needs one.
const HANDSHAKES: usize = 16;

/// What is read, in bytes.
const LIMITS: Limits = Limits { stranger: pairing::LONGEST, message: 64 << 20 };

/// Why there is no extension.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// The port or the file could not be made.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Nobody connected.
    #[error("no extension connected: timed out after {} s", .0.as_secs())]
    Timeout(Duration),
    /// An extension connected that speaks another version of our messages.
    #[error("the extension that connected is of another version")]
    Outdated,
}

/// An extension that connected and proved itself.
pub struct Paired {
    /// What the browser's protocol is spoken on.
    pub transport: Transport,
    /// Names the running browser: the same until it is started again.
    pub browser: String,
}

/// Listens for the extension, for as long as it lives.
pub struct Bridge {
    shared: Arc<Shared>,
    paired: tokio::sync::Mutex<mpsc::UnboundedReceiver<Paired>>,
    _registration: Registration,
    _listening: DropGuard,
}

struct Shared {
    port: u16,
    token: Token,
    state: Mutex<State>,
    paired: mpsc::UnboundedSender<Paired>,
}

#[derive(Default)]
struct State {
    /// The connection that is used, and its browser.
    current: Option<(String, Watch)>,
    /// Whether an extension of another version was seen.
    outdated: bool,
}

impl Bridge {
    /// Opens a port, and tells the extension of it. The client's name is shown to the person.
    pub async fn open(installation: &Installation, client: &str) -> Result<Self, BridgeError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let (sender, receiver) = mpsc::unbounded_channel();
        let token = Token::random()?;
        let entry = Entry { id: nonce()?, port, token: token.as_str().to_owned(), name: client.to_owned() };
        let shared = Arc::new(Shared { port, token, state: Mutex::default(), paired: sender });
        let stop = CancellationToken::new();
        tokio::spawn(stop.clone().run_until_cancelled_owned(listen(listener, Arc::clone(&shared))));
        Ok(Self {
            shared,
            paired: tokio::sync::Mutex::new(receiver),
            _registration: Registration::add(installation, entry)?,
            _listening: stop.drop_guard(),
        })
    }

    /// The port that it listens on.
    pub fn port(&self) -> u16 {
        self.shared.port
    }

    /// Waits for an extension. With a browser's name only that one is taken, and goes on with the sessions that it has.
    pub async fn next(&self, browser: Option<&str>, timeout: Duration) -> Result<Paired, BridgeError> {
        let waited = tokio::time::timeout(timeout, self.wait(browser)).await;
        match waited {
            Ok(paired) => paired,
            Err(_) if lock(&self.shared.state).outdated => Err(BridgeError::Outdated),
            Err(_) => Err(BridgeError::Timeout(timeout)),
        }
    }

    async fn wait(&self, browser: Option<&str>) -> Result<Paired, BridgeError> {
        let mut queue = self.paired.lock().await;
        loop {
            let mut paired = queue.recv().await.ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))?;
            if browser.is_some_and(|browser| browser != paired.browser) {
                continue;
            }
            let begin = json!({ "method": "Cicerone.begin", "params": { "resumes": browser.is_some() } });
            match pairing::send(&mut paired.transport, &begin).await {
                Ok(()) => return Ok(paired),
                Err(error) => tracing::debug!(%error, "the extension left again"),
            }
        }
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    let permits = Arc::new(Semaphore::new(HANDSHAKES));
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::debug!(%error, "a connection could not be accepted");
                tokio::task::yield_now().await;
                continue;
            }
        };
        // Dropping a stream closes it.
        let Ok(permit) = Arc::clone(&permits).try_acquire_owned() else { continue };
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let received = tokio::time::timeout(HANDSHAKE, shared.receive(stream)).await;
            if !matches!(received, Ok(Ok(()))) {
                tracing::debug!(?received, "a connection to the extension's port was refused");
            }
            drop(permit);
        });
    }
}

impl Shared {
    async fn receive(&self, stream: TcpStream) -> Result<(), NotPaired> {
        let admit = |upgrade: Upgrade<'_>| admits(upgrade, self.port);
        let accepted = accept_websocket(stream, LIMITS, admit).await.map_err(io::Error::other)?;
        let (mut transport, read_limit) = accepted;
        let hello = match pair(&mut transport, &self.token).await {
            Ok(hello) => hello,
            Err(error) => {
                lock(&self.state).outdated |= matches!(error, NotPaired::Version(_));
                return Err(error);
            }
        };
        read_limit.lift();
        let (mut transport, watch) = watched(transport);
        if !self.takes(&hello.browser, watch) {
            return Ok(pairing::send(&mut transport, &json!({ "method": "Cicerone.busy" })).await?);
        }
        // Nobody waits any more when the bridge is closed.
        let _ = self.paired.send(Paired { transport, browser: hello.browser });
        Ok(())
    }

    /// Whether this browser may connect: one at a time, which may replace its own connection.
    fn takes(&self, browser: &str, watch: Watch) -> bool {
        let mut state = lock(&self.state);
        if let Some((current, old)) = &state.current {
            if current != browser && !old.ended.is_cancelled() {
                return false;
            }
            old.end.cancel();
        }
        state.current = Some((browser.to_owned(), watch));
        true
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "what goes wrong fails the test")]
mod tests {
    use cicerone_wire::transport::websocket_over_tcp;

    use super::*;
    use crate::ID;

    async fn open() -> (Bridge, tempfile::TempDir) {
        let directory = tempfile::tempdir().unwrap();
        let bridge = Bridge::open(&Installation::at(directory.path()), "client").await.unwrap();
        (bridge, directory)
    }

    /// Connects as the extension does, without a word.
    async fn dial(bridge: &Bridge) -> Transport {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, bridge.port())).await.unwrap();
        let url = format!("ws://127.0.0.1:{}/extension", bridge.port());
        let origin = ("origin", format!("chrome-extension://{ID}"));
        websocket_over_tcp(stream, &url, &[origin]).await.unwrap()
    }

    /// Connects and proves to know the token.
    async fn extension(bridge: &Bridge) -> Transport {
        #[derive(serde::Deserialize)]
        struct Challenge {
            nonce: String,
        }
        let mut transport = dial(bridge).await;
        let hello = json!({ "hello": { "v": 1, "nonce": "00", "browser": "one" } });
        pairing::send(&mut transport, &hello).await.unwrap();
        let Challenge { nonce } = pairing::read(&mut transport).await.unwrap();
        let mac = bridge.shared.token.prove("extension", &nonce, "00");
        pairing::send(&mut transport, &json!({ "mac": mac })).await.unwrap();
        transport
    }

    async fn is_closed(transport: &mut Transport) -> bool {
        !matches!(transport.reader.read(&mut Vec::new()).await, Ok(true))
    }

    #[tokio::test]
    async fn an_extension_of_another_version_is_refused_and_told_from_none() {
        let (bridge, _directory) = open().await;
        let soon = Duration::from_millis(50);
        assert!(matches!(bridge.next(None, soon).await, Err(BridgeError::Timeout(_))));
        let mut old = dial(&bridge).await;
        let hello = json!({ "hello": { "v": 0, "nonce": "00", "browser": "old" } });
        pairing::send(&mut old, &hello).await.unwrap();
        assert!(is_closed(&mut old).await, "nothing is said to it");
        assert!(matches!(bridge.next(None, soon).await, Err(BridgeError::Outdated)));
    }

    #[tokio::test]
    async fn a_message_that_is_too_long_ends_its_own_connection_only() {
        let (bridge, _directory) = open().await;
        let soon = Duration::from_secs(20);
        let mut stranger = dial(&bridge).await;
        // It may be closed before all of it is written.
        let _ = stranger.writer.write(vec![b' '; 2 * LIMITS.stranger]).await;
        assert!(is_closed(&mut stranger).await);
        let mut theirs = extension(&bridge).await;
        let Paired { mut transport, browser } = bridge.next(None, soon).await.unwrap();
        let heard = async {
            let read = transport.reader.read(&mut Vec::new()).await;
            // As a driver does at the end. It closes the socket, which ends the writing.
            drop(transport);
            read
        };
        let (_, heard) = tokio::join!(theirs.writer.write(vec![b' '; LIMITS.message + 1]), heard);
        assert!(heard.is_err());
        let _again = extension(&bridge).await;
        assert!(bridge.next(Some(&browser), soon).await.is_ok(), "the same browser is back");
    }
}
