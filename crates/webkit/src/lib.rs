//! WebKit, with WebKitGTK in a program of its own.
//!
//! [`WebKit`] is the launcher. The program `cicerone-webkit` (`crates/webkit-host`) shows the pages; there is one pipe to it,
//! on which every page is a session. Commands whose names begin with `Host.` are the program's own: windows, input, pictures,
//! dialogs, cookies. All others go to the inspector of the page's session. [`frames`] knows which worlds (execution contexts) the
//! documents of a page have; [`events`] turns what the program reports into happenings. The injected script is evaluated in a world of
//! its own in every document, before the page's scripts.

mod bodies;
mod browser;
mod closed_shadow_roots;
mod console;
mod contexts;
mod cookies;
mod crashing;
mod emulation;
mod evaluate;
mod events;
mod extra_headers;
mod fetch;
mod frames;
mod injected;
mod input;
mod interception;
mod interruption;
mod launch;
mod lifecycle;
mod listeners;
mod navigate;
mod net_errors;
mod network;
mod network_capture;
mod nodes;
mod origin_page;
mod page;
mod permissions;
mod printing;
mod process_swap;
mod protocol;
mod proxy_auth;
mod refused_hosts;
mod requests;
mod sandbox;
mod screenshot;

pub use launch::{LaunchOptions, OLDEST, WebKit};
