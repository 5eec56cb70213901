//! Standard output, for the commands that speak no protocol on it.

use std::io::{self, ErrorKind, Write};

/// Prints it. A reader that stops early is not an error.
pub(crate) fn print(text: impl AsRef<[u8]>) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_ref()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
