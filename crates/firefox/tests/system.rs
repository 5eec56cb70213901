//! What a browser with system access can do beside what every browser can, and what it must not.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail so")]

mod support;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cicerone_driver::{
    BookmarkSearch, BrowserEvent, ColorScheme, DriverError, HistorySearch, KeptProfile, Launch, Media,
    Navigation, PageEvent, Throttle,
};
use cicerone_driver_tests::{Site, Trial, VIEWPORT, value};
use cicerone_firefox::{Firefox, LaunchOptions};
use support::{DRIVER, all_powers, find, start, with};

#[tokio::test]
async fn without_system_access_the_browser_says_what_it_cannot_do() {
    let (trial, site) = (start().await, Site::blank());
    let page = trial.page_at(&*trial.new_context().await, &site.url("/")).await;
    let emulation = page.emulation().unwrap();
    let dark = Media { color_scheme: Some(ColorScheme::Dark), ..Media::default() };
    let refused = emulation.media(&dark).await;
    assert!(matches!(refused, Err(DriverError::NeedsSystemAccess(_))), "{refused:?}");
    let refused = emulation.throttle(Some(&Throttle::default())).await;
    assert!(matches!(refused, Err(DriverError::NeedsSystemAccess(_))), "{refused:?}");
    let refused = trial.browser.history().unwrap().search(&all_visits()).await;
    assert!(matches!(refused, Err(DriverError::NeedsSystemAccess(_))), "{refused:?}");
    let refused = trial.browser.bookmarks().unwrap().folders().await;
    assert!(matches!(refused, Err(DriverError::NeedsSystemAccess(_))), "{refused:?}");
    trial.browser.close().await;
}

