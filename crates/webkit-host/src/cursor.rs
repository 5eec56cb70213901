//! The pointer's picture on pages that have a scale factor, and with it a display, of their own.

use gtk::{
    gdk,
    glib::{gobject_ffi, translate::FromGlibPtrNone},
};

/// Stands before GDK's function of this name, for WebKit: that gives every window cursors of the first display, and GDK ends the
/// program where a window is on another. Nobody sees those, so they keep the one that they have.
///
/// # Safety
/// The window must be alive, and the cursor be null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gdk_window_set_cursor(
    window: *mut gdk::ffi::GdkWindow,
    cursor: *mut gdk::ffi::GdkCursor,
) {
    // SAFETY: both are alive; the property takes the same values as the function that it stands for.
    unsafe {
        let fits = cursor.is_null()
            || gdk::ffi::gdk_cursor_get_display(cursor) == gdk::ffi::gdk_window_get_display(window);
        if fits {
            let value = match cursor.is_null() {
                true => None::<gdk::Cursor>,
                false => Some(gdk::Cursor::from_glib_none(cursor)),
            };
            let value = gtk::glib::value::ToValue::to_value(&value);
            gobject_ffi::g_object_set_property(
                window.cast(),
                c"cursor".as_ptr(),
                gtk::glib::translate::ToGlibPtr::to_glib_none(&value).0,
            );
        }
    }
}

/// Keeps the function in the program, where only a library calls it.
#[used]
static STANDS_BEFORE: unsafe extern "C" fn(*mut gdk::ffi::GdkWindow, *mut gdk::ffi::GdkCursor) =
    gdk_window_set_cursor;
