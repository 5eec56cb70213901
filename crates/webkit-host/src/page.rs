//! One page: its view and window, and what it reports.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use gtk::{gio, glib, prelude::*};
use serde_json::json;
use webkit2gtk::{
    FileChooserRequest, LoadEvent, PolicyDecision, PolicyDecisionExt, ScriptDialog, ScriptDialogType,
    Settings, SettingsExt, UserContentInjectedFrames, UserContentManager, UserContentManagerExt, UserMessage,
    UserMessageExt, UserScript, UserScriptInjectionTime, WebView, WebViewExt,
};

use crate::{
    host::Host,
    input::{Barrier, InputState},
    inspector,
    pipe::{Responder, report},
    policy,
    pool::Pool,
};

/// A width and a height, in CSS pixels.
pub(crate) type Size = (i32, i32);

/// Who opens a page.
pub(crate) enum From<'a> {
    Driver { hidden: bool },
    Page(&'a Page),
}

/// One page.
pub(crate) struct Page {
    pub(crate) id: String,
    pub(crate) context: String,
    pub(crate) pool: Rc<Pool>,
    pub(crate) view: WebView,
    pub(crate) window: gtk::Window,
    pub(crate) size: Cell<Size>,
    pub(crate) dialog: RefCell<Option<ScriptDialog>>,
    pub(crate) chooser: RefCell<Option<FileChooserRequest>>,
    /// Whether the driver has set it up: a page that another one opens loads nothing before.
    is_ready: Cell<bool>,
    held: RefCell<Vec<PolicyDecision>>,
    /// The number of its web process.
    pub(crate) process: Cell<i32>,
    pub(crate) input_state: RefCell<InputState>,
    pub(crate) barrier: RefCell<Option<Barrier>>,
    /// What waits for a load that was asked for.
    pub(crate) loading: RefCell<Option<Responder>>,
    /// The URL that the browser is about to show an error page for.
    error_page: RefCell<Option<String>>,
}

impl Page {
    /// Makes a page in a context. One that another page opens shares that one's process.
    pub(crate) fn make(host: &Rc<Host>, context: &str, size: Size, from: From<'_>) -> Option<Rc<Self>> {
        let (opener, hidden) = match from {
            From::Page(opener) => (Some(opener), false),
            From::Driver { hidden } => (None, hidden),
        };
        let pool = match opener {
            Some(opener) => Rc::clone(&opener.pool),
            None => Pool::make(host, &*host.context(context)?),
        };
        let content = UserContentManager::new();
        let settings = settings();
        let view: WebView = match opener {
            Some(opener) => {
                let builder = glib::Object::builder::<WebView>();
                builder.property("related-view", &opener.view)
            }
            None => glib::Object::builder::<WebView>().property("web-context", &pool.web_context),
        }
        .property("user-content-manager", &content)
        .property("settings", &settings)
        .build();
        let kind = if host.headed { gtk::WindowType::Toplevel } else { gtk::WindowType::Popup };
        let window = gtk::Window::new(kind);
        let page = Rc::new(Self {
            id: format!("page-{}", view.page_id()),
            context: context.to_owned(),
            pool,
            view,
            window,
            size: Cell::new(size),
            dialog: RefCell::default(),
            chooser: RefCell::default(),
            is_ready: Cell::new(opener.is_none()),
            held: RefCell::default(),
            process: Cell::new(opener.map_or(0, |opener| opener.process.get())),
            input_state: RefCell::default(),
            barrier: RefCell::default(),
            loading: RefCell::default(),
            error_page: RefCell::default(),
        });
        page.add_scripts(host, &content);
        let has_proxy = host.context(context).is_some_and(|context| context.credentials.is_some());
        if let (Some(filter), false) = (&*host.content_filter.borrow(), has_proxy) {
            filter.apply_to(&content);
        }
        page.show(size);
        page.listen(host);
        host.add(&page);
        let told = json!({ "page": page.id, "context": context, "opener": opener.map(|page| &page.id), "hidden": hidden });
        report(None, "Host.pageOpened", told);
        if opener.is_some() {
            inspector::page_is_live(&page.id);
        }
        Some(page)
    }

