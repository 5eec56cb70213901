//! Three sessions in one process on one browser.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![cfg(target_os = "linux")]

mod support;

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use cicerone_driver::Engine;
use cicerone_engine::{HostPolicy, Session};
use serde_json::json;

use self::support::{Trial, engine, ref_in, run, until};

#[test]
fn sessions_of_one_browser_see_only_their_own() {
    run(async {
        let trial = Trial::new();
        let clients = trial.three();
        let [one, two, three] = &clients;
        let (first, second, third) =
            tokio::join!(one.go(&trial, "/one"), two.go(&trial, "/two"), three.go(&trial, "/three"));
        assert!(first.contains("/one") && second.contains("/two") && third.contains("/three"));
        assert_eq!(trial.launcher.launched(), 1, "calls at the same time share the start");

        // Cookies and storage.
        for (client, name) in clients.iter().zip(["one", "two", "three"]) {
            client
                .evaluate(&format!("() => {{ document.cookie = 'who={name}'; localStorage.who = '{name}' }}"))
                .await;
        }
        for (client, name) in clients.iter().zip(["one", "two", "three"]) {
            let seen = client.evaluate("() => document.cookie + ' ' + localStorage.who").await;
            assert!(seen.contains(&format!("who={name} {name}")), "{seen}");
        }

        // Tabs and contexts.
        one.ok("browser_tabs", json!({ "action": "new" })).await;
        let (tabs_of_one, tabs_of_two) = (one.tabs().await, two.tabs().await);
        assert!(tabs_of_one.contains("/one") && !tabs_of_one.contains("/two"), "{tabs_of_one}");
        assert!(tabs_of_two.contains("/two") && !tabs_of_two.contains("/one"), "{tabs_of_two}");
        assert!(!tabs_of_two.contains("about:blank"), "the tab of another session: {tabs_of_two}");
        one.ok("browser_context_create", json!({ "name": "work" })).await;
        let contexts = two.ok("browser_context_list", json!({})).await;
        assert!(!contexts.contains("work"), "{contexts}");
        assert!(two.err("browser_context_switch", json!({ "name": "work" })).await.contains("work"));
        two.ok("browser_context_create", json!({ "name": "work" })).await;
        trial.host.end().await;
    });
}

#[test]
fn refs_of_one_session_mean_nothing_in_another() {
    run(async {
        let trial = Trial::new();
        let [one, two, _] = trial.three();
        one.go(&trial, "/one").await;
        two.go(&trial, "/two").await;
        let button = ref_in(&one.ok("browser_snapshot", json!({})).await, "Button of /one");
        // The same ref is another session's own element, or nobody's.
        let snapshot = two.ok("browser_snapshot", json!({})).await;
        assert_eq!(ref_in(&snapshot, "Button of /two"), button, "each session counts by itself");
        let clicked = two.ok("browser_click", json!({ "ref": button })).await;
        assert!(clicked.contains("/two"), "{clicked}");
        let unknown = two.err("browser_click", json!({ "ref": "e999" })).await;
        assert!(unknown.contains("e999"), "{unknown}");
        trial.host.end().await;
    });
}

#[test]
fn popups_and_dialogs_belong_to_the_session_of_their_opener() {
    run(async {
        let trial = Trial::new();
        let [one, two, three] = trial.three();
        for client in [&one, &two, &three] {
            client.go(&trial, "/popup").await;
        }
        let clicked = two.ok("browser_click", json!({ "ref": "role:button" })).await;
        until("the popup is there", || two.session.context().pages().len() == 2).await;
        assert!(two.tabs().await.contains("Popped"), "{clicked}");
        for other in [&one, &three] {
            assert_eq!(other.session.context().pages().len(), 1);
            let news = other.evaluate("() => 1").await;
            assert!(!news.contains("tab"), "news of another session: {news}");
        }

        three.go(&trial, "/alert").await;
        three.call("browser_click", json!({ "ref": "role:button" })).await;
        let waiting = three.err("browser_evaluate", json!({ "function": "() => 1" })).await;
        assert!(waiting.contains("hello"), "{waiting}");
        one.evaluate("() => 1").await;
        three.ok("browser_handle_dialog", json!({ "accept": true })).await;
        trial.host.end().await;
    });
}

#[test]
fn downloads_go_to_the_session_that_asked_for_them() {
    run(async {
        let trial = Trial::new();
        let [one, two, three] = trial.three();
        for client in [&one, &two, &three] {
            client.go(&trial, "/download").await;
        }
        let clicked = two.ok("browser_click", json!({ "ref": "role:link" })).await;
        assert!(clicked.contains("file.txt"), "{clicked}");
        until("the file is there", || !trial.files_of("two").is_empty()).await;
        assert_eq!(trial.files_of("two"), ["file.txt"]);
        for (other, name) in [(&one, "one"), (&three, "three")] {
            let news = other.evaluate("() => 1").await;
            assert!(!news.contains("file.txt"), "{news}");
            assert!(trial.files_of(name).is_empty());
        }
        trial.host.end().await;
    });
}

