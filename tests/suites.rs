//! The server through its front door: a page, some calls over stdio, what must be seen. Every test has a server and
//! a browser of its own. `support` knows the API; the cases do not.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    dead_code,
    missing_docs,
    unreachable_pub,
    reason = "tests, with a support module that has more than any one of them needs"
)]

mod support;

mod call;
mod command_line;
mod elements;
mod faults;
mod forms;
mod inspect;
mod life;
mod looking;
mod navigation;
mod pages;
mod protocol;
mod refs;
mod smoke;
mod tabs;
