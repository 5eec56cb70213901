//! All pages and contexts of this process.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    path::PathBuf,
    rc::Rc,
    time::Duration,
};

use gtk::{gio, glib, prelude::*};
use serde_json::json;
use webkit2gtk::{WebView, WebsiteDataManagerExt, WebsiteDataTypes};

use crate::{content_filter::ContentFilter, contexts::Context, inspector, page::Page, redirects};

/// How long writing may take at the end.
const WRITTEN: Duration = Duration::from_secs(2);

/// All of it.
pub(crate) struct Host {
    /// Where downloads and the like go; ours alone.
    pub(crate) directory: PathBuf,
    /// Whether a person sees the windows.
    pub(crate) headed: bool,
    /// The scripts that every document begins with: the name of a world, and the source.
    pub(crate) scripts: RefCell<Vec<(String, String)>>,
    /// Of pages without a proxy.
    pub(crate) content_filter: RefCell<Option<ContentFilter>>,
    contexts: RefCell<HashMap<String, Rc<Context>>>,
    pages: RefCell<HashMap<String, Rc<Page>>>,
    count: Cell<u64>,
    is_quitting: Cell<bool>,
}

impl Host {
    pub(crate) fn new(directory: PathBuf, headed: bool) -> Rc<Self> {
        Rc::new(Self {
            directory,
            headed,
            scripts: RefCell::default(),
            content_filter: RefCell::default(),
            contexts: RefCell::default(),
            pages: RefCell::default(),
            count: Cell::new(0),
            is_quitting: Cell::new(false),
        })
    }

    /// A number that nothing else has.
    pub(crate) fn next(&self) -> u64 {
        self.count.replace(self.count.get() + 1)
    }

    pub(crate) fn context(&self, name: &str) -> Option<Rc<Context>> {
        self.contexts.borrow().get(name).cloned()
    }

    pub(crate) fn page(&self, id: &str) -> Option<Rc<Page>> {
        self.pages.borrow().get(id).cloned()
    }

    /// The page that a view shows.
    pub(crate) fn page_of(&self, view: &WebView) -> Option<Rc<Page>> {
        self.pages.borrow().values().find(|page| page.view == *view).cloned()
    }

    pub(crate) fn pages_in(&self, context: &str) -> Vec<Rc<Page>> {
        self.pages.borrow().values().filter(|page| page.context == context).cloned().collect()
    }

    pub(crate) fn add(&self, page: &Rc<Page>) {
        self.pages.borrow_mut().insert(page.id.clone(), Rc::clone(page));
    }

    pub(crate) fn add_context(&self, name: &str, context: Rc<Context>) {
        self.contexts.borrow_mut().insert(name.to_owned(), context);
    }

    /// Closes a page, whatever it says to that.
    pub(crate) fn close(&self, page: &Page) {
        let Some(page) = self.pages.borrow_mut().remove(&page.id) else { return };
        page.let_go("the page is closed");
        inspector::page_closed(&page.id);
        redirects::page_closed(&page.id);
        page.report("Host.closed", json!({}));
        // SAFETY: nobody uses the window after this; it is ours alone, and GTK forgets it here.
        unsafe { page.window.destroy() };
    }

    /// Ends, after what pages stored has been written where it stays: WebKit writes half a second later, or when the pages
    /// are gone.
    pub(crate) fn quit(&self) {
        if self.is_quitting.replace(true) {
            return;
        }
        let lasting: Vec<_> =
            self.contexts.borrow().values().filter(|context| context.is_lasting).cloned().collect();
        let pages: Vec<_> = self.pages.borrow().values().cloned().collect();
        if lasting.is_empty() || pages.is_empty() {
            return gtk::main_quit();
        }
        for page in pages {
            self.close(&page);
        }
        glib::timeout_add_local_once(WRITTEN, gtk::main_quit);
        for context in lasting {
            // Asked after the pages have gone; answered when all before it is done.
            let kinds = WebsiteDataTypes::LOCAL_STORAGE | WebsiteDataTypes::INDEXEDDB_DATABASES;
            context.data.clone().fetch(kinds, gio::Cancellable::NONE, move |_| {
                drop(context);
                gtk::main_quit();
            });
        }
    }

    /// Closes a context with all its pages.
    pub(crate) fn close_context(&self, name: &str) {
        for page in self.pages_in(name) {
            self.close(&page);
        }
        self.contexts.borrow_mut().remove(name);
    }
}
