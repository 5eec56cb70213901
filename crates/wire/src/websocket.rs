//! Messages on a WebSocket, as BiDi has them.

use std::{io, net::SocketAddr};

use async_trait::async_trait;
use futures::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{Error, Message, Utf8Bytes, protocol::WebSocketConfig},
};

use crate::{
    Transport,
    prompt::Prompt,
    transport::{Reader, Writer},
};

/// Pictures of long pages come in one message.
const LARGEST: usize = 512 << 20;

/// Connects to a WebSocket on this machine, at this path.
pub async fn websocket(address: SocketAddr, path: &str) -> io::Result<Transport> {
    let stream = TcpStream::connect(address).await?;
    // Messages are small and answers are waited for.
    stream.set_nodelay(true)?;
    let config = WebSocketConfig::default().max_message_size(Some(LARGEST)).max_frame_size(Some(LARGEST));
    let url = format!("ws://{address}{path}");
    let (socket, _) = client_async_with_config(url, Prompt(stream), Some(config)).await.map_err(broken)?;
    let (writer, reader) = socket.split();
    Ok(Transport { reader: Box::new(SocketReader(reader)), writer: Box::new(SocketWriter(writer)) })
}

struct SocketReader(SplitStream<WebSocketStream<Prompt>>);

#[async_trait]
impl Reader for SocketReader {
    async fn read(&mut self, message: &mut Vec<u8>) -> io::Result<bool> {
        loop {
            match self.0.next().await {
                None | Some(Ok(Message::Close(_))) => return Ok(false),
                Some(Ok(Message::Text(text))) => {
                    message.extend_from_slice(text.as_bytes());
                    return Ok(true);
                }
                Some(Ok(Message::Binary(bytes))) => {
                    message.extend_from_slice(&bytes);
                    return Ok(true);
                }
                // Pings are answered by the library.
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(broken(error)),
            }
        }
    }
}

struct SocketWriter(SplitSink<WebSocketStream<Prompt>, Message>);

#[async_trait]
impl Writer for SocketWriter {
    async fn write(&mut self, message: Vec<u8>) -> io::Result<()> {
        let text = Utf8Bytes::try_from(message)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.0.send(Message::Text(text)).await.map_err(broken)
    }
}

fn broken(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        other => io::Error::other(other),
    }
}
