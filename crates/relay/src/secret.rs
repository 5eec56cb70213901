use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use hyper::{HeaderMap, header::PROXY_AUTHORIZATION};
use subtle::ConstantTimeEq;

/// The credentials of a relay, known only to its browser.
pub(crate) struct Secret {
    pub(crate) user: String,
    pub(crate) password: String,
    /// The required token after `Basic `.
    token: String,
}

impl Secret {
    /// New credentials with 128 random bits in the password.
    pub(crate) fn draw() -> Result<Self, getrandom::Error> {
        let user = format!("{:08x}", getrandom::u32()?);
        let password = format!("{:016x}{:016x}", getrandom::u64()?, getrandom::u64()?);
        let token = basic(&user, &password);
        Ok(Self { user, password, token })
    }

    /// Whether the request has the credentials. Takes the same time for every wrong guess of the right length.
    pub(crate) fn admits(&self, headers: &HeaderMap) -> bool {
        let mut given = headers.get_all(PROXY_AUTHORIZATION).iter();
        let (Some(given), None) = (given.next(), given.next()) else { return false };
        match given.as_bytes().split_at_checked("Basic ".len()) {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case(b"Basic ") => {
                token.ct_eq(self.token.as_bytes()).into()
            }
            _ => false,
        }
    }
}

/// The token of HTTP Basic authentication.
pub(crate) fn basic(user: &str, password: &str) -> String {
    BASE64.encode(format!("{user}:{password}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (PROXY_AUTHORIZATION, value.parse().unwrap())).collect()
    }

    #[test]
    fn only_the_right_credentials_given_once_pass() {
        let secret = Secret::draw().unwrap();
        let right = format!("basic {}", basic(&secret.user, &secret.password));
        assert!(secret.admits(&headers(&[&right])));
        assert!(!secret.admits(&headers(&[])));
        assert!(!secret.admits(&headers(&[&right, &right])));
        assert!(!secret.admits(&headers(&["Basic "])));
        assert!(!secret.admits(&headers(&[&right.replace("basic", "bearer")])));
        assert!(!secret.admits(&headers(&[&format!("Basic {}", basic(&secret.user, "guess"))])));
    }

    #[test]
    fn no_two_relays_share_a_secret() {
        assert_ne!(Secret::draw().unwrap().password, Secret::draw().unwrap().password);
    }
}
