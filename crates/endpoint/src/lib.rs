//! A browser that runs already, at a URL.
//!
//! An [`Endpoint`] is the URL with its credentials. [`Attacher`] is the [`Launcher`](cicerone_driver::Launcher) for it: it finds
//! out which protocol is spoken there ([`probe`]), dials the WebSocket ([`dial`]) and attaches with the driver of that protocol.

mod address;
mod attacher;
mod dial;
mod probe;

pub use address::{BadEndpoint, Endpoint};
pub use attacher::{Attacher, ContextChoice, Found};
pub use probe::Protocol;
