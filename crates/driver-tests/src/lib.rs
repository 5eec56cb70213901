//! The test cases that every driver passes.
//!
//! A driver runs them all with [`cases!`](crate::cases), in a test binary of its own:
//!
//! ```ignore
//! cicerone_driver_tests::cases!(DRIVER);
//! ```
//!
//! where `DRIVER` is a [`Driver`]: how its browser is launched. A [`Trial`] is a running browser with a record of its
//! events, [`Site`] and [`ForwardProxy`] are servers on loopback; a driver's own tests use them too.
//!
//! A case of a power that a driver lacks passes: `docs/engines.md`, which is compared with the drivers, shows which those are.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "cases are named as sentences, and fail by panics"
)]

pub mod bodies;
pub mod bookmarks;
pub mod closed_shadow_roots;
pub mod contexts;
pub mod cookies;
pub mod dialogs;
pub mod emulation;
pub mod events;
pub mod fetching;
pub mod history;
pub mod input;
pub mod interception;
pub mod interruption;
pub mod layout_metrics;
pub mod listeners;
pub mod media;
pub mod network_capture;
pub mod origin_pages;
pub mod page;
pub mod permissions;
pub mod proxies;
mod proxy;
pub mod screencast;
pub mod screenshots;
pub mod script_sandbox;
mod site;
pub mod throttling;
pub mod tracing;
mod trial;

use cicerone_driver::{Engine, Launcher, Permission};

pub use proxy::ForwardProxy;
pub use site::{Answer, Head, Site, html};
use trial::TIMEOUT;
pub use trial::{Record, Trial, VIEWPORT, find, navigate, recorded, until, value, value_in};

/// A driver under test.
pub struct Driver {
    /// Which browser it drives.
    pub engine: Engine,
    /// Its launcher, with default options.
    pub launcher: fn() -> Box<dyn Launcher>,
    /// Its launcher, with the powers that have to be asked for before the browser starts.
    pub with_all_powers: fn() -> Box<dyn Launcher>,
    /// Permissions that it never decides about.
    pub lacks_permissions: &'static [Permission],
    /// Permissions that it decides about in some versions only.
    pub may_lack_permissions: &'static [Permission],
}

