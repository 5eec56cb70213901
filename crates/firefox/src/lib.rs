//! Firefox, over WebDriver BiDi on its WebSocket.
//!
//! [`Firefox`] launches a browser; [`attach`] drives one that already runs, and [`reach`] knows which of its contexts are
//! ours. The session belongs to a Marionette connection ([`marionette`]), so that nobody else can start one; everything else
//! uses one BiDi connection, whose commands name their context (a page or a frame). [`frames`] knows the page and document
//! of each context; [`events`] translates events. The injected script lives in a sandbox of every document, from before the
//! page's scripts. Every page has its own window: background tabs are not painted. What BiDi lacks uses privileged script
//! ([`system`]), if the browser was launched for it.

mod attach;
mod bodies;
mod bookmarks;
mod browser;
mod closed_shadow_roots;
mod console;
mod contexts;
mod cookies;
mod crashing;
mod dialogs;
mod downloads;
mod emulation;
mod evaluate;
mod events;
mod extra_headers;
mod fetch;
mod frame_element;
mod frames;
mod history;
mod injected;
mod input;
mod interception;
mod launch;
mod lifecycle;
mod marionette;
mod navigate;
mod net_errors;
mod network_capture;
mod origin_page;
mod page;
mod peers;
mod permissions;
mod preferences;
mod printing;
mod protocol;
mod proxy_auth;
mod reach;
mod reconnect;
mod remote_value;
mod requests;
mod restart;
mod sandbox;
mod screenshot;
mod system;
mod window;

pub use attach::{AttachOptions, Ownership, attach};
pub use launch::{Firefox, LaunchOptions, OLDEST};
