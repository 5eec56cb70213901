//! HTTP requests outside the browser.
//!
//! [`send`] sends one [`Request`] by the [`Way`] that a browser context's traffic takes, and reads its [`Response`] up
//! to a limit. It neither follows redirects nor stores cookies: callers parse [`SetCookie`] headers. [`multipart`]
//! encodes forms.

mod body;
mod connection;
mod cookie_date;
mod error;
mod form;
mod message;
mod send;
mod set_cookie;

pub use self::{
    connection::{ProxyAccess, Way},
    error::HttpError,
    form::{Part, multipart},
    message::{Request, Response, is_connection_header},
    send::send,
    set_cookie::{SameSite, SetCookie},
};
