//! How both sides prove that they know the token, without sending it.
//!
//! The extension sends a nonce, the server its own with a MAC over both, the extension the other MAC. So a program that
//! took the port learns nothing and is left alone, and a page that connects cannot answer.

use std::{fmt::Write, io};

use cicerone_wire::Transport;
use ring::hmac;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The version of the messages. An extension of another version has to be loaded again.
const VERSION: u32 = 1;

/// More than both messages of an extension take, in bytes.
pub(crate) const LONGEST: usize = 4096;

/// What both sides know.
#[derive(Clone)]
pub(crate) struct Token {
    text: String,
    key: hmac::Key,
}

impl Token {
    pub(crate) fn random() -> io::Result<Self> {
        Ok(Self::of(nonce()?))
    }

    fn of(text: String) -> Self {
        let key = hmac::Key::new(hmac::HMAC_SHA256, text.as_bytes());
        Self { text, key }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn prove(&self, side: &str, first: &str, second: &str) -> String {
        hex(hmac::sign(&self.key, format!("{side} {first} {second}").as_bytes()).as_ref())
    }

    /// In constant time.
    fn verify(&self, side: &str, first: &str, second: &str, mac: &str) -> bool {
        let Some(mac) = unhex(mac) else { return false };
        hmac::verify(&self.key, format!("{side} {first} {second}").as_bytes(), &mac).is_ok()
    }
}

/// Why a connection is not the extension's.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotPaired {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("the connection ended")]
    Ended,
    #[error("an unexpected message")]
    Garbled,
    #[error("its messages have version {0}, ours {VERSION}")]
    Version(u32),
    #[error("it does not know the token")]
    WrongToken,
}

/// The other end.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Hello {
    v: u32,
    nonce: String,
    /// The same for as long as one browser runs.
    pub(crate) browser: String,
}

#[derive(Deserialize)]
struct FirstMessage {
    hello: Hello,
}

#[derive(Deserialize)]
struct Proof {
    mac: String,
}

/// Proves our side and checks the other one.
pub(crate) async fn pair(transport: &mut Transport, token: &Token) -> Result<Hello, NotPaired> {
    let FirstMessage { hello } = read(transport).await?;
    if hello.v != VERSION {
        return Err(NotPaired::Version(hello.v));
    }
    let ours = nonce()?;
    let mac = token.prove("server", &hello.nonce, &ours);
    send(transport, &json!({ "nonce": ours, "mac": mac })).await?;
    let Proof { mac } = read(transport).await?;
    if token.verify("extension", &ours, &hello.nonce, &mac) { Ok(hello) } else { Err(NotPaired::WrongToken) }
}

pub(crate) async fn read<T: for<'de> Deserialize<'de>>(transport: &mut Transport) -> Result<T, NotPaired> {
    let mut message = Vec::new();
    if !transport.reader.read(&mut message).await? {
        return Err(NotPaired::Ended);
    }
    serde_json::from_slice(&message).map_err(|_| NotPaired::Garbled)
}

pub(crate) async fn send(transport: &mut Transport, message: &impl Serialize) -> io::Result<()> {
    transport.writer.write(serde_json::to_vec(message)?).await
}

/// 256 random bits.
pub(crate) fn nonce() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use cicerone_testkit::ForeignText;

    use super::*;

    #[test]
    fn a_proof_is_of_one_side_one_token_and_both_nonces() {
        let (token, other) = (Token::of("one".into()), Token::of("two".into()));
        let mac = token.prove("server", "a", "b");
        assert!(token.verify("server", "a", "b", &mac));
        assert!(!token.verify("extension", "a", "b", &mac));
        assert!(!token.verify("server", "b", "a", &mac));
        assert!(!other.verify("server", "a", "b", &mac));
        assert!(!token.verify("server", "a", "b", "") && !token.verify("server", "a", "b", "é"));
        // The same as the extension computes.
        assert_eq!(mac, "b237216f425784581a4b339c4c3bad886f0688892f860bc0ce81149399c2ea44");
    }

    /// Pieces of messages.
    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        "{", "}", "\"hello\":", "\"v\":1", "\"v\":-1", "\"v\":1e99", "\"nonce\":", "\"mac\":", "\"browser\":", "\"a\"", "null", "[", "]", ",", "\\u0000",
        "\"", "00", "ff", "+f", "zz", "é", "🦀", "\0", " ",
    ];

    #[test]
    fn messages_are_understood_or_refused_and_prove_nothing_by_chance() {
        let mut foreign = ForeignText::new();
        let token = Token::of("one".into());
        let whole = r#"{"hello":{"v":1,"nonce":"a","browser":"b"}}"#;
        assert!(serde_json::from_str::<FirstMessage>(whole).is_ok());
        for _ in 0..20_000 {
            let text = foreign.pieces(PIECES, 12);
            let cut = whole.char_indices().map(|(at, _)| at).nth(foreign.usize(0..whole.len())).unwrap_or(0);
            let spliced = format!("{}{text}{}", &whole[..cut], &whole[cut..]);
            for message in [&text, &spliced] {
                let _ = serde_json::from_slice::<FirstMessage>(message.as_bytes());
                let proof = serde_json::from_slice::<Proof>(message.as_bytes()).map(|proof| proof.mac);
                let mac = proof.as_deref().unwrap_or(message);
                assert!(!token.verify("extension", "a", "b", mac), "{message:?}");
            }
        }
    }
}
