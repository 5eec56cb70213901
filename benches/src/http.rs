//! Many clients over HTTP on one browser: how long their steps take beside those of few, what the server needs, and what is
//! left of a thousand sessions.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use cicerone_testkit::Site;
use serde_json::json;

use crate::{
    Failure,
    http_client::Client,
    http_server::{Held, Server},
    median,
    ours::Ours,
    table::{Limit, Table, Unit},
};

const FEW: usize = 5;
const MANY: usize = 50;
const SESSIONS: usize = 1_000;

/// How often the server's memory is read during the tasks.
const SAMPLE: Duration = Duration::from_millis(100);

/// How long what sessions held may take to go.
const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) fn measure(table: &mut Table, site: &Site, program: &Path) -> Result<(), Failure> {
    let server = Server::start(program)?;
    // The browser is warm for both.
    tasks(&server, site, 1)?;
    // As many steps of both.
    let mut few = Vec::new();
    for _ in 0..MANY / FEW {
        few.extend(tasks(&server, site, FEW)?.steps);
    }
    let many = tasks(&server, site, MANY)?;
    table.milliseconds(
        "p95 of a step, 50 clients; raw: 5 clients",
        percentile(many.steps),
        Some(percentile(few)),
        Limit::TimesRaw(3.0),
    );
    table.measured(
        "server's most memory with 50 clients",
        many.most_memory,
        Unit::Megabytes,
        Limit::AtMost(60.0),
    );
    against_stdio(table, site, program, &server)?;

    open_and_close(&server, site, SESSIONS / 10)?;
    let (before, held) = (server.memory()?, server.held()?);
    open_and_close(&server, site, SESSIONS)?;
    let left = left_of(&server, held)?;
    let grown = server.memory()? - before;
    table.measured("memory left by 1,000 sessions", grown, Unit::Megabytes, Limit::AtMost(4.0));
    for (what, count) in [
        ("renderer processes", left.renderers),
        ("file descriptors", left.descriptors),
        ("temporary files", left.files),
    ] {
        let what = format!("{what} left by 1,000 sessions");
        table.amount(&what, count, Unit::Count, Limit::AtMost(0.0));
    }
    Ok(())
}

/// The same call over HTTP and over standard input and output, in turn.
fn against_stdio(table: &mut Table, site: &Site, program: &Path, server: &Server) -> Result<(), Failure> {
    let mut client = Client::open(&server.address)?;
    client.call("browser_navigate", &json!({ "url": site.url("/quiet") }))?;
    let mut ours = Ours::start(program)?;
    ours.open(&site.url("/quiet"))?;
    let script = json!({ "function": "() => 1" });
    let (mut http, mut stdio) = (Vec::new(), Vec::new());
    for _ in 0..200 {
        http.push(milliseconds(|| client.call("browser_evaluate", &script))?);
        stdio.push(milliseconds(|| ours.call("browser_evaluate", &script).map(drop))?);
    }
    table.milliseconds(
        "a call over HTTP; raw: stdio",
        median(http),
        Some(median(stdio)),
        Limit::AboveRaw(2.0),
    );
    client.close()
}

fn milliseconds(work: impl FnOnce() -> Result<(), Failure>) -> Result<f64, Failure> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed().as_secs_f64() * 1_000.0)
}

/// What tasks of several clients cost.
struct Tasks {
    /// How long each step took, in milliseconds.
    steps: Vec<f64>,
    /// The most memory that the server had meanwhile, in megabytes.
    most_memory: f64,
}

/// So many clients at once, each with a task of ten steps.
fn tasks(server: &Server, site: &Site, clients: usize) -> Result<Tasks, Failure> {
    let (field, counter) = (site.url("/field"), site.url("/counter"));
    let threads: Vec<_> = (0..clients)
        .map(|_| {
            let (address, field, counter) = (server.address.clone(), field.clone(), counter.clone());
            // What ends a thread must be sendable.
            thread::spawn(move || task(&address, &field, &counter).map_err(|error| error.to_string()))
        })
        .collect();
    let mut done = Tasks { steps: Vec::new(), most_memory: 0.0 };
    while !threads.iter().all(thread::JoinHandle::is_finished) {
        done.most_memory = done.most_memory.max(server.memory()?);
        thread::sleep(SAMPLE);
    }
    for client in threads {
        done.steps.extend(client.join().map_err(|_| "a client panicked")??);
    }
    Ok(done)
}

fn task(address: &str, field: &str, counter: &str) -> Result<Vec<f64>, Failure> {
    let mut client = Client::open(address)?;
    let steps = [
        ("browser_navigate", json!({ "url": field })),
        ("browser_snapshot", json!({})),
        ("browser_type", json!({ "ref": "label:Name", "text": "Ada" })),
        ("browser_evaluate", json!({ "function": "() => document.querySelector('input').value" })),
        ("browser_navigate", json!({ "url": counter })),
        ("browser_click", json!({ "ref": "button" })),
        ("browser_click", json!({ "ref": "button" })),
        ("browser_snapshot", json!({})),
        ("browser_navigate_back", json!({})),
        ("browser_snapshot", json!({})),
    ];
    let mut times = Vec::new();
    for (tool, arguments) in &steps {
        times.push(milliseconds(|| client.call(tool, arguments))?);
    }
    client.close()?;
    Ok(times)
}

/// Sessions one after the other, each with a page.
fn open_and_close(server: &Server, site: &Site, sessions: usize) -> Result<(), Failure> {
    let page = json!({ "url": site.url("/counter") });
    for _ in 0..sessions {
        let mut client = Client::open(&server.address)?;
        client.call("browser_navigate", &page)?;
        client.close()?;
    }
    let until = Instant::now() + TIMEOUT;
    while Client::health(&server.address)?["sessions"] != 0 {
        if Instant::now() > until {
            return Err("sessions are left".into());
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// What the server holds beyond what it held before: processes end in their own time.
fn left_of(server: &Server, before: Held) -> Result<Held, Failure> {
    let until = Instant::now() + TIMEOUT;
    loop {
        let left = server.held()?.beyond(before);
        if left.is_nothing() || Instant::now() > until {
            return Ok(left);
        }
        thread::sleep(SAMPLE);
    }
}

fn percentile(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() * 95 / 100).copied().unwrap_or(f64::NAN)
}
