//! News: what happened that nobody asked for is told exactly once, by the next reply.

use serde_json::json;

use crate::support::{Answer, Reply, Site, Tab, open_site};

fn click(tab: &mut Tab, target: &str) -> Reply {
    tab.call("browser_click", json!({ "ref": target }))
}

#[test]
fn a_download_after_a_popup_is_told() {
    let site = Site::with(&[
        ("/", "<a target=_blank href=/two>Two</a>"),
        ("/two", "<h1>Second</h1>"),
        ("/three", "<a download href=/file>Get</a>"),
    ]);
    site.answer("/file", Answer::Download("report.txt", b"data".to_vec()));
    let mut tab = open_site(&[], site);
    click(&mut tab, "a").says("tab 1 (tabId 2) opened");
    let three = tab.site.url("/three");
    tab.navigate(&three);
    click(&mut tab, "a").says("downloaded \"report.txt\"");
    tab.snapshot().says_not("report.txt");
}

#[test]
fn what_happens_in_another_tab_is_told() {
    let site = Site::with(&[
        ("/", "<a target=_blank href=/two>Two</a><button>Here</button>"),
        ("/two", "<script>setTimeout(() => console.error('from behind'), 1500)</script>"),
    ]);
    let mut tab = open_site(&[], site);
    click(&mut tab, "a").says("tab 1 (tabId 2) opened");
    tab.call("browser_wait_for", json!({ "time": 2 }))
        .says("tab 1 (tabId 2): console error: \"from behind\"");
    click(&mut tab, "button").says_not("from behind");
}

#[test]
fn what_happens_while_a_new_tab_loads_is_told() {
    let site = Site::of("<h1>Home</h1>");
    site.answer("/gone", Answer::Status(404, "<script>console.error('broken')</script>".into()));
    let mut tab = open_site(&["--dialect", "browser,agent"], site);
    let gone = tab.site.url("/gone");
    // The document that is not there is an error, too.
    let reply = tab.call("browser_tabs", json!({ "action": "new", "url": gone }));
    reply.says("Opened a tab (404 Not Found).").says("Note: 2 console errors");
    assert_eq!(reply.facts()["status"], 404);
    let reply = tab.call("tab_new", json!({ "url": gone }));
    reply.says("(404 Not Found)");
    let data = &reply.facts()["data"];
    assert_eq!((&data["status"], data["news"].as_array().map(Vec::len)), (&json!(404), Some(1)), "{data}");
}

#[test]
fn console_errors_that_were_read_are_no_news() {
    let mut tab = open_site(
        &[],
        Site::of("<button onclick=\"setTimeout(() => console.error('bad'), 2000)\">Go</button>"),
    );
    for read in [true, false] {
        click(&mut tab, "button").ok();
        std::thread::sleep(std::time::Duration::from_millis(2200));
        if read {
            tab.call("browser_console_messages", json!({})).says("[error] bad").says_not("Note:");
            tab.snapshot().says_not("console error");
        } else {
            tab.call("browser_tabs", json!({ "action": "list" })).says("Note: console error: \"bad\"");
        }
    }
}

/// Another tool than those that act and look: they tell what happened too, and so do errors.
fn call_another(tab: &mut Tab, nth: u32) -> Reply {
    match nth % 5 {
        0 => tab.call("browser_tabs", json!({ "action": "list" })),
        1 => tab.call("browser_take_screenshot", json!({})),
        2 => tab.call("browser_network_requests", json!({})),
        3 => click(tab, "e9999"),
        _ => tab.call("browser_find", json!({ "selector": "#later" })),
    }
}

/// The replies that tell of an event, by the lines that tell news or changes.
fn tellers(said: &[String], event: &str) -> Vec<usize> {
    let tells = |line: &str| {
        // A toast that is still there when the page is looked at is a change, and no news.
        let told = ["Note: ", "+ ", "~ ", "Error"].iter().any(|mark| line.starts_with(mark));
        told && line.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == event)
    };
    let replies = said.iter().enumerate();
    replies.flat_map(|(at, text)| text.lines().filter(|line| tells(line)).map(move |_| at)).collect()
}

/// Whatever the order in which things happen, at once or between two replies, in this tab or another.
#[test]
fn in_every_order_of_events_the_next_reply_tells_each_once() {
    let page = "<title>Events</title><body><script>
        let n = 0;
        const next = () => ++n;
        const kinds = {
            toast: () => { const d = document.createElement('div'); d.setAttribute('role', 'status'); d.textContent = 'toast-' + next(); document.body.append(d); setTimeout(() => d.remove(), 30) },
            error: () => console.error('error-' + next()),
            popup: () => window.open('/popup?popup-' + next()),
            file: () => { const a = document.createElement('a'); const n = next(); a.download = 'file-' + n + '.txt'; a.href = '/file?' + n; a.click() },
            dialog: () => alert('dialog-' + next()),
        };
        for (const [kind, happen] of Object.entries(kinds)) {
            for (const [id, act] of [[kind, happen], [kind + '-later', () => setTimeout(happen, 1200)]]) {
                const button = document.createElement('button');
                [button.id, button.textContent, button.onclick] = [id, id, act];
                document.body.append(button);
            }
        }
        </script>";
    for seed in [1_u32, 7, 19, 101, 4_242, 99_991] {
        let site = Site::of(page);
        site.answer("/popup", Answer::Html("<h1>Popup</h1>".into()));
        site.answer("/file", Answer::Body("application/octet-stream", b"data".to_vec()));
        let mut tab = open_site(&[], site);
        tab.snapshot().ok();
        let (mut state, mut said, mut expected) = (seed, Vec::new(), Vec::new());
        for nth in 1..=10 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let kind = ["toast", "error", "popup", "file", "dialog"][(state >> 24) as usize % 5];
            let later = state >> 20 & 1 == 1;
            // Later than any action waits for an effect: the reply to the click cannot tell it.
            let due = said.len() + usize::from(later);
            // The transfer of a file goes on after the click, which does not wait for its end.
            let last = due + usize::from(kind == "file" && !later);
            expected.push((format!("{kind}-{nth}"), due..=last));
            let button = if later { format!("#{kind}-later") } else { format!("#{kind}") };
            said.push(click(&mut tab, &button).text());
            if later {
                std::thread::sleep(std::time::Duration::from_millis(1_400));
            }
            if kind != "dialog" || later {
                said.push(call_another(&mut tab, state >> 16).text());
            }
            if kind == "dialog" {
                said.push(tab.call("browser_handle_dialog", json!({ "accept": true })).ok().text());
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(1_000));
        said.push(tab.snapshot().text());
        said.push(tab.snapshot().text());
        for (event, due) in &expected {
            let told = tellers(&said, event);
            let once = matches!(told[..], [reply] if due.contains(&reply));
            assert!(
                once,
                "seed {seed}: {event}, due in {due:?}, is told in {told:?} of {expected:?}: {said:#?}"
            );
        }
    }
}
