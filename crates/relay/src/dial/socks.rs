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

/// Requests a connection from the proxy. Names are sent as names: the proxy resolves them.
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
        Err(SocksError::Credentials) if upstream.credentials().is_some() => {
            Err(Trouble::CredentialsRefused { proxy: proxy() })
        }
        Err(SocksError::Credentials) => Err(Trouble::CredentialsMissing { proxy: proxy() }),
        Err(SocksError::Refused(code)) => Err(refused(meaning(code))),
        Err(SocksError::NameTooLong) => Err(refused("the host name is longer than 255 bytes")),
        Err(SocksError::NotSocks) => Err(Trouble::ProxyUnintelligible {
            proxy: proxy(),
            reason: "it does not answer in SOCKS5".into(),
        }),
        Err(SocksError::Io(error)) => {
            Err(Trouble::ProxyUnintelligible { proxy: proxy(), reason: error.to_string() })
        }
    }
}

enum SocksError {
    Credentials,
    Refused(u8),
    NameTooLong,
    NotSocks,
    Io(io::Error),
}

impl From<io::Error> for SocksError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

async fn greet(
    stream: &mut Box<dyn Stream>,
    credentials: Option<&Credentials>,
    destination: &Destination,
) -> Result<(), SocksError> {
    match credentials {
        Some(_) => stream.write_all(&[VERSION, 2, NO_CREDENTIALS, USER_AND_PASSWORD]).await?,
        None => stream.write_all(&[VERSION, 1, NO_CREDENTIALS]).await?,
    }
    match (read::<2>(stream).await?, credentials) {
        ([VERSION, NO_CREDENTIALS], _) => {}
        ([VERSION, USER_AND_PASSWORD], Some(credentials)) => identify(stream, credentials).await?,
        ([VERSION, NO_METHOD], _) => return Err(SocksError::Credentials),
        _ => return Err(SocksError::NotSocks),
    }
    stream.write_all(&request(destination)?).await?;
    let [version, code, _, kind] = read(stream).await?;
    if version != VERSION {
        return Err(SocksError::NotSocks);
    }
    // The bound address is not needed, but precedes the payload.
    let address = match kind {
        1 => 4,
        4 => 16,
        3 => usize::from(stream.read_u8().await?),
        _ if code != 0 => return Err(SocksError::Refused(code)),
        _ => return Err(SocksError::NotSocks),
    };
    if code != 0 {
        return Err(SocksError::Refused(code));
    }
    stream.read_exact(&mut vec![0; address + 2]).await?;
    Ok(())
}

async fn identify(stream: &mut Box<dyn Stream>, credentials: &Credentials) -> Result<(), SocksError> {
    let mut message = vec![1];
    for text in [&credentials.user, &credentials.password] {
        // Longer values are refused when the upstream is parsed.
        message.push(u8::try_from(text.len()).map_err(|_| SocksError::Credentials)?);
        message.extend(text.as_bytes());
    }
    stream.write_all(&message).await?;
    // Some proxies close the connection instead of refusing.
    match read::<2>(stream).await {
        Ok([_, 0]) => Ok(()),
        Ok(_) => Err(SocksError::Credentials),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(SocksError::Credentials),
        Err(error) => Err(error.into()),
    }
}

fn request(destination: &Destination) -> Result<Vec<u8>, SocksError> {
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
            request.push(u8::try_from(name.len()).map_err(|_| SocksError::NameTooLong)?);
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

#[cfg(test)]
mod tests {
    use cicerone_testkit::ForeignText;
    use tokio::io::{join, sink};

    use super::*;

    /// Pieces of answers, most of them good.
    const PIECES: &[&[u8]] = &[
        &[VERSION, NO_CREDENTIALS],
        &[VERSION, USER_AND_PASSWORD],
        &[VERSION, NO_METHOD],
        &[1, 0],
        &[1, 1],
        &[VERSION, 0, 0, 1, 127, 0, 0, 1, 0, 80],
        &[VERSION, 0, 0, 3, 2, b'a', b'b', 0, 80],
        &[VERSION, 0, 0, 4],
        &[0; 18],
        &[VERSION, 5, 0, 1],
        &[VERSION, 9, 0, 7],
        &[VERSION, 0, 0, 3, 255],
        &[4, 90],
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
    ];

    #[tokio::test]
    async fn answers_are_understood_or_refused() {
        let mut foreign = ForeignText::new();
        let upstreams = ["socks5://proxy.test:1080", "socks5://user:hunter2@proxy.test:1080"];
        let upstreams = upstreams.map(|upstream| upstream.parse::<Upstream>().unwrap());
        let destination = Destination { host: Host::Domain("site.test".to_owned()), port: 80 };
        let (mut connected, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let mut answers: Vec<u8> =
                (0..foreign.usize(0..6)).flat_map(|_| foreign.one_of(PIECES)).copied().collect();
            if foreign.u8(0..4) == 0 {
                answers.push(foreign.u8(..));
            }
            let upstream = &upstreams[foreign.usize(0..2)];
            let stream: Box<dyn Stream> = Box::new(join(io::Cursor::new(answers.clone()), sink()));
            match connect(stream, upstream, &destination).await {
                Ok(_) => {
                    connected += 1;
                    assert_eq!(answers[0], VERSION, "{answers:?}");
                    // Without credentials a proxy that wants some is refused.
                    assert!(answers[1] == NO_CREDENTIALS || upstream.credentials().is_some(), "{answers:?}");
                }
                Err(trouble) => {
                    refused += 1;
                    assert!(!format!("{trouble} {trouble:?}").contains("hunter2"), "{trouble:?}");
                }
            }
        }
        assert!(connected > 100 && refused > 100, "{connected} {refused}");
    }
}
