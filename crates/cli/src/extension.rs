//! `cicerone extension`: the extension for the person's own Chrome.

use std::time::Duration;

use cicerone_bridge::{Bridge, BridgeError, Installation};
use cicerone_engine::{Error, LaunchError};
use cicerone_tools::Message;

use crate::{
    Failure,
    config::{ExtensionCommand, installation},
    print::print,
    serve::runtime,
};

/// How long a person has for the three clicks.
const CLICKS: Duration = Duration::from_secs(300);

/// Runs one of the commands.
pub(crate) fn run(command: &ExtensionCommand) -> Result<(), Failure> {
    let installation = installation().ok_or("no directory for data: HOME is not set")?;
    match command {
        ExtensionCommand::Install => install(&installation),
        ExtensionCommand::Path => Ok(print(format!("{}\n", installation.directory().display()))?),
    }
}

fn install(installation: &Installation) -> Result<(), Failure> {
    let directory = installation.directory();
    let failed = |error| format!("{} cannot be written: {error}", directory.display());
    installation.write().map_err(failed)?;
    eprintln!("The extension is in {}\n\n{}", directory.display(), clicks(installation));
    runtime()?.block_on(async {
        let bridge = Bridge::open(installation, "cicerone extension install").await?;
        let connected = tokio::select! {
            connected = bridge.next(None, CLICKS) => connected,
            _ = tokio::signal::ctrl_c() => return Err("interrupted; the files stay".into()),
        };
        match connected {
            Ok(_) => {
                eprintln!("Connected. Start the server with `cicerone --extension`.");
                Ok(())
            }
            Err(BridgeError::Io(error)) => Err(error.into()),
            Err(error) => Err(with_hint(&error)),
        }
    })
}

/// How a person loads it.
pub(crate) fn clicks(installation: &Installation) -> String {
    format!(
        "In Chrome (or Chromium, Edge, Brave):\n  1. Open chrome://extensions and switch on \"Developer mode\".\n  2. Click \
         \"Load unpacked\".\n  3. Choose {}\n\nWaiting until it connects; Ctrl+C ends this.",
        installation.directory().display()
    )
}

fn with_hint(error: &BridgeError) -> Failure {
    let cause = match error {
        BridgeError::Outdated => LaunchError::ExtensionOutdated,
        _ => LaunchError::ExtensionSilent { timeout: CLICKS },
    };
    let Message { hint, .. } = Message::of(&Error::Launch(cause.clone()));
    format!("{cause}\nHint: {hint}").into()
}
