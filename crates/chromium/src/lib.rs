//! Chromium, Chrome and Edge, over the Chrome DevTools Protocol on a pipe.
//!
//! [`Chromium`] launches a browser, [`attach`](attach()) connects to a running one. A browser has one
//! connection; every page, and every frame in another process, is a session on it. [`page`] knows which frame
//! lives in which session, and the worlds (execution contexts) of each frame. [`targets`] sets up new
//! targets, and [`events`] translates events. [`internal_page`] has our own pages. The injected script is evaluated
//! in an isolated world of every document, before the page's scripts.

mod adopt;
mod attach;
mod bodies;
mod bookmarks;
mod browser;
mod closed_shadow_roots;
mod console;
mod contexts;
mod cookies;
mod crashing;
mod downloads;
mod emulation;
mod evaluate;
mod events;
mod extra_headers;
mod fetch;
mod frames;
mod helper;
mod history;
mod injected;
mod input;
mod interception;
mod internal_page;
mod interruption;
mod launch;
mod layout_metrics;
mod lifecycle;
mod listeners;
mod network_capture;
mod nodes;
mod object_group;
mod origin_page;
mod page;
mod permissions;
mod printing;
mod protocol;
mod proxy_auth;
mod reach;
mod requests;
mod sandbox;
mod screencast;
mod screenshot;
mod spare_context;
mod stream;
mod targets;
mod trace;

pub use attach::{AttachOptions, Powers, attach};
pub use cicerone_driver_kit::{Downloads, FirstContext};
pub use cicerone_process::{ProfileLock, janitor};
pub use launch::{Chromium, LaunchOptions, OLDEST};
