//! The Model Context Protocol, on the official SDK.
//!
//! A [`Server`] answers the protocol's requests with the tools of a toolbox. [`serve_stdio`] runs one on
//! standard input and output, [`serve_socket`] one for all clients of a socket; both use our own transport
//! ([`ndjson`]), which answers malformed messages instead of dropping them. [`serve_http`] serves many clients
//! over HTTP, each with its own session. A [`Caller`] is a client for single calls. Only this crate knows
//! JSON-RPC, and only the transport writes to standard output.

mod ask_page;
mod caller;
mod calls;
mod conformance;
mod elicit;
mod http;
mod listed;
mod log;
mod ndjson;
mod notify;
mod request_id;
mod resources;
mod server;
#[cfg(unix)]
mod socket;
mod stdio;
mod subscriptions;
mod sync;

pub use caller::{Ask, CallError, Caller, LONGEST_SILENCE, PROTOCOL, greeting, result_in};
pub use conformance::Conformance;
pub use http::{BadToken, ClientFactory, HttpOptions, SHORTEST_TOKEN, Tokens, serve_http};
pub use listed::listed;
pub use log::{ClientLog, ClientLogs, client_log, client_logs};
pub use server::Server;
#[cfg(unix)]
pub use socket::serve_socket;
pub use stdio::serve_stdio;
