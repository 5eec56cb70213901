//! Making a browser available, from the command line and for a client.

use std::ops::ControlFlow;

use async_trait::async_trait;
use cicerone_engine::Error;
use cicerone_install::{Bar, Engine, InstallError, InstallOptions, Installed, Search, Step, install};
use cicerone_tools::{InstallFailed, Installer, Message, Progress};

use crate::{Failure, config::Flags, launchers::check_version, serve::search};

/// `cicerone install`.
pub(crate) fn run(engine: Engine, flags: &Flags) -> Result<(), Failure> {
    let installed = install(engine, &InstallOptions::new(search(flags)), &Bar::on_stderr())
        .map_err(|error| format!("{error}\nHint: {}", error.hint()))?;
    let version = installed.reported_version();
    eprintln!("{}", with_version(&installed, version.as_deref()));
    let reported = version.unwrap_or_default();
    check_version(engine, &installed.found().path, &reported)
        .map_err(|too_old| Message::of(&Error::Launch(too_old)).to_string().into())
}

/// What was installed, and its version where it reports one.
fn with_version(installed: &Installed, version: Option<&str>) -> String {
    match version {
        Some(version) => format!("{installed}, {version}"),
        None => installed.to_string(),
    }
}

/// Installs the browser when a client asks for it.
pub(crate) struct OnDemand {
    pub(crate) engine: Engine,
    pub(crate) search: Search,
}

#[async_trait]
impl Installer for OnDemand {
    async fn install(&self, progress: &Progress) -> Result<String, InstallFailed> {
        // A model may ask for this, and a page may have talked it into that: packages of the system and builds are for a person.
        let options = InstallOptions {
            may_install_packages: false,
            may_build: false,
            ..InstallOptions::new(self.search.clone())
        };
        let engine = self.engine;
        let (progress, wanted) = (progress.clone(), Wanted::default());
        let still = wanted.watcher();
        // Blocking work in a separate thread; it stops at its next step after cancellation.
        let working = tokio::task::spawn_blocking(move || {
            let installed = install(engine, &options, &|step: Step<'_>| {
                tell(&progress, step);
                if still.upgrade().is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            let version = installed.reported_version();
            Ok((installed, version))
        });
        let done = working.await;
        drop(wanted);
        match done {
            Ok(Ok((installed, version))) => {
                let path = &installed.found().path;
                check_version(engine, path, version.as_deref().unwrap_or_default()).map_err(|too_old| {
                    let Message { text, hint, .. } = Message::of(&Error::Launch(too_old));
                    InstallFailed { message: text, hint }
                })?;
                Ok(format!("The browser is ready: {}", with_version(&installed, version.as_deref())))
            }
            Ok(Err::<_, InstallError>(error)) => {
                Err(InstallFailed { message: error.to_string(), hint: error.hint() })
            }
            Err(_) => Err(InstallFailed {
                message: "the installation failed unexpectedly".into(),
                hint: format!("run `cicerone install {engine}` in a terminal"),
            }),
        }
    }
}

/// Lives as long as the installation is awaited.
#[derive(Default)]
struct Wanted(std::sync::Arc<()>);

impl Wanted {
    fn watcher(&self) -> std::sync::Weak<()> {
        std::sync::Arc::downgrade(&self.0)
    }
}

fn tell(progress: &Progress, step: Step<'_>) {
    let message = step.to_string();
    #[expect(clippy::cast_precision_loss, reason = "progress need not be exact")]
    match step {
        Step::Downloading { done, total } => {
            progress.tell(done as f64, total.map(|total| total as f64), message);
        }
        _ => progress.tell(0.0, None, message),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use cicerone_install::Environment;

    use super::*;

    #[test]
    fn a_client_has_nothing_built() {
        let directory = tempfile::tempdir().unwrap();
        let at = |path: &str| directory.path().join(path);
        for path in
            ["bin/Xvfb", "bin/cargo", "root/usr/lib/libwebkit2gtk-4.1.so.0", "crates/webkit-host/Cargo.toml"]
        {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), "#!/bin/sh\n: > \"$0.ran\"\n").unwrap();
            fs::set_permissions(at(path), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let variables = [("PATH", at("bin")), ("CICERONE_CACHE_DIR", at("cache"))];
        let mut search = Search::new(Environment::given(variables));
        (search.root, search.beside) = (at("root"), Some(at("target/debug")));
        let installer = OnDemand { engine: Engine::WebKit, search };
        let runtime = crate::serve::runtime().unwrap();
        let failed = runtime.block_on(installer.install(&Progress::default())).unwrap_err();
        assert!(failed.hint.contains("`cicerone install webkit` in a terminal"), "{}", failed.hint);
        assert!(!at("bin/cargo.ran").exists());
    }
}
