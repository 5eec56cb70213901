//! SOCKS5, RFC 1928, with the user name and password of RFC 1929.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use url::Host;

use super::Stream;
use crate::{Trouble, Upstream, destination::Destination, upstream::Credentials};

const VERSION: u8 = 5;
const NO_CREDENTIALS: u8 = 0;
const USER_AND_PASSWORD: u8 = 2;
const NO_METHOD: u8 = 0xff;

/// Asks the proxy for a connection. A name goes to it as a name: it is the proxy that resolves it.
pub(super) async fn connect(
    mut stream: Box<dyn Stream>,
    upstream: &Upstream,
    destination: &Destination,
) -> Result<Box<dyn Stream>, Trouble> {
    let proxy = || upstream.to_string();
    let refused = |reason: &str| Trouble::ProxyRefused {
        proxy: proxy(),
        destination: destination.to_string(),
        reason: reason.to_owned(),
    };
    match greet(&mut stream, upstream.credentials(), destination).await {
        Ok(()) => Ok(stream),
        Err(Failure::Credentials) if upstream.credentials().is_some() => {
            Err(Trouble::CredentialsRefused { proxy: proxy() })
        }
        Err(Failure::Credentials) => Err(Trouble::CredentialsMissing { proxy: proxy() }),
        Err(Failure::Refused(code)) => Err(refused(meaning(code))),
        Err(Failure::NameTooLong) => Err(refused("the host name is longer than 255 bytes")),
        Err(Failure::NotSocks) => Err(Trouble::ProxyUnintelligible {
            proxy: proxy(),
            reason: "it does not answer in SOCKS5".into(),
        }),
        Err(Failure::Io(error)) => {
            Err(Trouble::ProxyUnintelligible { proxy: proxy(), reason: error.to_string() })
        }
    }
}

enum Failure {
    Credentials,
    Refused(u8),
    NameTooLong,
    NotSocks,
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

async fn greet(
    stream: &mut Box<dyn Stream>,
    credentials: Option<&Credentials>,
    destination: &Destination,
) -> Result<(), Failure> {
    match credentials {
        Some(_) => stream.write_all(&[VERSION, 2, NO_CREDENTIALS, USER_AND_PASSWORD]).await?,
        None => stream.write_all(&[VERSION, 1, NO_CREDENTIALS]).await?,
    }
    match (read::<2>(stream).await?, credentials) {
        ([VERSION, NO_CREDENTIALS], _) => {}
        ([VERSION, USER_AND_PASSWORD], Some(credentials)) => identify(stream, credentials).await?,
        ([VERSION, NO_METHOD], _) => return Err(Failure::Credentials),
        _ => return Err(Failure::NotSocks),
    }
    stream.write_all(&request(destination)?).await?;
    let [version, code, _, kind] = read(stream).await?;
    if version != VERSION {
        return Err(Failure::NotSocks);
    }
    // The address that the proxy bound is of no use to us, but stands before the first byte that is.
    let address = match kind {
        1 => 4,
        4 => 16,
        3 => usize::from(stream.read_u8().await?),
        _ if code != 0 => return Err(Failure::Refused(code)),
        _ => return Err(Failure::NotSocks),
    };
    if code != 0 {
        return Err(Failure::Refused(code));
    }
    stream.read_exact(&mut vec![0; address + 2]).await?;
    Ok(())
}

async fn identify(stream: &mut Box<dyn Stream>, credentials: &Credentials) -> Result<(), Failure> {
    let mut message = vec![1];
    for text in [&credentials.user, &credentials.password] {
        // Longer ones are refused when the upstream is parsed.
        message.push(u8::try_from(text.len()).map_err(|_| Failure::Credentials)?);
        message.extend(text.as_bytes());
    }
    stream.write_all(&message).await?;
    // Some proxies just hang up instead of saying no.
    match read::<2>(stream).await {
        Ok([_, 0]) => Ok(()),
        Ok(_) => Err(Failure::Credentials),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(Failure::Credentials),
        Err(error) => Err(error.into()),
    }
}

fn request(destination: &Destination) -> Result<Vec<u8>, Failure> {
    let mut request = vec![VERSION, 1, 0];
    match &destination.host {
        Host::Ipv4(address) => {
            request.push(1);
            request.extend(address.octets());
        }
        Host::Ipv6(address) => {
            request.push(4);
            request.extend(address.octets());
        }
        Host::Domain(name) => {
            request.push(3);
            request.push(u8::try_from(name.len()).map_err(|_| Failure::NameTooLong)?);
            request.extend(name.as_bytes());
        }
    }
    request.extend(destination.port.to_be_bytes());
    Ok(request)
}

async fn read<const N: usize>(stream: &mut Box<dyn Stream>) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes).await?;
    Ok(bytes)
}

fn meaning(code: u8) -> &'static str {
    match code {
        1 => "it failed",
        2 => "its rules do not allow it",
        3 => "the network is unreachable",
        4 => "the host is unreachable",
        5 => "the connection was refused",
        6 => "it took too many hops",
        7 => "it cannot connect for others",
        8 => "it cannot use this kind of address",
        _ => "it gives a reason that SOCKS5 does not know",
    }
}
