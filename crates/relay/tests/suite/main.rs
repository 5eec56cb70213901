//! A relay with a simulated browser, sites and proxies, on loopback.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod carrying;
mod crowd;
mod faults;
mod guards;
mod parts;
mod policy;
mod upstreams;
