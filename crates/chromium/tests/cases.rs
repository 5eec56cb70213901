//! The cases of every driver, on Chromium.

mod support;

cicerone_driver_tests::cases!(support::DRIVER);
