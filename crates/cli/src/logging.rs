//! The log: to standard error, and to the client. Secrets are hidden in what goes to standard error.

use std::{
    io::{self, IsTerminal, Write},
    sync::Arc,
};

use cicerone_engine::Secrets;
use tracing_subscriber::{
    EnvFilter, Layer, Registry, fmt::MakeWriter, layer::SubscriberExt, util::SubscriberInitExt,
};

use crate::{Failure, config::Flags};

/// Begins to log.
pub(crate) fn start(
    flags: &Flags,
    secrets: Arc<Secrets>,
    to_client: Option<impl Layer<Registry> + Send + Sync>,
) -> Result<(), Failure> {
    // The SDK logs the end of every session as an error, and messages with their content.
    let filter = EnvFilter::try_new(format!("{},rmcp=off", flags.log))?;
    let writer = Redacting { secrets, inner: io::stderr };
    let to_stderr = tracing_subscriber::fmt::layer()
        .with_ansi(io::stderr().is_terminal())
        .with_writer(writer)
        .with_filter(filter);
    tracing_subscriber::registry().with(to_client).with(to_stderr).init();
    Ok(())
}

/// Makes writers that hide secrets.
pub(crate) struct Redacting<M> {
    secrets: Arc<Secrets>,
    inner: M,
}

/// Hides the secrets in what is written. Each line of the log is written at once, so none is cut in two.
pub(crate) struct RedactingWriter<W> {
    secrets: Arc<Secrets>,
    inner: W,
}

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for Redacting<M> {
    type Writer = RedactingWriter<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        RedactingWriter { secrets: Arc::clone(&self.secrets), inner: self.inner.make_writer() }
    }
}

impl<W: Write> Write for RedactingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.inner.write_all(self.secrets.redact(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_do_not_reach_the_log() {
        let secrets = Arc::new(Secrets::new([("TOKEN".to_owned(), "s3cr3t \"x\"".to_owned())]));
        let written = tempfile::NamedTempFile::new().unwrap();
        let writer = Redacting { secrets, inner: Arc::new(written.reopen().unwrap()) };
        let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(writer);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            tracing::warn!(value = "s3cr3t \"x\"", url = "/?t=s3cr3t+%22x%22", "typed s3cr3t \"x\"");
        });
        let log = std::fs::read_to_string(written.path()).unwrap();
        assert_eq!(log.matches("<secret TOKEN>").count(), 3, "{log}");
        assert!(!log.contains("s3cr3t"), "{log}");
    }
}
