//! What `cicerone serve` needs: a port that is free, and tokens where other machines can reach it.

use std::net::TcpListener;

use super::{Finding, Patient};
use crate::serve_http::{NotServed, address, addresses, tokens};

/// Whether the address that was asked for can be listened on.
pub(super) fn port(patient: &Patient<'_>) -> Option<Finding> {
    patient.flags.http.http.as_ref()?;
    let named = address(patient.flags);
    let known = match addresses(patient.flags) {
        Ok(known) => known,
        Err(error) => return Some(Finding::bad(error.to_string(), "give an address of this machine")),
    };
    Some(match TcpListener::bind(known.as_slice()) {
        Ok(_) => Finding::fine(format!("{named} is free")),
        Err(source) => {
            let taken = source.kind() == std::io::ErrorKind::AddrInUse;
            let fix = if taken {
                "end what uses the port, or choose another one with --http"
            } else {
                "choose an address of this machine, and a port above 1023"
            };
            Finding::bad(format!("{named} cannot be listened on: {source}"), fix)
        }
    })
}

/// Whether there are tokens, and whether others can read them.
pub(super) fn token(patient: &Patient<'_>) -> Option<Finding> {
    let flags = patient.flags;
    if flags.http.http.is_none() && flags.http.token_file.is_none() {
        return None;
    }
    let found = match tokens(flags) {
        Ok(found) => found,
        Err(error) => return Some(Finding::bad(error.to_string(), "write one token on each line")),
    };
    let exposed = addresses(flags).ok()?.into_iter().find(|address| !address.ip().is_loopback());
    Some(match (found.is_empty(), exposed) {
        (true, Some(address)) => {
            let needed = NotServed::NoToken { address };
            Finding::bad(
                first_line(&needed.to_string()),
                "`openssl rand -hex 32 > token`, then --token-file token",
            )
        }
        (true, None) => Finding::fine("none; every program on this machine can use the server"),
        (false, _) => match flags.http.token_file.as_deref().filter(|path| is_readable_by_others(path)) {
            Some(path) => Finding::weak(
                format!("the token file {} can be read by others", path.display()),
                format!("chmod 600 {}", path.display()),
            ),
            None => Finding::fine(format!("{} accepted", counted(found.len()))),
        },
    })
}

fn counted(tokens: usize) -> String {
    if tokens == 1 { "one token is".into() } else { format!("{tokens} tokens are") }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(unix)]
fn is_readable_by_others(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_readable_by_others(_: &std::path::Path) -> bool {
    false
}
