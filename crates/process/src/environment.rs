//! The environment that a browser and its janitor inherit: what they need to find their files, display and language.
//! Keys and tokens in our environment are withheld, also from an attacker who breaks into the browser.

use std::{ffi::OsString, process::Command};

/// Variable names, upper case.
const NAMES: &[&str] = &[
    // User and directories.
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "PATH",
    "TMPDIR",
    "TEMP",
    "TMP",
    "PWD",
    "LD_LIBRARY_PATH",
    // Language and time.
    "LANG",
    "LANGUAGE",
    "TZ",
    "TZDIR",
    "LOCPATH",
    // Display.
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "WAYLAND_SOCKET",
    "XAUTHORITY",
    "XCURSOR_THEME",
    "XCURSOR_SIZE",
    "DESKTOP_SESSION",
    "LIBVA_DRIVER_NAME",
    // Network, as configured in the system.
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    // Chromium's sandbox helper and its wrapper script.
    "CHROME_DEVEL_SANDBOX",
    "CHROMIUM_FLAGS",
    // Windows.
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "PROGRAMW6432",
    "COMMONPROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "WINDIR",
    "USERPROFILE",
    "USERNAME",
    "USERDOMAIN",
    "HOMEDRIVE",
    "HOMEPATH",
    "COMSPEC",
    "PATHEXT",
    "OS",
    "PROCESSOR_ARCHITECTURE",
    "NUMBER_OF_PROCESSORS",
    "PUBLIC",
    "ALLUSERSPROFILE",
    "COMPUTERNAME",
];

/// Name prefixes.
const PREFIXES: &[&str] = &[
    "LC_",
    "XDG_",
    "DBUS_",
    "FONTCONFIG_",
    "GDK_",
    "GTK_",
    "GIO_",
    "GSETTINGS_",
    "GST_",
    "QT_",
    "MOZ_",
    "PULSE_",
    "ALSA_",
    "PIPEWIRE_",
    "LIBGL_",
    "MESA_",
    "EGL_",
    "VK_",
    "__GLX_",
    "__EGL_",
    "__NV_",
    "NIX_LD",
    "FREETYPE_",
];

fn is_allowed(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    NAMES.contains(&name.as_str()) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Restricts a command to these variables. Set further variables after this call.
pub fn inherit_little(command: &mut Command) -> &mut Command {
    let allowed = |(name, _): &(OsString, OsString)| name.to_str().is_some_and(is_allowed);
    command.env_clear().envs(std::env::vars_os().filter(allowed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_finds_its_way_and_no_keys() {
        for name in ["HOME", "Path", "LC_ALL", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "http_proxy"] {
            assert!(is_allowed(name), "{name}");
        }
        for name in [
            "ANTHROPIC_API_KEY",
            "AWS_SECRET_ACCESS_KEY",
            "GITHUB_TOKEN",
            "CICERONE_SECRETS",
            "SSH_AUTH_SOCK",
            "LD_PRELOAD",
        ] {
            assert!(!is_allowed(name), "{name}");
        }
    }
}
