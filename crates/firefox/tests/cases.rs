//! The cases of every driver, on Firefox.

mod support;

cicerone_driver_tests::cases!(support::DRIVER);