#[test]
fn a_crash_of_the_browser_is_one_error_for_each_session_and_then_they_share_another() {
    run(async {
        let trial = Trial::new();
        let clients = trial.three();
        for client in &clients {
            client.go(&trial, "/before").await;
        }
        let idle = trial.client("idle");
        trial.kill_browser();
        for client in &clients {
            let error = client.err("browser_snapshot", json!({})).await;
            assert!(error.contains("browser") && error.contains("ended"), "{error}");
        }
        for client in &clients {
            client.ok("browser_snapshot", json!({})).await;
            let gone = client.go(&trial, "/after").await;
            assert!(gone.contains("/after"), "{gone}");
        }
        idle.ok("browser_snapshot", json!({})).await;
        assert_eq!(trial.launcher.launched(), 2, "all of them share the new browser");

        // Calls that run while it ends are told too, each one once.
        let waits =
            clients.each_ref().map(|client| client.call("browser_wait_for", json!({ "text": "never" })));
        let killed = async {
            tokio::task::yield_now().await;
            trial.kill_browser();
        };
        let (replies, ()) = tokio::join!(futures_join(waits), killed);
        assert!(replies.iter().all(|failed| *failed));
        for client in &clients {
            client.ok("browser_snapshot", json!({})).await;
        }
        assert_eq!(trial.launcher.launched(), 3);
        trial.host.end().await;
    });
}

/// Whether each of them failed.
async fn futures_join<F: Future<Output = cicerone_tools::Reply>>(calls: [F; 3]) -> [bool; 3] {
    let [one, two, three] = calls;
    let (one, two, three) = tokio::join!(one, two, three);
    [one.failed, two.failed, three.failed]
}

#[test]
fn the_end_of_one_session_closes_its_contexts_only() {
    run(async {
        let trial = Trial::new();
        let [one, two, three] = trial.three();
        two.go(&trial, "/two").await;
        one.go(&trial, "/beat").await;
        one.ok("browser_context_create", json!({ "name": "work" })).await;
        one.go(&trial, "/beat").await;
        two.evaluate("() => { document.cookie = 'who=two' }").await;
        until("the pages are there", || trial.beats.load(Ordering::Relaxed) > 0).await;
        assert!(one.session.end().await);
        trial.no_page_beats().await;
        assert!(!one.session.end().await, "there is nothing left to end");

        // One that is dropped without a word leaves nothing behind either.
        three.go(&trial, "/beat").await;
        drop(three);
        trial.no_page_beats().await;
        assert!(two.evaluate("() => document.cookie").await.contains("who=two"));
        assert_eq!(two.session.context().pages().len(), 1);
        assert_eq!(trial.launcher.launched(), 1);
        trial.host.end().await;
    });
}

#[test]
fn quit_and_launch_leave_the_others_alone() {
    run(async {
        let trial = Trial::new();
        let [one, two, _] = trial.three();
        one.go(&trial, "/one").await;
        two.go(&trial, "/two").await;
        one.evaluate("() => { document.cookie = 'who=one' }").await;
        one.ok("browser_quit", json!({})).await;
        assert!(two.ok("browser_snapshot", json!({})).await.contains("/two"));
        one.go(&trial, "/one").await;
        let cookies = one.evaluate("() => 'cookies:' + document.cookie").await;
        assert!(!cookies.contains("who=one"), "{cookies}");
        assert_eq!(trial.launcher.launched(), 1);

        // The same browser with another viewport needs no other browser.
        let viewport = json!({ "viewport": { "width": 800, "height": 600 } });
        one.ok("browser_launch", json!({ "browserType": engine().name(), "viewport": viewport["viewport"] }))
            .await;
        one.go(&trial, "/one").await;
        assert!(one.evaluate("() => innerWidth + 'x' + innerHeight").await.contains("800x600"));
        assert!(two.evaluate("() => innerWidth + 'x' + innerHeight").await.contains("1280x720"));
        assert_eq!(trial.launcher.launched(), 1);
        trial.host.end().await;
    });
}

