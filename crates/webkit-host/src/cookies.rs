//! The cookies of a context.

use std::ffi::c_void;

use gtk::{
    gio, glib,
    glib::translate::{FromGlibPtrNone, ToGlibPtr, from_glib_full},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use webkit2gtk::{CookieManager, CookieManagerExt, WebsiteDataManagerExt};

use crate::{contexts::Context, pipe::Responder};

/// A cookie, with all that it has.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cookie {
    name: String,
    value: String,
    domain: String,
    path: String,
    /// In seconds since 1970; nothing for one of the session.
    expires: Option<i64>,
    http_only: bool,
    secure: bool,
    same_site: Option<String>,
}

// The crate has no binding for these two.
unsafe extern "C" {
    fn webkit_cookie_manager_get_all_cookies(
        manager: *mut webkit2gtk::ffi::WebKitCookieManager,
        cancellable: *mut c_void,
        callback: gio::ffi::GAsyncReadyCallback,
        data: *mut c_void,
    );
    fn webkit_cookie_manager_get_all_cookies_finish(
        manager: *mut webkit2gtk::ffi::WebKitCookieManager,
        result: *mut gio::ffi::GAsyncResult,
        error: *mut *mut glib::ffi::GError,
    ) -> *mut glib::ffi::GList;
}

fn manager(context: &Context) -> Option<CookieManager> {
    context.data.cookie_manager()
}

/// Answers with all of them.
pub(crate) fn all(context: &Context, answer: Responder) {
    let Some(manager) = manager(context) else { return answer.refuse("there is no cookie manager") };
    let data = Box::into_raw(Box::new(answer)).cast();
    // SAFETY: the manager is alive; the callback is called once, and takes the answer back.
    unsafe {
        webkit_cookie_manager_get_all_cookies(
            manager.to_glib_none().0,
            std::ptr::null_mut(),
            Some(got_all),
            data,
        )
    }
}

unsafe extern "C" fn got_all(
    source: *mut glib::gobject_ffi::GObject,
    result: *mut gio::ffi::GAsyncResult,
    data: *mut c_void,
) {
    // SAFETY: `all` passed the answer that way, once.
    let answer = unsafe { Box::from_raw(data.cast::<Responder>()) };
    let mut error = std::ptr::null_mut();
    // SAFETY: source and result are those of this call, and the error has room.
    let first =
        unsafe { webkit_cookie_manager_get_all_cookies_finish(source.cast(), result, &raw mut error) };
    if !error.is_null() {
        // SAFETY: an error that is set is ours.
        let error: glib::Error = unsafe { from_glib_full(error) };
        return answer.refuse(error.message());
    }
    let mut cookies = Vec::new();
    let mut link = first;
    while !link.is_null() {
        // SAFETY: the list is one of cookies, and ours.
        unsafe {
            cookies.push(from_soup(&mut soup::Cookie::from_glib_none(
                (*link).data.cast::<soup::ffi::SoupCookie>(),
            )));
            soup::ffi::soup_cookie_free((*link).data.cast());
            link = (*link).next;
        }
    }
    // SAFETY: its elements are freed; the list itself is ours as well.
    unsafe { glib::ffi::g_list_free(first) };
    answer.give(json!({ "cookies": cookies }));
}

fn from_soup(cookie: &mut soup::Cookie) -> Cookie {
    let text = |value: Option<glib::GString>| value.map(String::from).unwrap_or_default();
    Cookie {
        name: text(cookie.name()),
        value: text(cookie.value()),
        domain: text(cookie.domain()),
        path: text(cookie.path()),
        expires: cookie.expires().map(|at| at.to_unix()),
        http_only: cookie.is_http_only(),
        secure: cookie.is_secure(),
        same_site: match cookie.same_site_policy() {
            soup::SameSitePolicy::Lax => Some("Lax".into()),
            soup::SameSitePolicy::Strict => Some("Strict".into()),
            _ => Some("None".into()),
        },
    }
}

impl Cookie {
    fn to_soup(&self) -> soup::Cookie {
        let mut cookie = soup::Cookie::new(&self.name, &self.value, &self.domain, &self.path, -1);
        let expires = self.expires.and_then(|at| glib::DateTime::from_unix_utc(at).ok());
        if let Some(expires) = expires {
            cookie.set_expires(&expires);
        }
        cookie.set_http_only(self.http_only);
        cookie.set_secure(self.secure);
        cookie.set_same_site_policy(match self.same_site.as_deref() {
            Some("Lax") => soup::SameSitePolicy::Lax,
            Some("Strict") => soup::SameSitePolicy::Strict,
            _ => soup::SameSitePolicy::None,
        });
        cookie
    }
}

/// Sets these, one after the other.
pub(crate) fn set(context: &Context, cookies: Vec<Cookie>, answer: Responder) {
    let Some(manager) = manager(context) else { return answer.refuse("there is no cookie manager") };
    one_by_one(manager, cookies.into_iter(), Change::Set, answer);
}

/// Removes these, one after the other.
pub(crate) fn remove(context: &Context, cookies: Vec<Cookie>, answer: Responder) {
    let Some(manager) = manager(context) else { return answer.refuse("there is no cookie manager") };
    one_by_one(manager, cookies.into_iter(), Change::Remove, answer);
}

#[derive(Clone, Copy)]
enum Change {
    Set,
    Remove,
}

fn one_by_one(
    manager: CookieManager,
    mut rest: std::vec::IntoIter<Cookie>,
    change: Change,
    answer: Responder,
) {
    let Some(cookie) = rest.next() else { return answer.give(json!({})) };
    let mut cookie = cookie.to_soup();
    let same = manager.clone();
    let then = move |done: Result<(), glib::Error>| match done {
        Ok(()) => one_by_one(same, rest, change, answer),
        Err(error) => answer.refuse(error.message()),
    };
    match change {
        Change::Set => manager.add_cookie(&mut cookie, gio::Cancellable::NONE, then),
        Change::Remove => manager.delete_cookie(&mut cookie, gio::Cancellable::NONE, then),
    }
}
