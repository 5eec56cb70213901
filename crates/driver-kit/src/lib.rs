//! What drivers on a [`cicerone_wire::Connection`] share.
//!
//! [`Lifecycle`] knows whether a page is alive and ends what waits for it. [`hand_over`] creates things that a cancelled
//! caller must not leave behind. [`driver_error`] translates wire errors. [`FirstContext`] and [`Downloads`] say how a
//! browser is used that somebody else started. [`FetchResult`] is the injected script's answer when a hidden document
//! fetches for its page. [`REFUSED_HOSTS`] is for browsers without a relay.

mod attach;
mod error;
mod fetch_result;
mod hand_over;
mod lifecycle;
mod refused_hosts;

pub use attach::{Downloads, FirstContext};
pub use error::driver_error;
pub use fetch_result::FetchResult;
pub use hand_over::hand_over;
pub use lifecycle::Lifecycle;
pub use refused_hosts::REFUSED_HOSTS;
