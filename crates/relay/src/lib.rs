//! The loopback forward proxy of a browser context.
//!
//! A [`Relay`] listens on a port of `127.0.0.1` for one browser context. It accepts only requests with its own
//! credentials, and forwards them by a [`Route`]: directly to the host, or through an [`Upstream`] proxy unless the
//! [`Bypass`] list contains the host. A [`HostPolicy`] decides which hosts and addresses are reachable at all. A
//! failure is a [`Trouble`]: the browser gets a short response with its message, and the relay records it.
//!
//! A browser that has answered one `407` sends the credentials with all later requests. [`PROXY_AUTH_URL`] serves that one
//! request.

mod answer;
mod bypass;
mod connection;
mod destination;
mod dial;
mod forward;
mod headers;
mod policy;
mod relay;
mod resolve;
mod route;
mod secret;
mod thread;
mod trouble;
mod upstream;

pub use self::{
    answer::PROXY_AUTH_URL,
    bypass::{BadBypass, Bypass},
    dial::{Stream, dial, tls::connector as tls_connector},
    policy::{AddressRange, BadHostPattern, HostPattern, HostPolicy, Refusal},
    relay::{Relay, StartError},
    resolve::{Resolve, SystemResolver},
    route::Route,
    trouble::{Incident, Trouble},
    upstream::{BadUpstream, Scheme, Upstream},
};
