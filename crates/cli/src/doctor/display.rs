//! What is around the browser: a display for its windows.

use cicerone_install::Engine;

use super::{Finding, Patient};

/// Windows need a display, where that is something to be had.
pub(super) fn display(patient: &Patient<'_>) -> Option<Finding> {
    if !patient.flags.headed || !cfg!(target_os = "linux") {
        return None;
    }
    let told = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let fix = "start it in a graphical session, or with xvfb-run; or leave --headed out";
    // The host of WebKit opens windows of X only.
    let wayland = told("WAYLAND_DISPLAY").filter(|_| patient.flags.browser != Engine::WebKit);
    Some(match (wayland, told("DISPLAY")) {
        (Some(name), _) => Finding::fine(format!("Wayland, {name}")),
        (None, Some(name)) => match missing_socket(&name) {
            None => Finding::fine(format!("X, {name}")),
            Some(socket) => Finding::bad(format!("DISPLAY is {name}, but there is no {socket}"), fix),
        },
        (None, None) if patient.flags.browser == Engine::WebKit => Finding::bad("DISPLAY is not set", fix),
        (None, None) => Finding::bad("neither DISPLAY nor WAYLAND_DISPLAY is set", fix),
    })
}

/// The socket of a display on this machine, if it is not there.
fn missing_socket(display: &str) -> Option<String> {
    let number = display.strip_prefix(':')?.split('.').next()?;
    let socket = format!("/tmp/.X11-unix/X{number}");
    (!std::path::Path::new(&socket).exists()).then_some(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_local_display_has_a_socket() {
        assert_eq!(missing_socket(":98765.0").as_deref(), Some("/tmp/.X11-unix/X98765"));
        assert_eq!(missing_socket("other-host:0"), None);
    }
}
