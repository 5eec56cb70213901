//! A relay between a browser, sites and proxies that are all played by the tests, on loopback.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod carrying;
mod crowd;
mod faults;
mod guards;
mod parts;
mod policy;
mod upstreams;
