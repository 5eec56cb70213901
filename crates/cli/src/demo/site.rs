//! The built-in site: a museum that takes bookings.

use cicerone_testkit::Page;

/// The page under a path.
pub(super) fn find(path: &str) -> Option<Page> {
    match path {
        "/" => Some(Page::html(include_str!("site/home.html"))),
        "/book" => Some(Page::html(include_str!("site/book.html"))),
        "/places" => Some(Page { kind: "application/json", body: r#"{"left":11}"#.into() }),
        _ => None,
    }
}
