//! Real widgets from npm, each used as an agent would: find it, read it, act on it, see the effect in the reply. The pages
//! are in `tests/widgets/pages`. Where npm cannot install them, the suite is skipped and says so; with `WIDGETS_REQUIRED`
//! set, it fails.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "tests, with a support module that has more than any one of them needs"
)]

mod support;

#[path = "widgets/applications.rs"]
mod applications;
#[path = "widgets/choosing.rs"]
mod choosing;
#[path = "widgets/editors.rs"]
mod editors;
#[path = "widgets/grids.rs"]
mod grids;
#[path = "widgets/moving.rs"]
mod moving;
#[path = "widgets/site.rs"]
mod site;