#[tokio::test]
async fn a_temporary_browser_is_restarted_with_its_profile() {
    let (trial, site) = (start().await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/visited")).await;
    value(&*page, "document.cookie = 'kept=1; max-age=999'").await;
    let restart = trial.browser.restart().expect("it is temporary, and has no access");
    let profile = restart.close_and_keep().await.expect("its profile");
    let again = with_access(Some(profile)).await;
    assert!(again.browser.restart().is_none(), "it has access");
    let found = again.browser.history().unwrap().search(&all_visits()).await.unwrap();
    assert!(found.iter().any(|visited| visited.url == site.url("/visited")), "{found:?}");
    let cookies = again.browser.default_context().cookies().unwrap().all().await.unwrap();
    assert!(cookies.iter().any(|cookie| cookie.name == "kept"), "{cookies:?}");
    again.browser.close().await;
}

/// Who asks for it at the start has it too, but not in a profile that stays.
#[tokio::test]
async fn only_temporary_browsers_get_access_by_a_call() {
    let trial = with_access(None).await;
    trial.browser.bookmarks().unwrap().folders().await.unwrap();
    trial.browser.close().await;
    let profile = tempfile::tempdir().unwrap();
    let lasting =
        LaunchOptions { user_data_dir: Some(profile.path().join("profile")), ..LaunchOptions::default() };
    let wanted = Launch { system_access: true, ..wanted() };
    let trial = Trial::launch_as(&Firefox::new(find, lasting), &wanted).await.unwrap();
    assert!(trial.browser.restart().is_none());
    let refused = trial.browser.bookmarks().unwrap().folders().await;
    assert!(matches!(refused, Err(DriverError::NeedsSystemAccess(_))), "{refused:?}");
    trial.browser.close().await;
}

fn wanted() -> Launch {
    Launch {
        engine: DRIVER.engine,
        headed: false,
        viewport: VIEWPORT,
        proxy: None,
        proxy_only: false,
        client: None,
        system_access: false,
        profile: None,
    }
}

async fn with_access(profile: Option<KeptProfile>) -> Trial {
    let wanted = Launch { system_access: true, profile, ..wanted() };
    Trial::launch_as(&Firefox::new(find, LaunchOptions::default()), &wanted).await.unwrap()
}

#[tokio::test]
async fn a_page_goes_no_further_with_system_access_than_without() {
    for options in [LaunchOptions::default(), all_powers()] {
        let (trial, site) = (with(options).await, Site::blank());
        let page = trial.page_at(&*trial.new_context().await, &site.url("/")).await;
        for url in [
            "about:config",
            " About:config",
            "abo\tut:support",
            "chrome://browser/content/browser.xhtml",
            "resource://gre/modules/Services.sys.mjs",
            "view-source:about:config",
        ] {
            let came = page.navigate(url).await.unwrap();
            assert!(matches!(came, Navigation::Failed(_)), "{url}: {came:?}");
        }
        // Nor does a page by itself.
        for url in ["about:config", "chrome://browser/content/browser.xhtml"] {
            for way in [
                "open(url)",
                "location.href = url",
                "document.body.append(Object.assign(document.createElement('iframe'), { src: url }))",
            ] {
                value(&*page, &format!("(url => {{ try {{ {way} }} catch {{}} }})('{url}')")).await;
            }
        }
        assert_eq!(value(&*page, "location.href").await, site.url("/").as_str());
        assert_eq!(value(&*page, "typeof Services + typeof ChromeUtils").await, "undefinedundefined");
        let strange = |told: &BrowserEvent| match told {
            BrowserEvent::Page(_, PageEvent::Navigated { url, .. }) => {
                url.contains("config") || url.starts_with("chrome:")
            }
            _ => false,
        };
        assert_eq!(trial.record.count(strange), 0);
        for url in ["about:blank", "data:text/html,data", &site.url("/next")] {
            let came = page.navigate(url).await.unwrap();
            assert!(matches!(came, Navigation::Document(_)), "{url}: {came:?}");
        }
        trial.browser.close().await;
    }
}

#[tokio::test]
async fn forced_colours_that_are_the_persons_own_cannot_be_denied() {
    let profile = tempfile::tempdir().unwrap();
    std::fs::write(profile.path().join("prefs.js"), "user_pref(\"browser.display.document_color_use\", 2);")
        .unwrap();
    // One that others can enter is not used.
    std::fs::set_permissions(profile.path(), std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let options = LaunchOptions { user_data_dir: Some(profile.path().to_owned()), ..all_powers() };
    let (trial, site) = (with(options).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let emulation = page.emulation().unwrap();
    let look = "['(forced-colors: active)', '(prefers-color-scheme: dark)'].map(query => matchMedia(query).matches).join()";
    emulation.media(&Media { color_scheme: Some(ColorScheme::Dark), ..Media::default() }).await.unwrap();
    let before = value(&*page, look).await;
    let refused = emulation.media(&Media { forced_colors: Some(false), ..Media::default() }).await;
    assert!(matches!(refused, Err(DriverError::Unsupported(_))), "{refused:?}");
    assert_eq!(value(&*page, look).await, before);
    trial.browser.close().await;
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64()
}

fn all_visits() -> HistorySearch {
    HistorySearch { text: String::new(), from: None, to: None, most: 100 }
}

#[tokio::test]
async fn what_was_visited_is_found_by_words_and_times() {
    let (trial, site) = (with(all_powers()).await, Site::blank());
    let history = trial.browser.history().unwrap();
    let began = now();
    let page = trial.page_at(&*trial.new_context().await, &site.url("/first")).await;
    for path in ["/second", "/first"] {
        trial.go(&*page, &site.url(path)).await;
    }
    // It is written a moment later than it is shown, in the order of the visits.
    let written = async {
        loop {
            let found = history.search(&all_visits()).await.unwrap();
            if found.first().is_some_and(|latest| latest.visits == 2) {
                break found;
            }
        }
    };
    let found = tokio::time::timeout(Duration::from_secs(30), written).await.unwrap();
    let urls: Vec<_> = found.iter().map(|visited| visited.url.as_str()).collect();
    assert_eq!(urls, [site.url("/first"), site.url("/second")]);
    assert!(found[0].last >= began.floor() && found[0].last <= now(), "{found:?}");

    let urls = async |wanted: &HistorySearch| {
        let found = history.search(wanted).await.unwrap();
        found.into_iter().map(|visited| visited.url).collect::<Vec<_>>()
    };
    let nothing: [String; 0] = [];
    assert_eq!(urls(&HistorySearch { text: "second".into(), ..all_visits() }).await, [site.url("/second")]);
    assert_eq!(urls(&HistorySearch { text: "second nowhere".into(), ..all_visits() }).await, nothing);
    assert_eq!(urls(&HistorySearch { to: Some(began - 1.0), ..all_visits() }).await, nothing);
    assert_eq!(urls(&HistorySearch { from: Some(now() + 1.0), ..all_visits() }).await, nothing);
    assert_eq!(urls(&HistorySearch { from: Some(began - 1.0), ..all_visits() }).await.len(), 2);
    assert_eq!(urls(&HistorySearch { most: 1, ..all_visits() }).await, [site.url("/first")]);
    assert_eq!(urls(&HistorySearch { most: 0, ..all_visits() }).await, nothing);

    trial.browser.close().await;
}

#[tokio::test]
async fn bookmarks_are_added_found_and_deleted() {
    let trial = with(all_powers()).await;
    let bookmarks = trial.browser.bookmarks().unwrap();
    let reading = bookmarks.add_folder("Reading", None).await.unwrap();
    let papers = bookmarks.add_folder("Papers", Some(&reading)).await.unwrap();
    let one = bookmarks.add("https://one.example/", "A \"first\" one", Some(&papers)).await.unwrap();
    let two = bookmarks.add("https://two.example/path", "${second}", None).await.unwrap();

    let folders = bookmarks.folders().await.unwrap();
    let folder = |id: &str| folders.iter().find(|folder| folder.id == id).unwrap().clone();
    assert_eq!(
        (folder(&papers).title.as_str(), folder(&papers).folder.as_deref()),
        ("Papers", Some(reading.as_str()))
    );
    let others = folder(&reading).folder.unwrap();
    assert_eq!(folder(&others).folder, None);

    let search = async |text: &str, folder: Option<&str>, most| {
        let wanted = BookmarkSearch { text: text.into(), folder: folder.map(str::to_owned), most };
        bookmarks.search(&wanted).await
    };
    let found = search("FIRST example", None, 10).await.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0].id, &found[0].folder), (&one, &papers));
    assert_eq!((found[0].url.as_str(), found[0].title.as_str()), ("https://one.example/", "A \"first\" one"));
    assert!(found[0].added > now() - 600.0 && found[0].added <= now(), "{found:?}");
    assert_eq!(search("", None, 1).await.unwrap()[0].id, two);
    assert_eq!(search("${second}", None, 10).await.unwrap().len(), 1);
    let within = search("", Some(&reading), 10).await.unwrap();
    assert_eq!(within.iter().map(|bookmark| &bookmark.id).collect::<Vec<_>>(), [&one]);

    for refused in [
        bookmarks.add("no url", "", None).await.map(drop),
        bookmarks.add("https://one.example/", "", Some("nowhere")).await.map(drop),
        bookmarks.delete(&papers).await.map(drop),
        bookmarks.delete(&others).await.map(drop),
        search("", Some("abcdefghijkl"), 10).await.map(drop),
    ] {
        assert!(matches!(refused, Err(DriverError::Refused { .. })), "{refused:?}");
    }
    assert!(bookmarks.delete(&one).await.unwrap());
    assert!(!bookmarks.delete(&one).await.unwrap());
    assert!(bookmarks.delete(&papers).await.unwrap());
    assert_eq!(search("first", None, 10).await.unwrap(), []);
    trial.browser.close().await;
}