    fn add_scripts(self: &Rc<Self>, host: &Host, content: &UserContentManager) {
        for (world, source) in host.scripts.borrow().iter() {
            let (frames, time) = (UserContentInjectedFrames::AllFrames, UserScriptInjectionTime::Start);
            content.add_script(&UserScript::for_world(source, frames, time, world, &[], &[]));
        }
        content.register_script_message_handler_in_world("cicerone", "cicerone");
        let page = Rc::downgrade(self);
        content.connect_script_message_received(Some("cicerone"), move |_, message| {
            use javascriptcore::ValueExt;
            let Some(page) = page.upgrade() else { return };
            let text = message.js_value().map(|value| value.to_str().to_string()).unwrap_or_default();
            match text.strip_prefix("url ") {
                Some(url) => page.report("Host.moved", json!({ "url": url })),
                None => page.arrived(&text),
            }
        });
    }

    fn show(&self, (width, height): Size) {
        self.view.set_size_request(width, height);
        self.window.set_default_size(width, height);
        self.window.add(&self.view);
        self.window.show_all();
        self.view.grab_focus();
        self.take_focus();
    }

    pub(crate) fn report(&self, method: &str, params: serde_json::Value) {
        report(Some(&self.id), method, params);
    }

    fn listen(self: &Rc<Self>, host: &Rc<Host>) {
        self.listen_to_loads();
        self.listen_to_questions();
        policy::listen(host, self);
        let page = Rc::downgrade(self);
        self.view.connect_web_process_terminated(move |_, reason| {
            let Some(page) = page.upgrade() else { return };
            page.let_go("the page crashed");
            inspector::page_crashed(&page.id);
            page.report("Host.crashed", json!({ "reason": format!("{reason:?}") }));
        });
        let (page, weak) = (Rc::downgrade(self), Rc::downgrade(host));
        self.view.connect_close(move |_| {
            if let (Some(page), Some(host)) = (page.upgrade(), weak.upgrade()) {
                // Not while the view still runs this.
                glib::idle_add_local_once(move || host.close(&page));
            }
        });
        let (page, weak) = (Rc::downgrade(self), Rc::downgrade(host));
        self.view.connect_create(move |_, _| {
            let opener = page.upgrade()?;
            let opened =
                Page::make(&weak.upgrade()?, &opener.context, opener.size.get(), From::Page(&opener))?;
            Some(opened.view.clone().upcast())
        });
        let page = Rc::downgrade(self);
        self.view.connect_user_message_received(move |_, message| {
            if let (Some(page), Some(number)) =
                (page.upgrade(), message.parameters().and_then(|told| told.get()))
            {
                page.process.set(number);
                page.pool.apply_languages();
                // A process that replaces one that crashed begins anew.
                if !page.pool.time_zone.borrow().is_empty() {
                    page.send_time_zone(|_| {});
                }
            }
            true
        });
    }

    fn listen_to_loads(self: &Rc<Self>) {
        let page = Rc::downgrade(self);
        self.view.connect_load_changed(move |view, event| {
            let Some(page) = page.upgrade() else { return };
            if event == LoadEvent::Committed {
                inspector::page_is_live(&page.id);
                let is_error =
                    page.error_page.take().is_some_and(|url| view.uri().is_some_and(|at| at == url));
                // What was asked for after a failure is not what the failure shows.
                if is_error {
                    return;
                }
                page.loaded(json!({ "outcome": "committed", "url": view.uri().map(String::from) }));
                // What was sent to the document before may never be told.
                page.pass_barrier();
            }
            if event == LoadEvent::Finished {
                page.report("Host.loaded", json!({}));
            }
        });
        let page = Rc::downgrade(self);
        self.view.connect_load_failed(move |_, _, url, error| {
            // A load that a download took over, or that another one replaced.
            let outcome = if error.matches(webkit2gtk::PolicyError::FrameLoadInterruptedByPolicyChange) {
                "download"
            } else if error.matches(webkit2gtk::NetworkError::Cancelled) {
                "cancelled"
            } else {
                "failed"
            };
            let Some(page) = page.upgrade() else { return false };
            let error =
                json!({ "domain": error.domain().as_str().to_string(), "code": code(error), "message": error.message() });
            if outcome == "failed" {
                *page.error_page.borrow_mut() = Some(url.to_owned());
            }
            page.loaded(json!({ "outcome": outcome, "url": url, "error": error }));
            page.report("Host.loadFailed", json!({ "outcome": outcome, "url": url, "error": error }));
            // The browser shows its own page about it.
            false
        });
    }

