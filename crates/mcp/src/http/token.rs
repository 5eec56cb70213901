//! Bearer tokens: who may use the server, and who owns a session.

use http::{HeaderMap, header::AUTHORIZATION};
use sha2::{Digest as _, Sha256};
use subtle::{Choice, ConditionallySelectable as _, ConstantTimeEq as _};

/// Minimum length of a token. Shorter ones can be guessed.
pub const SHORTEST_TOKEN: usize = 16;

/// The accepted tokens. Only their digests are kept.
#[derive(Default)]
pub struct Tokens {
    digests: Vec<[u8; 32]>,
}

/// Why a token is invalid.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadToken {
    /// Too short: it could be guessed.
    #[error(
        "a token has {length} characters; at least {SHORTEST_TOKEN} are needed\nHint: `openssl rand -hex 32` makes one"
    )]
    TooShort { length: usize },
    /// A header cannot carry it.
    #[error("a token has characters other than visible ASCII")]
    NotAscii,
    /// No token.
    #[error("no token is given")]
    None,
}

/// Who made a request: the index of its token, or anybody if no token is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Owner {
    Anyone,
    Token(u32),
}

impl Tokens {
    /// Parses tokens, one per line. Empty lines and those that start with `#` are skipped.
    pub fn parse(text: &str) -> Result<Self, BadToken> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let digests = lines.map(digest_of).collect::<Result<Vec<_>, _>>()?;
        if digests.is_empty() { Err(BadToken::None) } else { Ok(Self { digests }) }
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.digests.len()
    }

    /// Whether no token is required.
    pub fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    /// The owner of a request with these headers; `None` if its token is missing or unknown.
    pub(crate) fn owner(&self, headers: &HeaderMap) -> Option<Owner> {
        if self.is_empty() {
            return Some(Owner::Anyone);
        }
        let value = headers.get(AUTHORIZATION)?.as_bytes();
        let (scheme, token) = value.split_at_checked(7)?;
        if !scheme.eq_ignore_ascii_case(b"bearer ") {
            return None;
        }
        self.find(token.trim_ascii())
    }

    /// Compares with every token in constant time. Digests hide the length.
    fn find(&self, token: &[u8]) -> Option<Owner> {
        let given: [u8; 32] = Sha256::digest(token).into();
        let mut known = Choice::from(0);
        let mut place = 0_u32;
        for (number, digest) in (0_u32..).zip(&self.digests) {
            let same = digest.ct_eq(&given);
            known |= same;
            place.conditional_assign(&number, same);
        }
        bool::from(known).then_some(Owner::Token(place))
    }
}

fn digest_of(token: &str) -> Result<[u8; 32], BadToken> {
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(BadToken::NotAscii);
    }
    if token.len() < SHORTEST_TOKEN {
        return Err(BadToken::TooShort { length: token.len() });
    }
    Ok(Sha256::digest(token).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "first-token-of-the-file";
    const SECOND: &str = "second-token-of-the-file";

    fn owner(tokens: &Tokens, header: &str) -> Option<Owner> {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, header.parse().unwrap());
        tokens.owner(&headers)
    }

    #[test]
    fn each_token_is_an_owner() {
        let tokens = Tokens::parse(&format!("# team\n{FIRST}\n\n  {SECOND}  \n")).unwrap();
        assert_eq!(owner(&tokens, &format!("Bearer {FIRST}")), Some(Owner::Token(0)));
        assert_eq!(owner(&tokens, &format!("bearer  {SECOND}")), Some(Owner::Token(1)));
        for wrong in
            ["Bearer ", "Bearer x", "Basic first-token-of-the-file", FIRST, "Bearer first-token-of-the-fil"]
        {
            assert_eq!(owner(&tokens, wrong), None, "{wrong}");
        }
        assert_eq!(tokens.owner(&HeaderMap::new()), None);
    }

    #[test]
    fn without_tokens_everybody_is_let_in() {
        assert_eq!(Tokens::default().owner(&HeaderMap::new()), Some(Owner::Anyone));
    }

    #[test]
    fn tokens_that_protect_nothing_are_refused() {
        assert_eq!(Tokens::parse("secret").err(), Some(BadToken::TooShort { length: 6 }));
        assert_eq!(Tokens::parse("# nothing\n").err(), Some(BadToken::None));
        assert_eq!(Tokens::parse("a token with spaces in it").err(), Some(BadToken::NotAscii));
    }
}
