use cicerone_driver::DriverError;
use cicerone_wire::WireError;

/// Translates a wire error. A lost reply means different things in different protocols: `lost` gets the
/// command's name.
pub fn driver_error(error: WireError, lost: impl FnOnce(&'static str) -> DriverError) -> DriverError {
    match error {
        WireError::Lost { method } => lost(method),
        WireError::Interrupted { .. } => DriverError::Interrupted,
        WireError::Refused { method, message, .. } => DriverError::Refused { command: method, message },
        WireError::Malformed { source, .. } => DriverError::Garbled(source),
        _ => DriverError::Disconnected,
    }
}
