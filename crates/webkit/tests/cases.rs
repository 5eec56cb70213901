//! The cases of every driver, on WebKit.
#![allow(clippy::unwrap_used, reason = "a test may fail so")]

mod support;

cicerone_driver_tests::cases!(support::DRIVER);
