//! [`retrying`] makes a request again where another attempt may succeed.

use crate::error::InstallError;
use crate::progress::{Progress, Step, Warning, tell};
use crate::transfer::TICK;

/// How often a request is attempted in all.
const ATTEMPTS: u32 = 5;

/// The pause before the second attempt, in ticks; it doubles before each further one.
const FIRST_PAUSE: u32 = 2;

/// Attempts a request until it succeeds, fails for good, or has been attempted often enough.
pub(crate) fn retrying<T>(
    progress: &dyn Progress,
    attempt: impl Fn() -> Result<T, InstallError>,
) -> Result<T, InstallError> {
    let mut made = 1;
    loop {
        match attempt() {
            Err(InstallError::Download(error)) if made < ATTEMPTS && error.may_pass(made) => {
                let warning = Warning::Retrying { error: &error, attempt: made + 1, attempts: ATTEMPTS };
                tell(progress, Step::Warning(warning))?;
                pause(FIRST_PAUSE << (made - 1), progress)?;
                made += 1;
            }
            outcome => return outcome,
        }
    }
}

/// Lets the network recover, without missing a cancellation.
fn pause(ticks: u32, progress: &dyn Progress) -> Result<(), InstallError> {
    for _ in 0..ticks {
        tell(progress, Step::Pausing)?;
        std::thread::sleep(TICK);
    }
    Ok(())
}