    fn listen_to_questions(self: &Rc<Self>) {
        let page = Rc::downgrade(self);
        self.view.connect_script_dialog(move |_, dialog| {
            let Some(page) = page.upgrade() else { return false };
            let (kind, proposal) = match dialog.dialog_type() {
                ScriptDialogType::Confirm => ("confirm", None),
                ScriptDialogType::Prompt => ("prompt", dialog.prompt_get_default_text()),
                ScriptDialogType::BeforeUnloadConfirm => ("beforeunload", None),
                _ => ("alert", None),
            };
            let told = json!({
                "type": kind,
                "message": dialog.message().map(String::from),
                "defaultPrompt": proposal.map(String::from),
            });
            page.report("Host.dialogOpened", told);
            *page.dialog.borrow_mut() = Some(dialog.clone());
            page.pass_barrier();
            true
        });
        let page = Rc::downgrade(self);
        self.view.connect_run_file_chooser(move |_, request| {
            use webkit2gtk::FileChooserRequestExt;
            let Some(page) = page.upgrade() else { return false };
            page.report("Host.chooserOpened", json!({ "multiple": request.selects_multiple() }));
            // One that is still open is not answered any more.
            if let Some(before) = page.chooser.replace(Some(request.clone())) {
                before.cancel();
            }
            true
        });
        // Menus, and the dialog of `print()`, would wait for a person.
        self.view.connect_context_menu(|_, _, _, _| true);
        self.view.connect_print(|_, _| true);
        self.view.connect_show_option_menu(|_, menu, _, _| {
            use webkit2gtk::OptionMenuExt;
            menu.close();
            true
        });
        self.view.connect_show_notification(|_, _| true);
    }

    /// A load that was asked for came to this.
    pub(crate) fn loaded(&self, outcome: serde_json::Value) {
        if let Some(answer) = self.loading.take() {
            answer.give(outcome);
        }
    }

    /// Ends everything that waits for the page.
    pub(crate) fn let_go(&self, why: &str) {
        self.dialog.take();
        self.chooser.take();
        self.pass_barrier();
        if let Some(answer) = self.loading.take() {
            answer.refuse(why);
        }
    }

    /// Holds a navigation until the driver is ready for the page; whether it is held.
    pub(crate) fn hold(&self, decision: &PolicyDecision) -> bool {
        if self.is_ready.get() {
            return false;
        }
        self.held.borrow_mut().push(decision.clone());
        true
    }

    /// The driver is ready; whether a navigation waited for that.
    pub(crate) fn ready(&self) -> bool {
        self.is_ready.set(true);
        let held = self.held.take();
        for decision in &held {
            decision.use_();
        }
        !held.is_empty()
    }

    /// Has the web process take the time zone of the pool; what it says to that: -1 where it cannot, 0 where there is no such
    /// zone.
    pub(crate) fn send_time_zone(&self, answered: impl FnOnce(i32) + 'static) {
        let name = self.pool.time_zone.borrow().to_variant();
        let message = UserMessage::new("timeZone", Some(&name));
        self.view.send_message_to_page(&message, gio::Cancellable::NONE, move |reply| {
            let reply = reply.ok().and_then(|reply| reply.parameters()).and_then(|told| told.get());
            answered(reply.unwrap_or(-1));
        });
    }

    /// What the browser says it is; its own words without.
    pub(crate) fn set_user_agent(&self, words: Option<&str>) {
        if let Some(settings) = WebViewExt::settings(&self.view) {
            settings.set_user_agent(words);
        }
    }

    pub(crate) fn resize(&self, (width, height): Size) {
        self.size.set((width, height));
        self.view.set_size_request(width, height);
        self.window.resize(width, height);
    }
}

const CANVAS_ACCELERATION: &str = "enable-2d-canvas-acceleration";

/// The number of an error within its domain.
fn code(error: &glib::Error) -> i32 {
    // SAFETY: the error is alive, and this only reads a field.
    unsafe { (*glib::translate::ToGlibPtr::<*const glib::ffi::GError>::to_glib_none(error).0).code }
}

fn settings() -> Settings {
    let settings = Settings::new();
    settings.set_enable_developer_extras(true);
    settings.set_javascript_can_open_windows_automatically(true);
    // The inspector does not report the worlds of a document that comes back from the cache.
    settings.set_enable_page_cache(false);
    settings.set_enable_smooth_scrolling(false);
    // What the graphics processor drew into a canvas is missing in prints. Versions before 2.46 do not use it.
    if settings.find_property(CANVAS_ACCELERATION).is_some() {
        settings.set_property(CANVAS_ACCELERATION, false);
    }
    settings
}
