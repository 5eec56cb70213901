//! Measures the server, and beside it the limit.
//!
//! *Ours* is the server as a client starts it, over standard input and output. *Raw* is the same work on a browser of
//! its own with the same flags, over nothing but its debugging pipe or socket: what is left when everything is taken away. A
//! *case* is done by both in turn, so that whatever else the machine does meets both; its row in the table has the
//! medians. `cargo xtask bench` builds and runs it; with `firefox`, `webkit`, `policy`, `http`, `bridge` (the person's own
//! Chrome), `late` (effects that come late), `record` or `routes` it measures only that.

#![expect(clippy::print_stdout, reason = "the table is for a person in a terminal")]

mod bidi;
mod bridge;
mod cases;
mod contexts;
mod firefox;
mod host;
mod http;
mod http_client;
mod http_server;
mod late;
mod ours;
mod pages;
mod policy;
mod raw;
mod record;
mod relay;
mod routes;
mod starts;
mod table;
mod task;
mod webkit;
mod weight;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use cicerone_testkit::Site;
use ours::Ours;
use raw::Raw;
use table::{Limit, Table};

/// A server that has the tools of `agent` too, and gives pictures to its client.
const WITH_AGENT: [&str; 4] = ["--dialect", "browser,agent", "--image-responses", "inline"];

/// What ends the benchmark with a message.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let mut table = Table::default();
    let part = std::env::args().nth(1);
    let measured = measure(&mut table, part.as_deref());
    // What was measured before a failure is worth its minutes.
    println!("{table}");
    let saved = if part.is_none() { save(&table) } else { Ok(()) };
    let errors: Vec<Failure> = [measured, saved].into_iter().filter_map(Result::err).collect();
    for error in &errors {
        eprintln!("benches: {error}");
    }
    if errors.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn measure(table: &mut Table, part: Option<&str>) -> Result<(), Failure> {
    let program = built_in()?.join(format!("cicerone{}", std::env::consts::EXE_SUFFIX));
    let site = Site::serve(pages::find)?;
    match part {
        Some("firefox") => firefox::measure(table, &site, &program),
        Some("webkit") => webkit::measure(table, &site, &program),
        Some("late") => late::measure(table, &site, &mut Ours::start(&program)?),
        Some("http") => http::measure(table, &site, &program),
        Some("policy") => host_policy(table, &site, &program),
        Some("bridge") => bridge::measure(table, &site, &program),
        Some("record") => record::measure(table, &site, &mut Ours::start_with(&program, &WITH_AGENT)?),
        Some("routes") => {
            let mut ours = Ours::start_with(&program, &WITH_AGENT)?;
            let mut raw = raw_like(&mut ours, &site)?;
            route_costs(table, &site, &mut ours, &mut raw)
        }
        Some(other) => {
            let known = "firefox, webkit, late, http, policy, bridge, record, routes";
            Err(format!("unknown part {other}; known: {known}").into())
        }
        None => everything(table, &site, &program),
    }
}

/// Writes the results beside the build's profile: to `target/bench.json`.
fn save(table: &Table) -> Result<(), Failure> {
    let json = built_in()?.join("../bench.json");
    std::fs::write(&json, format!("{:#}\n", table.json()))?;
    println!("{}", json.canonicalize()?.display());
    Ok(())
}

fn everything(table: &mut Table, site: &Site, program: &Path) -> Result<(), Failure> {
    let mut ours = Ours::start(program)?;
    ours.open(&site.url("/quiet"))?;
    let command_line = ours.browser_command_line()?;
    let mut raw = Raw::start(&command_line)?;
    cases::measure(table, site, &mut ours, &mut raw)?;
    weight::replies(table, site, &mut ours)?;
    task::measure(table, site, &mut ours, &mut raw)?;
    drop(ours);
    let mut ours = Ours::start_with(program, &WITH_AGENT)?;
    cases::pictures(table, site, &mut ours, &mut raw)?;
    cases::keys(table, site, &mut ours, &mut raw)?;
    contexts::measure(table, site, &mut ours, &mut raw)?;
    relay::measure(table, site, &mut ours)?;
    route_costs(table, site, &mut ours, &mut raw)?;
    record::measure(table, site, &mut ours)?;
    drop((ours, raw));

    starts::measure(table, site, program, &command_line)?;
    weight::memory(table, site, program)?;
    weight::program(table, program)?;
    firefox::measure(table, site, program)?;
    host_policy(table, site, program)?;
    http::measure(table, site, program)?;
    bridge::measure(table, site, program)
}

fn route_costs(table: &mut Table, site: &Site, ours: &mut Ours, raw: &mut Raw) -> Result<(), Failure> {
    routes::measure(table, site, ours, "200 requests, one route", Limit::AtMost(1.15))?;
    routes::measure_unmatched(table, site, ours)?;
    routes::measure_raw(table, site, raw)
}

/// A browser with the flags of the server's.
fn raw_like(ours: &mut Ours, site: &Site) -> Result<Raw, Failure> {
    ours.open(&site.url("/quiet"))?;
    Raw::start(&ours.browser_command_line()?)
}

fn host_policy(table: &mut Table, site: &Site, program: &Path) -> Result<(), Failure> {
    ["chromium", "firefox"].into_iter().try_for_each(|engine| policy::measure(table, site, program, engine))
}

/// The folder of this program, where the server's is too.
fn built_in() -> Result<PathBuf, Failure> {
    let program = std::env::current_exe()?;
    Ok(program.parent().ok_or("this program is nowhere")?.to_owned())
}

/// The middle one.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
