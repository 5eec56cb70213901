//! Contexts: each has its own cookies, storage, cache, proxy and permissions.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    path::PathBuf,
    rc::Rc,
};

use serde::Deserialize;
use serde_json::json;
use webkit2gtk::{
    CookieManagerExt, CookiePersistentStorage, DownloadExt, NetworkProxyMode, NetworkProxySettings,
    TLSErrorsPolicy, WebContext, WebContextExt, WebsiteDataManager, WebsiteDataManagerExt,
};

use crate::{host::Host, pipe::report};

/// A download that is larger is cancelled, in bytes: a page must not fill the disk.
const LARGEST_DOWNLOAD: u64 = 1 << 30;

/// What a context is made with.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Wanted {
    proxy: Option<Proxy>,
    /// Where its data stays; nowhere without.
    profile: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Proxy {
    server: String,
    user: String,
    password: String,
}

/// One set of cookies, storage and pages.
pub(crate) struct Context {
    pub(crate) data: WebsiteDataManager,
    /// Whether its data stays.
    pub(crate) is_lasting: bool,
    /// What its proxy is told.
    pub(crate) credentials: Option<(String, String)>,
    permissions: RefCell<HashMap<(String, String), bool>>,
}

impl Context {
    pub(crate) fn make(host: &Rc<Host>, wanted: Wanted) -> String {
        let data = match &wanted.profile {
            Some(profile) => kept_in(profile),
            None => WebsiteDataManager::new_ephemeral(),
        };
        data.set_tls_errors_policy(TLSErrorsPolicy::Fail);
        if let Some(proxy) = &wanted.proxy {
            let mut settings = NetworkProxySettings::new(Some(&proxy.server), &[]);
            data.set_network_proxy_settings(NetworkProxyMode::Custom, Some(&mut settings));
        }
        let name = format!("context-{}", host.next());
        let context = Rc::new(Self {
            data,
            is_lasting: wanted.profile.is_some(),
            credentials: wanted.proxy.map(|proxy| (proxy.user, proxy.password)),
            permissions: RefCell::default(),
        });
        host.add_context(&name, context);
        name
    }

    /// What an origin may do, where that was decided.
    pub(crate) fn permission(&self, origin: &str, name: &str) -> Option<bool> {
        let decided = self.permissions.borrow();
        let of =
            |origin: &str| decided.get(&(origin.trim_end_matches('/').to_owned(), name.to_owned())).copied();
        of(origin)
    }

    pub(crate) fn set_permission(&self, origin: &str, name: &str, granted: Option<bool>) {
        let key = (origin.trim_end_matches('/').to_owned(), name.to_owned());
        match granted {
            Some(granted) => self.permissions.borrow_mut().insert(key, granted),
            None => self.permissions.borrow_mut().remove(&key),
        };
    }
}

fn kept_in(profile: &std::path::Path) -> WebsiteDataManager {
    let (data, cache) = (profile.join("data"), profile.join("cache"));
    let manager = WebsiteDataManager::builder()
        .base_data_directory(data.to_string_lossy().as_ref())
        .base_cache_directory(cache.to_string_lossy().as_ref())
        .build();
    if let Some(cookies) = manager.cookie_manager() {
        let file = profile.join("cookies.sqlite");
        cookies.set_persistent_storage(&file.to_string_lossy(), CookiePersistentStorage::Sqlite);
    }
    manager
}

pub(crate) fn listen_to_downloads(host: &Rc<Host>, web_context: &WebContext) {
    let host = Rc::downgrade(host);
    web_context.connect_download_started(move |_, download| {
        let Some(host) = host.upgrade() else { return };
        let id = format!("download-{}", host.next());
        let path = host.directory.join("downloads").join(&id);
        let (began, pages) = (id.clone(), Rc::downgrade(&host));
        download.connect_decide_destination(move |download, name| {
            let page = download.web_view().zip(pages.upgrade()).and_then(|(view, host)| host.page_of(&view));
            let page = page.map(|page| page.id.clone());
            report(
                None,
                "Host.downloadBegan",
                json!({ "id": began, "page": page, "name": name, "path": path }),
            );
            download.set_destination(&format!("file://{}", path.to_string_lossy()));
            true
        });
        download.connect_received_data(|download, _| {
            if download.received_data_length() > LARGEST_DOWNLOAD {
                download.cancel();
            }
        });
        let failed = Rc::new(Cell::new(false));
        let noted = Rc::clone(&failed);
        download.connect_failed(move |_, _| noted.set(true));
        download.connect_finished(move |_| {
            report(None, "Host.downloadEnded", json!({ "id": id, "complete": !failed.get() }));
        });
    });
}