#[test]
fn another_engine_is_the_sessions_own() {
    run(async {
        let trial = Trial::new();
        let [one, two, _] = trial.three();
        one.go(&trial, "/one").await;
        two.go(&trial, "/two").await;
        let (other, in_agent) = match engine() {
            Engine::Firefox => (Engine::Chromium, "Chrom"),
            _ => (Engine::Firefox, "Firefox"),
        };
        one.ok("browser_launch", json!({ "browserType": other.name() })).await;
        one.go(&trial, "/one").await;
        assert!(one.evaluate("() => navigator.userAgent").await.contains(in_agent));
        assert_eq!(trial.launcher.launched(), 2);
        let own = trial.launcher.browser_pid();
        assert!(two.ok("browser_snapshot", json!({})).await.contains("/two"));
        // It is back in the shared browser after it quit its own.
        one.ok("browser_quit", json!({})).await;
        assert!(own.is_some() && trial.launcher.browser_pid().is_none());
        one.go(&trial, "/one").await;
        assert!(!one.evaluate("() => navigator.userAgent").await.contains(in_agent));
        assert_eq!(trial.launcher.launched(), 2);
        assert!(two.ok("browser_snapshot", json!({})).await.contains("/two"));
        trial.host.end().await;
    });
}

#[test]
fn idle_sessions_leave_the_browser_and_the_last_one_ends_it() {
    run(async {
        let idle_timeout = Duration::from_secs(2);
        let trial = Trial::with(idle_timeout, HostPolicy::default());
        let [one, two, _] = trial.three();
        one.go(&trial, "/one").await;
        // Somebody who stays busy keeps the browser, but not what others left in it.
        let end = Instant::now() + idle_timeout * 2;
        two.go(&trial, "/two").await;
        while Instant::now() < end {
            two.evaluate("() => new Promise(done => setTimeout(done, 100))").await;
        }
        assert_eq!(one.session.context().pages().len(), 0, "an idle session has no pages");
        assert_eq!(trial.launcher.launched(), 1);
        let back = one.go(&trial, "/one").await;
        assert!(back.contains("/one"), "{back}");
        assert_eq!(trial.launcher.launched(), 1, "the browser ran all the time");

        let sessions: [Session; 2] = [one.session.clone(), two.session.clone()];
        drop((one, two));
        for session in sessions {
            session.end().await;
        }
        until("the browser has ended", || trial.launcher.browser_pid().is_none()).await;
        let late = trial.client("late");
        late.go(&trial, "/late").await;
        assert_eq!(trial.launcher.launched(), 2);
        trial.host.end().await;
    });
}

#[test]
fn contexts_are_shared_by_name_where_that_is_allowed() {
    run(async {
        let mut trial = Trial::new();
        trial.host = trial.host.clone().with_shared_contexts(trial.setup("shared"));
        let [one, two, three] = trial.three();
        one.go(&trial, "/own").await;
        one.ok("browser_context_create", json!({ "name": "work" })).await;
        one.go(&trial, "/shared").await;
        one.evaluate("() => { document.cookie = 'who=work' }").await;

        assert!(two.ok("browser_context_list", json!({})).await.contains("work"));
        two.ok("browser_context_switch", json!({ "name": "work" })).await;
        let snapshot = two.ok("browser_snapshot", json!({})).await;
        assert!(snapshot.contains("/shared"), "{snapshot}");
        two.ok("browser_click", json!({ "ref": ref_in(&snapshot, "Button of") })).await;
        assert!(two.evaluate("() => document.cookie").await.contains("who=work"));
        assert!(!two.tabs().await.contains("/own"), "first contexts are not shared");
        let taken = three.err("browser_context_create", json!({ "name": "work" })).await;
        assert!(taken.contains("work"), "{taken}");

        // It outlives the one that made it, and is gone for all when it is closed.
        one.session.end().await;
        assert!(two.ok("browser_snapshot", json!({})).await.contains("/shared"));
        three.ok("browser_context_close", json!({ "name": "work" })).await;
        assert!(!two.ok("browser_context_list", json!({})).await.contains("work"));
        two.ok("browser_snapshot", json!({})).await;
        trial.host.end().await;
    });
}

#[test]
fn a_factory_makes_sessions_on_one_browser_and_ends_it() {
    run(async {
        let trial = Trial::new();
        let factory = trial.factory();
        let (one, two) = (trial.client_of(factory.session()), trial.client_of(factory.session()));
        one.go(&trial, "/one").await;
        two.go(&trial, "/two").await;
        assert_eq!(trial.launcher.launched(), 1);
        assert!(trial.launcher.browser_pid().is_some());
        factory.end().await;
        assert_eq!(trial.launcher.browser_pid(), None);
    });
}

#[test]
fn the_host_policy_holds_for_every_session() {
    run(async {
        let policy = HostPolicy { blocked: vec!["blocked.test".parse().unwrap()], ..Default::default() };
        let trial = Trial::with(Duration::from_secs(60), policy);
        let [one, two, _] = trial.three();
        for client in [&one, &two] {
            client.go(&trial, "/here").await;
            let refused = client.err("browser_navigate", json!({ "url": "http://blocked.test/" })).await;
            assert!(refused.contains("blocked.test"), "{refused}");
        }
        trial.host.end().await;
    });
}
