//! [`retrying`] retries requests.

use crate::error::InstallError;
use crate::progress::{Progress, Step, Warning, tell};
use crate::transfer::TICK;

/// Maximum number of attempts.
const ATTEMPTS: u32 = 5;

/// Delay before the second attempt in ticks; doubles for each further one.
const FIRST_PAUSE: u32 = 2;

/// Repeats a request until it succeeds, fails permanently, or reaches the maximum number of attempts.
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

/// Waits before a retry; checks for cancellation.
fn pause(ticks: u32, progress: &dyn Progress) -> Result<(), InstallError> {
    for _ in 0..ticks {
        tell(progress, Step::Pausing)?;
        std::thread::sleep(TICK);
    }
    Ok(())
}
