//! Attacks, by hostile pages and by other users of the machine. Each test is one attack that worked once, carried out as the
//! attacker would; what it must come to is the promise beside it. They run on Chromium and on Firefox.
//!
//! | attack | promise | test |
//! | --- | --- | --- |
//! | A site sends a page for download; once opened, it reads the person's files and sends them home | what was downloaded opens as data, without the rights of a local file | `local_files::a_downloaded_page_has_no_rights` |
//! | A local page leads to such a download by a frame, a link, a script | as a local document it is shown to nobody | `local_files::a_local_page_does_not_lead_to_a_download` |
//! | A local page reads other local files by script | a document from a file reads no other | `local_files::a_local_page_reads_no_other_file` |
//! | A local page leads to files outside by a frame, a link, a script | what is outside of the allowed directories is shown to nobody | `local_files::a_local_page_shows_no_file_outside` |
//! | A local page loads pictures, scripts and style sheets from outside | Chromium refuses them | `local_files::a_local_page_loads_no_file_outside` |
//! | An agent is talked into opening local files | `file:` is off, but for roots that the client gave and with `--allow-file-urls` | `local_files::file_urls_are_off_unless_asked_for` |
//! | A frame of another site takes the focus while a password is typed | secrets go into their field or nowhere | `focus::a_frame_that_takes_the_focus_gets_no_password`, `focus::a_frame_that_takes_the_focus_gets_no_secret` |
//! | (the defence must not break pages) | fields that a framework controls hear of what is typed | `focus::controlled_password_fields_hear_of_what_is_typed` |
//! | A nearly invisible frame of another site comes in front of a button for moments | a click that went elsewhere is an error, never a success | `clicks::a_flickering_frame_takes_no_click_unnoticed` |
//! | Such a frame lies inside the button | a frame inside an element is in front of it | `clicks::a_frame_inside_a_button_is_in_front_of_it` |
//! | Such a frame loads anew when it took the click | that is no sign that the click unloaded the document | `clicks::a_frame_that_loads_hides_no_click_that_it_took` |
//! | A page opens a dialog, so that it does not answer what was clicked | the reply says that this could not be verified | `clicks::a_dialog_hides_no_click_that_went_elsewhere` |
//! | Something else comes under the pointer when a drag begins | a drag that pressed something else is an error | `clicks::a_drag_presses_nothing_else`, `clicks::a_frame_takes_no_drag_unnoticed` |
//! | A page writes itself anew, which removes our listeners, and swaps buttons under the pointer | the wrong button is not clicked | `clicks::a_page_that_wrote_itself_anew_swaps_no_buttons` |
//! | Another user reads the cookies of a profile that stays | profiles are the person's alone, or not used | `neighbours::another_user_reads_no_profile`, `neighbours::a_profile_that_others_can_enter_is_refused` |
//! | Another user connects to the browser before us and shares its session | nobody else has the session | `neighbours::another_user_does_not_share_the_session` |
//! | Something makes the browser fail once, so that it is started without its sandbox | the sandbox stays on, unless it itself says that it cannot be had; that is told | `launch::a_failed_start_does_not_cost_the_sandbox`, `launch::a_browser_without_its_sandbox_says_so` |
//! | A process reads the server's API keys in the environment of the browser | browser and janitor inherit what they need, no keys | `launch::the_browser_inherits_no_keys` |
//! | A page asks a STUN server for the address behind the proxy | with a proxy, nothing goes past it | `proxy::webrtc_does_not_go_past_the_proxy` |
//! | A page asks the metadata service of the cloud for credentials | link-local and metadata addresses lead nowhere, however a URL spells them | `metadata::a_page_reaches_no_metadata_service_as_urls_spell_it` |
//! | A page leads to that service by a name of its own: link, redirect, frame, popup | the document is shown to nobody | `metadata::a_document_of_a_metadata_service_is_withheld_however_a_page_gets_there` |
//! | A page fills the disk with downloads that nobody asked for | they are limited in number and size | `pages::what_downloads_take_up_is_limited_and_the_reply_says_so`; in the engine: `downloads::quota::tests::a_page_gets_a_hundred_downloads_between_two_actions` |
//! | A page fills the disk with a download | what is too large is not kept, and the reply says why | `pages::a_download_that_is_too_large_is_not_kept_and_the_reply_says_why` |
//! | A person's Firefox is weaker after we used its profile | a profile gets back the preferences that it had | `preferences::a_profile_gets_its_preferences_back`, `preferences::also_when_the_server_is_killed` |
//! | A page shows a password that was typed | what was a password stays hidden | `replies::a_password_stays_hidden_when_its_field_shows_it` |
//! | A page writes lines that read like ours into a script's value | they stand between marks | `replies::values_of_scripts_cannot_pass_for_our_own_lines` |
//! | A page makes its URL megabytes long | URLs are cut in replies of every dialect | `replies::a_title_or_url_of_a_megabyte_is_cut_in_every_dialect` |
//! | A page makes its title, or a dialog, megabytes long | both are cut in replies of every dialect | `replies::a_title_or_url_of_a_megabyte_is_cut_in_every_dialect`, `replies::a_dialog_of_a_megabyte_is_cut` |
//! | The same in the value of a sandboxed script | several lines stand between marks | `replies::values_of_sandboxed_scripts_cannot_pass_for_our_own_lines_either` |
//! | A script of `browser.evaluate` reaches cookies, storage, `eval` or other windows by another spelling | the sandbox holds | `vision_sandbox::what_is_blocked_is_out_of_reach_by_any_spelling` |
//! | A page reaches a host that the owner did not allow: by a worker, a redirect, a popup, a socket, WebRTC, a name that changes | nothing goes round the host policy | `host_policy::no_request_of_any_kind_goes_round_the_policy`, `host_policy::no_tool_goes_round_the_policy`, `host_policy::nothing_goes_direct_when_the_network_process_dies`; the relay's `policy` tests |
//! | A page of a browser, or a program without the token, talks to `cicerone serve` | `Host` and `Origin` are checked, tokens are asked for, sessions are their owner's | `http_safety::a_web_page_can_neither_use_the_server_nor_read_from_it`, `http_safety::a_token_is_required_on_loopback_too_and_never_told`, `http_safety::a_session_belongs_to_the_token_that_made_it` |
//! | Two servers save a login for the first time at once, or another user reads what is saved | one key is kept, which only the user can read | in the engine: `vault::tests::two_first_saves_at_once_have_the_same_key`, `vault::tests::only_the_user_can_read_it` |
//! | An agent is talked into installing packages | no tool installs a system's package | `installing::a_missing_browser_is_told_and_packages_are_left_to_a_person` |
//! | A log of the server is passed on | it has no cookies, headers, bodies, texts of pages or typed texts | `logs::logs_at_the_finest_level_have_nothing_of_pages` |
//! | A page's text commands the terminal of `cicerone call` | control characters are replaced | `replies::terminals_get_no_control_characters` |
//! | A page asks for a secret in a field of its own | a secret goes to its hosts, or into fields that hide it | `recipients::a_secret_without_hosts_goes_only_into_fields_that_hide_it`, `recipients::a_secret_with_hosts_goes_nowhere_else` |
//! | A page goes to another site while the person is asked for a secret, a code or consent | the answer counts for the site that was named | `asking::an_answer_goes_only_to_the_site_that_the_person_was_asked_for` |
//! | A cloned repository has a configuration file that names a program | a file that is only found sets looks and limits, and the start says which file it read | `strangers::a_found_configuration_file_starts_no_program`, `strangers::the_start_says_which_configuration_file_it_read` |
//! | An agent is talked into saving over the person's files, or into `.git` | only our own files are replaced; `.git` is left alone | `strangers::files_that_are_not_ours_are_not_replaced`, `strangers::nothing_is_written_into_a_repository_itself` |
//! | Somebody starts the janitor for another directory | it removes only what we made | `strangers::the_janitor_removes_no_directory_of_others` |
//! | A client withdraws a root | it is not used any more | `files::a_root_that_is_withdrawn_is_not_used`, `files::roots_that_the_client_fails_to_list_again_are_not_used_any_longer` |

mod clicks;
mod focus;
mod launch;
mod local_files;
mod logs;
mod metadata;
mod neighbours;
mod preferences;
mod proxy;
mod recipients;
mod replies;
mod strangers;

use std::{os::unix::fs::PermissionsExt, path::Path};

use crate::support::engine;

/// A user who is nobody, on every system.
const NOBODY: u32 = 65_534;

fn is_firefox() -> bool {
    engine().as_deref() == Some("firefox")
}

/// Whether we can be somebody else too. Attacks by other users need that.
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Writes a program.
fn script(path: &Path, text: &str) {
    let source = path.with_extension("text");
    std::fs::write(&source, text).unwrap();
    // By another process: a test that starts a program meanwhile would keep the file open for writing, and so busy.
    assert!(std::process::Command::new("cp").arg(&source).arg(path).status().unwrap().success());
    set_mode(path, 0o755);
}
