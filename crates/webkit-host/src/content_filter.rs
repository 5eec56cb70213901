//! Requests that pages without a proxy never make: WebKit compiles the driver's rules, and drops what they block wherever it
//! comes from.

use std::{
    ffi::CString,
    os::unix::ffi::OsStrExt,
    path::Path,
    ptr::{self, NonNull},
};

use gtk::{
    gio,
    glib::{self, gobject_ffi, translate::ToGlibPtr},
};
use webkit2gtk::{UserContentManager, ffi};

/// What the filter is called in its store.
const NAME: &std::ffi::CStr = c"refused";

/// Compiled rules.
pub(crate) struct ContentFilter(NonNull<ffi::WebKitUserContentFilter>);

impl ContentFilter {
    /// Has the pages of a manager keep to it.
    pub(crate) fn apply_to(&self, content: &UserContentManager) {
        // SAFETY: both are alive, and the manager takes a reference of its own.
        unsafe { ffi::webkit_user_content_manager_add_filter(content.to_glib_none().0, self.0.as_ptr()) }
    }
}

impl Drop for ContentFilter {
    fn drop(&mut self) {
        // SAFETY: the reference is ours.
        unsafe { ffi::webkit_user_content_filter_unref(self.0.as_ptr()) }
    }
}

/// Receives a filter, or nothing where WebKit refuses the rules.
type OnCompiled = Box<dyn FnOnce(Option<ContentFilter>)>;

/// Compiles rules, with files in this directory.
pub(crate) fn compile(directory: &Path, rules: &str, done: impl FnOnce(Option<ContentFilter>) + 'static) {
    let Ok(path) = CString::new(directory.join("filters").as_os_str().as_bytes()) else { return done(None) };
    let rules = glib::Bytes::from(rules.as_bytes());
    let done: Box<OnCompiled> = Box::new(Box::new(done));
    // SAFETY: the store copies its path and keeps the rules; it is alive until its answer, which takes the closure back.
    unsafe {
        let store = ffi::webkit_user_content_filter_store_new(path.as_ptr());
        ffi::webkit_user_content_filter_store_save(
            store,
            NAME.as_ptr(),
            rules.to_glib_none().0,
            ptr::null_mut(),
            Some(compiled),
            Box::into_raw(done).cast(),
        );
        gobject_ffi::g_object_unref(store.cast());
    }
}

unsafe extern "C" fn compiled(
    store: *mut gobject_ffi::GObject,
    result: *mut gio::ffi::GAsyncResult,
    done: glib::ffi::gpointer,
) {
    let mut error = ptr::null_mut();
    // SAFETY: WebKit calls this once, with the store, its result and what `compile` gave it; filter and error are ours.
    let (done, filter) = unsafe {
        let done = Box::from_raw(done.cast::<OnCompiled>());
        let filter = ffi::webkit_user_content_filter_store_save_finish(store.cast(), result, &raw mut error);
        if !error.is_null() {
            glib::ffi::g_error_free(error);
        }
        (done, NonNull::new(filter))
    };
    done(filter.map(ContentFilter));
}
