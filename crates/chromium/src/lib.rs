//! Chromium, Chrome and Edge, over the Chrome DevTools Protocol on a pipe.
//!
//! [`Chromium`] is the launcher. A running browser has one connection; every page, and every frame that lives
//! in another process, is a session on it. [`page`] keeps what a page needs to find the way: which frame lives
//! in which session, and the worlds (execution contexts) of each frame. [`targets`] receives what appears in the
//! browser, and [`events`] turns what it tells into happenings. [`hidden`] has the pages of our own. The agent is evaluated in a world of its own in every document, before the page's scripts.

mod agent;
mod bodies;
mod bookmarks;
mod browser;
mod console;
mod contexts;
mod cookies;
mod emulation;
mod enlighten;
mod evaluate;
mod events;
mod fate;
mod fetching;
mod frames;
mod helper;
mod hidden;
mod history;
mod input;
mod interception;
mod launch;
mod network_capture;
mod nodes;
mod page;
mod permissions;
mod prime;
mod printing;
mod protocol;
mod sandbox;
mod screencast;
mod shot;
mod store;
mod stream;
mod targets;
mod trace;
mod visit;

pub use cicerone_process::{ProfileLock, keep};
pub use launch::{Chromium, LaunchOptions, OLDEST};
