//! The `agent` dialect's waits.
