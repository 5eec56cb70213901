//! The pages that are measured on.

use std::{fmt::Write, sync::LazyLock};

use cicerone_testkit::Page;

/// What is downloaded.
static LARGE: LazyLock<String> = LazyLock::new(|| "x".repeat(100 << 20));

/// How many other things `/many` asks for.
const MANY: usize = 200;

/// The page under a path: `/quiet`, `/counter`, `/there`, `/back`, `/fetch`, `/field`, `/echo`, `/keys`, `/large`,
/// `/many`, `/part/N`, `/task/…`, `/late/…`, `/elements/N`.
pub(crate) fn find(path: &str) -> Option<Page> {
    let body = match path {
        "/quiet" => "<button>Quiet</button><p>Nothing happens here.</p>".into(),
        "/counter" => {
            "<button onclick='this.nextSibling.textContent = ++count'>Count</button><output>0</output>\
             <script>count = 0</script>"
                .into()
        }
        "/there" => "<a href='/back'>Go</a>".into(),
        "/back" => "<a href='/there'>Go</a>".into(),
        "/fetch" => FETCHING.into(),
        "/field" => "<label>Name <input></label>".into(),
        "/echo" => {
            "<label>Name <input oninput='document.querySelector(\"output\").textContent = value'></label>\
             <output></output>"
                .into()
        }
        // It never holds more than the last thousand characters: each round is like the first. It shows what was
        // typed: after typing into a field with a listener of its own, the server waits for an effect.
        "/keys" => "<input oninput='if (value.length > 1000) value = value.slice(1000); \
             document.querySelector(\"output\").textContent = value.slice(-10)'><output></output>"
            .into(),
        "/data" => return Some(Page { kind: "text/plain", body: "fetched".into() }),
        "/many" => many(),
        part if part.starts_with("/part/") => return Some(Page { kind: "text/plain", body: "part".into() }),
        "/large" => return Some(Page { kind: "application/octet-stream", body: LARGE.as_str().into() }),
        task if task.starts_with("/task/") => return crate::task::page(task),
        late if late.starts_with("/late/") => return crate::late::page(late),
        _ => elements(path.strip_prefix("/elements/")?.parse().ok()?),
    };
    Some(Page::html(format!("<!doctype html><meta charset=utf-8><title>{path}</title>{body}")))
}

const FETCHING: &str = "<button>Fetch</button><output></output><script>
  document.querySelector('button').onclick = () => {
    done = fetch('/data').then((answer) => answer.text()).then((text) => {
      document.querySelector('output').textContent = text + ' ' + performance.now();
    });
  };
</script>";

/// A page whose load ends when all that it fetches is there.
fn many() -> String {
    let images: String = (0..MANY).map(|part| format!("<img src='/part/{part}' alt=''>")).collect();
    format!("<link rel=icon href='data:,'>{images}")
}

/// About so many elements, as on a page of results: five to an entry.
fn elements(count: usize) -> String {
    let mut body = String::from("<main><ul>");
    for entry in 0..count / 5 {
        // Writing to a string cannot fail.
        let _ = write!(
            body,
            "<li><h3><a href='/quiet?{entry}'>Result {entry}</a></h3><p>Some words about result {entry}</p>\
             <button>Keep {entry}</button></li>"
        );
    }
    body
}
