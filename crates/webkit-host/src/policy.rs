//! What pages ask to be allowed: navigations, downloads, credentials, permissions.

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    rc::Rc,
};

use gtk::{
    gdk, glib,
    glib::translate::{ToGlibPtr, ToGlibPtrMut, from_glib_none},
    prelude::*,
};
use serde_json::json;
use webkit2gtk::{
    AuthenticationRequest, AuthenticationRequestExt, Credential, CredentialPersistence,
    NavigationPolicyDecision, NavigationPolicyDecisionExt, PermissionRequest, PermissionRequestExt,
    PolicyDecision, PolicyDecisionExt, PolicyDecisionType, ResponsePolicyDecision, ResponsePolicyDecisionExt,
    SecurityOrigin, URIRequestExt, URIResponseExt, UserMediaPermissionRequest, UserMediaPermissionRequestExt,
    WebViewExt,
};

use crate::{
    contexts::Context,
    host::Host,
    page::{From, Page},
};

pub(crate) fn listen(host: &Rc<Host>, page: &Rc<Page>) {
    let (weak, its_host) = (Rc::downgrade(page), Rc::downgrade(host));
    page.view.connect_decide_policy(move |_, decision, kind| {
        let (Some(page), Some(host)) = (weak.upgrade(), its_host.upgrade()) else { return false };
        match kind {
            PolicyDecisionType::NavigationAction => opens_tab(&host, &page, decision) || page.hold(decision),
            PolicyDecisionType::Response => becomes_download(&page, decision),
            _ => false,
        }
    });
    let context = host.context(&page.context);
    let asked = context.clone();
    page.view.connect_authenticate(move |_, request| {
        authenticate(asked.as_deref(), request);
        true
    });
    page.view.connect_permission_request(move |view, request| {
        let origin = view.uri().map(|url| origin(&url)).unwrap_or_default();
        decide(context.as_deref(), &origin, request);
        true
    });
    let context = host.context(&page.context);
    page.view.connect_local("query-permission-state", false, move |values| {
        permission_state(context.as_deref(), values.get(1)?);
        Some(true.to_value())
    });
}

/// A link that is clicked with Control or with the wheel opens a page of its own.
fn opens_tab(host: &Rc<Host>, page: &Page, decision: &PolicyDecision) -> bool {
    let Some(navigation) = decision.downcast_ref::<NavigationPolicyDecision>() else { return false };
    let Some(action) = navigation.navigation_action() else { return false };
    let control = action.modifiers() & gdk::ModifierType::CONTROL_MASK.bits() != 0;
    let beside = action.mouse_button() == 2 || action.mouse_button() == 1 && control;
    let url = action.request().and_then(|request| request.uri());
    let (true, Some(url)) = (beside, url) else { return false };
    decision.ignore();
    if let Some(opened) = Page::make(host, &page.context, page.size.get(), From::Page(page)) {
        opened.view.load_uri(&url);
    }
    true
}

fn becomes_download(page: &Page, decision: &PolicyDecision) -> bool {
    let Some(response) = decision.downcast_ref::<ResponsePolicyDecision>() else { return false };
    let disposition = response
        .response()
        .and_then(|told| told.http_headers())
        .and_then(|headers| headers.one("Content-Disposition"));
    let attached =
        disposition.is_some_and(|value| value.trim_start().to_ascii_lowercase().starts_with("attachment"));
    if !attached && response.is_mime_type_supported() {
        return false;
    }
    page.report("Host.downloadAsked", json!({}));
    decision.download();
    true
}

/// The proxy gets its credentials. Everybody else gets none: the browser's own dialog would wait for a person.
fn authenticate(context: Option<&Context>, request: &AuthenticationRequest) {
    let known = context.and_then(|context| context.credentials.as_ref());
    let known = known.filter(|_| request.is_for_proxy() && !request.is_retry());
    let credential =
        known.map(|(user, password)| Credential::new(user, password, CredentialPersistence::ForSession));
    let asked: *mut webkit2gtk::ffi::WebKitAuthenticationRequest = request.to_glib_none().0;
    // SAFETY: the request is alive, and copies the credential. Without one it goes on without.
    unsafe {
        match credential {
            Some(mut credential) => {
                webkit2gtk::ffi::webkit_authentication_request_authenticate(
                    asked,
                    credential.to_glib_none_mut().0,
                );
            }
            None => webkit2gtk::ffi::webkit_authentication_request_authenticate(asked, std::ptr::null_mut()),
        }
    }
}

