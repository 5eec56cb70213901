//! Ending the script that a page runs.

use std::{cell::RefCell, rc::Rc, time::Duration};

use gtk::{gio, glib};
use serde_json::json;
use webkit2gtk::{UserMessage, WebViewExt};

use crate::{host::Host, page::Page, pipe::Responder};

/// The signal that interrupts the scripts of a web process; the extension knows it by the same number.
const INTERRUPT: libc::c_int = 40;

/// A page that does not answer for this long runs a script. The signal is sent again as often: the engine may look after the
/// time for which one counts.
const BUSY: Duration = Duration::from_millis(50);

/// How often it is sent at most.
const SIGNALS: u32 = 600;

/// Interrupts the script that a page runs, and answers when the page does. One that answers at once runs none, and the next
/// must not be hit in its place.
pub(crate) fn interrupt(host: &Rc<Host>, page: &Rc<Page>, answer: Responder) {
    let answer = Rc::new(RefCell::new(Some(answer)));
    let (idle, page_then, host) = (Rc::clone(&answer), Rc::downgrade(page), Rc::clone(host));
    let give = |answer: &RefCell<Option<Responder>>| answer.take().map(|answer| answer.give(json!({})));
    page.view.send_message_to_page(&UserMessage::new("ping", None), gio::Cancellable::NONE, move |_| {
        give(&idle);
    });
    let mut sent = 0;
    glib::timeout_add_local(BUSY, move || {
        let is_busy = sent < SIGNALS && answer.borrow().is_some();
        let Some(page) = page_then.upgrade().filter(|_| is_busy) else { return glib::ControlFlow::Break };
        sent += 1;
        let process = page.process.get();
        if process > 0 {
            // SAFETY: the process is a web process of ours. Were it gone and its number another's, that one would be of
            // our user, and this signal does nothing to most programs; the browser reports the end within moments.
            unsafe { libc::kill(process, INTERRUPT) };
        }
        // Until somebody answers its dialog, a process answers nothing.
        let asks = |page: &Rc<Page>| page.process.get() == process && page.dialog.borrow().is_some();
        if host.pages_in(&page.context).iter().any(asks) {
            give(&answer);
        }
        glib::ControlFlow::Continue
    });
}
