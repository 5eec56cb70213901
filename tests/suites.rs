//! The server through its front door: a page, some calls over stdio, what must be seen. Every test has a server and
//! a browser of its own. `support` knows the API; the cases do not.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    dead_code,
    unreachable_pub,
    reason = "tests, with a support module that has more than any one of them needs"
)]

mod support;

mod agent_act;
mod agent_browser_data;
mod agent_capture;
mod agent_defaults;
mod agent_devices;
mod agent_emulate;
mod agent_emulation_life;
mod agent_errors;
mod agent_forms;
mod agent_listing;
mod agent_look;
mod agent_media;
mod agent_old_names;
mod agent_places;
mod agent_request;
mod agent_route;
mod agent_tab_id;
mod agent_wait;
#[cfg(target_os = "linux")]
mod asking;
#[cfg(target_os = "linux")]
mod attacks;
mod call;
mod changes;
mod command_line;
mod companion;
#[cfg(target_os = "linux")]
mod connection;
mod contexts;
mod dialects;
mod effects;
mod elements;
mod faults;
mod files;
mod forms;
mod hits;
mod host_policy;
#[cfg(target_os = "linux")]
mod http_clients;
#[cfg(target_os = "linux")]
mod http_faults;
#[cfg(target_os = "linux")]
mod http_protocol;
#[cfg(target_os = "linux")]
mod http_resources;
#[cfg(target_os = "linux")]
mod http_safety;
#[cfg(target_os = "linux")]
mod http_sessions;
#[cfg(target_os = "linux")]
mod http_shared;
mod inspect;
#[cfg(target_os = "linux")]
mod installing;
mod launch;
mod life;
mod looking;
mod names;
mod navigation;
mod news;
mod pages;
mod profiles;
mod protocol;
mod proxies;
mod refs;
mod resources;
mod secrets;
mod smoke;
mod storage_state;
mod tabs;
mod vision;
mod vision_pdf;
mod vision_sandbox;
mod vision_sandbox_bounds;