/// What the permissions that a request needs are called by the web; none for what nobody can grant.
fn names(request: &PermissionRequest) -> Vec<&'static str> {
    if let Some(media) = request.downcast_ref::<UserMediaPermissionRequest>() {
        // SAFETY: the request is alive.
        let display = unsafe {
            webkit2gtk::ffi::webkit_user_media_permission_is_for_display_device(media.to_glib_none().0) != 0
        };
        return media_names(media.is_for_video_device(), media.is_for_audio_device(), display);
    }
    match request.type_().name() {
        "WebKitGeolocationPermissionRequest" => vec!["geolocation"],
        "WebKitNotificationPermissionRequest" => vec!["notifications"],
        "WebKitClipboardPermissionRequest" => vec!["clipboard-read"],
        "WebKitPointerLockPermissionRequest" => vec!["pointer-lock"],
        "WebKitWebsiteDataAccessPermissionRequest" => vec!["storage-access"],
        _ => Vec::new(),
    }
}

/// The same for devices. The screen cannot be granted.
fn media_names(video: bool, audio: bool, display: bool) -> Vec<&'static str> {
    let asked = [(video, "camera"), (audio, "microphone")];
    asked.into_iter().filter(|(is_asked, _)| *is_asked && !display).map(|(_, name)| name).collect()
}

fn decide(context: Option<&Context>, origin: &str, request: &PermissionRequest) {
    let granted = |name: &str| context.and_then(|context| context.permission(origin, name)) == Some(true);
    if is_allowed(&names(request), granted) {
        request.allow();
    } else {
        request.deny();
    }
}

/// Whether all that a request needs is granted.
fn is_allowed(names: &[&str], granted: impl Fn(&str) -> bool) -> bool {
    !names.is_empty() && names.iter().all(|name| granted(name))
}

/// The origin of a URL.
pub(crate) fn origin(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return String::new() };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    format!("{scheme}://{host}")
}

// The crate has no bindings for these.
unsafe extern "C" {
    fn webkit_permission_state_query_get_name(query: *mut c_void) -> *const c_char;
    fn webkit_permission_state_query_get_security_origin(
        query: *mut c_void,
    ) -> *mut webkit2gtk::ffi::WebKitSecurityOrigin;
    fn webkit_permission_state_query_finish(query: *mut c_void, state: c_int);
}

const GRANTED: c_int = 0;
const DENIED: c_int = 1;
const PROMPT: c_int = 2;

/// `navigator.permissions.query`.
fn permission_state(context: Option<&Context>, query: &glib::Value) {
    // SAFETY: the signal's value holds the query, which lives during the signal; name and origin belong to it.
    let (query, name, origin) = unsafe {
        let query = glib::gobject_ffi::g_value_get_boxed(query.to_glib_none().0);
        let name =
            CStr::from_ptr(webkit_permission_state_query_get_name(query)).to_string_lossy().into_owned();
        let origin: SecurityOrigin = from_glib_none(webkit_permission_state_query_get_security_origin(query));
        (query, name, origin.to_str().to_string())
    };
    let state = match context.and_then(|context| context.permission(&origin, &name)) {
        Some(true) => GRANTED,
        Some(false) => DENIED,
        None => PROMPT,
    };
    // SAFETY: as above; it is finished once.
    unsafe { webkit_permission_state_query_finish(query, state) }
}

#[cfg(test)]
mod tests {
    use super::{is_allowed, media_names};

    #[test]
    fn a_request_for_devices_needs_the_permission_of_each() {
        let camera_only = |name: &str| name == "camera";
        assert!(is_allowed(&media_names(true, false, false), camera_only));
        assert!(!is_allowed(&media_names(false, true, false), camera_only));
        assert!(!is_allowed(&media_names(true, true, false), camera_only));
        assert!(is_allowed(&media_names(true, true, false), |_| true));
    }

    #[test]
    fn the_screen_and_what_has_no_name_are_never_allowed() {
        assert!(!is_allowed(&media_names(true, false, true), |_| true));
        assert!(!is_allowed(&[], |_| true));
    }
}
