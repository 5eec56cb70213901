//! The loopback forward proxy that a browser context's traffic takes.
//!
//! A [`Relay`] listens on a port of `127.0.0.1` for one browser context. It takes requests only with its own user name and password,
//! and carries them by a [`Route`]: straight to the host, or through an [`Upstream`] proxy unless the [`Bypass`] list names the host.
//! A [`HostPolicy`] says which hosts and addresses may be reached at all.
//! What goes wrong on the way is a [`Trouble`]: the browser gets a short answer with its words, and the relay remembers it.
//!
//! Browsers that answer a `407` once know the credentials for all that follows. [`PRIME_URL`] is for that one request.

mod answer;
mod bypass;
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
mod visit;

pub use self::{
    answer::PRIME_URL,
    bypass::{BadBypass, Bypass},
    dial::{Stream, dial, tls::connector as tls_connector},
    policy::{AddressRange, BadHostPattern, HostPattern, HostPolicy, Refusal},
    relay::{Relay, StartError},
    resolve::{Resolve, SystemResolver},
    route::Route,
    trouble::{Incident, Trouble},
    upstream::{BadUpstream, Scheme, Upstream},
};
