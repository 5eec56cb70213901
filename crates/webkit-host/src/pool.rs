//! Process pools (`WebKitWebContext`). Every page that the driver opens has one of its own, which pages that it opens share,
//! on the data of its context: so a language and a place are of that page, while cookies and storage are of the context.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use gtk::glib::variant::ToVariant;
use webkit2gtk::{GeolocationManager, GeolocationManagerExt, GeolocationPosition, WebContext, WebContextExt};

use crate::{
    contexts::{Context, listen_to_downloads},
    host::Host,
    redirects,
};

/// Latitude, longitude and accuracy.
pub(crate) type Place = (f64, f64, f64);

/// The language without any that was set or that the environment names.
const LANGUAGE: &str = "en-US";

thread_local! {
    /// A pool without pages.
    static OTHERS: WebContext = WebContext::new_ephemeral();
}

/// The processes of a page and of those that it opens.
pub(crate) struct Pool {
    pub(crate) web_context: WebContext,
    place: Cell<Option<Place>>,
    languages: RefCell<Option<Vec<String>>>,
    /// The time zone that was set; nothing for the machine's own.
    pub(crate) time_zone: RefCell<String>,
}

impl Pool {
    pub(crate) fn make(host: &Rc<Host>, context: &Context) -> Rc<Self> {
        let web_context = WebContext::builder().website_data_manager(&context.data).build();
        let extensions = host.directory.join("extensions");
        let asks_at = redirects::path(&host.directory).to_string_lossy().into_owned();
        web_context.connect_initialize_web_extensions(move |context| {
            context.set_web_extensions_directory(&extensions.to_string_lossy());
            context.set_web_extensions_initialization_user_data(&asks_at.to_variant());
        });
        listen_to_downloads(host, &web_context);
        let pool = Rc::new(Self {
            web_context,
            place: Cell::default(),
            languages: RefCell::default(),
            time_zone: RefCell::default(),
        });
        pool.listen_to_geolocation();
        pool.apply_languages();
        pool
    }

    /// Where the device is; nothing for not known.
    pub(crate) fn set_place(&self, place: Option<Place>) {
        self.place.set(place);
        if let Some(manager) = self.web_context.geolocation_manager() {
            tell_place(&manager, place);
        }
    }

    fn listen_to_geolocation(self: &Rc<Self>) {
        let Some(manager) = self.web_context.geolocation_manager() else { return };
        let pool = Rc::downgrade(self);
        manager.connect_start(move |manager| {
            tell_place(manager, pool.upgrade().and_then(|pool| pool.place.get()));
            true
        });
    }

    /// What scripts are told of the person's languages; those of the environment without.
    pub(crate) fn set_languages(&self, languages: Option<Vec<String>>) {
        *self.languages.borrow_mut() = languages;
        self.apply_languages();
    }

    /// Says the languages again: a new process begins with those that were set last, of whichever pool.
    pub(crate) fn apply_languages(&self) {
        let languages = self.languages.borrow().clone().unwrap_or_else(|| vec![of_environment()]);
        let languages: Vec<&str> = languages.iter().map(String::as_str).collect();
        self.web_context.set_preferred_languages(&languages);
        // What is said last counts for the requests of all pools. The driver sets the header of a page that has a language.
        OTHERS.with(|others| others.set_preferred_languages(&[&of_environment()]));
    }
}

/// The first language that the environment names.
fn of_environment() -> String {
    let named = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(|name| std::env::var(name).ok());
    let named = named.unwrap_or_default();
    let tag = named.split(['.', '@']).next().unwrap_or_default().replace('_', "-");
    if tag.is_empty() || tag == "C" || tag == "POSIX" { LANGUAGE.to_owned() } else { tag }
}

fn tell_place(manager: &GeolocationManager, place: Option<Place>) {
    match place {
        Some((latitude, longitude, accuracy)) => {
            manager.update_position(&mut GeolocationPosition::new(latitude, longitude, accuracy));
        }
        None => manager.failed("no position is known"),
    }
}
