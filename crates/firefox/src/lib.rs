//! Firefox, over WebDriver BiDi on its WebSocket.
//!
//! [`Firefox`] is the launcher. The session belongs to a Marionette connection ([`marionette`]), so that nobody else
//! can begin one; everything else goes over one BiDi connection, whose commands name the context (a page or a frame)
//! that they are for. [`places`] knows which context belongs to which page and what it shows; [`events`] turns what
//! the browser tells into happenings. The agent lives in a sandbox of every document, put there before the page's
//! scripts run. Every page has a window of its own: tabs in the background are not drawn. What BiDi lacks goes through
//! privileged script ([`system`]), in a browser that was started for it.

mod agent;
mod bodies;
mod bookmarks;
mod browser;
mod console;
mod contexts;
mod cookies;
mod dialogs;
mod emulation;
mod evaluate;
mod events;
mod fate;
mod fetch;
mod frame_element;
mod history;
mod input;
mod interception;
mod launch;
mod marionette;
mod navigate;
mod network_capture;
mod page;
mod peers;
mod permissions;
mod picture;
mod places;
mod preferences;
mod prime;
mod printing;
mod protocol;
mod reconnect;
mod requests;
mod sandbox;
mod system;
mod values;
mod visit;
mod window;
mod words;

pub use launch::{Firefox, LaunchOptions, OLDEST};