/// Makes a test of every case, for a [`Driver`].
#[macro_export]
macro_rules! cases {
    ($driver:expr) => {
        $crate::tests! { $driver;
            bodies {
                answers_are_read_in_the_page_and_in_its_frames,
                what_was_sent_is_read_in_the_page_and_in_its_frames,
                bodies_are_bounded_and_those_that_are_not_there_are_missing,
                bytes_that_are_no_text_are_read_as_they_are,
            }
            bookmarks {
                bookmarks_are_kept_in_folders,
            }
            closed_shadow_roots {
                closed_shadow_roots_are_in_snapshots_once_they_are_reported,
            }
            contexts {
                contexts_share_neither_cookies_nor_storage,
                a_page_is_told_with_the_context_that_it_is_of,
                a_context_that_is_closed_closes_its_pages_and_no_others,
                a_browser_outlives_its_last_page,
                downloads_are_told_in_every_context_and_go_with_the_browser,
            }
            cookies {
                cookies_are_read_as_they_were_set_in_their_context_only,
                a_cookie_is_removed_and_others_stay,
                a_cookie_in_the_partition_of_another_site_is_read_as_it_was_set_and_removed,
                a_cookie_in_the_partition_of_its_own_site_is_read_as_it_was_set,
                cookies_that_a_site_set_are_read_and_removed_and_ours_are_sent,
            }
            dialogs {
                dialogs_are_told_and_answered,
                who_leaves_a_page_is_asked_by_its_dialog,
                files_are_attached_to_a_field,
                a_file_chooser_is_told_with_its_field,
            }
            emulation {
                a_language_holds_in_all_frames_until_it_is_taken_back,
                a_time_zone_holds_in_all_frames_until_it_is_taken_back,
                a_user_agent_is_seen_and_sent_with_the_language_that_was_set,
                a_place_is_told_to_those_who_may_know,
                a_page_without_a_network_gets_nothing_until_it_is_back,
                workers_have_the_language_the_time_zone_and_the_network_of_their_page,
                workers_send_the_user_agent_and_the_language_of_their_page,
                a_scale_factor_keeps_the_viewport_and_is_kept_when_that_changes,
            }
            events {
                a_navigation_is_told_in_its_stages,
                frames_are_told_when_they_come_and_go,
                the_console_is_told_with_its_levels,
                a_request_is_told_from_its_beginning_to_its_end,
                a_request_without_an_answer_is_told_to_have_failed,
                a_download_is_told_once_and_after_it_was_asked_for,
                a_page_that_crashes_says_so_once_and_its_calls_fail,
            }
            fetching {
                a_url_is_fetched_with_the_cookies_of_the_context,
            }
            history {
                visited_pages_are_found_in_the_history,
            }
            input {
                the_mouse_moves_and_presses_and_turns_its_wheel,
                keys_are_pressed_with_modifiers_and_text_is_inserted,
                input_reaches_a_frame_of_another_site,
            }
            interception {
                requests_are_blocked_answered_and_sent_with_other_headers,
                where_a_redirect_leads_is_answered_and_not_asked,
                rules_replace_those_before_and_none_lets_all_go,
                documents_are_blocked_and_answered_too,
                headers_of_rules_are_sent_beside_cookies_and_extra_headers_through_a_proxy,
                workers_and_pages_that_a_page_opens_are_intercepted_from_their_first_request,
                a_request_is_sent_elsewhere_by_another_method_with_another_body,
            }
            interruption {
                a_script_that_does_not_end_is_interrupted_and_its_page_lives,
            }
            layout_metrics {
                the_size_of_a_document_counts_what_is_out_of_view,
            }
            listeners {
                an_element_with_a_listener_has_a_number_once_it_is_reported,
            }
            media {
                media_hold_in_all_frames_until_they_are_taken_back,
                each_of_the_media_is_set_without_the_others,
                forced_colours_hold_in_all_frames_until_they_are_taken_back,
                media_of_a_page_are_not_those_of_others_but_of_those_that_it_opens,
            }
            network_capture {
                a_capture_has_each_step_of_a_request_and_ends_when_it_is_stopped,
            }
            origin_pages {
                a_visit_asks_nobody_and_is_not_told,
                what_a_visit_stores_is_seen_in_its_context_only,
                secure_origins_are_visited_too_also_behind_a_proxy,
                a_service_worker_is_not_asked_in_a_visit,
                a_page_is_printed,
            }
            page {
                a_page_moves_in_its_history,
                a_page_is_loaded_again,
                loading_is_stopped,
                a_title_is_the_one_that_the_page_has_now,
                the_element_of_a_frame_is_known_by_its_number,
                an_element_is_the_argument_of_a_script,
                a_script_has_a_value_none_or_an_error,
                a_page_is_resized,
                a_page_that_is_activated_is_visible,
                calls_of_a_closed_page_fail,
            }
            permissions {
                a_permission_is_granted_denied_and_left_open_again,
                a_permission_is_of_one_origin_and_one_context,
                every_permission_is_decided_about_or_is_not_supported,
            }
            proxies {
                all_that_a_page_asks_for_carries_the_credentials_of_its_context,
                the_first_context_has_a_proxy_and_one_beside_it_none,
                a_proxy_is_known_without_a_word_to_the_sink,
                a_site_that_asks_who_is_there_is_told_nothing,
                a_proxy_that_does_not_take_the_credentials_is_an_error,
            }
            screencast {
                a_screencast_has_a_picture_for_every_change_until_it_is_stopped,
            }
            screenshots {
                a_picture_is_what_was_asked_for_in_either_size,
            }
            script_sandbox {
                a_sandbox_sees_the_document_and_not_the_worlds_of_others,
            }
            throttling {
                answers_come_later_in_all_frames_and_workers_of_a_page_and_in_no_other,
                bytes_come_and_go_as_slowly_as_is_wanted,
                a_network_that_is_slow_can_be_lost_and_is_slow_when_it_is_back,
            }
            tracing {
                a_trace_is_compressed_and_bounded,
            }
        }
    };
}

/// Makes tests of the named cases.
#[doc(hidden)]
#[macro_export]
macro_rules! tests {
    ($driver:expr; $($module:ident { $($case:ident,)* })*) => {$($(
        #[tokio::test]
        async fn $case() {
            $crate::$module::$case(&$driver).await;
        }
    )*)*};
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    #[test]
    fn every_case_is_run() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let listed = fs::read_to_string(sources.join("lib.rs")).unwrap();
        for source in fs::read_dir(sources).unwrap() {
            let text = fs::read_to_string(source.unwrap().path()).unwrap();
            for line in text.lines().filter(|line| line.contains("(driver: &Driver) {")) {
                let name = line.strip_prefix("pub async fn ").and_then(|rest| rest.split('(').next());
                if let Some(name) = name {
                    assert!(
                        listed.contains(&format!("                {name},\n")),
                        "{name} is not in cases!"
                    );
                }
            }
        }
    }
}
