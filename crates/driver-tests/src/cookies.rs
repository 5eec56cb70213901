//! The cookies of a context.

use crate::{
    Driver, Trial,
    site::{Site, html},
};
use cicerone_driver::{Cookie, SameSite};

fn cookie(name: &str) -> Cookie {
    Cookie {
        name: name.into(),
        value: "1".into(),
        domain: "example.com".into(),
        path: "/".into(),
        expires: None,
        http_only: false,
        secure: false,
        same_site: None,
        partition: None,
    }
}

fn in_order(mut cookies: Vec<Cookie>) -> Vec<Cookie> {
    cookies.sort_by(|one, other| one.name.cmp(&other.name));
    cookies
}

/// Whole seconds, some time from now: the browser keeps no more than a year and some.
fn next_month() -> f64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    (now.as_secs() + 30 * 24 * 60 * 60) as f64
}

fn of_all_kinds() -> Vec<Cookie> {
    vec![
        Cookie { expires: Some(next_month()), ..cookie("a-lasting") },
        Cookie { domain: ".example.com".into(), ..cookie("b-below") },
        Cookie { path: "/deep/er".into(), http_only: true, ..cookie("c-path") },
        Cookie { secure: true, same_site: Some(SameSite::None), ..cookie("d-none") },
        Cookie { same_site: Some(SameSite::Lax), ..cookie("e-lax") },
        Cookie { same_site: Some(SameSite::Strict), ..cookie("f-strict") },
        Cookie { value: "ü=\"x\" y".into(), ..cookie("i-odd") },
    ]
}

pub async fn cookies_are_read_as_they_were_set_in_their_context_only(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let (one, other) = (trial.new_context().await, trial.new_context().await);
    let cookies = one.cookies().unwrap();

    // Once: they end in a while from now, and now goes on.
    let all = of_all_kinds();
    cookies.set(&all).await.unwrap();

    assert_eq!(in_order(cookies.all().await.unwrap()), all);
    assert_eq!(other.cookies().unwrap().all().await.unwrap(), []);
    assert_eq!(trial.browser.default_context().cookies().unwrap().all().await.unwrap(), []);

    cookies.set(&[Cookie { value: "2".into(), ..cookie("e-lax") }]).await.unwrap();
    let changed = in_order(cookies.all().await.unwrap());
    assert_eq!((changed.len(), changed[4].value.as_str()), (all.len(), "2"));
    trial.browser.close().await;
}

pub async fn a_cookie_is_removed_and_others_stay(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let context = trial.new_context().await;
    let cookies = context.cookies().unwrap();
    let all = of_all_kinds();
    for removed in &all {
        cookies.set(&all).await.unwrap();
        cookies.remove(std::slice::from_ref(removed)).await.unwrap();
        let left = in_order(cookies.all().await.unwrap());
        let expected: Vec<_> = all.iter().filter(|kept| kept.name != removed.name).cloned().collect();
        assert_eq!(left, expected);
    }
    cookies.remove(&all).await.unwrap();
    assert_eq!(cookies.all().await.unwrap(), []);
    trial.browser.close().await;
}

pub async fn a_cookie_in_the_partition_of_another_site_is_read_as_it_was_set_and_removed(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let context = trial.new_context().await;
    let cookies = context.cookies().unwrap();
    let plain = Cookie { secure: true, same_site: Some(SameSite::None), ..cookie("a-plain") };
    let partitioned =
        Cookie { name: "b-partitioned".into(), partition: Some("https://top.org".into()), ..plain.clone() };
    let both = [plain, partitioned];
    cookies.set(&both).await.unwrap();
    assert_eq!(in_order(cookies.all().await.unwrap()), both);
    cookies.remove(&both[1..]).await.unwrap();
    assert_eq!(cookies.all().await.unwrap(), both[..1]);
    trial.browser.close().await;
}

pub async fn a_cookie_in_the_partition_of_its_own_site_is_read_as_it_was_set(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let context = trial.new_context().await;
    let cookies = context.cookies().unwrap();
    let own = Cookie { secure: true, partition: Some("https://example.com".into()), ..cookie("own") };
    cookies.set(std::slice::from_ref(&own)).await.unwrap();
    assert_eq!(cookies.all().await.unwrap(), [own]);
    trial.browser.close().await;
}

pub async fn cookies_that_a_site_set_are_read_and_removed_and_ours_are_sent(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|head| match head.target.as_str() {
        "/set" => {
            let set = "theirs=1; HttpOnly; SameSite=Strict; Path=/; Max-Age=1000";
            (200, vec![("set-cookie", set.into()), ("content-type", "text/html".into())], String::new())
        }
        _ => html(""),
    });
    let context = trial.new_context().await;
    let cookies = context.cookies().unwrap();
    trial.page_at(&*context, &site.url("/set")).await;
    let [theirs] = cookies.all().await.unwrap().try_into().unwrap();
    assert_eq!((theirs.name.as_str(), theirs.domain.as_str()), ("theirs", "127.0.0.1"));
    assert!(theirs.http_only && theirs.expires.is_some() && theirs.same_site == Some(SameSite::Strict));
    cookies.remove(&[theirs]).await.unwrap();

    cookies.set(&[Cookie { domain: "127.0.0.1".into(), ..cookie("ours") }]).await.unwrap();
    trial.page_at(&*context, &site.url("/see")).await;
    let sent = site.asked().into_iter().find(|head| head.target == "/see").unwrap();
    assert_eq!(sent.header("cookie"), Some("ours=1"));
    trial.browser.close().await;
}
