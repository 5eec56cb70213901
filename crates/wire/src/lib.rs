//! One message engine for browser protocols.
//!
//! A [`Transport`] carries whole messages to a browser and back. A [`Connection`] owns one: it numbers
//! requests, matches replies to them, and hands every event to one observer, in the order in which the
//! browser sent them. A [`Session`] is an address on a connection (the browser itself, a page, a frame in
//! another process). A [`Command`] is one request of a protocol: its wire name, parameters and reply.
//!
//! Two promises hold for everything above:
//! - when a reply is delivered, the observer has already seen every event that the browser sent before it;
//! - when the transport ends or breaks, or a session is declared lost, its pending requests fail at once.

mod connection;
mod error;
mod message;
mod quickack;
mod read_limit;
mod session;
pub mod transport;
mod websocket;

pub use connection::{Connection, Event, Reconnect, Reply};
pub use error::WireError;
pub use session::{Command, Empty, PendingReply, Session};
pub use transport::Transport;
