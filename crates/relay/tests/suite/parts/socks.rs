use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional},
    net::TcpStream,
};

use super::{Listening, Seen};

/// A SOCKS5 proxy that resolves every name to one address, and records requests.
#[derive(Clone)]
pub(crate) struct Socks {
    pub(crate) leads_to: SocketAddr,
    /// The required user name and password.
    pub(crate) wants: Option<(&'static str, &'static str)>,
    /// The code of its reply.
    pub(crate) replies: u8,
}

impl Socks {
    pub(crate) fn to(leads_to: SocketAddr) -> Self {
        Self { leads_to, wants: None, replies: 0 }
    }

    pub(crate) async fn start(self) -> Listening {
        Listening::start(move |stream, seen| {
            let socks = self.clone();
            async move {
                socks.serve(stream, seen).await.ok();
            }
        })
        .await
    }

    async fn serve(self, mut stream: TcpStream, seen: Seen) -> std::io::Result<()> {
        let mut greeting = [0; 2];
        stream.read_exact(&mut greeting).await?;
        let mut methods = vec![0; usize::from(greeting[1])];
        stream.read_exact(&mut methods).await?;
        let method = if self.wants.is_some() { 2 } else { 0 };
        if !methods.contains(&method) {
            return stream.write_all(&[5, 0xff]).await;
        }
        stream.write_all(&[5, method]).await?;
        if let Some((user, password)) = self.wants {
            stream.read_u8().await?;
            let given = (text(&mut stream).await?, text(&mut stream).await?);
            let right = given == (user.to_owned(), password.to_owned());
            stream.write_all(&[1, u8::from(!right)]).await?;
            if !right {
                return Ok(());
            }
        }
        let mut request = [0; 4];
        stream.read_exact(&mut request).await?;
        let host = match request[3] {
            1 => Ipv4Addr::from(stream.read_u32().await?).to_string(),
            4 => Ipv6Addr::from(stream.read_u128().await?).to_string(),
            _ => format!("name {}", text(&mut stream).await?),
        };
        let port = stream.read_u16().await?;
        seen.push(&format!("{host} {port}"));
        // The bound address is a name here: clients must parse its length.
        stream.write_all(&[5, self.replies, 0, 3, 2, b'h', b'i', 0, 1]).await?;
        if self.replies == 0 {
            let mut site = TcpStream::connect(self.leads_to).await?;
            copy_bidirectional(&mut stream, &mut site).await?;
        }
        Ok(())
    }
}

async fn text(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut bytes = vec![0; usize::from(stream.read_u8().await?)];
    stream.read_exact(&mut bytes).await?;
    Ok(String::from_utf8(bytes).unwrap())
}
